"""The smallest mu for which the trade-off of N(0, 1) against N(mu, 1) covers a given loss.

Every delta(t) gives a line below the trade-off curve: 1 - delta(t) - exp(t) a. Lines at two
thresholds meet in a corner below the curve, and a convex curve that passes under all corners stays
under the lines. So the largest mu over the corners is enough, and the mu of an actual test {L > t}
is needed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.supremum import supremum_over
from rdpacct.privacy.gaussian_profile import gaussian_delta
from rdpacct.provenance import by
from rdpacct.work import spend

BITS = 264
TOLERANCE = Fraction(1, 2**38)
WIDEST_TRADEOFF = 2000
"""The range of losses up to which a Gaussian trade-off is looked for."""
PROFILE_TOLERANCE, PROFILE_STEPS, PROFILE_BITS = Fraction(1, 2**22), 200, 192
"""For profiles that take time to ask: how near the ends come, how often they are asked, and the
least precision.
"""


NO_LOSS = Fraction(1, 2**80)
"""Losses that differ by less than this are not told apart."""
DELTA_WORK, CORNER_WORK = 500, 1000
"""The work of one delta of a Gaussian pair, and of a point of the profile and the corners beside
it.
"""


@dataclass(frozen=True, slots=True)
class _Line:
    threshold: Fraction
    delta: Ball


@by("gaussian-dp/corners")
def gaussian_mu_between(
    low: Fraction,
    high: Fraction,
    delta: Callable[[Fraction, int], Ball],
    tail: Callable[[Fraction, int], Ball],
) -> Bound:
    """The smallest mu for a loss with values in [low, high], from balls at any precision."""
    if high - low > WIDEST_TRADEOFF:
        raise UndecidedError(
            f"the losses range over more than {WIDEST_TRADEOFF}, too far for a Gaussian"
            " trade-off."
        )
    if high - low < NO_LOSS:
        left, right = (
            _Line(level, delta(level, BITS)) for level in (-NO_LOSS, NO_LOSS)
        )
        return Bound(
            Fraction(0),
            _corner_mu(left, right, BITS),
            "no loss to speak of (gaussian-dp/corners)",
        )
    bits = BITS + 3 * math.ceil(high - low)
    return smallest_gaussian_mu(
        lambda level: delta(level, bits),
        lambda level: tail(level, bits),
        low,
        high,
        bits,
    )


@by("gaussian-dp/corners")
def smallest_gaussian_mu(
    delta: Callable[[Fraction], Ball],
    tail: Callable[[Fraction], Ball],
    low: Fraction,
    high: Fraction,
    bits: int,
) -> Bound:
    """The smallest mu for a loss with values in [low, high], from delta(t) and P(L > t)."""

    def height(cell: tuple[_Line, _Line]) -> End:
        return _corner_mu(*cell, bits)

    def split(cell: tuple[_Line, _Line]) -> tuple[End, list[tuple[_Line, _Line]]]:
        spend(CORNER_WORK)
        threshold = (cell[0].threshold + cell[1].threshold) / 2
        middle = _Line(threshold, delta(threshold))
        power = tail(threshold)
        false_alarm = (power - middle.delta) / Ball.of(threshold, bits).exp()
        return _mu(power, false_alarm).lower(), [(cell[0], middle), (middle, cell[1])]

    ends = _Line(low, delta(low)), _Line(high, delta(high))
    largest = supremum_over([ends], height, split, Fraction(0), Fraction(0), TOLERANCE)
    return Bound(
        largest.lower,
        largest.upper,
        "corners of the trade-off curve (gaussian-dp/corners)",
    )


@by("gaussian-dp/corners")
def gaussian_mu_of_profile(
    delta: Callable[[Fraction], Bound], largest: Fraction, furthest: End
) -> Bound:
    """The smallest mu for losses up to ``largest``, in both orders of the pair, from two ends of
    delta(t) for t >= 0.

    The upper ends of delta make lines that no test exceeds, whose corners show which mu is enough,
    and the lower ends which is needed, up to the ``furthest`` that is looked for.
    """
    bits = PROFILE_BITS + 2 * math.ceil(largest)

    seen = Fraction(0)

    def line(threshold: Fraction) -> tuple[_Line, End]:
        nonlocal seen
        bound = delta(threshold)
        seen = needed_mu(bound.lower, threshold, seen, furthest)
        return _Line(threshold, Ball.of(Fraction(bound.upper), bits)), seen

    def height(cell: tuple[_Line, _Line]) -> End:
        return _corner_mu(*cell, bits)

    settled: list[End] = []

    def split(cell: tuple[_Line, _Line]) -> tuple[End, list[tuple[_Line, _Line]]]:
        middle, needed = line(_tangent(*cell, bits))
        smaller = [(cell[0], middle), (middle, cell[1])]
        if max(map(height, smaller)) > height(cell):
            # delta is not known well enough for a line between these two to say more
            settled.append(height(cell))
            return needed, []
        return needed, smaller

    first, needed = line(Fraction(0))
    last = _Line(largest, Ball.of(0, bits))
    supremum = supremum_over(
        [(first, last)],
        height,
        split,
        needed,
        Fraction(0),
        PROFILE_TOLERANCE,
        PROFILE_STEPS,
    )
    return Bound(
        supremum.lower,
        max(supremum.upper, *settled, 0),
        "corners of the trade-off curve (gaussian-dp/corners)",
    )


def needed_mu(delta: End, level: Fraction, least: Fraction, most: End) -> Fraction:
    """About the largest mu at which a Gaussian pair certainly has less than this delta, so that a
    larger one is needed.

    It is looked for between the least, which is known to be needed, and the most.
    """

    def short(mu: Fraction) -> bool:
        spend(DELTA_WORK)
        return gaussian_delta(mu, level).ball(128).upper() < delta

    low = least
    high = Fraction(most)
    if low > 0 and not short(low):
        return low
    for _ in range(40):
        middle = Fraction(float(low + high) / 2)
        if not low < middle < high:
            break
        low, high = (middle, high) if short(middle) else (low, middle)
    return low


def _corner_mu(left: _Line, right: _Line, bits: int) -> End:
    """The mu that the corner of two lines needs."""
    return _mu(*_corner(left, right, bits)).upper()


def _corner(left: _Line, right: _Line, bits: int) -> tuple[Ball, Ball]:
    """The power and the false alarms where two lines meet."""
    growth = [Ball.of(line.threshold, bits).exp() for line in (left, right)]
    false_alarm = (left.delta - right.delta) / (growth[1] - growth[0])
    return left.delta + growth[0] * false_alarm, false_alarm


def _tangent(left: _Line, right: _Line, bits: int) -> Fraction:
    """A threshold between two, about that of the Gaussian test at their corner, where the line
    shows its mu.
    """
    power, false_alarm = _corner(left, right, bits)
    mu = float(_mu(power, false_alarm))
    slope = -mu * float(false_alarm.normal_quantile()) - mu * mu / 2
    width = right.threshold - left.threshold
    if (
        math.isfinite(slope)
        and left.threshold + width / 1000 < slope < right.threshold - width / 1000
    ):
        return Fraction(slope)
    return left.threshold + width / 2


def _mu(power: Ball, false_alarm: Ball) -> Ball:
    """The mu of the Gaussian test with this power and this probability of a false alarm."""
    return power.normal_quantile() - false_alarm.normal_quantile()
