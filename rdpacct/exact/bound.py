"""A number that certainly lies between two ends: what every question about privacy is answered
with.
"""

import math
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import NoReturn, Self

from rdpacct.exact.decimals import End as End
from rdpacct.exact.decimals import Rounding, formatted, full_decimal
from rdpacct.exact.decimals import decimal_down as decimal_down
from rdpacct.exact.decimals import decimal_up as decimal_up
from rdpacct.exact.decimals import round_down as round_down
from rdpacct.exact.decimals import round_up as round_up
from rdpacct.exact.number import Number, rational
from rdpacct.notebook import paragraph

WIDE = 1e-3
"""A bound is called wide if its ends differ by more than this share of the larger one."""
USED_UP = "; the work of one answer was used up"
QUOTED = 6
"""The digits of the number that is quoted first."""


class Side(Enum):
    """Which end of a bound is safe to rely on."""

    UPPER = "upper"
    """Too large a value is safe, as for an epsilon or a delta."""
    LOWER = "lower"
    """Too small a value is safe, as for what a test certainly misses."""

    @property
    def rounding(self) -> Rounding:
        """Rounds an end to the safe side."""
        return math.ceil if self is Side.UPPER else math.floor

    @property
    def sign(self) -> str:
        """What is known of the true value by this end."""
        return "<=" if self is Side.UPPER else ">="


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


def _common(lower: Fraction, upper: Fraction) -> tuple[int, int]:
    """Two fractions over a common denominator: whole numbers are fast."""
    return (
        lower.numerator * upper.denominator,
        upper.numerator * lower.denominator,
    )


def _in_order(lower: End, upper: End) -> bool:
    """Whether the first end is at most the second."""
    if isinstance(lower, float) or isinstance(upper, float):
        return lower <= upper
    low, high = _common(lower, upper)
    return low <= high


