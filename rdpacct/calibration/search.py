"""The search for a real parameter: in doubles, by a secant through certified values, and then for
two certified ends.
"""

import math
from contextlib import suppress
from fractions import Fraction

from rdpacct.calibration.result import Calibration
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import QUOTED, Bound, decimal_down, decimal_up, round_down
from rdpacct.exact.formula import Expr, Rational
from rdpacct.target import RAISES_PRIVACY, Target
from rdpacct.work import Exhausted, used_up

LOWERS_PRIVACY = {
    "rate": Fraction(1),
    "epsilon": Fraction(10**6),
    "sensitivity": Fraction(10**9),
    "mu": Fraction(10**6),
    "alpha": Fraction(10**3),
    "beta": Fraction(10**2),
}
"""Parameters whose decrease improves privacy, with the largest value that is tried."""
SMALLEST = Fraction(1, 10**9)
LARGEST = Fraction(10**12)
NEAR = 0.1
"""How near zero the planned excess has to be before certified values take over."""
WANTED = 1e-9
"""The relative width at which a bracket is narrow enough."""
SEEN = 30
"""How many times the uncertainty the product of two sizes may be for a secant to be as good."""
LAST_VALUES, WIDEST_STEP = 0.1, 1.0
"""The part of all work that is kept for the last values, and the widest step, on a logarithmic
scale.
"""
SIMPLE = 1000
"""A fraction near the answer with a denominator up to this is tried itself."""


def parameter(question: Target, name: str, factor: Expr) -> Calibration:
    """A real parameter: a search in doubles, then a secant through certified values, then two
    certified ends.
    """
    question.check(name)
    try:
        return _bracketed(question, name, factor)
    except Exhausted:
        raise question.too_costly(name) from None


def _bracketed(question: Target, name: str, factor: Expr) -> Calibration:
    more_private = 1 if name in RAISES_PRIVACY else -1
    most = _largest(LOWERS_PRIVACY.get(name, LARGEST), factor)
    near = _search(question, name, more_private, most)
    if near is None:
        return Calibration(
            name, Bound.exactly(most, "the largest value meets the target"), most, None
        )
    guess, slope, noise = _secant(question, *near, more_private)
    reach = max(2.0**-45, min(1.5 * noise / max(abs(slope), 1e-6), 0.05))
    plain = Fraction(guess).limit_denominator(SIMPLE)
    exact = (
        abs(plain - Fraction(guess)) < WANTED * plain and question.met(plain) is True
    )
    good = (
        plain
        if exact
        else _walk(question, guess, more_private * reach, slope, most, wanted=True)
    )
    bad = _walk(question, guess, -more_private * reach, slope, most, wanted=False)
    if good is None or bad is None:
        raise _not_bracketed(question, name, SMALLEST if more_private > 0 else most)
    while abs(good - bad) > WANTED * good:
        middle = _decimal(float(good + bad) / 2, float(abs(good - bad) / good))
        met = question.met(middle)
        if met is None or middle in (good, bad):
            break
        good, bad = (middle, bad) if met else (good, middle)
    enough, too_little = question.narrowest(more_private)
    if enough is not None and too_little is not None:  # so are good and bad
        good = enough
        bad = too_little
    return Calibration(
        name, Bound(min(good, bad), max(good, bad), "two certified ends"), good, bad
    )


def _largest(limit: Fraction, factor: Expr) -> Fraction:
    """The largest value of the open number for which the parameter that has it as a factor is
    within its limit.
    """
    if isinstance(factor, Rational):
        return limit / factor.value
    return Fraction(round_down((limit / factor).bound().lower))


def _search(
    question: Target, name: str, more_private: int, most: Fraction
) -> tuple[float, float] | None:
    """A value near which the target is just met, and a slope; None if the least private value
    already meets it.
    """
    value, before = (1.0, None) if most > 1 else (0.1, None)
    factor = 4.0
    for _ in range(60):
        try:
            excess = question.planned(Fraction(value))
        except InputError:  # beyond what the mechanism takes
            if before is None or value < 1.1 * before[0]:
                raise
            value = math.sqrt(value * before[0])
            continue
        if before is not None and (before[1] > 0) != (excess > 0):
            return _near(question, before, (value, excess))
        before = (value, excess)
        wanted = (
            value * factor if (excess > 0) == (more_private > 0) else value / factor
        )
        value = min(wanted, float(most))
        if value == before[0] and value == float(most):
            if question.met(most):
                return None
            raise question.unreachable(name, most)
        if not SMALLEST <= Fraction(value) <= LARGEST:
            raise question.unreachable(name, Fraction(before[0]))
        factor = min(factor * 2, 64.0)
    raise UndecidedError(f"no {name} was found at which the target is just met.")


