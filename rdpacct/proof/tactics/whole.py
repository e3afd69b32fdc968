"""Whole numbers below 1."""

from rdpacct.exact.formula import Symbol
from rdpacct.proof.kernel import (
    Fact,
    Whole,
    assume,
    at_most,
    combine,
    induct,
    relation,
)
from rdpacct.proof.kernel.terms import replace


def below_one(name: str) -> Fact:
    """A whole number from 0 on that is below 1 is at most 0: the product with its predecessor is
    not negative, by induction.
    """
    k = Symbol(name)
    claim = at_most(0, k * (k - 1))
    before = assume(claim, Whole(name, 0))
    step = combine(replace(claim, {name: k + 1}), before, rest=2 * k)
    start = combine(replace(claim, {name: 0}))
    product = induct(start, step, name)
    room = relation(f"{name} < 1")
    return combine(at_most(k, 0), (product, 1 / (1 - k)), given=(room,))
