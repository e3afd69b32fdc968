"""The rule for laws with a density: an expectation from antiderivatives, checked by differentiation
and at the ends.
"""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Rational,
    Real,
    Sum,
    formula,
)
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.laws import Density, Event
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import (
    defined,
    defined_after,
    defined_at,
    establish,
    is_pure,
    one_of,
    settle,
)
from rdpacct.proof.kernel.statements import Condition, Integrable, laws_of
from rdpacct.proof.kernel.stretch import Stretch
from rdpacct.proof.kernel.terms import E, Refused, at_most, below, derivative, equal

Certificates = list[dict[str, Any]]


@rule
def integrate(
    law: Density | Event,
    body: Real,
    antiderivatives: tuple[Real, ...],
    mass: tuple[Real, ...],
    *given: str | Condition,
    cuts: tuple[Real, ...] = (),
    on: tuple[tuple[Fact, ...], ...] = (),
    finite: Fact | None = None,
) -> Fact:
    """E[x] as the growth of an antiderivative of x times the density on each piece, on which x has
    one sign.

    Or ``finite`` says that E[x] is finite; then x may change its sign on a piece.

    ``mass`` are antiderivatives of the density itself, which show that the law is one. ``cuts`` are
    points, in order, at which a law of one piece is cut; on each piece an indicator must be
    constant, and then stands for its value. ``on`` are equations that hold on each piece, by which
    x and the density are rewritten there, and signs of x.
    """
    x = formula(body)
    known = conditions_of(*given)
    certificates: Certificates = []
    if finite is not None and finite.integrable != Integrable(law, x):
        raise Refused(f"it is not known that {E(law, x)} is finite.")
    base = law.base if isinstance(law, Event) else law
    if not isinstance(base, Density):
        raise Refused(f"{base.name} has no density.")
    if any(condition.symbols() & set(law.variables) for condition in known):
        raise Refused(f"what is given may not speak of the variables of {law.name}.")
    pieces = cut(base, cuts, known, certificates)
    bodies = [_on(piece, law, x, known, certificates) for piece in pieces]
    pieces = with_equations(base, pieces, on, known)
    helped = on or ((),) * len(pieces)
    for i, facts in enumerate(helped):
        there = [*known, *pieces[i].where(law.variables[0])]
        swap = partial(rewritten, facts=facts, allowed={*there})
        certificates += defined_after([bodies[i]], swap, there)
        bodies[i] = swap(bodies[i])
    certificates += is_density(base, pieces, mass, known)
    for piece, value, facts in zip(pieces, bodies, helped, strict=True):
        inside = [*known, *piece.where(law.variables[0])]
        if finite is not None:
            certificates += defined([value], inside, {})
        elif not {at_most(0, value), at_most(value, 0)} & {
            fact.relation for fact in facts
        }:
            certificates += _one_sign(value, inside)
    name = law.variables[0]
    value = _total(name, pieces, bodies, antiderivatives, known, certificates)
    parents = (
        *(fact for facts in on for fact in facts),
        *([finite] if finite is not None else []),
    )
    domain = [*known, *(finite.domain if finite is not None else ())]
    laws = [] if finite is None else laws_of(finite.statement)
    return make(
        "integrate",
        equal(E(law, x), value),
        parents,
        domain=domain,
        certificates=certificates,
        finite=[E(law, x)],
        put_in=[x, value],
        spoken=[law, base, *laws],
    )


def is_density(
    law: Density,
    pieces: list[Stretch],
    mass: tuple[Real, ...],
    known: tuple[Condition, ...],
) -> Certificates:
    """The density is not negative, its pieces are in the support, and its integral is 1."""
    certificates: Certificates = []
    (name,) = law.variables
    for piece in pieces:
        inside = [*known, *piece.where(name)]
        ends = [end for end in (piece.lower, piece.upper) if end is not None]
        certificates += defined(ends, known, {})
        if piece.lower is not None and piece.upper is not None:
            certificates += establish(at_most(piece.lower, piece.upper), known)
        certificates += settle(at_most(0, piece.density), inside)
        for relation in law.support:
            certificates += establish(relation, inside)
    ones = [formula(1) for _ in pieces]
    total = _total(name, pieces, ones, mass, known, certificates)
    return [*certificates, *settle(equal(total, 1), known)]


