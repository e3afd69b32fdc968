"""Finite samples: counts are sums of indicators, and the sorted values have ranks by counting.

What is assumed of a sample is what makes it one: its values are in order, and its counting function
adds one for each value that is at most t. That the k-th smallest value is at most t if and only if
at least k values are is proved here, for whole k from 1 to the size.
"""

from dataclasses import dataclass
from functools import cached_property

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import minimum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Fact,
    Quantity,
    Whole,
    assume,
    at_most,
    below,
    combine,
    either,
    equal,
    given_by,
    induct,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import replace
from rdpacct.proof.tactics.counting import (
    HALF,
    INDICATOR,
    at_most_one,
    counted,
    counted_at,
    counts,
    divided,
    falling,
    left_out,
    not_negative,
    rising,
    whole_cases,
)

i, j, k, t, u, v, w, z = (Symbol(name) for name in "ijktuvwz")


@dataclass(frozen=True)
class Records:
    """Numbers X(1), ..., X(size), and how many of the first j are at most t."""

    counter: str
    values: str
    size: Expr = Symbol("n")

    def value(self, place: Real) -> Expr:
        """The number at this place."""
        return Quantity(self.values, (formula(place),))

    def first(self, number: Real, at: Real) -> Expr:
        """How many of the first numbers, up to a place, are at most this."""
        return Quantity(self.counter, (formula(number), formula(at)))

    def count(self, at: Real) -> Expr:
        """How many of the numbers are at most this."""
        return self.first(self.size, at)

    def definition(self) -> dict[str, Fact]:
        """What is assumed: how the numbers are counted."""
        more = self.first(j, t) + counts(self.value(j + 1), t)
        return {
            **INDICATOR,
            f"{self.values} not counted": assume(equal(self.first(0, t), 0), every="t"),
            f"{self.values} counted one by one": assume(
                equal(self.first(j + 1, t), more), Whole("j", 0), every=("j", "t")
            ),
        }

    def _grown(self, claim: Comparison, added: Fact) -> Fact:
        """A relation for the first j numbers, from 0 on, by what one more adds."""
        known = self.definition()
        none = combine(replace(claim, {"j": 0}), known[f"{self.values} not counted"])
        so_far = assume(claim)
        one_more = known[f"{self.values} counted one by one"]
        step = combine(replace(claim, {"j": j + 1}), one_more, so_far, added)
        return induct(none, step, "j")

    @cached_property
    def some(self) -> Fact:
        """0 <= count(t)."""
        claim = at_most(0, self.first(j, t))
        grown = self._grown(claim, not_negative(self.value(j + 1)))
        return specialize(grown, j=self.size)

    @cached_property
    def no_more_than_all(self) -> Fact:
        """count(t) <= size."""
        claim = at_most(self.first(j, t), j)
        grown = self._grown(claim, at_most_one(self.value(j + 1)))
        return specialize(grown, j=self.size)

    @cached_property
    def rises(self) -> Fact:
        """count(t) <= count(u), if t <= u."""
        known = self.definition()
        none = known[f"{self.values} not counted"]
        base = combine(
            at_most(self.first(0, t), self.first(0, u)),
            (none, 1),
            (specialize(none, t=u), -1),
        )
        so_far = assume(at_most(self.first(j, t), self.first(j, u)), "t <= u")
        one_more = known[f"{self.values} counted one by one"]
        step = combine(
            at_most(self.first(j + 1, t), self.first(j + 1, u)),
            (one_more, 1),
            (specialize(one_more, t=u), -1),
            so_far,
            rising(self.value(j + 1)),
        )
        grown = induct(under(base, "t <= u"), step, "j")
        return specialize(grown, j=self.size)


