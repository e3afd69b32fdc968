"""Exact input: what a number given by the user means, as a fraction."""

import math
import re
import sys
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, TypeAlias

from rdpacct.errors import InputError
from rdpacct.errors import shorten as shorten

Number: TypeAlias = int | float | str | Fraction | Decimal
"""What a user may write for a number; text and decimals mean what they say, a float means its
binary value.
"""

MAX_DIGITS = 1000
MAX_EXPONENT = 4000
MAX_BITS = 14_000
MAX_POWER = 1000
"""The largest exponent of a power that is read, in a number or in a claim."""
MAX_FIGURES = 50
"""The most figures of an exact decimal that is printed; a number with more is printed as a ratio.
"""

_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)
_RATIO = re.compile(r"([+-]?\d+)\s*/\s*(\d+)", re.ASCII)


def rational(value: object, name: str = "the number") -> Fraction:
    """The exact rational that ``value`` stands for: ``"0.1"`` is one tenth, ``0.1`` is the double
    nearest to it.
    """
    if type(value) is Fraction:
        return _sized(value, name)
    if isinstance(value, str):
        return _parse(value.strip(), name)
    if isinstance(value, bool):
        raise InputError(
            f"{name} is {value}, which is not a number; give a number such as 0.5."
        )
    if isinstance(value, Rational):
        return _sized(Fraction(int(value.numerator), int(value.denominator)), name)
    if (
        isinstance(value, Real)
        and not isinstance(value, float)
        and hasattr(value, "as_integer_ratio")
    ):
        return _of_real(value, name)
    if isinstance(value, float | Decimal):
        if not (
            math.isfinite(value) if isinstance(value, float) else value.is_finite()
        ):
            raise InputError(
                f"{name} is {value}, which is not a finite number; give a finite"
                " number."
            )
        if isinstance(value, Decimal) and abs(value.adjusted()) > MAX_EXPONENT:
            raise InputError(
                f"{name} has an exponent beyond {MAX_EXPONENT}; give a number of usual"
                " size."
            )
        return _sized(Fraction(value), name)
    if hasattr(value, "_mpf_"):
        return _of_binary(value, name)
    if hasattr(value, "ndim") and hasattr(value, "tolist"):
        return _of_array(value, name)
    raise InputError(
        f"{name} is {shorten(repr(value))}, which is not a number; give an int, float,"
        " Fraction, Decimal or text."
    )


def _of_binary(value: Any, name: str) -> Fraction:
    """A binary number of mpmath or sympy: a sign, a mantissa and an exponent."""
    sign, mantissa, exponent, _ = value._mpf_
    if mantissa == 0 and exponent != 0:
        raise InputError(
            f"{name} is {value}, which is not a finite number; give a finite number."
        )
    if abs(exponent) > MAX_BITS:
        raise InputError(
            f"{name} has more than {MAX_BITS} bits; give a number of usual size."
        )
    size = int(mantissa) * Fraction(2) ** int(exponent)
    return _sized(-size if sign else size, name)


def _of_array(value: Any, name: str) -> Fraction:
    """A number of NumPy, or an array without dimensions that holds one."""
    if value.ndim:
        raise InputError(
            f"{name} is an array of {value.size} numbers, where one is expected; give"
            " one, and add up a release for each, as in sum(Gaussian(s) for s in"
            " sigmas)."
        )
    held = value.tolist()
    if hasattr(held, "ndim"):  # a kind of number that Python does not have
        raise InputError(
            f"{name} is {held}, which is not a real number; give a float or text."
        )
    return rational(held, name)


def listed(value: Any) -> Any:
    """A list in place of an array of NumPy; anything else as it is."""
    if hasattr(value, "ndim") and hasattr(value, "tolist"):
        return value.tolist()
    return value


def _of_real(value: Real, name: str) -> Fraction:
    """A real number of another library, such as a short float of NumPy."""
    if not math.isfinite(float(value)):
        raise InputError(
            f"{name} is {value}, which is not a finite number; give a finite number."
        )
    top, bottom = value.as_integer_ratio()  # type: ignore[attr-defined]
    return _sized(Fraction(int(top), int(bottom)), name)


def _sized(value: Fraction, name: str) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise InputError(
            f"{name} has more than {MAX_BITS} bits; give a number of usual size."
        )
    return value


