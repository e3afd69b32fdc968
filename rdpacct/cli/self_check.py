"""A check of the ball arithmetic against bounds that fractions alone give."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import PI, exp, log, sqrt

TERMS = 60
NARROW = Fraction(1, 10**18)
"""How narrow an enclosure of a constant has to be."""


@dataclass(frozen=True)
class SelfCheck:
    """A constant: its enclosure in balls, and independent bounds by rational arithmetic."""

    name: str
    balls: Bound
    series: Bound

    @property
    def is_right(self) -> bool:
        """The two enclosures overlap, and that of the balls is narrow."""
        return self.balls.overlaps(self.series) and self.balls.width <= NARROW

    def __str__(self) -> str:
        return f"{self.name} is {'right' if self.is_right else 'WRONG'}"


def self_checks() -> list[SelfCheck]:
    """The constants that are checked."""
    constants: dict[str, tuple[Expr, Callable[[], Bound]]] = {
        "1/3": (formula(Fraction(1, 3)), lambda: Bound.exactly(Fraction(1, 3))),
        "sqrt(2)": (sqrt(2), _root_of_two),
        "exp(1)": (exp(1), _exponential),
        "log(2)": (log(2), lambda: _scaled(_inverse_tangent(3, 1), 2)),
        "pi": (PI, _pi),
    }
    return [
        SelfCheck(name, value.bound(), by_series())
        for name, (value, by_series) in constants.items()
    ]


def _root_of_two() -> Bound:
    digits = 10**40
    root = math.isqrt(2 * digits**2)
    return Bound(Fraction(root, digits), Fraction(root + 1, digits))


def _exponential() -> Bound:
    """The sum of 1/k!, whose rest is at most twice its first term."""
    total = sum((Fraction(1, math.factorial(k)) for k in range(TERMS)), Fraction(0))
    return Bound(total, total + Fraction(2, math.factorial(TERMS)))


def _inverse_tangent(x: int, sign: int) -> Bound:
    """The series of 1/((2k+1) x**(2k+1)), with signs all + (artanh) or alternating (arctan), of
    1/x; the rest is at most twice the first term that is left out.
    """
    total = Fraction(0)
    for k in range(TERMS):
        total += Fraction(sign**k, (2 * k + 1) * x ** (2 * k + 1))
    rest = Fraction(2, (2 * TERMS + 1) * x ** (2 * TERMS + 1))
    return Bound(total - rest, total + rest)


def _scaled(bound: Bound, factor: int) -> Bound:
    return Bound(Fraction(bound.lower) * factor, Fraction(bound.upper) * factor)


def _pi() -> Bound:
    """Machin's formula: 16 arctan(1/5) - 4 arctan(1/239)."""
    fifth = _scaled(_inverse_tangent(5, -1), 16)
    other = _scaled(_inverse_tangent(239, -1), 4)
    return Bound(
        Fraction(fifth.lower) - Fraction(other.upper),
        Fraction(fifth.upper) - Fraction(other.lower),
    )
