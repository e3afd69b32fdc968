"""Claims about real numbers: assumptions and a conclusion, as data."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Apply, Expr, Power, Rational, Symbol, formula
from rdpacct.proof.check.consistency import base_sign
from rdpacct.proof.check.effort import EFFORT, LOCK, Rejected, transcendental
from rdpacct.proof.check.language import parse_expression
from rdpacct.proof.check.slots import fresh_slots

PRECISIONS = (128, 700, 4000)
MAX_NODES = 5000
"""The size of a claim in which equations have been used."""
MAX_BITS = 50_000
"""The length of the exact numbers that a formula may lead to."""

RationalPoint = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A relation between two formulas; it speaks of the points at which both are defined."""

    left: Expr
    sign: str
    right: Expr

    def symbols(self) -> frozenset[str]:
        """The variables that occur."""
        return self.left.symbols() | self.right.symbols()

    def margin(self) -> Expr:
        """A formula that is positive where the relation holds with room, and negative where it
        fails with room.
        """
        if self.sign in ("<", "<="):
            return self.right - self.left
        return self.left - self.right

    def where(self, **values: Expr) -> "Comparison":
        """The relation with symbols replaced by formulas."""
        return Comparison(self.left.at(**values), self.sign, self.right.at(**values))

    def at(self, point: RationalPoint) -> bool | None:
        """Whether the relation holds at a point; None if a side is undefined there or it could not
        be decided.
        """
        for bits in PRECISIONS:
            left, right = (
                ball_at(side, bits, point) for side in (self.left, self.right)
            )
            if not (left.finite() and right.finite()):
                continue
            gap = left - right
            if gap.certainly_negative() or gap.certainly_positive():
                return _holds(self.sign, -1 if gap.certainly_negative() else 1)
            if gap.raw.is_zero() or _exactly_equal(self.left, self.right, point):
                return _holds(self.sign, 0)
        return None

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True, slots=True)
class Claim:
    """For all values of the variables with these assumptions, where both sides are defined, the
    conclusion holds.
    """

    given: tuple[Comparison, ...]
    conclusion: Comparison

    def variables(self) -> tuple[str, ...]:
        """The variables, in alphabetical order."""
        return tuple(
            sorted(
                self.conclusion.symbols().union(
                    *(assumption.symbols() for assumption in self.given)
                )
            )
        )

    def fails_at(self, point: RationalPoint) -> bool:
        """The point certainly satisfies the assumptions and certainly breaks the conclusion."""
        return (
            all(assumption.at(point) is True for assumption in self.given)
            and self.conclusion.at(point) is False
        )

    def solved(self) -> tuple["Claim", dict[str, Expr]]:
        """The claim without the variables whose values equations give, and these values in the
        other variables.

        Equations that would make it too large are left as they are.
        """
        claim = self
        values = dict[str, Expr]()
        while (equation := claim._equation()) is not None:
            index, name, image = equation
            kept = [*claim.given[:index], *claim.given[index + 1 :], claim.conclusion]
            sides = [
                side for relation in kept for side in (relation.left, relation.right)
            ] + list(values.values())
            size = sum(
                _size(side) + _occurrences(side, name) * _size(image) for side in sides
            )
            EFFORT.spend(size)
            if size > MAX_NODES:
                break
            *given, conclusion = (r.where(**{name: image}) for r in kept)
            claim = Claim(tuple(given), conclusion)
            values = {
                other: value.at(**{name: image}) for other, value in values.items()
            } | {name: image}
        return claim, values

    def _equation(self) -> tuple[int, str, Expr] | None:
        """An assumption that gives the value of a variable: its number, the variable and the
        value.
        """
        for index, assumption in enumerate(self.given):
            for here, image in (
                (assumption.left, assumption.right),
                (assumption.right, assumption.left),
            ):
                if (
                    assumption.sign == "=="
                    and isinstance(here, Symbol)
                    and here.name not in image.symbols()
                ):
                    return index, here.name, image
        return None

    def excluded(self) -> tuple[str, ...]:
        """The conditions under which the sides are defined, where they are not plain."""
        conditions: dict[str, None] = {}
        for side in (self.conclusion.left, self.conclusion.right):
            for condition in _conditions(side):
                conditions[condition] = None
        return tuple(conditions)

    def __str__(self) -> str:
        return (
            " and ".join(map(str, self.given))
            + (" imply " if self.given else "")
            + str(self.conclusion)
        )