@dataclass(frozen=True, slots=True, repr=False)
class Bound:
    """An enclosure: the true value is at least ``lower`` and at most ``upper``; ``how`` says how it
        was obtained.

    ``rests_on`` names the theorems of the rules that took part. One end is safe to rely on:
    ``safe`` says which, the upper one if nothing else is said. ``float(bound)`` and
    ``f"{bound:.3f}"`` are that end, rounded to the safe side. ``float(bound.upper)`` is rounded up,
    and ``float(bound.lower)`` down.
    """

    lower: End
    upper: End
    how: str = ""
    rests_on: frozenset[str] = field(default=frozenset(), compare=False)
    safe: Side = field(default=Side.UPPER, compare=False)

    def __post_init__(self) -> None:
        if not _in_order(self.lower, self.upper):
            raise ValueError(
                f"an enclosure needs lower <= upper, not {self.lower} and {self.upper}"
            )
        if type(self.lower) is not Lower and not isinstance(self.lower, float):
            object.__setattr__(self, "lower", Lower(self.lower))
        if type(self.upper) is not Upper and not isinstance(self.upper, float):
            object.__setattr__(self, "upper", Upper(self.upper))

    @classmethod
    def exactly(cls, value: End, how: str = "") -> "Bound":
        """The bound whose two ends are the value itself."""
        return cls(value, value, how)

    def resting_on(self, theorems: frozenset[str]) -> "Bound":
        """The same bound, which rests on these theorems."""
        if theorems == self.rests_on:
            return self
        same = object.__new__(Bound)  # its ends have been compared
        for name, part in (
            ("lower", self.lower),
            ("upper", self.upper),
            ("how", self.how),
            ("rests_on", theorems),
            ("safe", self.safe),
        ):
            object.__setattr__(same, name, part)
        return same

    def safe_below(self) -> "Bound":
        """The same bound, of a quantity for which too small a value is safe."""
        return replace(self, safe=Side.LOWER)

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
        if isinstance(self.lower, float) or isinstance(self.upper, float):
            return 0.0 if self.is_exact else math.inf
        low, high = _common(self.lower, self.upper)
        if low == high:
            return 0.0
        return (high - low) / max(abs(low), abs(high))

    def contains(self, value: End) -> bool:
        """The value lies between the ends, so that it may be the true one."""
        return self.lower <= value <= self.upper

    def overlaps(self, other: "Bound") -> bool:
        """The two bounds share a point; this does not make the true values equal."""
        return self.lower <= other.upper and other.lower <= self.upper

    def certainly_at_most(self, other: "Bound | Number") -> bool:
        """Every value here is at most every value there."""
        return self.upper <= (
            other.lower if isinstance(other, Bound) else _number(other)
        )

    def certainly_below(self, other: "Bound | Number") -> bool:
        """Every value here is less than every value there."""
        return self.upper < (
            other.lower if isinstance(other, Bound) else _number(other)
        )

    def certainly_above(self, other: "Bound | Number") -> bool:
        """Every value here is greater than every value there."""
        return self.lower > (
            other.upper if isinstance(other, Bound) else _number(other)
        )

    def __lt__(self, other: object) -> NoReturn:
        raise _not_compared("<", "certainly_below")

    def __le__(self, other: object) -> NoReturn:
        raise _not_compared("<=", "certainly_at_most")

    def __gt__(self, other: object) -> NoReturn:
        raise _not_compared(">", "certainly_above")

    def __ge__(self, other: object) -> NoReturn:
        raise _not_compared(">=", "certainly_above")

    def __round__(self, places: int = 0) -> NoReturn:
        raise TypeError(
            "a bound is not rounded to the nearest number, which need not be safe;"
            f' write f"{{bound:.{places}f}}" for its safe end.'
        )

    @property
    def safe_end(self) -> End:
        """The end that is safe to rely on."""
        return self.upper if self.safe is Side.UPPER else self.lower

    def __float__(self) -> float:
        if self.safe is Side.UPPER:
            return round_up(self.upper)
        return round_down(self.lower)

    def floats(self) -> tuple[float, float]:
        """The ends as doubles, rounded outwards."""
        return round_down(self.lower), round_up(self.upper)

    def __format__(self, code: str) -> str:
        if not code:
            return str(self)
        return formatted(self.safe_end, code, self.safe.rounding)

    def short(self, digits: int = QUOTED) -> str:
        """The number to quote: the safe end, rounded to the safe side."""
        if self._is_short:
            return decimal_up(self.upper)
        return full_decimal(self.safe_end, digits, self.safe.rounding)

    def stated(self, name: str) -> str:
        """What is certain in one short line, as in ``epsilon <= 2.38160``."""
        sign = "=" if self._is_short else self.safe.sign
        return f"{name} {sign} {self.short()}"

    def lines(self, name: str) -> list[str]:
        """What is certain in one short line, and below it both ends, unless they are the same."""
        if self._is_short:
            return [self.stated(name)]
        return [self.stated(name), f"  certainly in {self}"]

    @property
    def _is_short(self) -> bool:
        """The value is known exactly, and has few digits."""
        return self.is_exact and decimal_down(self.lower) == decimal_up(self.upper)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if self._is_short:
            return decimal_up(self.upper)
        return f"[{decimal_down(self.lower)}, {decimal_up(self.upper)}]"

    def _repr_html_(self) -> str:
        first, *rest = self.lines("")
        said = [line.strip() for line in rest]
        said += [self.how] if self.how else []
        if self.relative_width > WIDE:
            said.append("wide: the ends differ by more than a thousandth")
        return paragraph(first.strip(), "; ".join(said))


def _number(other: Number) -> End:
    """A number to compare with, of Python or of another library; it may be infinite."""
    if isinstance(other, float | Fraction):
        return other
    return rational(other)


def _not_compared(sign: str, method: str) -> TypeError:
    return TypeError(
        f"a bound is not compared by {sign}, since it may be undecided; ask"
        f" .{method}(...) for what is certain."
    )


def worst(bounds: "list[Bound]") -> Bound:
    """The bound on the largest of several unknown values, each known to its own bound, with what
    all of them rest on.
    """
    if len(bounds) == 1:
        return bounds[0]
    best = max(bounds, key=lambda bound: bound.upper)
    lower = max(bound.lower for bound in bounds)
    used = frozenset[str]().union(*(bound.rests_on for bound in bounds))
    return Bound(lower, best.upper, best.how, used)


def greatest(bounds: "list[Bound]") -> Bound:
    """The bound with the greatest lower end: the largest of the unknown values is at least that,
    which rests on this bound alone.
    """
    return max(bounds, key=lambda bound: bound.lower)


def plus(*ends: End) -> End:
    """The sum of ends: infinite if one of them is, however large the others are, and else exact."""
    infinite = [end for end in ends if isinstance(end, float)]
    if infinite:
        return sum(infinite)
    return sum(ends, start=Fraction(0))
