"""Random differential privacy: two releases on random data, of which some are marked as bad, and
bounds by marks.
"""

from collections.abc import Iterator, Mapping

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import minimum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    On,
    Table,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    given_by,
    independent,
    independent_of,
    integrable,
    linear,
    real,
    relations,
    specialize,
    table,
    tower,
    under,
)
from rdpacct.proof.tactics.divergences import (
    excess,
    excess_is_positive,
    excess_leaves,
    finite_excess,
    positive_times,
    product_excess,
    scaled,
)
from rdpacct.proof.theorem import Step

p1, q1, p2, q2, B1, B2 = map(Symbol, ("p1", "q1", "p2", "q2", "B1", "B2"))
SIGNS = ("p1 >= 0", "q1 >= 0", "p2 >= 0", "q2 >= 0")
MARKS = ("0 <= B1 <= 1", "0 <= B2 <= 1")

M1 = Law("M1", ("p1", "q1"), relations(*SIGNS[:2]))
M2 = Law("M2", ("p2", "q2"), relations(*SIGNS[2:]))
M = independent_of(M1, M2)
"""Two releases on one pair of neighbors: their densities on both, with respect to laws that
dominate them.
"""

D = Law("D", ("data", "B1", "B2", "p1", "q1", "p2", "q2"), relations(*SIGNS, *MARKS))
DATA, SEEN = ("data", "B1", "B2"), ("data", "B1", "B2", "p1", "q1")
"""The data with the marks of what is bad for each release, two releases on them, and what is known
after the first.
"""


class Releases:
    """Two releases with the factors k1 and k2; k is their product, in any form."""

    def __init__(self, k1: Expr, k2: Expr, k: Expr) -> None:
        self.k1 = k1
        self.k2 = k2
        self.k = k
        self.one = excess(p1, q1, k1)
        self.two = excess(p2, q2, k2)
        self.both = excess(p1 * p2, q1 * q2, k)

    def pointwise(self) -> tuple[Fact, Fact]:
        """The excess of the pair by those of the two, and that it is not negative."""
        return product_excess(self.k1, self.k2, self.k, *SIGNS), excess_is_positive(
            p1 * p2, q1 * q2, self.k
        )

    def independent(self, first: Fact, second: Fact) -> Iterator[Step]:
        """The hockey stick of two independent releases is at most h1 + h2 - h1 h2; the densities
        p1, p2 have mass 1.
        """
        excess1 = self.one
        excess2 = self.two
        bound, positive = self.pointwise()
        yield bound, "what the pair exceeds, by what each release exceeds"
        whole1 = integrable(first, E(M1, p1))
        whole2 = integrable(second, E(M2, p2))
        finite1 = finite_excess(M1, p1, q1, self.k1, whole1)
        finite2 = finite_excess(M2, p2, q2, self.k2, whole2)
        rest = linear(M1, p1 - excess1, {p1: 1, excess1: -1}, whole1, finite1)
        left = independent(
            M, p1 - excess1, excess2, integrable(rest, E(M1, p1 - excess1)), finite2
        )
        right = independent(M, excess1, p2, finite1, whole2)
        yield left, "the two releases are independent given the data"
        known = [integrable(fact, fact.relation.left) for fact in (left, right)]
        sum_ = linear(
            M,
            bound.relation.right,
            {(p1 - excess1) * excess2: 1, excess1 * p2: 1},
            *known,
        )
        total = integrable(sum_, E(M, bound.relation.right))
        over = expect(bound, M, dominated(bound, M, total, lower=positive), total)
        yield over, "integrated"
        h1 = E(M1, excess1)
        h2 = E(M2, excess2)
        claim = at_most(E(M, self.both), h1 + h2 - h1 * h2)
        yield (
            combine(claim, over, sum_, left, right, rest, first, second),
            "the densities have mass 1",
        )

    def in_turn(
        self, facts: Mapping[str, Fact], *given: str | Condition
    ) -> Iterator[Step]:
        """On data good for both, the hockey stick of the pair is at most eta1 + eta2 - eta1 eta2.

        The facts bound (1 - B1) times the first hockey stick given the data, and (1 - B2) times the
        second given the data and the first output, and say that p1 and p2 have mass 1 given these.
        """
        first = facts["first release"]
        second = facts["second release"]
        first_mass = facts["first density"]
        second_mass = facts["second density"]
        excess1 = self.one
        excess2 = self.two
        eta1 = first.relation.right
        eta2 = second.relation.right
        bound, positive = self.pointwise()
        both_good = real(at_most(0, (1 - B1) * (1 - B2)), *MARKS)
        good = scaled(both_good, bound)
        yield good, "on data that are good for both"
        mark = both_good.relation.right
        limit = good.relation.right
        body = mark * self.both
        above = positive_times(mark, positive, *MARKS)
        weight = positive_times(
            1 - B1, excess_leaves(p1, q1, self.k1, *SIGNS[:2]), *MARKS, *SIGNS[:2]
        )
        factor = weight.relation.right
        known = [integrable(fact, fact.relation.left) for fact in (second, second_mass)]
        line = linear(
            D,
            limit,
            {(1 - B2) * excess2: factor, p2: mark * excess1},
            *known,
            given=SEEN,
        )
        total = integrable(line, E(D, limit, SEEN))
        over = expect(
            good,
            D,
            dominated(good, D, total, lower=above, given=SEEN),
            total,
            given=SEEN,
        )
        alone = positive_times(1 - B1, excess_is_positive(p1, q1, self.k1), *MARKS[:1])
        fewer = given_by(
            specialize(
                real("(1 - B2)*y <= y", "B2 >= 0", "y >= 0"), y=alone.relation.right
            ),
            alone,
        )
        rest = factor * eta2 + (1 - B1) * excess1
        inner = combine(
            at_most(E(D, body, SEEN), rest),
            over,
            line,
            second_mass,
            scaled(weight, second),
            fewer,
        )
        yield inner, "given the first output, the second release"
        known = [integrable(fact, fact.relation.left) for fact in (first, first_mass)]
        line = linear(
            D,
            rest,
            {p1: (1 - B1) * eta2, (1 - B1) * excess1: 1 - eta2},
            *known,
            given=DATA,
        )
        total = integrable(line, E(D, rest, DATA))
        lower = expect(above, D, integrable(over, E(D, body, SEEN)), given=SEEN)
        finite = dominated(inner, D, total, lower=lower, given=DATA)
        outer = expect(inner, D, finite, total, given=DATA)
        yield outer, "averaged over the first output"
        joined = tower(D, body, SEEN, finite, above, coarse=DATA)
        claim = at_most(E(D, body, DATA), eta1 + eta2 - eta1 * eta2)
        last = (joined, outer, line, first_mass)
        paired = combine(
            claim, *last, (first, 1 - eta2), rest=B1 * eta2, given=(*MARKS, *given)
        )
        yield under(paired, *given, On(D)), "the first release"


