"""Order statistics by counting: a sample inside a larger one, and the rank of the last of
exchangeable values.
"""

from dataclasses import dataclass

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    assume,
    at_most,
    combine,
    dominated,
    equal,
    exchange,
    expect,
    integrable,
    ranked,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.counting import at_most_one, counts, not_negative
from rdpacct.proof.tactics.ranks import Records, Sample, at_rank

t = Symbol("t")
k = Symbol("k")
ONE_MORE = Symbol("x")
"""The value that a sample has beside those of another one."""


@dataclass(frozen=True)
class Nested:
    """A sample, and a larger one that holds its values and others: one more, or some records."""

    few: Sample
    many: Sample
    others: Records | None = None

    def added(self) -> Expr:
        """How many of the others are at most t."""
        return counts(ONE_MORE, t) if self.others is None else self.others.count(t)

    def number(self) -> Expr:
        """How many others there are."""
        return formula(1) if self.others is None else self.others.size

    def counted(self) -> Fact:
        """The larger sample is the smaller one and the others."""
        count = self.few.count(t) + self.added()
        return assume(equal(self.many.count(t), count), every="t")

    def definition(self) -> dict[str, Fact]:
        """What is assumed."""
        others = {} if self.others is None else self.others.definition()
        return {
            **self.few.definition(),
            **self.many.definition(),
            **others,
            "one sample in the other": self.counted(),
        }

    def many_at_most(self) -> Fact:
        """The k-th smallest of many is at most the k-th smallest of few."""
        point = self.few.value(k)
        low = not_negative(ONE_MORE) if self.others is None else self.others.some
        enough = combine(
            at_most(k, self.many.count(point)),
            specialize(self.counted(), t=point),
            self.few.reached,
            specialize(low, t=point),
        )
        return at_rank(self.many, k, point, enough)

    def few_at_most(self) -> Fact:
        """The k-th smallest of few is at most the (k + others)-th smallest of many."""
        rank = k + self.number()
        point = self.many.value(rank)
        high = (
            at_most_one(ONE_MORE)
            if self.others is None
            else self.others.no_more_than_all
        )
        enough = combine(
            at_most(k, self.few.count(point)),
            specialize(self.counted(), t=point),
            specialize(self.many.reached, k=rank),
            specialize(high, t=point),
        )
        return at_rank(self.few, k, point, enough)


def beyond_rank(
    count: Expr, rank: Expr, *given: str | Condition, name: str = "V"
) -> Fact:
    """At least ``rank`` of ``count`` exchangeable values are strictly below the last: at most 1 -
    rank/count likely.
    """
    law = ranked(name, count, rank)
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
    bound = combine(claim, (swap, -1 / count), (few, 1 / count), given=given)
    return under(bound, *given)
