"""Formulas in the place of balls: functions that are written for balls, called with symbols.

What comes out is the formula that the function computes, so that a theorem can speak of the
function itself. A function may ask in two ways. A comparison of formulas is answered if it is
proved from what is given, or if its opposite is; while an entry is loaded nothing is proved, and it
is answered as it comes out at one place, and has to be proved before a statement of the entry is
accepted (``kernel/said.py``). A formula has a double only if one is declared,
which may be any number: it may steer, as a plan in doubles does, and the theorem must hold wherever
it leads. All else is refused, for then the formula would be that of one path among several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, cast

from rdpacct.exact.ball import RealBall
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import (
    PI,
    absolute,
    cos,
    erfc,
    exp,
    log,
    maximum,
    minimum,
    sin,
    sinh,
    sqrt,
    tanh,
)
from rdpacct.exact.raw import pi
from rdpacct.exact.raw import real as whole_number
from rdpacct.proof.claim import Comparison, RationalPoint
from rdpacct.proof.kernel import Refused, at_most, below, real, relations
from rdpacct.proof.kernel.said import is_taking, take
from rdpacct.proof.kernel.side import searching

TRIED = [
    Fraction(sign * top, bottom)
    for sign in (1, -1)
    for top, bottom in ((1, 9), (1, 3), (1, 2), (4, 5), (1, 1), (3, 2), (2, 1), (9, 1))
] + [Fraction(0)]
"""The values of symbols at which a comparison is looked at."""
MOST_TRIES = 20_000
BITS = 96
Join = Callable[[Expr, Expr], Expr]
"""An operation on two formulas."""


class ComplexPair:
    """What stands for a complex ball."""


@dataclass(frozen=True, eq=False)
class Formal:
    """A real formula that behaves as a ball does, or as a formula that is turned into one."""

    value: Expr
    given: tuple[str, ...] = ()
    """What comparisons are proved from; the theorem must state it."""
    about: float | None = None
    """A declared double, which only steers."""

    @staticmethod
    def with_parts(real_part: Any, imaginary: Any) -> ComplexPair:
        """The complex formula with these parts."""
        from rdpacct.proof.tactics.shipped_complex import paired

        return paired(real_part, imaginary)

    def raw(self, functions: object, values: object) -> Formal:  # noqa: ARG002
        """Itself, where the function turns a formula into a ball."""
        return self

    def exp(self) -> Formal:
        """The exponential."""
        return self._made(exp(self.value))

    def log(self) -> Formal:
        """The natural logarithm."""
        return self._made(log(self.value))

    def sqrt(self) -> Formal:
        """The square root."""
        return self._made(sqrt(self.value))

    def sinh(self) -> Formal:
        """The hyperbolic sine."""
        return self._made(sinh(self.value))

    def cos(self) -> Formal:
        """The cosine."""
        return self._made(cos(self.value))

    def sin_cos(self) -> tuple[Formal, Formal]:
        """Sine and cosine."""
        return self._made(sin(self.value)), self._made(cos(self.value))

    def tanh(self) -> Formal:
        """The hyperbolic tangent."""
        return self._made(tanh(self.value))

    def erfc(self) -> Formal:
        """The complementary error function."""
        return self._made(erfc(self.value))

    def max(self, other: Any) -> Formal:
        """The larger of the two."""
        return self._made(maximum(self.value, read(other)), other)

    def min(self, other: Any) -> Formal:
        """The smaller of the two."""
        return self._made(minimum(self.value, read(other)), other)

    def _made(self, value: Expr, *others: Any) -> Formal:
        """A formula made of this one and others: all that is given to any, and a double if each has
        one declared.
        """
        parts = (self, *(other for other in others if isinstance(other, Formal)))
        given = tuple(
            dict.fromkeys(condition for part in parts for condition in part.given)
        )
        return Formal(
            value,
            given,
            None if any(part.about is None for part in parts) else self.about,
        )

    def _joined(self, other: Any, join: Join) -> Formal:
        """The formula of an operation with another; a complex one does it itself."""
        if isinstance(other, ComplexPair):
            return cast(Formal, NotImplemented)
        return self._made(join(self.value, read(other)), other)

    def __add__(self, other: Any) -> Formal:
        return self._joined(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Formal:
        return self._joined(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Formal:
        return self._joined(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Formal:
        return self._joined(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._joined(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Formal:
        return self._joined(other, lambda a, b: b * a)

    def __truediv__(self, other: Any) -> Formal:
        return self._joined(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Formal:
        return self._joined(other, lambda a, b: b / a)

    def __pow__(self, exponent: Any) -> Formal:
        """A whole power, or one by the logarithm of what must then be positive."""
        if isinstance(exponent, Formal):
            return self._joined(exponent, lambda a, b: exp(b * log(a)))
        return self._made(self.value**exponent)

    def __rpow__(self, base: Any) -> Formal:
        return self._joined(base, lambda a, b: exp(a * log(b)))

    def __neg__(self) -> Formal:
        return self._made(-self.value)

    def __abs__(self) -> Formal:
        return self._made(absolute(self.value))

    def __float__(self) -> float:
        if self.about is None:
            raise Refused(
                f"{self.value} has no double, unless one is declared, which only"
                " steers."
            )
        return self.about

    def __bool__(self) -> bool:
        raise Refused(f"{self.value} is neither true nor false.")

    def __gt__(self, other: Any) -> bool:
        right = self._made(read(other), other)
        return decided(
            {
                below(right.value, self.value): True,
                at_most(self.value, right.value): False,
            },
            right.given,
        )

    def __lt__(self, other: Any) -> bool:
        return self._made(read(other), other) > self.value

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __eq__(self, other: object) -> bool:
        """The same formula is equal, one that is proved to be above or below is not."""
        right = self._made(read(other), other)
        if self.value == right.value:
            return True
        answers = {
            below(self.value, right.value): False,
            below(right.value, self.value): False,
        }
        return decided(answers, right.given)

    def __hash__(self) -> int:
        return hash(self.value)


def decided(answers: dict[Comparison, bool], given: tuple[str, ...]) -> bool:
    """The answer of the first claim that is proved from what is given; refused if none is.

    What has a certificate is not searched for. While an entry is loaded, the claim is one that is
    proved before a statement of the entry is accepted.
    """
    if is_taking():
        claim = _likely(list(answers), given)
        take(claim, given)
        return answers[claim]
    for context in (searching(0), nullcontext()):
        with context:
            for claim, answer in answers.items():
                with suppress(Refused):
                    real(claim, *given)
                    return answer
    raise _undecided(answers, given)


def _undecided(claims: Iterable[Comparison], given: tuple[str, ...]) -> Refused:
    return Refused(
        f"none of {', '.join(map(str, claims))} is proved from"
        f" {', '.join(given) or 'nothing'}."
    )


def _likely(claims: list[Comparison], given: tuple[str, ...]) -> Comparison:
    """The claim that is given itself, or else the one that holds at some place where all that is
    given does: if one of them is proved, it is this one.
    """
    known = list(relations(*given))
    for claim in claims:
        if claim in known:
            return claim
    for place in _places([*known, *claims], known):
        for claim in claims:
            if _holds_at(claim, place):
                return claim
    raise _undecided(claims, given)


def _holds_at(relation: Comparison, place: RationalPoint) -> bool:
    """Whether a relation is seen to hold at a place."""
    margin = relation.margin().ball(BITS, **place)
    if not margin.finite():
        return False
    if relation.sign == "!=":
        return margin.certainly_positive() or margin.certainly_negative()
    if relation.sign in ("<", ">"):
        return margin.certainly_positive()
    return margin.raw.is_zero() or (
        relation.sign != "==" and margin.certainly_positive()
    )


def _places(
    about: list[Comparison], known: list[Comparison]
) -> Iterator[RationalPoint]:
    """Values of all symbols with which the relations that are known hold."""
    names = list(dict.fromkeys(name for one in about for name in sorted(one.symbols())))
    order = Random(len(names))
    tries = 0

    def further(place: dict[str, Fraction]) -> Iterator[RationalPoint]:
        nonlocal tries
        if len(place) == len(names):
            yield place
            return
        name = names[len(place)]
        for value in order.sample(TRIED, len(TRIED)):
            tries += 1
            if tries > MOST_TRIES:
                return
            here = {**place, name: value}
            if all(
                _holds_at(one, here)
                for one in known
                if name in one.symbols() <= here.keys()
            ):
                yield from further(here)

    return further({})


def read(value: Any) -> Expr:
    """A formula; among balls, exact numbers and a few constants are known, and others are
    refused.
    """
    if isinstance(value, Formal):
        return value.value
    if isinstance(value, int | Fraction | Expr):
        return formula(value)
    if isinstance(value, RealBall):
        for ball, known in _constants():
            if value.mid() == ball.mid() and value.rad() == ball.rad():
                return known
        if value.is_exact() and value.is_finite():
            exact = value.fmpq()
            return formula(Fraction(int(exact.p), int(exact.q)))
    raise Refused(f"{value} stands for no real formula that is known.")


def _constants() -> list[tuple[RealBall, Expr]]:
    """The constants of shipped code, as it computes them at the current precision."""
    circle = pi()
    two = whole_number(2)
    return [
        (circle, PI),
        (2 * circle, 2 * PI),
        (two.sqrt(), sqrt(2)),
        ((2 * circle).sqrt(), sqrt(2 * PI)),
    ]


def formulas(
    *values: Real, given: tuple[str, ...] = (), about: float | None = None
) -> tuple[RealBall, ...]:
    """Formulas in the shape of balls, with what is given for comparisons and a declared double.

    They are declared as the balls in whose place they stand; ``read`` gives the formula of what
    comes out.
    """
    return tuple(
        cast(RealBall, Formal(formula(value), given, about)) for value in values
    )


def declared(value: Formal) -> Expr:
    """A formula in the shape of a ball, in the place of one that is turned into a ball."""
    return cast(Expr, value)
