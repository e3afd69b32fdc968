"""Two samples that differ in one record, and how far that moves a rank."""

from functools import cache

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.proof.kernel import (
    Condition,
    Fact,
    Quantity,
    Whole,
    assume,
    at_most,
    combine,
    equal,
    given_by,
    real,
    specialize,
)
from rdpacct.proof.tactics.counting import (
    at_most_one,
    counts,
    not_negative,
    whole_cases,
)
from rdpacct.proof.tactics.ranks import Sample, at_rank

k, n, t, old, new = (Symbol(name) for name in ("k", "n", "t", "old", "new"))
DATA = Sample("c", "V")
OTHER = Sample("d", "W")
"""The records of x and of x', in order; V(0) and V(n + 1) are the ends of the range of both."""


def common(at: Expr) -> Expr:
    """How many of the records that x and x' share are at most this."""
    return Quantity("s", (formula(at),))


ONE_ROW = {
    "x is the common records and one more": assume(
        equal(DATA.count(t), common(t) + counts(old, t)), every="t"
    ),
    "so is x'": assume(equal(OTHER.count(t), common(t) + counts(new, t)), every="t"),
}
RANKS: tuple[str | Condition, ...] = (Whole("k", 1), Whole("n", 0), "k <= n")
UPPER_END = assume(at_most(OTHER.value(k), DATA.value(n + 1)), *RANKS, every="k")
LOWER_END = assume(at_most(DATA.value(0), OTHER.value(k)), *RANKS, every="k")
DEFINITIONS = {**DATA.definition(), **OTHER.definition(), **ONE_ROW}
RISING = {**DEFINITIONS, "W up to the end of the range": UPPER_END}
FALLING = {**DEFINITIONS, "W from the start of the range": LOWER_END}


def one_less(here: Sample, at: Expr) -> Fact:
    """The other sample has at most one record less up to a point."""
    there = OTHER if here is DATA else DATA
    names = (old, new) if here is DATA else (new, old)
    lost, gained = names
    bound = combine(
        at_most(here.count(t), there.count(t) + 1),
        *(
            (fact, 1 if fact.relation.left == here.count(t) else -1)
            for fact in ONE_ROW.values()
        ),
        at_most_one(lost),
        not_negative(gained),
    )
    return specialize(bound, t=at)


@cache
def next_above() -> Fact:
    """W(k) <= V(k + 1), for k from 1 to n."""
    point = DATA.value(k + 1)
    claim = at_most(OTHER.value(k), point)
    many = combine(
        at_most(k, OTHER.count(point)),
        one_less(DATA, point),
        specialize(DATA.reached, k=k + 1),
    )
    inside = at_rank(OTHER, k, point, many)
    last = combine(claim, UPPER_END, DATA.in_order(n + 1, k + 1))
    return whole_cases(last, inside, at_most(n, k), *RANKS)


@cache
def previous_below() -> Fact:
    """V(k - 1) <= W(k), for k from 1 to n."""
    point = OTHER.value(k)
    claim = at_most(DATA.value(k - 1), point)
    many = combine(
        at_most(k - 1, DATA.count(point)),
        one_less(OTHER, point),
        OTHER.reached,
    )
    inside = at_rank(DATA, k - 1, point, many)
    start = real(at_most(k - 1, 0), at_most(k, 1))
    order = given_by(DATA.in_order(k - 1, 0), start)
    first = combine(claim, LOWER_END, order)
    return whole_cases(first, inside, at_most(k, 1), *RANKS)
