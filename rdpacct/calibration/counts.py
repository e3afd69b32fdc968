"""The search for a count: the largest number of repetitions that meets a target."""

from fractions import Fraction

from rdpacct.calibration.result import Calibration
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.mechanisms.mechanism import MAX_COUNT
from rdpacct.target import Target


def largest_count(question: Target) -> Calibration:
    """The largest whole number of repetitions that meets the target."""
    if question.met(Fraction(1)) is False:
        if question.met(Fraction(0)) is not True:
            raise InputError(
                "no count meets the target, as the rest of the plan alone exceeds it;"
                " raise the target."
            )
        return Calibration(
            "count",
            Bound.exactly(Fraction(0), "one release exceeds the target"),
            Fraction(0),
            Fraction(1),
        )
    low = 1
    high = 2
    while question.planned(Fraction(high)) <= 0:
        low = high
        high = high * 4
        if high > MAX_COUNT:
            raise InputError(
                f"every count up to {MAX_COUNT} meets the target; give a smaller"
                " epsilon or delta."
            )
    while high - low > 1 and high - low > low // 10**12:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if question.planned(Fraction(middle)) <= 0 else (low, middle)
        )
    gap = 1
    while low > 0 and question.met(Fraction(low)) is not True:
        low = max(low - gap, 0)
        gap = gap * 2
    high = max(high, low + 1)
    gap = 1
    while question.met(Fraction(high)) is not False:
        if question.met(Fraction(high)):
            low = high
        high = high + gap
        gap = gap * 2
    while high - low > 1:
        middle = (low + high) // 2
        met = question.met(Fraction(middle))
        if met is None:
            break
        low, high = (middle, high) if met else (low, middle)
    value = Bound(
        Fraction(low),
        Fraction(high - 1),
        "certified search for the largest count that meets the target",
    )
    return Calibration("count", value, Fraction(low), Fraction(high))