@dataclass(frozen=True)
class Sample(Records):
    """Numbers in order: V(1) <= V(2) <= ... <= V(size).

    V(0) and V(size + 1) are the ends of a range, if there is one; all that is assumed of places
    beyond the sample is the order.
    """

    def definition(self) -> dict[str, Fact]:
        """What is assumed: the order, and how the numbers are counted."""
        order = at_most(self.value(i), self.value(j))
        whole = Whole("i", 0), Whole("j", 0)
        return {
            **super().definition(),
            f"{self.values} in order": assume(
                order, *whole, "i <= j", every=("i", "j")
            ),
        }

    def in_order(self, low: Real, high: Real) -> Fact:
        """The value of the lower rank is at most that of the higher one."""
        order = self.definition()[f"{self.values} in order"]
        return specialize(order, i=low, j=high)

    @cached_property
    def enough(self) -> Fact:
        """min(k, j) I(V(k), t) <= count of the first j: all before rank k count if that one
        does.
        """
        known = self.definition()
        here = counts(self.value(k), t)
        sign = not_negative(self.value(k)), 0
        none = combine(
            at_most(minimum(k, 0) * here, self.first(0, t)),
            known[f"{self.values} not counted"],
            (real("min(k, 0) <= 0"), here),
            sign,
        )
        so_far = assume(at_most(minimum(k, j) * here, self.first(j, t)), Whole("k", 0))
        goal = at_most(minimum(k, j + 1) * here, self.first(j + 1, t))
        one_more = known[f"{self.values} counted one by one"]
        stays = combine(
            goal,
            one_more,
            so_far,
            (real("min(k, j + 1) <= min(k, j)", "k <= j"), here),
            not_negative(self.value(j + 1)),
            sign,
        )
        rises = combine(
            goal,
            one_more,
            so_far,
            (real("min(k, j + 1) <= min(k, j) + 1"), here),
            self._falls(j + 1, k),
            sign,
        )
        step = whole_cases(stays, rises, at_most(k, j), Whole("k", 0), Whole("j", 0))
        return induct(under(none, Whole("k", 0)), step, "j")

    @cached_property
    def not_more(self) -> Fact:
        """count of the first j <= min(j, k - 1) + j I(V(k), t): none from rank k on counts if that
        one does not.
        """
        known = self.definition()
        here = counts(self.value(k), t)
        none = combine(
            at_most(self.first(0, t), minimum(0, k - 1)),
            known[f"{self.values} not counted"],
            under(real("0 <= min(0, k - 1)", "1 <= k"), Whole("k", 1)),
        )
        bound = minimum(j, k - 1) + j * here
        so_far = assume(at_most(self.first(j, t), bound), Whole("k", 1))
        goal = at_most(self.first(j + 1, t), minimum(j + 1, k - 1) + (j + 1) * here)
        one_more = known[f"{self.values} counted one by one"]
        stays = combine(
            goal,
            one_more,
            so_far,
            specialize(real("min(j, u) <= min(j + 1, u)"), u=k - 1),
            self._falls(k, j + 1),
        )
        rises = combine(
            goal,
            one_more,
            so_far,
            specialize(real("min(j, u) + 1 <= min(j + 1, u)", "j + 1 <= u"), u=k - 1),
            at_most_one(self.value(j + 1)),
            not_negative(self.value(k)),
        )
        whole = Whole("k", 1), Whole("j", 0)
        return induct(none, whole_cases(stays, rises, at_most(k, j + 1), *whole), "j")

    def _falls(self, low: Expr, high: Expr) -> Fact:
        """A lower rank counts if a higher one does."""
        order = specialize(falling(), u=self.value(low), v=self.value(high))
        return given_by(order, self.in_order(low, high))

    @cached_property
    def so_many(self) -> Fact:
        """k I(V(k), t) <= count(t): at least k numbers are at most t, if the k-th smallest is."""
        here = counts(self.value(k), t)
        return combine(
            at_most(k * here, self.count(t)),
            specialize(self.enough, j=self.size),
            (real(at_most(k, minimum(k, self.size)), at_most(k, self.size)), here),
            (not_negative(self.value(k)), 0),
        )

    @cached_property
    def so_few(self) -> Fact:
        """count(t) <= k - 1 + size I(V(k), t): at most k - 1 are, if it is not."""
        return combine(
            at_most(self.count(t), k - 1 + self.size * counts(self.value(k), t)),
            specialize(self.not_more, j=self.size),
            specialize(real("min(u, v) <= v"), u=self.size, v=k - 1),
        )

    @cached_property
    def reached(self) -> Fact:
        """At least k of the numbers are at most the k-th smallest."""
        point = self.value(k)
        there = specialize(self.so_many, t=point)
        return combine(at_most(k, self.count(point)), there, (counted_at(point), -k))

    @cached_property
    def least(self) -> Fact:
        """(V(k) - t) (count(t) - k + 1/2) <= 0: V(k) <= t if at least k are at most t, and else
        t <= V(k).
        """
        claim = at_most((v - t) * (z - k + HALF), 0)
        many = at_most(k * w, z)
        few = at_most(z, k - 1 + self.size * w)
        low = specialize(real(claim, "v <= t", "w == 1", many), w=counts(v, t))
        high = specialize(real(claim, "t < v", "w == 0", few), w=counts(v, t))
        low = given_by(low, counted(v))
        high = given_by(high, left_out(v))
        given = [c for c in (*low.domain, *high.domain) if "z" in c.symbols()]
        rule = either(under(low, "v <= t", *given), under(high, "t < v", *given))
        there = specialize(rule, v=self.value(k), z=self.count(t))
        return given_by(there, self.so_many, self.so_few)


def at_rank(sample: Sample, rank: Real, point: Real, enough: Fact) -> Fact:
    """The value of a rank is at most a point, since that many values are: rank <= count(point)."""
    positive = combine(below(0, sample.count(point) - rank + HALF), enough, rest=HALF)
    order = specialize(sample.least, k=rank, t=point)
    return divided(at_most(sample.value(rank), point), order, positive)


def not_before(sample: Sample, rank: Real, point: Real, few: Fact) -> Fact:
    """The value of a rank is at least a point, since too few are at most that: count(point) <=
    rank - 1.
    """
    room = formula(rank) - HALF - sample.count(point)
    value = sample.value(rank)
    order = specialize(sample.least, k=rank, t=point)
    turned = combine(at_most((formula(point) - value) * room, 0), order)
    return divided(
        at_most(point, value), turned, combine(below(0, room), few, rest=HALF)
    )
