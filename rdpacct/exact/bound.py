"""A number that certainly lies between two ends: what every question about privacy is answered
with.
"""

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Self, TypeAlias

End: TypeAlias = Fraction | float
"""An end of a bound: an exact fraction, or an infinity (the only floats that occur)."""
WIDE = 1e-3
"""A bound is called wide if its ends differ by more than that share of the larger one."""
USED_UP = "; the work of one answer was used up"


class _Rounded(Fraction):
    """An exact end that knows which way is safe; what is computed from it is a plain fraction."""

    __slots__ = ()

    def __new__(cls, value: Fraction | int, denominator: int | None = None) -> Self:
        if denominator is not None or not isinstance(value, Fraction):
            return super().__new__(cls, value, denominator)
        # a fraction is in lowest terms already
        end = object.__new__(cls)
        end._numerator, end._denominator = value.numerator, value.denominator  # type: ignore[attr-defined]
        return end


class Lower(_Rounded):
    """A lower end: ``float`` rounds it down."""

    __slots__ = ()

    def __float__(self) -> float:
        return round_down(Fraction(self))


class Upper(_Rounded):
    """An upper end: ``float`` rounds it up."""

    __slots__ = ()

    def __float__(self) -> float:
        return round_up(Fraction(self))


@dataclass(frozen=True, slots=True, repr=False)
class Bound:
    """An enclosure: the true value is at least ``lower`` and at most ``upper``; ``how`` says how it
        was obtained.

    ``rests_on`` names the theorems of the rules that took part. ``float(bound)`` is the safe end:
    the upper one, rounded up. ``float(bound.upper)`` is rounded up too, and ``float(bound.lower)``
    down.
    """

    lower: End
    upper: End
    how: str = ""
    rests_on: frozenset[str] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise ValueError(
                f"an enclosure needs lower <= upper, not {self.lower} and {self.upper}"
            )
        if not isinstance(self.lower, float):
            object.__setattr__(self, "lower", Lower(self.lower))
        if not isinstance(self.upper, float):
            object.__setattr__(self, "upper", Upper(self.upper))

    @classmethod
    def exactly(cls, value: End, how: str = "") -> "Bound":
        """The bound whose two ends are the value itself."""
        return cls(value, value, how)

    def resting_on(self, theorems: frozenset[str]) -> "Bound":
        """The same bound, which rests on these theorems."""
        return replace(self, rests_on=theorems)

    def cut_short(self) -> "Bound":
        """The same bound, which says that there was no work left to narrow it, if it is wide."""
        if self.relative_width > WIDE:
            return replace(self, how=f"{self.how}{USED_UP}")
        return self

    @property
    def is_exact(self) -> bool:
        """The two ends are the same number."""
        return self.lower == self.upper

    @property
    def width(self) -> End:
        """The distance between the ends; zero for an exact value, also an infinite one."""
        if self.is_exact:
            return Fraction(0)
        return self.upper - self.lower

    @property
    def relative_width(self) -> float:
        """The width as a share of the larger end."""
        if self.is_exact:
            return 0.0
        if isinstance(self.lower, float) or isinstance(self.upper, float):
            return math.inf
        return float((self.upper - self.lower) / max(abs(self.lower), abs(self.upper)))

    def contains(self, value: End) -> bool:
        """The value lies between the ends, so that it may be the true one."""
        return self.lower <= value <= self.upper

    def overlaps(self, other: "Bound") -> bool:
        """The two bounds share a point; this does not make the true values equal."""
        return self.lower <= other.upper and other.lower <= self.upper

    def certainly_at_most(self, other: "Bound | End") -> bool:
        """Every value here is at most every value there."""
        return self.upper <= (other.lower if isinstance(other, Bound) else other)

    def certainly_below(self, other: "Bound | End") -> bool:
        """Every value here is less than every value there."""
        return self.upper < (other.lower if isinstance(other, Bound) else other)

    def certainly_above(self, other: "Bound | End") -> bool:
        """Every value here is greater than every value there."""
        return self.lower > (other.upper if isinstance(other, Bound) else other)

    def __float__(self) -> float:
        return round_up(self.upper)

    def floats(self) -> tuple[float, float]:
        """The ends as doubles, rounded outwards."""
        return round_down(self.lower), round_up(self.upper)

    def __repr__(self) -> str:
        return (
            f"Bound({decimal_down(self.lower)}, {decimal_up(self.upper)},"
            f" how={self.how!r})"
        )

    def __str__(self) -> str:
        lower = decimal_down(self.lower)
        upper = decimal_up(self.upper)
        if lower == upper:
            return lower
        return f"[{lower}, {upper}]"


def worst(bounds: "list[Bound]") -> Bound:
    """The bound on the largest of several unknown values, each known to its own bound."""
    best = max(bounds, key=lambda bound: bound.upper)
    return Bound(max(bound.lower for bound in bounds), best.upper, best.how)


def plus(*ends: End) -> End:
    """The sum of ends: infinite if one of them is, however large the others are, and else exact."""
    infinite = [end for end in ends if isinstance(end, float)]
    if infinite:
        return sum(infinite)
    return sum(ends, start=Fraction(0))


def round_down(value: End) -> float:
    """The largest double that is not above the value."""
    return 0.0 - round_up(-value)


def round_up(value: End) -> float:
    """The smallest double that is not below the value."""
    if isinstance(value, float):
        return value
    try:
        nearest = float(value)
    except OverflowError:
        if value > 0:
            return math.inf
        return -math.nextafter(math.inf, 0)
    if math.isinf(nearest):
        if value > 0:
            return nearest
        return -math.nextafter(math.inf, 0)
    if Fraction(nearest) >= value:
        return nearest
    return math.nextafter(nearest, math.inf)


def decimal_down(value: End, digits: int = 17) -> str:
    """A decimal text of that many digits that is not above the value."""
    text = decimal_up(-value, digits)
    if text.startswith("-"):
        return text[1:]
    if text == "0":
        return text
    return f"-{text}"


def decimal_up(value: End, digits: int = 17) -> str:
    """A decimal text of that many digits that is not below the value."""
    if isinstance(value, float):
        return str(value)
    if value == 0:
        return "0"
    exponent = _decimal_exponent(abs(value))
    scaled = value / Fraction(10) ** (exponent - digits + 1)
    return _scientific(math.ceil(scaled), exponent, digits)


def _decimal_exponent(value: Fraction) -> int:
    """The e with 10**e <= value < 10**(e+1)."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = math.floor(bits * math.log10(2)) - 1
    while Fraction(10) ** (exponent + 1) <= value:
        exponent += 1
    return exponent


def _scientific(mantissa: int, exponent: int, digits: int) -> str:
    sign, figures = ("-", str(-mantissa)) if mantissa < 0 else ("", str(mantissa))
    exponent += len(figures) - digits
    figures = figures.rstrip("0") or "0"
    if -5 <= exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{figures}"
    if 0 <= exponent < digits:
        whole = figures[: exponent + 1].ljust(exponent + 1, "0")
        rest = figures[exponent + 1 :]
        if rest:
            return f"{sign}{whole}.{rest}"
        return f"{sign}{whole}"
    rest = figures[1:]
    return f"{sign}{figures[0]}{'.' + rest if rest else ''}e{exponent:+03d}"
