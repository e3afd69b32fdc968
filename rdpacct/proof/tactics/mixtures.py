"""Mixtures of a pair of laws: the hockey sticks of r P + (1 - r) Q and Q, in both directions, from
those of P and Q.
"""

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    at_most,
    combine,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.divergences import excess, finite_excess

r, k, g = map(Symbol, ("r", "k", "g"))
RATE = ("0 < r", "r < 1")


def mixed(with_it: Expr, without: Expr) -> Expr:
    """The density where the record is sampled with probability r."""
    return r * with_it + (1 - r) * without


def level(way: str) -> tuple[Expr, Expr]:
    """The scale of the curve of the pair, and scale times the level g at which it is taken."""
    if way == "remove":
        return (r, k - 1 + r)
    return (k * r, 1 - k * (1 - r))


def pair(way: str, present: Expr, absent: Expr) -> tuple[Expr, Expr]:
    """The two laws of the sampled mechanism, from those with and without the record."""
    if way == "remove":
        return (mixed(present, absent), absent)
    return (absent, mixed(present, absent))


def above(
    law: Law, way: str, present: Expr, absent: Expr, *mass: Fact
) -> tuple[Fact, Fact]:
    """The curve of the mixture from that of the pair at a level g >= 0; that the latter is finite
    comes first.
    """
    scale, low = level(way)
    inside = relations(*RATE, "k > 0", "g >= 0", equal(low, scale * g))
    finite = [
        integrable(fact, E(law, x))
        for fact, x in zip(mass, (present, absent), strict=True)
    ]
    whole = finite_excess(law, present, absent, g, finite[0], "g >= 0")
    first, second = pair(way, present, absent)
    gap = first - k * second
    old = excess(present, absent, g)
    sign, rest = (1, formula(0)) if way == "remove" else (-1, gap)
    text = (
        "max(v, 0) == s*max(z, 0)"
        if way == "remove"
        else "max(v, 0) == v + s*max(z, 0)"
    )
    rule = specialize(
        real(text, "s > 0", f"v == {sign}*s*z"), v=gap, s=scale, z=present - g * absent
    )
    line = combine(
        equal(gap, sign * scale * (present - g * absent)),
        (real(inside[-1], *inside), -sign * absent),
    )
    same = under(given_by(rule, line), *inside)
    parts = (
        {old: scale} if way == "remove" else {old: scale, present: -k * r, absent: low}
    )
    total = linear(law, rest + scale * old, parts, whole, *finite)
    mean = expect(same, law, integrable(total, total.relation.left))
    value = scale * E(law, old) + (0 if way == "remove" else low - k * r)
    uses = [] if way == "remove" else [(mass[0], -k * r), (mass[1], low)]
    return whole, combine(equal(mean.relation.left, value), mean, total, *uses)


def beyond(law: Law, way: str, present: Expr, absent: Expr, *mass: Fact) -> Fact:
    """The curve of the mixture where one law is everywhere at least k times the other, or at
    most.
    """
    _, low = level(way)
    inside = (*law.support, *relations(*RATE, "k > 0", at_most(low, 0)))
    first, second = pair(way, present, absent)
    gap = first - k * second
    negative = real(at_most(low, 0), *inside)
    if way == "add":
        side = under(
            combine(
                at_most(gap, 0), (negative, absent), rest=k * r * present, given=inside
            ),
            *inside,
        )
        zero = given_by(specialize(real("max(x, 0) == 0", "x <= 0"), x=gap), side)
        return expect(zero, law)
    side = under(
        combine(at_most(0, gap), (negative, absent), rest=r * present, given=inside),
        *inside,
    )
    same = given_by(specialize(real("max(x, 0) == x", "0 <= x"), x=gap), side)
    finite = [
        integrable(fact, E(law, x))
        for fact, x in zip(mass, (present, absent), strict=True)
    ]
    total = linear(law, gap, {present: r, absent: 1 - r - k}, *finite)
    mean = expect(same, law, integrable(total, E(law, gap)))
    return combine(
        equal(E(law, excess(first, second, k)), 1 - k),
        mean,
        total,
        (mass[0], r),
        (mass[1], 1 - r - k),
    )
