"""Audits of one function on several pairs of inputs and for several claims, with one error."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.running import CodeVerdict, audit_code
from rdpacct.auditing.running.claimed import claimed
from rdpacct.auditing.running.shares import equal_share
from rdpacct.cli.running.input_pairs import AuditInputs, InputPair
from rdpacct.cli.running.named_function import NamedFunction
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.mechanisms import Plan
from rdpacct.plan import read_plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation

MOST_AUDITS = 1000
AuditedClaim = Guarantee | Plan


@dataclass(frozen=True)
class PlannedAudit:
    """A pair of inputs and a claim, before any trial."""

    pair: InputPair
    claim: AuditedClaim

    def __str__(self) -> str:
        named = f" on {self.pair.name}" if self.pair.name else ""
        return f"{shorten(str(self.claim), 120)}{named}"


@dataclass(frozen=True)
class DoneAudit:
    """An audit with its verdict."""

    planned: PlannedAudit
    verdict: CodeVerdict


@dataclass(frozen=True)
class AuditSettings:
    """What all audits of a command share; the confidence is that of all of them together."""

    function: NamedFunction
    confidence: Fraction
    trials: int
    seed: int
    method: str


def planned_audits(inputs: AuditInputs, more: list[str]) -> list[PlannedAudit]:
    """Every pair with every claim; a claim that cannot be tested is refused."""
    texts = list(dict.fromkeys([*inputs.claims, *more]))
    if not texts:
        raise InputError(
            "nothing is claimed; give --claim, as in --claim"
            ' "ApproxDP(epsilon=1, delta=1e-5)", or claims in the file of inputs.'
        )
    claims = [_claim(text, inputs.relation) for text in texts]
    if len(claims) * len(inputs.pairs) > MOST_AUDITS:
        raise InputError(
            f"{len(inputs.pairs)} pairs with {len(claims)} claims each are more than"
            f" {MOST_AUDITS} audits; give fewer."
        )
    return [PlannedAudit(pair, claim) for pair in inputs.pairs for claim in claims]


def _claim(text: str, relation: Relation | None) -> AuditedClaim:
    stated = claimed(text).stated
    if isinstance(stated, Plan) and relation is not None:
        return claimed(read_plan(text, relation)).stated
    return stated


def done_audits(
    planned: list[PlannedAudit],
    settings: AuditSettings,
    executor: Executor | None,
    progress: Callable[[int, str], None],
) -> Iterator[DoneAudit]:
    """The audits in their order, until one is interrupted.

    Each has an equal share of the error, so that together they refute a true claim with
    probability at most 1 - confidence.
    """
    share = equal_share(1 - settings.confidence, Fraction(len(planned)))
    refuted = 0
    for number, each in enumerate(planned):
        start = number * settings.trials
        try:
            verdict = audit_code(
                settings.function,
                each.pair.x,
                each.pair.x_neighbor,
                each.claim,
                1 - share,
                settings.trials,
                seed=settings.seed,
                method=settings.method,
                executor=executor,
                progress=lambda done, _, start=start, what=str(each): progress(  # type: ignore[misc]
                    start + done, what
                ),
            )
        except InputError as error:
            raise _with_results(error, refuted, len(planned)) from error.__cause__
        refuted += verdict.fails
        yield DoneAudit(each, verdict)
        if verdict.interrupted:
            return


def _with_results(error: InputError, refuted: int, audits: int) -> InputError:
    """The error of a mechanism, with what the audits before it found."""
    if not refuted:
        return error
    return InputError(
        f"{str(error).rstrip('.')} ({refuted} of {audits} audits had refuted their claim"
        " before that)."
    )