def rewritten(expr: Expr, facts: tuple[Fact, ...], allowed: set[Condition]) -> Expr:
    """The formula with the left side of each equation replaced by its right side."""
    for fact in facts:
        if (
            fact.hypotheses
            or not is_pure(fact.relation)
            or not set(fact.domain) <= allowed
        ):
            raise Refused(
                f"a real relation that holds on the piece is needed, not {fact}."
            )
        if fact.relation.sign == "==":
            expr = _swapped(expr, fact.relation.left, fact.relation.right)
    return expr


def _swapped(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr == old:
        return new
    if expr.parts():
        return expr.rebuild(tuple(_swapped(part, old, new) for part in expr.parts()))
    return expr


def with_equations(
    law: Density,
    pieces: list[Stretch],
    on: tuple[tuple[Fact, ...], ...],
    known: tuple[Condition, ...],
) -> list[Stretch]:
    """The pieces with their densities rewritten by what holds on each of them."""
    (name,) = law.variables
    helped = on or ((),) * len(pieces)
    if len(helped) != len(pieces):
        raise Refused(f"{law.name} has {len(pieces)} pieces, each with its equations.")
    return [
        replace(
            piece,
            density=rewritten(piece.density, facts, {*known, *piece.where(name)}),
        )
        for piece, facts in zip(pieces, helped, strict=True)
    ]


def cut(
    law: Density,
    cuts: tuple[Real, ...],
    known: tuple[Condition, ...],
    certificates: Certificates,
) -> list[Stretch]:
    """The pieces of a law, or the one piece that it has, cut at some points."""
    if not cuts:
        return list(law.pieces)
    if len(law.pieces) != 1:
        raise Refused(f"{law.name} must have one piece to be cut.")
    points = tuple(map(formula, cuts))
    if any(point.symbols() & set(law.variables) for point in points):
        raise Refused(f"the cuts may not speak of the variables of {law.name}.")
    (whole,) = law.pieces
    ends = [whole.lower, *points, whole.upper]
    certificates += defined(points, known, {})
    return [Stretch(left, right, whole.density) for left, right in pairwise(ends)]


def _on(
    piece: Stretch,
    law: Density | Event,
    x: Expr,
    known: tuple[Condition, ...],
    certificates: Certificates,
) -> Expr:
    """The formula on the inside of a piece, where an indicator has one value."""
    if not isinstance(law, Event):
        return x
    happens = law.happens
    name = law.variables[-1]
    if happens.sign == "==":
        raise Refused("an equation has no opposite here.")
    inside = [
        *known,
        *(
            below(relation.left, relation.right)
            for relation in piece.where(law.variables[0])
        ),
    ]
    certificates += defined([happens.left, happens.right], inside, {})
    try:
        certificates += settle(happens, inside, 3.0)
        value = 1
    except Refused:
        sign = "<" if happens.sign == "<=" else "<="
        certificates += settle(Comparison(happens.right, sign, happens.left), inside)
        value = 0
    certificates += defined_at([x], {name: value}, inside)
    return x.at(**{name: value})


def _one_sign(x: Expr, inside: list[Condition]) -> Certificates:
    """x is defined and of one sign on a piece, so that its integral is absolute; a positive part
    always is.
    """
    if isinstance(x, Apply) and x.function == "max" and formula(0) in x.arguments:
        return defined([x], inside, {})
    return [*defined([x], inside, {}), *one_of((at_most(0, x), at_most(x, 0)), inside)]


def _total(
    name: str,
    pieces: list[Stretch],
    bodies: list[Expr],
    antiderivatives: tuple[Real, ...],
    known: tuple[Condition, ...],
    certificates: Certificates,
) -> Expr:
    total = formula(0)
    for piece, x, real in zip(pieces, bodies, antiderivatives, strict=True):
        primitive = formula(real)
        inside = [*known, *piece.where(name)]
        slope = derivative(primitive, name)
        certificates += defined([primitive, slope, piece.density], inside, {})
        certificates += settle(equal(slope, x * piece.density), inside)
        total = total + _rise(primitive, name, piece, known, certificates)
    return total


def _rise(
    primitive: Expr,
    name: str,
    piece: Stretch,
    known: tuple[Condition, ...],
    certificates: Certificates,
) -> Expr:
    ends = []
    for end, sign in ((piece.lower, -1), (piece.upper, 1)):
        if end is not None:
            ends.append(primitive.at(**{name: end}))
        else:
            ends.append(limit(primitive, name, sign, known, certificates))
    return ends[1] - ends[0]


def limit(
    expr: Expr,
    name: str,
    sign: int,
    known: tuple[Condition, ...],
    certificates: Certificates,
) -> Expr:
    """The limit of a formula as a symbol goes to plus or minus infinity, where it is finite and
    simple.
    """
    if name not in expr.symbols():
        return expr
    if isinstance(expr, Sum):
        return sum(
            (limit(part, name, sign, known, certificates) for part in expr.parts()),
            formula(0),
        )
    if isinstance(expr, Product):
        return _limit_of_product(expr, name, sign, known, certificates)
    if isinstance(expr, Apply) and expr.function in _AT_INFINITY:
        towards = _growth(expr.arguments[0], name, sign, known, certificates)
        below_, above = _AT_INFINITY[expr.function]
        value = above if towards > 0 else below_
        if value is not None:
            return formula(value)
    raise Refused(f"the limit of {expr} as {name} grows is not seen.")


_AT_INFINITY: dict[str, tuple[int | None, int | None]] = {
    "exp": (0, None),
    "erfc": (2, 0),
    "erf": (-1, 1),
    "tanh": (-1, 1),
}


def _limit_of_product(
    expr: Product,
    name: str,
    sign: int,
    known: tuple[Condition, ...],
    certificates: Certificates,
) -> Expr:
    """The product of the limits, or 0 where a falling exponential meets powers and bounded
    functions.
    """
    moving = [factor for factor in expr.factors if name in factor.symbols()]
    falling = [
        f
        for f in moving
        if isinstance(f, Apply) and f.function == "exp" and _falls(f, name, sign, known)
    ]
    if falling:
        for factor in moving:
            if factor not in falling and not _is_tame(factor, name):
                raise Refused(f"the limit of {factor} as {name} grows is not seen.")
        _growth(falling[0].arguments[0], name, sign, known, certificates)
        return formula(0)
    result = formula(1)
    for factor in expr.factors:
        result = result * limit(factor, name, sign, known, certificates)
    return result


def _falls(expr: Apply, name: str, sign: int, known: tuple[Condition, ...]) -> bool:
    try:
        return _growth(expr.arguments[0], name, sign, known, []) < 0
    except Refused:
        return False


def _is_tame(factor: Expr, name: str) -> bool:
    """The formula grows no faster than some power of the symbol."""
    bounded = ("erfc", "erf", "tanh", "cos", "sin")
    if name not in factor.symbols() or (
        isinstance(factor, Apply) and factor.function in bounded
    ):
        return True
    if isinstance(factor, Power):
        whole = (
            isinstance(factor.exponent, Rational)
            and factor.exponent.value.denominator == 1
        )
        return whole and factor.exponent.value > 0 and _is_tame(factor.base, name)  # type: ignore[attr-defined]
    if isinstance(factor, Sum | Product):
        return all(_is_tame(part, name) for part in factor.parts())
    return not factor.parts()


def _growth(
    expr: Expr,
    name: str,
    sign: int,
    known: tuple[Condition, ...],
    certificates: Certificates,
) -> int:
    """Where a polynomial in the symbol goes, as the symbol goes to infinity with this sign: 1 up,
    -1 down.
    """
    degree = 0
    top = expr
    while name in top.symbols():
        degree = degree + 1
        top = derivative(top, name)
        if degree > 4:
            raise Refused(f"{expr} is not seen to be a polynomial in {name}.")
    if degree == 0:
        raise Refused(f"{expr} does not move with {name}.")
    turned = sign if degree % 2 else 1
    try:
        certificates += settle(below(0, top), known, 3.0)
        return turned
    except Refused:
        certificates += settle(below(top, 0), known)
        return -turned
