"""Audits of a training from one run, in which canaries were included by fair coins."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from rdpacct.auditing.one_run.epsilon import epsilon_at_least, power_against
from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.levels import ClaimLevels
from rdpacct.auditing.one_run.tested import is_refuted, least_count, tested_run
from rdpacct.auditing.one_run.verdict import OneRunVerdict
from rdpacct.auditing.running.claimed import Claimed, claimed
from rdpacct.auditing.verdict import Outcome
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import Number, rational, shorten
from rdpacct.mechanisms import Mechanism, Plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.provenance import answered
from rdpacct.questions import plan_of

CONFIDENCE = Fraction(999, 1000)
MOST_TESTS = 1000
NEGLIGIBLE = 10**4
LEAST_ERROR = Fraction(1, 10**50)


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
    stated = claimed(claim)
    share = error / len(runs)
    levels = ClaimLevels(stated, _least_delta(runs, share))
    tested = [tested_run(run, levels, len(runs)) for run in runs]
    witness = min(tested, key=lambda test: test.chance.upper)
    at = _delta(delta, stated)
    refuted = witness.chance.upper <= share
    return OneRunVerdict(
        claim=stated.stated,
        outcome=Outcome.FAILS if refuted else Outcome.UNDECIDED,
        confidence=1 - error,
        witness=witness,
        tests=len(runs),
        epsilon=_largest([epsilon_at_least(run, at, share) for run in runs]),
        delta=at,
        power=_power(witness.run, levels, share),
        relation=plan_of(stated.stated).relation,
    )


def _least_delta(runs: tuple[CanaryGuesses, ...], error: Fraction) -> Fraction:
    """A delta so small that it adds next to nothing to the probability of a run."""
    return error / (NEGLIGIBLE * max(run.canaries for run in runs))


def _power(run: CanaryGuesses, levels: ClaimLevels, error: Fraction) -> Bound | None:
    def refutes(correct: int) -> bool:
        return is_refuted(replace(run, correct=correct), levels, error)

    count = least_count(run.guesses, refutes)
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
    if not 0 < level <= 1 - LEAST_ERROR:
        raise InputError(
            f"confidence is {confidence}, but must be above 0 and below 1, and an error"
            " of at least 1e-50 must be left; give a probability such as 0.95."
        )
    return 1 - level


def _delta(given: Number | None, claim: Claimed) -> Fraction:
    if given is None:
        return Fraction(claim.parameters.get("delta", 0))
    delta = rational(given, "delta")
    if not 0 <= delta < 1:
        raise InputError(
            f"delta is {given}, but must be at least 0 and below 1; give a number such"
            " as 1e-5."
        )
    return delta
