"""Audits by replay: whether the noise of running code is what is declared of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rdpacct.auditing.claims import audit
from rdpacct.auditing.replay.declared import (
    DeclaredNoise,
    GivenSensitivity,
    declared_plan,
)
from rdpacct.auditing.replay.finding import FindingKind, NoiseFinding
from rdpacct.auditing.replay.noise_log import NoiseLog
from rdpacct.auditing.replay.recorded_runs import Noisy
from rdpacct.auditing.replay.replayed_pair import ReplayedPair, replayed_pairs
from rdpacct.auditing.verdict import HasOutcome, Outcome, Verdict
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.plan import read_claim
from rdpacct.privacy.guarantee import Guarantee, RandomDP


@dataclass(frozen=True, slots=True, repr=False)
class NoiseVerdict(HasOutcome):
    """FAILS if a replay found that the code does not do what is declared of it; else UNDECIDED,
    since one pair of data sets never shows that a claim holds.
    """

    claim: Guarantee | None
    outcome: Outcome
    findings: tuple[NoiseFinding, ...]
    notes: tuple[str, ...]
    """What the replay could not see."""
    plan: Plan
    """The recorded releases, with their declared sensitivities."""
    accounted: Verdict | None
    """The audit of that plan against the claim; None if there is no claim, or the plan lacks
    releases.
    """
    log: NoiseLog
    """The first run on the first data set."""

    @property
    def kinds(self) -> frozenset[FindingKind]:
        """The kinds of what was found."""
        return frozenset(finding.kind for finding in self.findings)

    def lines(self) -> list[str]:
        """What was found, what was not seen, and the recorded releases."""
        findings = [str(finding) for finding in self.findings]
        recorded = [f"recorded: {self.plan}"]
        return [*findings, *recorded, *(f"not seen: {note}" for note in self.notes)]

    def title(self) -> str:
        """The claim, if there is one."""
        if self.claim is None:
            return "the noise as declared"
        return str(self.claim)


def audit_noise(
    mechanism: Noisy,
    x: Any,
    x_neighbor: Any,
    *,
    sensitivity: GivenSensitivity = None,
    claim: Guarantee | str | None = None,
    runs: int = 3,
    seed: int = 0,
    source: Any = None,
) -> NoiseVerdict:
    """Whether ``mechanism(data, rng)`` draws its noise as declared, on two neighbors, with the same
    noise on both.

    ``sensitivity`` is declared for every draw, or for each in its order; 0 says that a value does
    not move, None that nothing is declared. Mechanisms of the package declare theirs themselves.
    The recorded releases with these sensitivities are a plan, which is audited against the
    ``claim``. There are ``runs`` runs with different noise, each on ``x``, on ``x`` again and on
    ``x_neighbor``. ``rng`` is a generator of NumPy, or with ``source=random.Random`` one of Python.
    """
    guarantee = claimed(claim)
    pairs = replayed_pairs(mechanism, x, x_neighbor, runs, seed, source)
    return verdict_on(pairs, DeclaredNoise(sensitivity), guarantee)


def verdict_on(
    pairs: Sequence[ReplayedPair], declared: DeclaredNoise, claim: Guarantee | None
) -> NoiseVerdict:
    """What runs and their replays show together."""
    all_findings = [finding for pair in pairs for finding in pair.findings(declared)]
    notes = [note for pair in pairs for note in pair.notes()]
    plan, left_out = declared_plan(pairs[0].log, declared)
    left_out += [reason for pair in pairs for reason in pair.missing()]
    accounted = None
    if claim is not None and not left_out:
        accounted = audit(plan, claim)
        all_findings += _over_budget(plan, accounted)
    elif claim is not None:
        notes.append(f"the budget, since {left_out[0]}")
    findings = tuple(_first_of_each(all_findings))
    return NoiseVerdict(
        claim,
        Outcome.FAILS if findings else Outcome.UNDECIDED,
        findings,
        tuple(dict.fromkeys(notes)),
        plan,
        accounted,
        pairs[0].log,
    )


def claimed(claim: Guarantee | str | None) -> Guarantee | None:
    """The guarantee that is claimed; None if none is."""
    guarantee = read_claim(claim) if isinstance(claim, str) else claim
    if guarantee is None:
        return None
    if not isinstance(guarantee, Guarantee) or isinstance(guarantee, RandomDP):
        raise InputError(
            f"the claim is {shorten(repr(guarantee))}; give a guarantee about two data"
            " sets, or the text of one."
        )
    return guarantee


def _over_budget(plan: Plan, accounted: Verdict) -> Iterable[NoiseFinding]:
    if accounted.fails:
        tight = ", ".join(
            f"{name} is {bound.short()}" for name, bound in accounted.tight.items()
        )
        yield NoiseFinding(
            FindingKind.BUDGET, f"{plan} has more than is claimed: {tight}"
        )


def _first_of_each(findings: Iterable[NoiseFinding]) -> Iterable[NoiseFinding]:
    """The first of the findings of the same kind at the same call."""
    seen: dict[tuple[FindingKind, int | None], NoiseFinding] = {}
    for finding in findings:
        seen.setdefault((finding.kind, finding.call), finding)
    return seen.values()
