"""Limits: the sign of a quotient f/w where a piece ends.

At a finite end where everything is smooth, the first derivatives that do not vanish decide,
exactly. Elsewhere the end is moved to infinity and the growth of the terms is compared; where
leading terms cancel, expansions may decide.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from flint import arb, fmpq

from rdpacct.proof.check.balls import Evaluation, constant_sign, rational_ball, working
from rdpacct.proof.check.derivation import derivative
from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.normal import substitute
from rdpacct.proof.check.ring import Poly, Ratio, from_univariate, univariate
from rdpacct.proof.check.series import nonnegative_by_series
from rdpacct.proof.check.signs import GROUND, Signs, Undefined
from rdpacct.proof.check.slots import TURNS, Number, Slot, variable_slot

BITS = 256
MAX_ORDER = 14
STEP = 5
"""The work of one product or comparison of growths."""


class Growth(NamedTuple):
    """A function like ``factor * exp(exponent) * x**power * log(x)**logs`` as x grows; their
    quotient tends to 1.

    A factor is a ball, in which a number lies that may change with x, as cos(x) does.
    """

    factor: Any
    exponent: Poly
    power: Fraction
    logs: Fraction

    def times(self, other: "Growth") -> "Growth":
        """The growth of a product."""
        return Growth(
            self.factor * other.factor,
            self.exponent + other.exponent,
            self.power + other.power,
            self.logs + other.logs,
        )

    def to(self, exponent: Number) -> "Growth":
        """The growth of a power; a fractional one needs a positive factor."""
        if exponent.denominator != 1 and not self.factor > 0:
            raise Rejected(
                "a fractional power of something that is not positive at infinity."
            )
        factor = Evaluation({}).power(self.factor, exponent)
        return Growth(
            factor,
            self.exponent.scaled(exponent),
            self.power * exponent,
            self.logs * exponent,
        )


def _constant(value: Any) -> Growth:
    return Growth(value, Poly({}), Fraction(0), Fraction(0))


def compare(left: Growth, right: Growth, name: str) -> int:
    """Which of two grows faster: 1, 0 or -1."""
    EFFORT.spend(STEP)
    difference = left.exponent - right.exponent
    if not difference.zero():
        lead = growth(difference, name)
        if compare(lead, _constant(arb(1)), name) <= 0:
            raise Rejected("the difference of two exponents does not grow.")
        return 1 if lead.factor > 0 else -1
    mine = (left.power, left.logs)
    other = (right.power, right.logs)
    return (mine > other) - (mine < other)


def growth(poly: Poly, name: str) -> Growth:
    """The growth of a polynomial that is not zero; refused where leading terms cancel."""
    best = dominant(poly, name)
    if best.factor.contains(fmpq(0)):
        raise Rejected("the leading terms at infinity cancel or are not decided.")
    return best


def dominant(poly: Poly, name: str) -> Growth:
    """The fastest growing terms, added up; if their factor may be zero, the polynomial grows at
    most like them.
    """
    with working(BITS):
        best: Growth | None = None
        for monomial, coefficient in poly.terms.items():
            EFFORT.spend(STEP * (1 + len(monomial)))
            term = _constant(rational_ball(coefficient))
            for slot, exponent in monomial:
                term = term.times(_slot_growth(slot, name).to(exponent))
            order = 1 if best is None else compare(term, best, name)
            if order > 0 or best is None:
                best = term
            elif order == 0:
                best = best._replace(factor=best.factor + term.factor)
        if best is None or not best.factor.is_finite():
            raise Rejected("the growth at infinity is not decided.")
        return best


def ratio_growth(ratio: Ratio, name: str) -> Growth:
    """The growth of a quotient, whose factor may be zero as in ``dominant``."""
    with working(BITS):
        result = dominant(ratio.top, name)
        for factor, exponent in ratio.bottom.items():
            result = result.times(growth(factor, name).to(Fraction(-exponent)))
        return result


def _slot_growth(slot: Slot, name: str) -> Growth:
    if slot is variable_slot(name):
        return Growth(arb(1), Poly({}), Fraction(1), Fraction(0))
    if slot.kind == "exp":
        return _exp_growth(slot.ratio, name)
    if slot.kind in TURNS and slot.ratio.variables():
        return _constant(arb(0, 1))
    inner = slot.polynomial if slot.kind in ("log", "root", "erfc") else Poly({})
    if not inner.variables():
        return _constant(Evaluation({}).slot(slot))
    lead = growth(inner, name)
    if slot.kind == "root":
        return lead.to(Fraction(1, slot.degree))
    grows = compare(lead, _constant(arb(1)), name)
    if slot.kind == "log":
        return _log_growth(lead, grows, name)
    if grows <= 0:
        return _constant(lead.factor.erfc() if grows == 0 else arb(1))
    if lead.factor < 0:
        return _constant(arb(2))
    bell = _exp_growth(Ratio((inner * inner).scaled(-1)), name)
    return bell.times(lead.to(Fraction(-1))).times(_constant(1 / arb.pi().sqrt()))


def _log_growth(lead: Growth, grows: int, name: str) -> Growth:
    if not lead.factor > 0:
        raise Rejected("the argument of a logarithm is not positive at infinity.")
    if not lead.exponent.zero():
        return growth(lead.exponent, name)
    if lead.power:
        return Growth(rational_ball(lead.power), Poly({}), Fraction(0), Fraction(1))
    value = lead.factor.log()
    if grows or not value.is_finite() or value.contains(fmpq(0)):
        raise Rejected("a logarithm tends to zero or grows like an iterated logarithm.")
    return _constant(value)


def _exp_growth(ratio: Ratio, name: str) -> Growth:
    """The growth of an exponential: the growing terms of its argument are kept exactly, the others
    have limits.
    """
    top = ratio.top
    if ratio.bottom:
        below = Poly.number(1)
        for factor, exponent in ratio.bottom.items():
            below = below * factor.power(exponent)
        above = univariate(top, name)
        divisor = univariate(below, name)
        if above is None or divisor is None or divisor.is_zero():
            raise Rejected(
                "the exponent of an exponential is a quotient that is not supported at"
                " infinity."
            )
        top = from_univariate(above // divisor, name)
    kept = Poly({})
    limit = arb(0)
    for monomial, coefficient in top.terms.items():
        term = Poly({monomial: coefficient})
        lead = growth(term, name)
        order = compare(lead, _constant(arb(1)), name)
        if order > 0 and not lead.power and lead.exponent.zero():
            raise Rejected("an exponent grows no faster than powers of a logarithm.")
        if order > 0:
            kept = kept + term
        elif order == 0:
            limit = limit + lead.factor
    return Growth(limit.exp(), kept, Fraction(0), Fraction(0))


def nonnegative_at_infinity(top: Ratio, weight: Ratio, name: str) -> bool:
    """The limit of top/weight, for a positive weight, is not negative if there is one (it may be
    infinite).
    """
    if top.top.zero():
        return True
    lead = ratio_growth(top, name)
    below = ratio_growth(weight, name)
    if below.factor.contains(fmpq(0)):
        raise Rejected("the growth of a weight is not decided.")
    if lead.factor > 0 or compare(lead, below, name) < 0:
        return True
    if lead.factor < 0:
        return False
    raise Rejected("the leading terms at infinity cancel.")


def leading(poly: Poly, name: str, point: Ratio, from_below: bool) -> tuple[int, int]:
    """The order of a zero at a point and the sign beside it, by exact values of successive
    derivatives.
    """
    for order in range(MAX_ORDER):
        if poly.zero():
            return MAX_ORDER + 1, 0
        sign = constant_sign(substitute(poly, name, point, GROUND).top)
        if sign:
            return order, -sign if from_below and order % 2 else sign
        slope = derivative(poly, name)
        for factor in slope.bottom:
            if constant_sign(substitute(factor, name, point, GROUND).top) <= 0:
                raise Rejected("a derivative is not smooth at the end of the piece.")
        poly = slope.top
    raise Rejected("the order of a zero is too high.")


def nonnegative_limit(
    poly: Poly,
    weight: Poly,
    name: str,
    end: Ratio | None,
    from_below: bool,
    signs: Signs,
) -> bool:
    """The limit of poly/weight at an end of the piece is not negative; the weight is positive on
    the piece.
    """
    if end is None and not from_below:
        raise Rejected("no limits are taken at minus infinity.")
    if end is None:
        try:
            return nonnegative_at_infinity(Ratio(poly), Ratio(weight), name)
        except Rejected:
            return nonnegative_by_series(poly, weight, name, end, from_below)
    try:
        order, sign = leading(poly, name, end, from_below)
        return sign >= 0 or leading(weight, name, end, from_below)[0] < order
    except (Rejected, Undefined):
        pass
    try:
        moved = moved_signs(name, end, from_below, signs)
        image = moved_end(end, name, from_below)
        top, below = (substitute(p, name, image, moved) for p in (poly, weight))
        return nonnegative_at_infinity(top, below, name)
    except (Rejected, Undefined):
        return nonnegative_by_series(poly, weight, name, end, from_below)


def moved_end(end: Ratio, name: str, from_below: bool) -> Ratio:
    """The coordinate end + 1/u, or end - 1/u, where u (written with the same name) grows to
    infinity.
    """
    step = Ratio(Poly.slot(variable_slot(name), -1))
    return end - step if from_below else end + step


def moved_signs(name: str, end: Ratio, from_below: bool, signs: Signs) -> Signs:
    """What is known on the piece, in the coordinate that moves its end to infinity."""
    moved = Signs()
    moved.learn(Poly.slot(variable_slot(name)), True)
    image = moved_end(end, name, from_below)
    for table, strict in ((signs.strict, True), (signs.weak, False)):
        for poly, sign in table.items():
            try:
                moved.learn(
                    substitute(poly, name, image, moved).top.scaled(sign), strict
                )
            except (Rejected, Undefined):
                continue
    return moved
