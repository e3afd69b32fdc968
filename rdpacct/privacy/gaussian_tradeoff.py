"""The trade-off of N(0, 1) against N(mu, 1): its delta, and the smallest mu that covers a given loss.

Every delta(t) gives a line below the trade-off curve: 1 - delta(t) - exp(t) a. Lines at two thresholds meet in a
corner below the curve, and a convex curve that passes under all corners stays under the lines. So the largest
mu over the corners is enough, and the mu of an actual test {L > t} is needed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp, normal_cdf
from rdpacct.exact.supremum import supremum_over
from rdpacct.provenance import by

TOLERANCE = Fraction(1, 2**36)


@dataclass(frozen=True, slots=True)
class _Line:
    threshold: Fraction
    delta: Ball


@by("gaussian/delta")
def gaussian_delta(mu: Real, epsilon: Real) -> Expr:
    """delta(epsilon) of N(mu, 1) against N(0, 1), for mu > 0."""
    mu, epsilon = formula(mu), formula(epsilon)
    return normal_cdf(mu / 2 - epsilon / mu) - exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu)


@by("gaussian-dp/corners")
def smallest_gaussian_mu(
    delta: Callable[[Fraction], Ball], tail: Callable[[Fraction], Ball], low: Fraction, high: Fraction, bits: int
) -> Bound:
    """The smallest mu for a loss with values in [low, high], from delta(t) and P(L > t)."""

    def exp_of(threshold: Fraction) -> Ball:
        return Ball.of(threshold, bits).exp()

    def height(cell: tuple[_Line, _Line]) -> End:
        left, right = cell
        false_alarm = (left.delta - right.delta) / (exp_of(right.threshold) - exp_of(left.threshold))
        power = left.delta + exp_of(left.threshold) * false_alarm
        return _mu(power, false_alarm).upper()

    def split(cell: tuple[_Line, _Line]) -> tuple[End, list[tuple[_Line, _Line]]]:
        threshold = (cell[0].threshold + cell[1].threshold) / 2
        middle = _Line(threshold, delta(threshold))
        power = tail(threshold)
        false_alarm = (power - middle.delta) / exp_of(threshold)
        return _mu(power, false_alarm).lower(), [(cell[0], middle), (middle, cell[1])]

    ends = _Line(low, delta(low)), _Line(high, delta(high))
    found = supremum_over([ends], height, split, Fraction(0), Fraction(0), TOLERANCE)
    return Bound(found.lower, found.upper, "corners of the trade-off curve (gaussian-dp/corners)")


def _mu(power: Ball, false_alarm: Ball) -> Ball:
    """The mu of the Gaussian test with this power and this probability of a false alarm."""
    return power.normal_quantile() - false_alarm.normal_quantile()
