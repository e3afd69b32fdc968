"""Claims about real numbers: assumptions and a conclusion, as data."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Apply, Expr, Power, Rational, Symbol

PRECISIONS = (128, 700, 4000)


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
        """A formula that is positive where the relation holds with room, and negative where it fails with room."""
        return self.right - self.left if self.sign in ("<", "<=") else self.left - self.right

    def where(self, **values: Expr) -> "Comparison":
        """The relation with symbols replaced by formulas."""
        return Comparison(self.left.at(**values), self.sign, self.right.at(**values))

    def at(self, point: dict[str, Fraction]) -> bool | None:
        """Whether the relation holds at a point; None if a side is undefined there or it could not be decided."""
        for bits in PRECISIONS:
            left, right = (side.ball(bits, **_known(side, point)) for side in (self.left, self.right))
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
    """For all values of the variables with these assumptions, where both sides are defined, the conclusion holds."""

    given: tuple[Comparison, ...]
    conclusion: Comparison

    def variables(self) -> tuple[str, ...]:
        """The variables, in alphabetical order."""
        return tuple(sorted(self.conclusion.symbols().union(*(one.symbols() for one in self.given))))

    def fails_at(self, point: dict[str, Fraction]) -> bool:
        """The point certainly satisfies the assumptions and certainly breaks the conclusion."""
        return all(one.at(point) is True for one in self.given) and self.conclusion.at(point) is False

    def solved(self) -> tuple["Claim", dict[str, Expr]]:
        """The claim without the variables whose values equations give, and these values in the other variables."""
        for index, one in enumerate(self.given):
            for here, image in ((one.left, one.right), (one.right, one.left)):
                if one.sign == "==" and isinstance(here, Symbol) and here.name not in image.symbols():
                    kept = [*self.given[:index], *self.given[index + 1 :], self.conclusion]
                    *given, conclusion = (r.where(**{here.name: image}) for r in kept)
                    rest, values = Claim(tuple(given), conclusion).solved()
                    return rest, {**values, here.name: image.at(**values)}
        return self, {}

    def excluded(self) -> tuple[str, ...]:
        """The conditions under which the sides are defined, where they are not plain."""
        found: dict[str, None] = {}
        for side in (self.conclusion.left, self.conclusion.right):
            for condition in _conditions(side):
                found[condition] = None
        return tuple(found)

    def __str__(self) -> str:
        return " and ".join(map(str, self.given)) + (" imply " if self.given else "") + str(self.conclusion)


def _known(side: Expr, point: dict[str, Fraction]) -> dict[str, Fraction | int | Ball]:
    return {name: point[name] for name in side.symbols()}


def _exactly_equal(left: Expr, right: Expr, point: dict[str, Fraction]) -> bool:
    """The difference is the rational number zero after exact folding."""
    try:
        gap = (left - right).at(**point)
    except ZeroDivisionError:
        return False
    return isinstance(gap, Rational) and gap.value == 0


def _holds(sign: str, order: int) -> bool:
    """Whether a relation holds between two numbers of which the first is smaller (-1), equal (0) or larger (1)."""
    return {
        "<": order < 0,
        "<=": order <= 0,
        ">": order > 0,
        ">=": order >= 0,
        "==": order == 0,
        "!=": order != 0,
    }[sign]


def _conditions(expr: Expr) -> list[str]:
    """Where a formula is defined: arguments of logarithms and roots, denominators, bases of real powers."""
    found = [condition for part in expr.parts() for condition in _conditions(part)]
    if isinstance(expr, Apply) and expr.function in ("log", "sqrt") and expr.symbols():
        found.append(f"{expr.arguments[0]} {'>' if expr.function == 'log' else '>='} 0")
    if isinstance(expr, Power) and expr.symbols():
        whole = isinstance(expr.exponent, Rational) and expr.exponent.value.denominator == 1
        if not whole:
            found.append(f"{expr.base} > 0")
        elif isinstance(expr.exponent, Rational) and expr.exponent.value < 0:
            found.append(f"{expr.base} != 0")
    return [condition for condition in found if not condition.startswith("exp(")]