def _not_bracketed(question: Target, name: str, extreme: Fraction) -> Exception:
    """The error when no two values enclose the target: perhaps even the least private value meets
    it.
    """
    with suppress(InputError):
        if question.met(extreme):
            return question.unreachable(name, extreme)
    return UndecidedError(
        "the target could not be bracketed by certified values, as delta is known between"
        f" two ends only{question.found(name)}."
    )


def _near(
    question: Target, first: tuple[float, float], second: tuple[float, float]
) -> tuple[float, float]:
    """A value between two, near which the target is just met, and the slope there in its logarithm,
    by doubles.

    Both ends come with their excess. The steps are those of a secant, or halve the range where it
    leads outside.
    """
    low, high = sorted((first, second))
    before, last = (
        (first, second) if abs(second[1]) < abs(first[1]) else (second, first)
    )
    for _ in range(20):
        at = _secant_step(before, last)
        if not low[0] * 1.000001 < at < high[0] / 1.000001:
            at = math.sqrt(low[0] * high[0])
        before = last
        last = (at, question.planned(Fraction(at)))
        low, high = (last, high) if (last[1] > 0) == (low[1] > 0) else (low, last)
        if abs(last[1]) < NEAR or high[0] < 1.0001 * low[0]:
            break
    at = _secant_step(before, last) if abs(last[1]) < NEAR else math.nan
    return (at if low[0] < at < high[0] else last[0]), _slope(before, last)


def _slope(before: tuple[float, float], last: tuple[float, float]) -> float:
    """How fast the excess changes with the logarithm of the value, between two; nan if that is
    not known.
    """
    step = math.log(last[0] / before[0])
    if step and math.isfinite(before[1] - last[1]):
        return (last[1] - before[1]) / step
    return math.nan


def _secant_step(before: tuple[float, float], last: tuple[float, float]) -> float:
    """The value at which the excess would vanish if it were linear in the logarithm of the value;
    nan if that is not known.
    """
    slope = _slope(before, last)
    if slope:
        return last[0] * math.exp(min(max(-last[1] / slope, -5.0), 5.0))
    return math.nan


def _secant(
    question: Target, guess: float, slope: float, more_private: int
) -> tuple[float, float, float]:
    """A value at which delta is the target to the accuracy of delta itself, the slope there, and
    that accuracy.

    The secant errs by a small part of the product of the last two sizes. Where that is seen to be
    next to nothing also from the short decimal near the value, that decimal is looked at, since it
    is to be compared with the target anyway.
    """
    at = guess
    before = None
    size, noise, _ = question.seen(Fraction(at))
    for _ in range(12):
        if (
            not math.isfinite(size)
            or not math.isfinite(slope)
            or slope == 0
            or abs(size) <= max(2 * noise, 1e-14)
        ):
            break
        step = min(max(-size / slope, -0.2), 0.2)
        after = at * math.exp(step)
        least = SEEN * noise / abs(size)
        if before is not None and abs(before) < least:
            return after, slope, noise
        point = Fraction(after)
        short = rounded_to(point, QUOTED, more_private > 0)
        if before is not None and abs(slope * math.log(short / point)) < least:
            point = short
            step = math.log(float(short) / at)
        best, noise, _ = question.seen(point)
        if abs(step) > 1e-7 and math.isfinite(best):
            slope = (best - size) / step
        at = float(point)
        before = size
        size = best
        if abs(step) < WANTED / 10:
            break
    return at, slope, max(noise, abs(size) if math.isfinite(size) else 0.0)


def _walk(
    question: Target,
    guess: float,
    reach: float,
    slope: float,
    most: Fraction,
    wanted: bool,
) -> Fraction | None:
    """The first value in growing steps from a guess that certainly meets the target, or certainly
    does not.

    Where delta is known so roughly that the steps are too small, they grow at once to what the
    slope says. Where no work is left for more of them, the nearest value that was seen before
    answers.
    """
    for _ in range(40):
        if used_up(LAST_VALUES):
            break
        value = min(_decimal(guess * math.exp(reach), abs(reach)), most)
        try:
            _, noise, met = question.seen(value)
        except InputError:  # beyond what the mechanism takes
            break
        if met is wanted:
            return value
        enough = 1.5 * noise / abs(slope) if slope else math.inf
        reach = math.copysign(
            max(2 * abs(reach), enough if enough < WIDEST_STEP else 0.0), reach
        )
        if abs(reach) > 20:
            break
    return question.nearest(guess, wanted)


def _decimal(value: float, share: float) -> Fraction:
    """A decimal near a value, of no more figures than tell it from one that differs by a
    hundredth of this share.
    """
    figures = min(max(2 - math.floor(math.log10(share)), 3), 17)
    return Fraction(f"{value:.{figures}g}")


def rounded_to(value: Fraction, digits: int, more: bool) -> Fraction:
    """The decimal of this many digits that is next above, or below."""
    text = decimal_up(value, digits) if more else decimal_down(value, digits)
    return Fraction(text)
