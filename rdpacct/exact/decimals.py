"""Decimals and doubles that are rounded to one side, and Python's format codes for them."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten

End: TypeAlias = Fraction | float
"""An end of a bound: an exact fraction, or an infinity (the only floats that occur)."""
Rounding: TypeAlias = Callable[[Fraction], int]
"""``math.ceil`` rounds up, ``math.floor`` rounds down."""
MOST_PLACES = 1000
"""The most places that a format code may ask for."""
CODE = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>^]))?(?P<sign>[-+ ])?(?P<zero>0)?(?P<width>\d+)?"
    r"(?P<comma>,)?(?:\.(?P<places>\d+))?(?P<kind>[feg%FEG])?",
    re.ASCII,
)
"""The format codes that are known, such as ``.3f``, ``>12.4g``, ``.2e`` or ``.1%``."""


def round_down(value: End) -> float:
    """The largest double that is not above the value."""
    return 0.0 - round_up(-value)


def round_up(value: End) -> float:
    """The smallest double that is not below the value."""
    if isinstance(value, float):
        return value
    above = value.numerator
    below = value.denominator
    try:
        nearest = above / below
    except OverflowError:
        if value > 0:
            return math.inf
        return -math.nextafter(math.inf, 0)
    top, bottom = nearest.as_integer_ratio()
    if top * below >= above * bottom:
        return nearest
    return math.nextafter(nearest, math.inf)


def decimal_down(value: End, digits: int = 17) -> str:
    """A decimal text of that many digits that is not above the value."""
    return decimal(value, digits, math.floor)


def decimal_up(value: End, digits: int = 17) -> str:
    """A decimal text of that many digits that is not below the value."""
    return decimal(value, digits, math.ceil)


def decimal(value: End, digits: int, rounding: Rounding) -> str:
    """A decimal text of at most that many digits, without zeros at its end."""
    if isinstance(value, float):
        return str(value)
    mantissa, exponent = _rounded(value, digits, rounding)
    figures = str(abs(mantissa)).rstrip("0") or "0"
    return _sign(mantissa) + _laid_out(figures, exponent, digits)


def full_decimal(value: End, digits: int, rounding: Rounding) -> str:
    """A decimal text of exactly that many digits, which shows how far it was rounded."""
    if isinstance(value, float):
        return str(value)
    mantissa, exponent = _rounded(value, digits, rounding)
    return _sign(mantissa) + _laid_out(str(abs(mantissa)), exponent, digits)


def _rounded(value: Fraction, digits: int, rounding: Rounding) -> tuple[int, int]:
    """A whole number of this many digits, and the exponent of its first digit."""
    if value == 0:
        return 0, 0
    exponent = _decimal_exponent(abs(value))
    mantissa = rounding(value / Fraction(10) ** (exponent - digits + 1))
    if abs(mantissa) >= 10**digits:  # 9.99 was rounded to 10.0
        return mantissa // 10, exponent + 1
    return mantissa, exponent


def _decimal_exponent(value: Fraction) -> int:
    """The e with 10**e <= value < 10**(e+1)."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = math.floor(bits * math.log10(2)) - 1
    while Fraction(10) ** (exponent + 1) <= value:
        exponent += 1
    return exponent


def _sign(mantissa: int) -> str:
    return "-" if mantissa < 0 else ""


def _laid_out(figures: str, exponent: int, digits: int) -> str:
    """The figures of a number with its point, or with an exponent if it is large or small."""
    if -5 <= exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{figures}"
    if 0 <= exponent < digits:
        whole = figures[: exponent + 1].ljust(exponent + 1, "0")
        rest = figures[exponent + 1 :]
        return f"{whole}.{rest}" if rest else whole
    return _with_exponent(figures, exponent)


def _with_exponent(figures: str, exponent: int) -> str:
    rest = figures[1:]
    point = "." if rest else ""
    return f"{figures[0]}{point}{rest}e{exponent:+03d}"


def formatted(value: End, code: str, rounding: Rounding) -> str:
    """The value by a format code of Python, such as ``.3f``, rounded to one side."""
    parts = CODE.fullmatch(code)
    if parts is None or len(parts["width"] or "") > 4:
        raise _unknown(code)
    kind = (parts["kind"] or "g").lower()
    places = 6 if parts["places"] is None else int(parts["places"])
    if places > MOST_PLACES or (parts["comma"] and kind not in "f%"):
        raise _unknown(code)
    text = _of_kind(value, kind, places, rounding)
    if parts["comma"]:
        text = _with_commas(text)
    if parts["kind"] and parts["kind"].isupper():
        text = text.upper()
    if parts["sign"] in ("+", " ") and not text.startswith("-"):
        text = parts["sign"] + text
    return _aligned(text, parts)


def _of_kind(value: End, kind: str, places: int, rounding: Rounding) -> str:
    """The number in fixed point, with an exponent, with a number of digits, or as a percentage."""
    if isinstance(value, float):
        return str(value)
    if kind == "%":
        return f"{_fixed(value * 100, places, rounding)}%"
    if kind == "f":
        return _fixed(value, places, rounding)
    if kind == "g":
        return decimal(value, max(places, 1), rounding)
    mantissa, exponent = _rounded(value, places + 1, rounding)
    figures = str(abs(mantissa)).ljust(places + 1, "0")
    return _sign(mantissa) + _with_exponent(figures, exponent)


def _fixed(value: Fraction, places: int, rounding: Rounding) -> str:
    if abs(value) >= Fraction(10) ** MOST_PLACES:
        return decimal(value, 17, rounding)
    scaled = rounding(value * 10**places)
    figures = str(abs(scaled)).rjust(places + 1, "0")
    whole = figures[: len(figures) - places]
    rest = figures[len(figures) - places :]
    return _sign(scaled) + (f"{whole}.{rest}" if rest else whole)


def _with_commas(text: str) -> str:
    """The text with a comma after each three digits of its whole part."""
    digits = re.match(r"-?(\d+)", text)
    if digits is None:
        return text
    whole = f"{int(digits[1]):,}"
    return text[: digits.start(1)] + whole + text[digits.end(1) :]


def _aligned(text: str, parts: re.Match[str]) -> str:
    width = int(parts["width"] or 0)
    if parts["zero"] and not parts["align"]:
        return text.zfill(width)
    return format(text, f"{parts['fill'] or ' '}{parts['align'] or '>'}{width}")


def _unknown(code: str) -> InputError:
    return InputError(
        f"the format code '{shorten(code)}' is not one for a bound; use one such as"
        " .3f, .4g, .2e or .1%, which round to the safe side."
    )
