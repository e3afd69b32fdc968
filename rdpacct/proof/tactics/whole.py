"""Whole numbers: none is between 0 and 1, and the next one is 1 more."""

from functools import cache

from rdpacct.exact.formula import Symbol
from rdpacct.proof.kernel import (
    Fact,
    Whole,
    assume,
    at_most,
    combine,
    either,
    given_by,
    induct,
    real,
    relation,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import replace


def product(name: str) -> Fact:
    """A whole number times its predecessor is not negative, by induction."""
    k = Symbol(name)
    claim = at_most(0, k * (k - 1))
    before = assume(claim, Whole(name, 0))
    step = combine(replace(claim, {name: k + 1}), before, rest=2 * k)
    return induct(combine(replace(claim, {name: 0})), step, name)


def below_one(name: str) -> Fact:
    """A whole number from 0 on that is below 1 is at most 0."""
    k = Symbol(name)
    room = relation(f"{name} < 1")
    return combine(at_most(k, 0), (product(name), 1 / (1 - k)), given=(room,))


@cache
def no_fraction() -> Fact:
    """0 <= (k - j)*(k - j - 1) for natural numbers j and k: from k to k + 1, the one at j is that
    of k at j - 1, or j is 0.
    """
    j = Symbol("j")
    k = Symbol("k")
    natural = Whole("j", 0)
    claim = at_most(0, (k - j) * (k - j - 1))
    before = assume(claim, natural, every="j")
    goal = replace(claim, {"k": k + 1})
    later = combine(goal, specialize(before, j=j - 1))
    signs = real("0 <= k - j", "0 <= k", "j <= 0"), k + 1 - j
    first = combine(goal, signs, (before, 0), given=("0 <= k", "j <= 0"))
    first = given_by(first, below_one("j"))
    wholes = (natural, Whole("k", 0))
    step = either(under(later, "1 <= j", *wholes), under(first, "j < 1", *wholes))
    start = real("0 <= (0 - j)*(0 - j - 1)", "0 <= j")
    start = combine(replace(claim, {"k": 0}), start)
    return induct(under(start, natural), step, "k")


@cache
def next_whole() -> Fact:
    """j + 1 <= k, for natural numbers j < k."""
    room = relation("j < k")
    j = Symbol("j")
    k = Symbol("k")
    return combine(at_most(j + 1, k), (no_fraction(), 1 / (k - j)), given=(room,))
