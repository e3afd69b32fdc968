"""All pairs of a sample against disjoint ones: averages over the orders of the points."""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    at_most,
    below,
    cases,
    combine,
    conditional,
    dominated,
    event,
    expect,
    integrable,
    linear,
    marginal,
    real,
    relations,
    specialize,
    tower,
    under,
)
from rdpacct.proof.kernel.laws import Event
from rdpacct.proof.tactics.averages import on_average
from rdpacct.proof.tactics.naming import symbols
from rdpacct.proof.theorem import Statement, Step

A, B, c, D, eps, G, H, m, s, T, U = symbols("A B c D eps G H m s T U")
ORDERS = Law("Q", ("D", "U"), relations("0 <= D", "D <= 1"))
LARGE = event(ORDERS, "A", at_most(H + eps, U))
FARTHEST = Law("Q", ("G", "T"), relations("0 <= G", "G <= 1"))
FARTHER = event(FARTHEST, "A", below(eps, T))
FAR = event(FARTHER, "B", below(c, G))
"""G and T: the largest deviations of D and of U, over all t."""


def averaged(
    law: Event,
    flags: Event,
    rest: Expr,
    body: Expr,
    known: tuple[str, str],
    inner: Fact,
    finite: Fact,
) -> Fact:
    """E[rest A] <= E[body], from rest A <= E[body given A and what it is about]; ``flags`` is the
    law that has A.
    """
    flag = dominated(cases(flags, at_most(absolute(A), 1)), law)
    flat = tower(law, body, known, finite)
    outer = on_average(inner, law, flag, flat)
    return combine(at_most(rest * E(law, A), E(law, body)), outer, flat)


def deviation(part: Statement) -> Iterator[Step]:
    """Where U is large, D is large on the average; then Chernoff's bound for D."""
    mean = part.assuming["U is the mean of D over the orders"]
    body = exp(s * (D - H))
    given = ("A", "U")
    moment = part.assuming["moments of D"]
    there = marginal(LARGE, ORDERS, body, integrable(moment, E(ORDERS, body)))
    finite = integrable(there, E(LARGE, body))
    tangent = specialize(real("1 + x <= exp(x)"), x=s * (D - H - eps))
    line = combine(
        at_most(exp(s * eps) * (1 + s * (D - H - eps)), body), (tangent, exp(s * eps))
    )
    yield line, "the tangent at eps"
    share = dominated(real("abs(D) <= 1", *ORDERS.support), LARGE, given=given)
    inside = conditional(finite, given)
    over = on_average(line, LARGE, share, inside, given=given)
    yield over, "on the average over the orders"
    positive = expect(real(at_most(0, body)), LARGE, inside, given=given)
    sign = cases(LARGE, at_most(0, A * (U - H - eps)))
    low = cases(LARGE, at_most(0, A))
    high = cases(LARGE, at_most(A, 1))
    inner = combine(
        at_most(exp(s * eps) * A, E(LARGE, body, given)),
        (over, A),
        (mean, -A * s * exp(s * eps)),
        (positive, 1 - A),
        (sign, s * exp(s * eps)),
        (low, 0),
        (high, 0),
        given=("0 <= s",),
    )
    yield inner, "which is at least that at U, if U is large"
    whole = averaged(LARGE, LARGE, exp(s * eps), body, given, inner, finite)
    yield whole, "averaged"
    tail_bound = combine(
        at_most(E(LARGE, A), exp(s**2 / (8 * m) - s * eps)),
        (whole, exp(-s * eps)),
        (there, exp(-s * eps)),
        (moment, exp(-s * eps)),
        given=("0 < m",),
    )
    best = specialize(tail_bound, s=4 * m * eps)
    yield under(combine(part.claim, best), *part.given), "at s = 4 m eps"


def analog(part: Statement) -> Iterator[Step]:
    """Where T is above eps, G is above c often enough for its mean to be above eps."""
    mean = part.assuming["T is at most the mean of G over the orders"]
    given = ("A", "T")
    body = (1 - c) * B
    line = cases(FAR, at_most(G - c, body), "c <= 1")
    yield line, "G is at most c, or at most 1"
    size = dominated(real("abs(G) <= 1", *FARTHEST.support), FAR, given=given)
    finite = dominated(cases(FAR, at_most(absolute(body), 1 - c), "c <= 1"), FAR)
    inside = conditional(finite, given)
    over = on_average(line, FAR, size, inside, given=given)
    yield over, "on the average over the orders"
    low = cases(FAR, at_most(0, body), "c <= 1")
    positive = expect(low, FAR, inside, given=given)
    terms = (
        (mean, A),
        (over, A),
        (positive, 1 - A),
        (cases(FARTHER, at_most(0, A * (T - eps))), 1),
        (cases(FARTHER, at_most(0, A)), 0),
        (cases(FARTHER, at_most(A, 1)), 0),
    )
    inner = combine(at_most((eps - c) * A, E(FAR, body, given)), *terms)
    yield inner, "which is at least eps, if T is"
    whole = averaged(FAR, FARTHER, eps - c, body, given, inner, finite)
    yield whole, "averaged"
    chance = part.assuming["DKW for disjoint pairs"]
    scaled = linear(FAR, body, {B: 1 - c}, integrable(chance, E(FAR, B)))
    share = 1 / (eps - c)
    last = (whole, share), (scaled, share), (chance, (1 - c) * share)
    divided = combine(part.claim, *last, given=part.given)
    yield under(divided, *part.given), "divided by eps - c"