def ball_at(expr: Expr, bits: int, point: RationalPoint) -> Ball:
    """A ball around the value of a formula at a point, not finite where it is undefined."""
    EFFORT.spend(cost(expr, bits))
    known = {name: point[name] for name in expr.symbols()}
    ball = expr.ball(bits, **known)
    if ball.finite():
        return ball
    other = _without_zero_powers(expr, bits, point)
    if other is expr:
        return ball
    return other.ball(bits, **known)


def _without_zero_powers(expr: Expr, bits: int, point: RationalPoint) -> Expr:
    """The formula with zero for its positive rational powers of zero, which balls do not know;
    nothing is folded.
    """
    if (
        isinstance(expr, Power)
        and isinstance(expr.exponent, Rational)
        and expr.exponent.value > 0
    ):
        base = expr.base.ball(
            bits, **{name: point[name] for name in expr.base.symbols()}
        )
        if base.finite() and base.raw.is_zero():
            return formula(0)
    parts = tuple(_without_zero_powers(part, bits, point) for part in expr.parts())
    if all(new is old for new, old in zip(parts, expr.parts(), strict=True)):
        return expr
    if isinstance(expr, Apply):
        return Apply(expr.function, parts)
    return Power(*parts) if isinstance(expr, Power) else type(expr)(parts)  # type: ignore[call-arg]


def _size(expr: Expr) -> int:
    """The number of formulas that one is built from, itself included."""
    return 1 + sum(map(_size, expr.parts()))


def _occurrences(expr: Expr, name: str) -> int:
    """How often a variable stands in a formula."""
    return int(expr == Symbol(name)) + sum(
        _occurrences(part, name) for part in expr.parts()
    )


def cost(expr: Expr, bits: int) -> int:
    """The work of a ball of the formula at that precision."""
    return (
        4 + _size(expr) * (2 + bits // 1000) + _functions(expr) * transcendental(bits)
    )


def _functions(expr: Expr) -> int:
    return int(isinstance(expr, Apply | Power)) + sum(map(_functions, expr.parts()))


def at_exactly(expr: Expr, point: RationalPoint) -> Expr | None:
    """The formula at a point, folded as far as it is exact; None where it is undefined or its
    numbers get too long.
    """
    if _bits(expr, point) > MAX_BITS:
        return None
    try:
        return expr.at(**point)
    except ZeroDivisionError:
        return None


def _bits(expr: Expr, point: RationalPoint) -> int:
    """A bound on the length of the rational numbers that folding leads to."""
    if isinstance(expr, Rational):
        return _length(expr.value)
    if isinstance(expr, Symbol):
        if expr.name in point:
            return _length(point[expr.name])
        return 0
    if isinstance(expr, Power) and isinstance(expr.exponent, Rational):
        return _bits(expr.base, point) * min(64, abs(int(expr.exponent.value)) + 1)
    return sum(_bits(part, point) for part in expr.parts())


def _length(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _exactly_equal(left: Expr, right: Expr, point: RationalPoint) -> bool:
    """The difference is the rational number zero after exact folding."""
    gap = at_exactly(left - right, point)
    return isinstance(gap, Rational) and gap.value == 0


def _holds(sign: str, order: int) -> bool:
    """Whether a relation holds between two numbers of which the first is smaller (-1), equal (0) or
    larger (1).
    """
    return {
        "<": order < 0,
        "<=": order <= 0,
        ">": order > 0,
        ">=": order >= 0,
        "==": order == 0,
        "!=": order != 0,
    }[sign]


def _conditions(expr: Expr) -> list[str]:
    """Where a formula is defined: arguments of logarithms and roots, denominators, bases of real
    powers.
    """
    conditions = [condition for part in expr.parts() for condition in _conditions(part)]
    if isinstance(expr, Apply) and expr.function in ("log", "sqrt") and expr.symbols():
        conditions.append(
            f"{expr.arguments[0]} {'>' if expr.function == 'log' else '>='} 0"
        )
    if isinstance(expr, Power) and expr.symbols():
        sign = ">" if expr.exponent.symbols() else _demanded(expr.exponent)
        if sign:
            conditions.append(f"{expr.base} {sign} 0")
    return [condition for condition in conditions if not condition.startswith("exp(")]


def _demanded(exponent: Expr) -> str:
    """What a constant exponent demands of its base, in the words of the checker."""
    try:
        with LOCK, fresh_slots():
            return base_sign(parse_expression(str(exponent)))
    except Rejected:
        return ">"
