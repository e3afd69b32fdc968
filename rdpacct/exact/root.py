"""Certified root bracketing: two exact points between which a decreasing function changes sign."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from rdpacct.exact.ball import Ball
from rdpacct.exact.raw import Ratio

SIGN_BITS = (96, 192, 384, 768, 1536, 3072)
"""The precisions at which the sign of a value is tried, one after the other."""

CLOSER_BITS = 12
"""How much closer the last steps aim: a guess that was homed in on, and the chord of two ends that
are close, mostly lie as near to the root as that.
"""
CLOSER_STEPS = 4
"""How often such a step is made where the function bends too much for one."""
SMALLEST_STEP, HALF = Ratio(1, 2**2000), Ratio(1, 2)


def sign(evaluate: Callable[[int], Ball]) -> tuple[int, float]:
    """The certain sign of a value, 0 if it could not be decided, and its size for planning."""
    ball = Ball.of(0, 64)
    for bits in SIGN_BITS:
        ball = evaluate(bits)
        if ball.certainly_positive():
            return 1, float(ball)
        if ball.certainly_negative():
            return -1, float(ball)
    return 0, float(ball)


def bracket(
    value: Callable[[Fraction, int], Ball],
    low: Fraction,
    high: Fraction,
    bits: int = 52,
) -> tuple[Fraction, Fraction]:
    """Points a <= b inside [low, high] with value(a) >= 0 >= value(b), close to ``bits`` bits of b.

    The function decreases, is nonnegative at ``low`` and nonpositive at ``high``. An end that is
    returned is either one of these or a point whose sign was certified.
    """
    ends = _Bracket(value, low, high)
    guess = ends.home_in(bits)
    if not ends.narrow(bits + CLOSER_BITS):
        ends.close_in(guess, bits + CLOSER_BITS)
        if ends.narrow(bits + CLOSER_BITS):
            return ends.points()
        ends.close_in(guess, bits)
        ends.halve(bits)
    ends.come_closer(bits + CLOSER_BITS)
    return ends.points()


class _Bracket:
    """The best certified ends so far, with sizes that steer the search (the Illinois method)."""

    def __init__(
        self, value: Callable[[Fraction, int], Ball], low: Fraction, high: Fraction
    ) -> None:
        self.value = value
        self.low = Ratio(*low.as_integer_ratio())
        self.high = Ratio(*high.as_integer_ratio())
        self.low_size = self.high_size = math.nan

    def points(self) -> tuple[Fraction, Fraction]:
        """The ends."""
        return _fraction(self.low), _fraction(self.high)

    def try_point(self, point: Ratio) -> bool:
        """Move an end to this point if its sign is certain."""
        at = _fraction(point)
        side, size = sign(lambda bits: self.value(at, bits))
        if side > 0 and point >= self.low:
            self.low = point
            self.low_size = size
        elif side < 0 and point <= self.high:
            self.high = point
            self.high_size = size
        return side != 0

    def narrow(self, bits: int) -> bool:
        """The ends agree to that many bits."""
        return bool(self.high - self.low <= abs(self.high) * _part(bits))

    def home_in(self, bits: int) -> Ratio:
        """A point that is about as near to the root as wanted; nothing is promised of it."""
        last_side = 0
        guess = self.high
        slow = 0
        for _ in range(400):
            width = self.high - self.low
            if self.narrow(bits):
                break
            previous = guess
            guess = self._propose(bits) if slow < 3 else _middle(self.low, self.high)
            low_before = self.low
            if not self.try_point(guess):
                break
            slow = slow + 1 if slow < 3 and 2 * (self.high - self.low) > width else 0
            side = 1 if self.low != low_before else -1
            if side == last_side and side > 0:
                self.high_size /= 2
            elif side == last_side:
                self.low_size /= 2
            last_side = side
            if abs(guess - previous) <= abs(guess) * _part(bits + 2):
                break
        return guess

    def close_in(self, guess: Ratio, bits: int) -> None:
        """Try the points on both sides of a guess that agree with it to that many bits."""
        for side in (-1, 1):
            step = side * max(abs(guess) * _part(bits + 1), SMALLEST_STEP)
            while self.low < guess + step < self.high and not self.try_point(
                guess + step
            ):
                step *= 4

    def halve(self, bits: int) -> None:
        """Halve until the ends agree to that many bits."""
        for _ in range(4 * bits):
            if self.narrow(bits) or not self.try_point(_middle(self.low, self.high)):
                break

    def come_closer(self, bits: int) -> None:
        """Steps on both sides of where the chord between the ends crosses zero, once or until the
        ends agree to that many bits.

        The chord misses the root by about the distance to the nearer end, times that to the other.
        """
        for _ in range(CLOSER_STEPS):
            point = self._propose(bits)
            nearer = min(point - self.low, self.high - point)
            reach = nearer * _part(CLOSER_BITS - 1)
            for end in (point - reach, point + reach):
                if self.low < end < self.high:
                    self.try_point(end)
            if self.narrow(bits) or not self.try_point(_middle(self.low, self.high)):
                break

    def _propose(self, bits: int) -> Ratio:
        """Where the chord between the ends crosses zero. If doubles do not tell that from an end, a
        point next to that end, which agrees with it to more than that many bits.
        """
        rise = self.low_size - self.high_size
        if not (math.isfinite(rise) and rise > 0):
            return _middle(self.low, self.high)
        share = Ratio(*(self.low_size / rise).as_integer_ratio())
        point = _short(self.low + (self.high - self.low) * share)
        if not self.low < point < self.high:
            end, inwards = (self.low, 1) if 2 * share < 1 else (self.high, -1)
            point = end + inwards * max(abs(end) * _part(bits + 2), SMALLEST_STEP)
        if self.low < point < self.high:
            return point
        return (self.low + self.high) / 2


def _fraction(value: Ratio) -> Fraction:
    """The same number, as functions are asked for it."""
    return Fraction(int(value.p), int(value.q))


@lru_cache(maxsize=64)
def _part(bits: int) -> Ratio:
    """The share of a number that its last bit is."""
    return Ratio(1, 2**bits)


def _middle(low: Ratio, high: Ratio) -> Ratio:
    """The midpoint, in logarithmic scale where the ends are positive and far apart."""
    if low > 0 and high > 4 * low:
        exponent = (_log2(low) + _log2(high)) // 2
        return Ratio(2) ** exponent
    return (low + high) / 2


def _log2(value: Ratio) -> int:
    return int(value.p.bit_length()) - int(value.q.bit_length())


def _short(value: Ratio) -> Ratio:
    """A dyadic number near the value with about 100 bits, so that the points stay small."""
    if value == 0:
        return value
    scale = Ratio(2) ** (100 - _log2(abs(value)))
    return (value * scale + HALF).floor() / scale
