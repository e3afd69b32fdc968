"""Where a falling function of one number passes a level, in balls."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import current_bits, real

ROUGH_BITS, ROUGH_STEPS = 64, 80
"""The precision and the most steps of the rough search."""
NEWTON_STEPS = 7
LOST_BITS, WIDER, MOST_WIDENED = 12, 64, 40
"""The first interval about a root is this many bits wider than rounding; the factor to the next
one; and how often that is tried.
"""

Function = Callable[[RealBall], RealBall]


class Crossing(NamedTuple):
    """A place, or if it is open, that one or any beyond it."""

    at: RealBall
    open: bool = False


@dataclass(frozen=True)
class Falling:
    """A function that falls between two places, and its slope, which is used for planning."""

    function: Function
    slope: Function
    low: float
    high: float

    def passes(self, level: RealBall) -> Crossing | None:
        """From where on the function is below the level; None if it is from the first place on."""
        if self.function(real(self.low)) < level:
            return None
        last = self.function(real(self.high))
        if last > level:
            return Crossing(real(self.high), open=True)
        guess = real(self._planned(level))
        for _ in range(NEWTON_STEPS):
            step = (self.function(guess) - level) / self.slope(guess)
            after = (guess - step).mid()
            if not real(self.low) < after < real(self.high):
                break
            guess = after
        return Crossing(self._about(guess, level), open=not last < level)

    def _planned(self, level: RealBall) -> float:
        """By halves, in balls of few bits, of whose middle the sign counts."""
        low = self.low
        high = self.high
        with precision(ROUGH_BITS):
            wanted = real(float(level))
            for _ in range(ROUGH_STEPS):
                middle = _between(low, high)
                if not low < middle < high:
                    break
                above = float(self.function(real(middle)) - wanted) > 0
                low, high = (middle, high) if above else (low, middle)
                if high - low < 1e-3 * high:
                    break
        return (low + high) / 2

    def _about(self, guess: RealBall, level: RealBall) -> RealBall:
        """An interval about a guess, at whose ends the function is certainly above and below."""
        size = (guess.abs_upper() + real(self.low)) * real(2) ** (
            LOST_BITS - current_bits()
        )
        low = real(self.low)
        high = real(self.high)
        below = above = False
        for _ in range(MOST_WIDENED):
            if not above and (start := guess - size).lower() > low:
                above = bool(self.function(start.lower()) > level)
                low = start.lower() if above else low
            if not below and (end := guess + size).upper() < high:
                below = bool(self.function(end.upper()) < level)
                high = end.upper() if below else high
            if above and below:
                break
            size = size * WIDER
        return low.union(high)


def _between(low: float, high: float) -> float:
    """The middle, or that of the logarithms where the two differ much."""
    if low > 0 and high > 4 * low:
        return math.sqrt(low) * math.sqrt(high)
    if low == 0 and high > 1e-3:
        return high / 16
    return (low + high) / 2
