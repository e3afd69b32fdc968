"""Amounts of a budget: exact rationals, rounded against the spender where they cannot be exact."""

from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.decimals import decimal_down, decimal_up
from rdpacct.exact.formula import Expr, Rational
from rdpacct.exact.number import decimal_text, shorten

Amounts = tuple[Fraction, ...]
"""An amount of each thing that a budget limits."""
FIGURES = 96
"""The binary figures that a price keeps if it is not exact."""
MOST_BITS = 1024
"""An amount whose denominator has more bits than this is rounded to a multiple of 2**-1024, so that
a state can always be written and read.
"""
LARGEST = Fraction(2) ** MOST_BITS
"""The largest budget."""

SHORT = 16
"""The most characters of an exact amount that is shown."""


def price_of(bound: Bound, what: str) -> Fraction:
    """The upper end of a price: exact if the price is, otherwise rounded up."""
    if isinstance(bound.upper, float):
        raise InputError(
            f"{shorten(what, 120)} has no finite price in this budget; spend it from a"
            " budget of another kind."
        )
    if bound.upper > LARGEST:
        raise InputError(
            f"{shorten(what, 120)} costs more than 2**{MOST_BITS}, which no budget has; add"
            " more noise."
        )
    if bound.lower == bound.upper:
        return on_grid(max(bound.upper, Fraction(0)))
    return on_grid(rounded_up(bound.upper))


def enclosed(value: Expr) -> Bound:
    """A bound of a formula, exact if it is a rational, however small."""
    if isinstance(value, Rational):
        return Bound.exactly(value.value, "as given")
    return value.bound()


def cap_of(value: Expr) -> Fraction:
    """The lower end of a limit: exact if it is a rational, otherwise rounded down."""
    bound = enclosed(value)
    if isinstance(bound.lower, float) or bound.lower > LARGEST:
        raise InputError(
            f"the budget {shorten(str(value))} has no usual size; give a number of at"
            f" most 2**{MOST_BITS}."
        )
    if bound.lower == bound.upper:
        return -on_grid(-bound.lower)
    return max(-on_grid(rounded_up(-bound.lower)), Fraction(0))


def rounded_up(value: Fraction) -> Fraction:
    """The number with few binary figures that is next above; never 0 above a positive number."""
    if value == 0:
        return value
    size = value.numerator.bit_length() - value.denominator.bit_length()
    scale = Fraction(2) ** (FIGURES - size)
    return Fraction(-((-value * scale) // 1)) / scale


def on_grid(value: Fraction) -> Fraction:
    """The number itself, or the next multiple of 2**-1024 above one with a long denominator."""
    if value.denominator.bit_length() <= MOST_BITS + 1:
        return value
    return Fraction(-((-value * 2**MOST_BITS) // 1), 2**MOST_BITS)


def added_up(spent: Fraction, asked: Fraction) -> Fraction:
    """The sum; rounded up where the denominators of many different spends have become long."""
    return on_grid(spent + asked)


def written(names: tuple[str, ...], amounts: Amounts, *, down: bool = False) -> str:
    """The amounts to read: exact if they are short, otherwise rounded up, or down."""
    pairs = zip(names, amounts, strict=True)
    return ", ".join(f"{name} {_short(amount, down)}" for name, amount in pairs)


def _short(amount: Fraction, down: bool) -> str:
    exact = decimal_text(amount)
    if len(exact) <= SHORT:
        return exact
    return decimal_down(amount, SHORT - 6) if down else decimal_up(amount, SHORT - 6)
