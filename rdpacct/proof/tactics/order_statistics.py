"""Order statistics by counting: a sample inside a larger one, and the rank of the last of
exchangeable values.
"""

from collections.abc import Mapping

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    assume,
    at_most,
    below,
    combine,
    dominated,
    exchange,
    expect,
    integrable,
    ranked,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.smooth import HALF, Sample, divided

FEW, MANY = Sample("few", "F"), Sample("many", "M")
"""A sample, and a larger one that holds it and ``extra`` more numbers."""

t = Symbol("t")
k = Symbol("k")


def nested(extra: Real) -> Mapping[str, Fact]:
    """What makes the one sample a part of the other: counts differ by at most ``extra``, and ranks
    are counts.
    """
    return {
        "part": assume(at_most(FEW.count(t), MANY.count(t)), every="t"),
        "extra": assume(at_most(MANY.count(t), FEW.count(t) + extra), every="t"),
        "ranks of few": FEW.least(),
        "ranks of many": MANY.least(),
        "few reached": FEW.reached(),
        "many reached": MANY.reached(),
    }


def many_at_most(known: Mapping[str, Fact], rank: Real) -> Fact:
    """The k-th smallest of many is at most the k-th smallest of few."""
    rank, there = formula(rank), FEW.value(rank)
    enough = specialize(known["few reached"], k=rank)
    more = specialize(known["part"], t=there)
    positive = combine(
        below(0, MANY.count(there) - rank + HALF), more, enough, rest=HALF
    )
    rule = specialize(known["ranks of many"], k=rank, t=there)
    return divided(at_most(MANY.value(rank), there), rule, positive)


def few_at_most(known: Mapping[str, Fact], rank: Real, extra: Real) -> Fact:
    """The k-th smallest of few is at most the smallest but k - 1 + extra of many."""
    rank, there = formula(rank), MANY.value(formula(rank) + extra)
    enough = specialize(known["many reached"], k=formula(rank) + extra)
    less = specialize(known["extra"], t=there)
    positive = combine(
        below(0, FEW.count(there) - rank + HALF), less, enough, rest=HALF
    )
    rule = specialize(known["ranks of few"], k=rank, t=there)
    return divided(at_most(FEW.value(rank), there), rule, positive)


def beyond_rank(count: Expr, rank: Expr, *given: str | Condition) -> Fact:
    """At least ``rank`` of ``count`` exchangeable values are strictly below the last: at most 1 -
    rank/count likely.
    """
    law = ranked("V", count, rank)
    last = Symbol("last")
    total = Symbol("total")
    finite = dominated(
        real("last <= 1", "last <= 1"), law, lower=real("0 <= last", "0 <= last")
    )
    swap = exchange(law, finite)
    few = expect(
        real(at_most(total, count - rank), *law.support),
        law,
        integrable(swap, E(law, total)),
    )
    claim = at_most(E(law, last), (count - rank) / count)
    found = combine(claim, (swap, -1 / count), (few, 1 / count), given=given)
    return under(found, *given)
