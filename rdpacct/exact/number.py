"""Exact input: what a number given by the user means, as a fraction."""

import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TypeAlias

from rdpacct.errors import InputError

Number: TypeAlias = int | float | str | Fraction | Decimal
"""What a user may write for a number; text and decimals mean what they say, a float means its binary value."""

MAX_DIGITS = 1000
MAX_EXPONENT = 4000
MAX_BITS = 14_000

_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)
_RATIO = re.compile(r"([+-]?\d+)\s*/\s*(\d+)", re.ASCII)


def rational(value: object, name: str = "the number") -> Fraction:
    """The exact rational that ``value`` stands for: ``"0.1"`` is one tenth, ``0.1`` is the double nearest to it."""
    if isinstance(value, bool):
        raise InputError(f"{name} is {value}, which is not a number; give a number such as 0.5.")
    if isinstance(value, str):
        return _parse(value.strip(), name)
    if isinstance(value, Rational):
        return _sized(Fraction(int(value.numerator), int(value.denominator)), name)
    if isinstance(value, Real) and not isinstance(value, float) and hasattr(value, "as_integer_ratio"):
        return _of_real(value, name)
    if isinstance(value, float | Decimal):
        if not (math.isfinite(value) if isinstance(value, float) else value.is_finite()):
            raise InputError(f"{name} is {value}, which is not a finite number; give a finite number.")
        if isinstance(value, Decimal) and abs(value.adjusted()) > MAX_EXPONENT:
            raise InputError(f"{name} has an exponent beyond {MAX_EXPONENT}; give a number of usual size.")
        return _sized(Fraction(value), name)
    raise InputError(
        f"{name} is {shorten(repr(value))}, which is not a number; give an int, float, Fraction, Decimal or text."
    )


def _of_real(value: Real, name: str) -> Fraction:
    """A real number of another library, such as a short float of NumPy."""
    if not math.isfinite(float(value)):
        raise InputError(f"{name} is {value}, which is not a finite number; give a finite number.")
    top, bottom = value.as_integer_ratio()  # type: ignore[attr-defined]
    return _sized(Fraction(int(top), int(bottom)), name)


def _sized(value: Fraction, name: str) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise InputError(f"{name} has more than {MAX_BITS} bits; give a number of usual size.")
    return value


def _parse(text: str, name: str) -> Fraction:
    if len(text) > MAX_DIGITS:
        raise InputError(
            f"{name} has {len(text)} characters, more than the {MAX_DIGITS} that are read; give a shorter number."
        )
    if ratio := _RATIO.fullmatch(text):
        if int(ratio[2]) == 0:
            raise InputError(f"{name} is {text}, a division by zero; give a nonzero denominator.")
        return Fraction(int(ratio[1]), int(ratio[2]))
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise InputError(
            f"{name} is {shorten(text)!r}, which is not a finite number; give one such as 0.5, 1e-6 or 1/3."
        )
    if len(match[4] or "") > 6 or abs(int(match[4] or 0)) > MAX_EXPONENT:
        raise InputError(
            f"{name} is {shorten(text)}, whose exponent is beyond {MAX_EXPONENT}; give a number of usual size."
        )
    digits = int((match[2] or "") + (match[3] or ""))
    value = digits * Fraction(10) ** (int(match[4] or 0) - len(match[3] or ""))
    return -value if match[1] == "-" else value


def whole(value: object, name: str, least: int, most: int) -> int:
    """The integer that ``value`` stands for, if it is one within the limits."""
    exact = rational(value, name)
    if exact.denominator != 1 or not least <= exact <= most:
        text = shorten(decimal_text(exact))
        raise InputError(f"{name} is {text}, but must be a whole number from {least} to {most}; give such a number.")
    return int(exact)


def shorten(text: str, limit: int = 60) -> str:
    """The text itself, or its beginning and its length where it is too long to repeat."""
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def decimal_text(value: Fraction) -> str:
    """The number as a reader would write it: a decimal if it has a short one, otherwise a ratio."""
    if value.denominator == 1 and abs(value.numerator) < 10**15:
        return str(value.numerator)
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        exponent = (value.numerator.bit_length() - value.denominator.bit_length()) * math.log10(2)
        return f"a number near {'-' if value < 0 else ''}10**{exponent:.1f}"
    short = repr(float(value)) if 1e-300 < abs(value) < 1e300 else ""
    if short and rational(short) == value:
        return short
    return f"{value.numerator}/{value.denominator}"
