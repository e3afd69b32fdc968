"""Outputs one after the other on two neighboring data sets, by their densities: the hockey stick of
all of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rdpacct.exact.formula import Expr, Real
from rdpacct.exact.functions import exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Whole,
    assume,
    at_most,
    at_start,
    chain,
    combine,
    dominated,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    one_more,
    real,
    relations,
    relations_of,
    specialize,
)
from rdpacct.proof.tactics.divergences import (
    excess,
    excess_is_positive,
    excess_leaves,
    product_excess,
    scaled,
)
from rdpacct.proof.tactics.random_dp import SIGNS, p1, p2, q1, q2
from rdpacct.proof.tactics.sequences import (
    at_first,
    for_all,
    k,
    later,
    one_by_one,
    over_the_past,
)
from rdpacct.proof.theorem import Step

OUTPUTS = chain(
    "O", {"p1": (1, p1 * p2), "q1": (1, q1 * q2)}, ("p2", "q2"), k, relations(*SIGNS)
)
"""The densities p1 and q1 of the first k outputs on two data sets, and those of the next one, given
these outputs, p2 and q2; with respect to a law that dominates both.
"""
PAST = OUTPUTS.past


@dataclass(frozen=True)
class Levels:
    """Levels of releases: of the first k together, of the next one, and of k + 1 together, as
    formulas of some numbers, and what these numbers are.
    """

    here: Expr
    step: Expr
    next: Expr
    values: Mapping[str, Expr] = field(default_factory=dict)

    def placed(self, fact: Fact) -> Fact:
        """A fact about the levels, for these numbers."""
        return specialize(fact, **self.values)

    def stick(self) -> Expr:
        """What p1 exceeds q1 by, at the level of the first k."""
        return excess(p1, q1, exp(self.here)).at(**self.values)

    def next_stick(self) -> Expr:
        """What p2 exceeds q2 by, at the level of the next release."""
        return excess(p2, q2, exp(self.step)).at(**self.values)


def all_densities(density: Fact) -> Fact:
    """E[p1] == 1: it is a density, as each one is given the outputs before."""
    claim = equal(E(OUTPUTS, p1), 1)
    return list(one_by_one(claim, OUTPUTS, p2, density))[-1][0]


def one_more_output(
    levels: Levels, density: Fact, each: Fact, before: Fact
) -> Iterator[Step]:
    """The hockey stick h of the first k outputs becomes at most eta + (1 - eta) h with one more.

    ``density`` says that p2 has mass 1 given the outputs before, ``each`` bounds its hockey stick
    given these by eta, and ``before`` speaks of h.
    """
    stick = levels.stick()
    more = levels.next_stick()
    eta = each.relation.right
    whole = all_densities(density)
    yield whole, "the first k outputs have a density"
    bound = product_excess(exp(levels.here), exp(levels.step), exp(levels.next), *SIGNS)
    bound = levels.placed(bound)
    yield bound, "what all exceed, by what the first k and what the next one exceeds"
    both = bound.relation.left
    left = levels.placed(excess_leaves(p1, q1, exp(levels.here), *SIGNS[:2]))
    positive = levels.placed(excess_is_positive(p1 * p2, q1 * q2, exp(levels.next)))
    means = [integrable(fact, fact.relation.left) for fact in (each, density)]
    line = linear(
        OUTPUTS, bound.relation.right, {more: p1 - stick, p2: stick}, *means, given=PAST
    )
    total = integrable(line, line.relation.left)
    inside = dominated(bound, OUTPUTS, total, lower=positive, given=PAST)
    over = expect(bound, OUTPUTS, inside, total, given=PAST)
    rest = (p1 - stick) * eta + stick
    inner = combine(
        at_most(over.relation.left, rest), over, line, density, scaled(left, each)
    )
    yield inner, "given the outputs before, the next release"
    h = E(OUTPUTS, stick)
    finite = integrable(whole, E(OUTPUTS, p1)), integrable(before, h)
    sum_ = linear(OUTPUTS, rest, {p1: eta, stick: 1 - eta}, *finite)
    outer = over_the_past(OUTPUTS, inner, integrable(sum_, E(OUTPUTS, rest)), positive)
    taken = one_more(OUTPUTS, stick.at(k=k + 1), integrable(outer, E(OUTPUTS, both)))
    claim = at_most(taken.relation.left, eta + (1 - eta) * h)
    yield (
        combine(claim, taken, outer, sum_, (whole, eta)),
        "averaged over the outputs before",
    )


def good_outputs(
    claim: Comparison,
    levels: Levels,
    density: Fact,
    each: Fact,
    *uses: Fact | tuple[Fact, Real],
    start: tuple[Fact, ...] = (),
    given: tuple[str | Condition, ...] = (),
) -> Iterator[Step]:
    """The hockey stick of the first k outputs is at most 1 - c, for all k, where one more makes c
    (1 - eta) of c; ``uses`` relate the c, and say that eta is at most 1.
    """
    known = relations_of(*given)
    before = assume(claim, Whole("k", 0), *given)
    steps = list(one_more_output(levels, density, each, before))
    yield from steps
    eta = each.relation.right
    step = combine(
        later(claim, "k"), steps[-1][0], (before, 1 - eta), *uses, given=known
    )
    first = at_start(OUTPUTS.sequence, levels.stick().at(k=0))
    base = combine(at_first(claim, "k"), first, *start, given=known)
    yield for_all(base, step, "k", *given), "by induction"


def outputs_add_up(
    claim: Comparison, levels: Levels, density: Fact, each: Fact, low: Fact
) -> Iterator[Step]:
    """The hockey stick of the first k outputs is at most the sum of the etas, for all k; ``low``
    says that they are not negative.
    """
    before = assume(claim, Whole("k", 0))
    steps = list(one_more_output(levels, density, each, before))
    yield from steps
    stick = levels.stick()
    h = E(OUTPUTS, stick)
    positive = levels.placed(excess_is_positive(p1, q1, exp(levels.here)))
    least = expect(positive, OUTPUTS, integrable(before, h))
    less = specialize(real("0 <= x*y", "0 <= x", "0 <= y"), x=each.relation.right, y=h)
    less = given_by(less, low, least)
    step = combine(later(claim, "k"), steps[-1][0], less, before)
    first = at_start(OUTPUTS.sequence, stick.at(k=0))
    base = combine(at_first(claim, "k"), first)
    yield for_all(base, step, "k"), "by induction"
