"""Sums of two doubles: whether any double added to a value gives an output."""

import math
from fractions import Fraction


def is_a_sum(value: float, output: float) -> bool:
    """Whether ``value + noise == output`` in doubles for some double ``noise``, decided exactly.

    The noises for which it is so are an interval, as rounding is monotone, and the exact
    difference lies in it. So if there is a double in it, one of the two next to the difference is.
    """
    if not (math.isfinite(value) and math.isfinite(output)):
        raise OverflowError("a sum is decided for finite doubles")
    difference = Fraction(output) - Fraction(value)
    return any(value + noise == output for noise in next_to(difference))


def next_to(number: Fraction) -> tuple[float, ...]:
    """Doubles that include the largest one below or at a number and the smallest above or at it."""
    largest = math.nextafter(math.inf, 0)
    try:
        near = float(number)
    except OverflowError:
        near = largest if number > 0 else -largest
    return near, math.nextafter(near, -math.inf), math.nextafter(near, math.inf)


def noise_of(value: float, output: float) -> float | None:
    """A double that gives the output when it is added to the value; None if there is none."""
    difference = Fraction(output) - Fraction(value)
    for noise in next_to(difference):
        if value + noise == output:
            return noise
    return None