def _parse(text: str, name: str) -> Fraction:
    if len(text) > MAX_DIGITS:
        raise InputError(
            f"{name} has {len(text)} characters, more than the {MAX_DIGITS} that are"
            " read; give a shorter number."
        )
    if ratio := _RATIO.fullmatch(text):
        if int(ratio[2]) == 0:
            raise InputError(
                f"{name} is {text}, a division by zero; give a nonzero denominator."
            )
        return Fraction(int(ratio[1]), int(ratio[2]))
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise InputError(
            f"{name} is {shorten(text)!r}, which is not a finite number; give one such"
            " as 0.5, 1e-6 or 1/3."
        )
    if len(match[4] or "") > 6 or abs(int(match[4] or 0)) > MAX_EXPONENT:
        raise InputError(
            f"{name} is {shorten(text)}, whose exponent is beyond {MAX_EXPONENT}; give"
            " a number of usual size."
        )
    digits = int((match[1] or "") + (match[2] or "") + (match[3] or ""))
    exponent = int(match[4] or 0) - len(match[3] or "")
    if exponent < 0:
        return Fraction(digits, 10**-exponent)
    return Fraction(digits * 10**exponent)


def whole(value: object, name: str, least: int, most: int) -> int:
    """The integer that ``value`` stands for, if it is one within the limits."""
    if type(value) is int and least <= value <= most:
        return value
    exact = rational(value, name)
    if exact.denominator != 1 or not least <= exact <= most:
        text = shorten(decimal_text(exact))
        raise InputError(
            f"{name} is {text}, but must be a whole number from {least} to {most}; give"
            " such a number."
        )
    return int(exact)


def below_one(value: object, name: str) -> Fraction:
    """The probability below 1 that ``value`` stands for."""
    exact = rational(value, name)
    if not 0 <= exact.numerator < exact.denominator:
        raise InputError(
            f"{name} is {value}, but must be at least 0 and below 1; give a"
            " probability such as 1e-6."
        )
    return exact


def near_double(value: Fraction) -> float:
    """A double near the number, or the largest one if there is none; good for planning only."""
    try:
        return float(value)
    except OverflowError:
        if value > 0:
            return sys.float_info.max
        return -sys.float_info.max


def decimal_text(value: Fraction) -> str:
    """The number as a reader would write it: a decimal if it has one of few figures, otherwise a
    ratio.
    """
    if value.denominator == 1 and abs(value.numerator) < 10**15:
        return str(value.numerator)
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        exponent = (
            value.numerator.bit_length() - value.denominator.bit_length()
        ) * math.log10(2)
        return f"a number near {'-' if value < 0 else ''}10**{exponent:.1f}"
    short = repr(float(value)) if 1e-300 < abs(value) < 1e300 else ""
    if short and rational(short) == value:
        return short.removesuffix(".0")
    if (exact := _exact_decimal(value)) is not None:
        return exact
    return f"{_whole_text(value.numerator)}/{_whole_text(value.denominator)}"


def _exact_decimal(value: Fraction) -> str | None:
    """The exact decimal of a number; None if it has none, or one of too many figures."""
    places = max(_valuation(value.denominator, 2), _valuation(value.denominator, 5))
    if value.denominator != 2 ** _valuation(value.denominator, 2) * 5 ** _valuation(
        value.denominator, 5
    ):
        return None
    scaled = value * 10**places
    zeros = min(_valuation(scaled.numerator, 2), _valuation(scaled.numerator, 5))
    mantissa = abs(scaled.numerator) // 10**zeros
    if mantissa >= 10**MAX_FIGURES:
        return None
    figures = str(mantissa)
    sign = "-" if value < 0 else ""
    exponent = zeros - places + len(figures) - 1
    if -7 <= exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{figures}"
    if 0 <= exponent < MAX_FIGURES and exponent < len(figures):
        whole_part = figures[: exponent + 1]
        rest = figures[exponent + 1 :]
        if rest:
            return f"{sign}{whole_part}.{rest}"
        return f"{sign}{whole_part}"
    point = "." if len(figures) > 1 else ""
    return f"{sign}{figures[0]}{point}{figures[1:]}e{exponent:+03d}"


def _valuation(number: int, prime: int) -> int:
    """How often a prime divides a number."""
    power = prime
    count = 0
    steps = []
    while number and number % power == 0:
        steps.append(power)
        power *= power
    for k in reversed(range(len(steps))):
        if number % steps[k] == 0:
            number //= steps[k]
            count += 2**k
    return count


def _whole_text(number: int) -> str:
    """A whole number: its digits, or a decimal with an exponent where it has mostly zeros."""
    if abs(number) < 10**MAX_FIGURES:
        return str(number)
    return _exact_decimal(Fraction(number)) or str(number)
