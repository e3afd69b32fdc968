"""Audits by replay: whether the noise of running code is what is declared of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.auditing.claims import audit
from rdpacct.auditing.replay.compare import compare_calls
from rdpacct.auditing.replay.declared import DeclaredNoise, Given, declared_plan, draws
from rdpacct.auditing.replay.excess import largest_excess
from rdpacct.auditing.replay.finding import FindingKind, NoiseFinding
from rdpacct.auditing.replay.noise_log import NoiseLog
from rdpacct.auditing.replay.outputs import compare_outputs, unseen
from rdpacct.auditing.replay.runs import Noisy, record_noise, replay_noise
from rdpacct.auditing.verdict import Outcome, Verdict
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole
from rdpacct.judged import Judged
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.notebook import line, paragraph
from rdpacct.plan import read_claim
from rdpacct.privacy.guarantee import Guarantee, RandomDP

MOST_RUNS = 10_000


@dataclass(frozen=True, slots=True, repr=False)
class NoiseVerdict(Judged):
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
    excess: Fraction
    """The largest square of a move, divided by that of its declared sensitivity if there is
    one.
    """

    @property
    def holds(self) -> bool:
        """Never: other data sets may behave otherwise."""
        return self.outcome is Outcome.HOLDS

    @property
    def fails(self) -> bool:
        """Something was found."""
        return self.outcome is Outcome.FAILS

    @property
    def kinds(self) -> frozenset[FindingKind]:
        """The kinds of what was found."""
        return frozenset(finding.kind for finding in self.findings)

    def lines(self) -> list[str]:
        """What was found, what was not seen, and the recorded releases."""
        found = [str(finding) for finding in self.findings]
        recorded = [f"recorded: {self.plan}"]
        return [*found, *recorded, *(f"not seen: {note}" for note in self.notes)]

    def _title(self) -> str:
        if self.claim is None:
            return "the noise as declared"
        return str(self.claim)

    def __str__(self) -> str:
        return "\n  ".join([f"{self.outcome.value}: {self._title()}", *self.lines()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        below = "".join(map(line, self.lines()))
        return paragraph(f"{self.outcome.value}:", self._title()) + below


def audit_noise(
    mechanism: Noisy,
    x: Any,
    x_neighbor: Any,
    *,
    sensitivity: Given = None,
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
    guarantee = _claim(claim)
    declared = DeclaredNoise(sensitivity)
    found = list[NoiseFinding]()
    notes = list[str]()
    logs = list[NoiseLog]()
    excess = Fraction(0)
    for run in range(whole(runs, "the number of runs", 1, MOST_RUNS)):
        log = record_noise(mechanism, x, seed=seed + run, source=source)
        again = replay_noise(mechanism, log, x, source=source)
        other = replay_noise(mechanism, log, x_neighbor, source=source)
        logs.append(log)
        excess = max(excess, largest_excess(log, other, declared))
        notes += unseen(log, again)
        calls = compare_calls(log, other, declared)
        found += [*calls, *compare_outputs(log, again, other, declared, calls)]
        found += _undeclared(log, declared)
    plan, left_out = declared_plan(logs[0], declared)
    accounted = None
    if guarantee is not None and not left_out:
        accounted = audit(plan, guarantee)
        found += _over_budget(plan, accounted)
    elif guarantee is not None:
        notes.append(f"the budget, since {left_out[0]}")
    findings = tuple(_first_of_each(found))
    return NoiseVerdict(
        guarantee,
        Outcome.FAILS if findings else Outcome.UNDECIDED,
        findings,
        tuple(dict.fromkeys(notes)),
        plan,
        accounted,
        logs[0],
        excess,
    )


def _claim(claim: Guarantee | str | None) -> Guarantee | None:
    guarantee = read_claim(claim) if isinstance(claim, str) else claim
    if guarantee is None:
        return None
    if not isinstance(guarantee, Guarantee) or isinstance(guarantee, RandomDP):
        raise InputError(
            f"the claim is {shorten(repr(guarantee))}; give a guarantee about two data"
            " sets, or the text of one."
        )
    return guarantee


def _undeclared(log: NoiseLog, declared: DeclaredNoise) -> Iterable[NoiseFinding]:
    """The first draw for which a list of sensitivities has no entry."""
    made = draws(log)
    if declared.count is not None and len(made) > declared.count:
        text = f"{len(made)} draws, but sensitivities of {declared.count}"
        call = made[declared.count]
        yield NoiseFinding(FindingKind.UNDECLARED, text, call.index, call.place)


def _over_budget(plan: Plan, accounted: Verdict) -> Iterable[NoiseFinding]:
    if accounted.fails:
        tight = ", ".join(
            f"{name} is {bound.short()}" for name, bound in accounted.tight.items()
        )
        yield NoiseFinding(
            FindingKind.BUDGET, f"{plan} has more than is claimed: {tight}"
        )


def _first_of_each(found: Iterable[NoiseFinding]) -> Iterable[NoiseFinding]:
    """Of the findings of the same kind at the same call, the first."""
    seen: dict[tuple[FindingKind, int | None], NoiseFinding] = {}
    for finding in found:
        seen.setdefault((finding.kind, finding.call), finding)
    return seen.values()
