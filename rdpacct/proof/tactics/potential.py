"""A value that no release raises on average: what it bounds, however the releases were chosen."""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Real
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Refused,
    Whole,
    assume,
    at_most,
    at_start,
    combine,
    dominated,
    expect,
    integrable,
    one_more,
    relations_of,
    tower,
)
from rdpacct.proof.kernel.laws import Chain
from rdpacct.proof.kernel.terms import Expectation
from rdpacct.proof.tactics.sequences import for_all
from rdpacct.proof.theorem import Step


def averaged_over(law: Chain, inner: Fact, bound: Fact, positive: Fact) -> Fact:
    """E[x] <= E[y] from E[x given what was seen] <= y, where x >= 0 and E[y] is finite."""
    mean = inner.relation.left
    if not isinstance(mean, Expectation):
        raise Refused(f"{mean} is not a mean.")
    least = expect(positive, law, integrable(inner, mean), given=mean.given)
    finite = dominated(inner, law, bound, lower=least)
    outer = expect(inner, law, finite, bound)
    flat = tower(law, mean.body, mean.given, finite, positive)
    return combine(at_most(E(law, mean.body), outer.relation.right), flat, outer)


def never_rises(
    law: Chain,
    value: Expr,
    start: Real,
    release: Fact,
    positive: Fact,
    *given: str | Condition,
) -> Iterator[Step]:
    """E[value] of the past is at most its start, for every number of releases.

    ``release`` says that E[next value given what was seen] <= value, and ``positive`` that the
    next value is not negative.
    """
    known = relations_of(*given)
    claim = at_most(E(law, value), start)
    before = assume(claim, Whole("k", 0), *given)
    over = averaged_over(law, release, integrable(before, claim.left), positive)
    yield over, "on average the next release does not raise the value"
    taken = one_more(law, value, integrable(over, over.relation.left))
    after = at_most(E(law.next, value), start)
    step = combine(after, taken, over, before, given=known)
    first = at_start(law.sequence, value, *known)
    base = combine(at_most(E(law.sequence, value), start), first, given=known)
    yield for_all(base, step, "k", *given), "release after release"
