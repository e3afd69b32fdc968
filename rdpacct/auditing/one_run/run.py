"""Audits of a training from one run, in which canaries were included by fair coins."""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.auditing.one_run.epsilon import (
    epsilon_at_least,
    is_refuted,
    power_against,
    refuting_count,
)
from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.levels import BestLevel, best_level_of
from rdpacct.auditing.one_run.older import older_bound
from rdpacct.auditing.one_run.tail import chance_bound
from rdpacct.auditing.one_run.verdict import OneRunVerdict, TestedRun
from rdpacct.auditing.verdict import Outcome
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.number import Number, rational, shorten
from rdpacct.mechanisms import Mechanism, Plan
from rdpacct.privacy.guarantee import ApproxDP, Guarantee
from rdpacct.provenance import answered
from rdpacct.questions import plan_of

CONFIDENCE = Fraction(999, 1000)
MOST_TESTS = 1000


@answered
def audit_one_run(
    guessed: CanaryGuesses | Sequence[CanaryGuesses],
    claim: Guarantee | Plan | Mechanism | str,
    confidence: Number = CONFIDENCE,
    delta: Number | None = None,
) -> OneRunVerdict:
    """Whether the guesses of one training run refute a guarantee of the training.

    Each canary was included by a fair coin of its own, and the auditor guessed some coins from all
    that the run put out. ``guessed`` says how many guesses are right. Several of them, as for
    several numbers of guesses in the same run, share the error. ``delta`` is where the lower bound
    on epsilon is asked for; without it, the delta of the claim, or 0.
    """
    runs = _runs(guessed)
    error = _error(confidence)
    plan = _plan(claim)
    best = best_level_of(plan)
    share = error / len(runs)
    tested = [_tested(run, best) for run in runs]
    refuting = [one for one in tested if is_refuted(one.run, one.level, share)]
    witness = min(refuting or tested, key=lambda one: one.chance.upper)
    at = _delta(delta, plan)
    return OneRunVerdict(
        claim=claim if isinstance(claim, Guarantee) else _named(plan),
        outcome=Outcome.FAILS if refuting else Outcome.UNDECIDED,
        confidence=1 - error,
        witness=witness,
        tests=len(runs),
        epsilon=_largest([epsilon_at_least(run, at, share) for run in runs]),
        delta=at,
        power=_power(witness.run, best, share),
        relation=plan.relation,
    )


def _tested(run: CanaryGuesses, best: BestLevel) -> TestedRun:
    level = best(run)
    return TestedRun(run, level, chance_bound(run, level), older_bound(run, level))


def _power(run: CanaryGuesses, best: BestLevel, error: Fraction) -> Bound | None:
    count = refuting_count(run, best, error)
    return None if count is None else power_against(count, run)


def _largest(limits: list[Bound]) -> Bound:
    """The best of several lower bounds."""
    return max(limits, key=lambda limit: limit.lower)


def _runs(
    guessed: CanaryGuesses | Sequence[CanaryGuesses],
) -> tuple[CanaryGuesses, ...]:
    runs = (guessed,) if isinstance(guessed, CanaryGuesses) else tuple(guessed)
    if not 1 <= len(runs) <= MOST_TESTS:
        raise InputError(
            f"{len(runs)} numbers of guesses are given; give from 1 to {MOST_TESTS}."
        )
    for run in runs:
        if not isinstance(run, CanaryGuesses):
            raise InputError(
                f"a run is {shorten(repr(run))}; give CanaryGuesses(canaries=1000,"
                " guesses=100, correct=90), or the guesses of CanaryScores."
            )
    return runs


def _error(confidence: Number) -> Fraction:
    level = rational(confidence, "confidence")
    if not 0 < level < 1:
        raise InputError(
            f"confidence is {confidence}, but must be above 0 and below 1; give a"
            " probability such as 0.95."
        )
    return 1 - level


def _plan(claim: Guarantee | Plan | Mechanism | str) -> Plan:
    plan = plan_of(claim)
    if plan.random:
        raise InputError(
            f"{plan} is about drawn data and not about two data sets; claim"
            " ApproxDP(epsilon=alpha, delta=eta)."
        )
    return plan


def _named(plan: Plan) -> Guarantee | Plan:
    """The guarantee that a plan consists of, or the plan."""
    promise = getattr(plan.single, "guarantee", None)
    return promise if isinstance(promise, Guarantee) else plan


def _delta(given: Number | None, plan: Plan) -> Expr:
    if given is None:
        promise = _named(plan)
        return promise.delta if isinstance(promise, ApproxDP) else ZERO
    delta = rational(given, "delta")
    if not 0 <= delta < 1:
        raise InputError(
            f"delta is {given}, but must be at least 0 and below 1; give a number such"
            " as 1e-5."
        )
    return formula(delta)
