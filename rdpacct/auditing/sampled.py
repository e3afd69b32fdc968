"""Audits of running code: one event of real outputs that a guarantee makes too unlikely."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.verdict import Outcome, Witness
from rdpacct.by import by
from rdpacct.errors import InputError
from rdpacct.exact.binomial import lower_limit, upper_limit
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import exp
from rdpacct.exact.number import Number, rational
from rdpacct.privacy.guarantee import ApproxDP

ERROR = Fraction(1, 10**6)
Run = Callable[[], float]


@dataclass(frozen=True, slots=True)
class SampledVerdict:
    """FAILS if an event refutes the claim, but for the error; else UNDECIDED: samples never show that a claim holds."""

    claim: ApproxDP
    outcome: Outcome
    witness: Witness
    """The event that was tested, with confidence limits for its two probabilities."""
    error: Fraction


@by("statistics/clopper-pearson")
def audit_samples(on_first: Run, on_second: Run, claim: ApproxDP, runs: int, error: Number = ERROR) -> SampledVerdict:
    """Whether real outputs on two neighbors refute a guarantee; ``runs`` outputs of each choose an event, as many test.

    The outputs are numbers: give a score of them that tells the neighbors apart. A sound mechanism is called failing
    with probability at most ``error``.
    """
    if runs < 1:
        raise InputError(f"the number of runs is {runs}, but must be at least 1; give some thousands.")
    level = rational(error, "error")
    growth = exp(claim.epsilon)
    first, second = ([float(run()) for _ in range(runs)] for run in (on_first, on_second))
    chosen = _best(first, second, float(growth.bound().upper))
    hits = [sum(chosen(float(run())) for _ in range(runs)) for run in (on_first, on_second)]
    p, q = (
        Bound(lower_limit(hit, runs, level / 4), upper_limit(hit, runs, level / 4), f"{hit} of {runs} runs")
        for hit in hits
    )
    return SampledVerdict(claim, _outcome(p, q, growth, claim.delta), Witness(str(chosen), p, q), level)


@dataclass(frozen=True, slots=True)
class _Beyond:
    """The outputs on one side of a threshold."""

    threshold: float
    above: bool

    def __call__(self, output: float) -> bool:
        return output > self.threshold if self.above else output <= self.threshold

    def __str__(self) -> str:
        return f"an output {'above' if self.above else 'of at most'} {self.threshold:.6g}"


def _best(first: list[float], second: list[float], growth: float) -> _Beyond:
    """The side of a threshold on which the first outputs most exceed the grown second ones."""
    first, second, found = sorted(first), sorted(second), []
    for threshold in sorted({*first, *second}):
        low, high = bisect_right(first, threshold), bisect_right(second, threshold)
        found.append((low - growth * high, _Beyond(threshold, above=False)))
        found.append(((len(first) - low) - growth * (len(second) - high), _Beyond(threshold, above=True)))
    return max(found, key=lambda pair: pair[0])[1]


def _outcome(p: Bound, q: Bound, growth: Expr, delta: Expr) -> Outcome:
    refuted = (growth * Fraction(q.upper) + delta).bound().certainly_below(Fraction(p.lower))
    return Outcome.FAILS if refuted else Outcome.UNDECIDED