def at_most_one(cap: Fact, bound: Fact) -> Fact:
    """x <= min(1, y), from x <= 1 and x <= y."""
    x = Symbol("x")
    y = Symbol("y")
    cut = under(
        specialize(real("max(a, 0) <= b", "a <= b", "0 <= b"), a=1 - y, b=1 - x),
        "x <= 1",
        "x <= y",
    )
    capped = combine(
        at_most(x, minimum(1, y)), cut, (real("min(1, y) == 1 - max(1 - y, 0)"), -1)
    )
    return given_by(
        specialize(capped, x=bound.relation.left, y=bound.relation.right), cap, bound
    )


def union_bound(
    law: Law, either: Expr, parts: tuple[Fact, ...], *marks: str | Comparison
) -> Fact:
    """E[either] <= sum of bounds, for 0 <= either <= sum of the variables whose means the facts
    bound.
    """
    events = [fact.relation.left for fact in parts]
    bodies = [event.body for event in events]  # type: ignore[attr-defined]
    sum_ = sum(bodies[1:], bodies[0])
    known = [integrable(fact, event) for fact, event in zip(parts, events, strict=True)]
    total = linear(law, sum_, dict.fromkeys(bodies, 1), *known)
    finite = integrable(total, E(law, sum_))
    upper = real(at_most(either, sum_), *marks)
    inside = dominated(upper, law, finite, lower=real(at_most(0, either), *marks))
    bounds = [fact.relation.right for fact in parts]
    claim = at_most(E(law, either), sum(bounds[1:], bounds[0]))
    return combine(claim, expect(upper, law, inside, finite), total, *parts)


def tabled(law: Table, body: Expr, value: Expr, *given: str | Condition) -> Fact:
    """E[body] == value under a finite law, as its sum is that value."""
    sum_ = table(law, body, *given)
    return combine(
        equal(E(law, body), value),
        sum_,
        real(equal(sum_.relation.right, value), *given),
    )
