"""Open intervals with exact constant ends, what is known on them, and the monotone coordinates
between them.
"""

from fractions import Fraction
from typing import Any

from rdpacct.proof.check.balls import constant_ball, constant_sign
from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.language import Expression, parse_expression, variables
from rdpacct.proof.check.normal import apply, normal, substitute
from rdpacct.proof.check.ring import Poly, Ratio
from rdpacct.proof.check.signs import GROUND, Signs, Undefined
from rdpacct.proof.check.slots import variable_slot

ZERO = Ratio(Poly({}))


def constant(text: object) -> Ratio:
    """The exact constant that a text stands for."""
    return constant_value(parse_expression(text))


def constant_value(tree: Expression) -> Ratio:
    """The exact constant that an expression without variables stands for."""
    if variables(tree):
        raise Rejected("a constant has no variables.")
    try:
        return normal(tree, GROUND)
    except Undefined as error:
        raise Rejected(f"a constant is undefined: {error}.") from None


def order(left: Ratio, right: Ratio) -> int:
    """The sign of left - right, for constants."""
    return constant_sign((left - right).top)


def rational_bounds(value: Ratio) -> tuple[Fraction, Fraction]:
    """Rational numbers on both sides of a constant, the constant itself if it is rational."""
    exact = value.top.constant()
    if exact is not None and not value.bottom:
        return Fraction(exact), Fraction(exact)
    if value.bottom:
        raise Rejected("an end of a piece is a quotient of irrational numbers.")
    ball = constant_ball(value.top, 128)
    if not ball.is_finite():
        raise Rejected("an end of a piece is not known.")
    return _dyadic(ball.lower()), _dyadic(ball.upper())


def _dyadic(ball: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in ball.man_exp())
    if abs(exponent) > 20_000:
        raise Rejected("an end of a piece is too large or too small.")
    return Fraction(mantissa) * Fraction(2) ** exponent


Ends = tuple[Ratio | None, Ratio | None]


class Box:
    """The open interval low < variable < high (None is infinite), with the signs that are known on
    it.

    With other variables it is an open box, of which this interval is the side that rules look at.
    """

    def __init__(
        self,
        name: str,
        low: Ratio | None,
        high: Ratio | None,
        signs: Signs | None = None,
        others: dict[str, Ends] | None = None,
    ) -> None:
        self.name = name
        self.low = low
        self.high = high
        self.others = dict(others or {})
        self.signs = signs.copy() if signs else Signs()
        for side, (start, end) in {**self.others, name: (low, high)}.items():
            if start is not None and end is not None and order(start, end) >= 0:
                raise Rejected("a piece is empty.")
            here = Poly.slot(variable_slot(side))
            if start is not None and order(start, ZERO) >= 0:
                self.signs.learn(here, True)
            if end is not None and order(end, ZERO) <= 0:
                self.signs.learn(here.scaled(-1), True)

    def part(self, low: Ratio | None, high: Ratio | None) -> "Box":
        """A smaller piece; all that is known stays true on it."""
        return Box(self.name, low, high, self.signs, self.others)

    def turned(self, name: str) -> "Box":
        """The same box, seen along another of its sides."""
        sides = {**self.others, self.name: (self.low, self.high)}
        if name not in sides:
            raise Rejected(f"the piece has no variable {name[:20]!a}.")
        low, high = sides.pop(name)
        return Box(name, low, high, self.signs, sides)

    def projected(self, names: set[str]) -> "Box":
        """The box of some of the variables, with what is known about these alone."""
        sides = {
            n: e
            for n, e in {**self.others, self.name: (self.low, self.high)}.items()
            if n in names
        }
        if set(sides) != names or not names:
            raise Rejected("a projection needs variables of the piece.")
        first = min(names)
        low, high = sides.pop(first)
        piece = Box(first, low, high, None, sides)
        for table, target in (
            (self.signs.strict, piece.signs.strict),
            (self.signs.weak, piece.signs.weak),
        ):
            target.update(
                {
                    poly: sign
                    for poly, sign in table.items()
                    if poly.variables() <= names
                }
            )
        return piece

    def within(self, point: Ratio) -> bool:
        """The point lies inside the open piece."""
        above = self.low is None or order(point, self.low) > 0
        return above and (self.high is None or order(point, self.high) < 0)

    def outer(self) -> tuple[Fraction | None, Fraction | None]:
        """Rational ends of an interval that contains the piece."""
        low = None if self.low is None else rational_bounds(self.low)[0]
        return low, None if self.high is None else rational_bounds(self.high)[1]

    def transformed(self, form: str, shift: Ratio, degree: int) -> tuple["Box", Ratio]:
        """The piece in another coordinate u, and the variable as a function of u; u keeps the
        variable's name.
        """
        image, low, high = coordinate(self, form, shift, degree)
        piece = Box(self.name, low, high, None, self.others)
        for table, strict in ((self.signs.strict, True), (self.signs.weak, False)):
            for poly, sign in table.items():
                try:
                    piece.signs.learn(
                        substitute(poly, self.name, image, piece.signs).top.scaled(
                            sign
                        ),
                        strict,
                    )
                except Rejected:
                    continue
        return piece, image


def coordinate(
    piece: Box, form: str, shift: Ratio, degree: int
) -> tuple[Ratio, Ratio | None, Ratio | None]:
    """The variable as a monotone function of u, and the interval of u that maps onto the piece."""
    low = piece.low
    high = piece.high
    here = Poly.slot(variable_slot(piece.name))

    def inverse(end: Ratio) -> Ratio:
        return apply("/", [Ratio(Poly.number(1)), end], GROUND)

    if form == "reflect":
        return Ratio(here.scaled(-1)), high and high.scaled(-1), low and low.scaled(-1)
    if shift.variables() and (
        form != "shift"
        or low is not None
        or high is not None
        or piece.name in shift.variables()
    ):
        raise Rejected(
            "a coordinate that depends on other variables must shift a whole line."
        )
    if form == "shift":
        return Ratio(here) + shift, low and low - shift, high and high - shift
    step = Ratio(Poly.slot(variable_slot(piece.name), -1))
    if form == "inverse" and low is not None and order(low, shift) >= 0:
        start = inverse(high - shift) if high is not None else ZERO
        return (
            shift + step,
            start,
            inverse(low - shift) if order(low, shift) > 0 else None,
        )
    if (
        form == "power"
        and low is not None
        and order(low, shift) >= 0
        and 2 <= degree <= MAX_POWER
    ):
        exponent = Ratio(Poly.number(Fraction(1, degree)))
        ends = [
            end and apply("**", [end - shift, exponent], GROUND) for end in (low, high)
        ]
        return Ratio(here.power(degree)) + shift, ends[0], ends[1]
    raise Rejected(
        f"the coordinate {form[:20]!a} is unknown or does not fit the piece."
    )


MAX_POWER = 12
