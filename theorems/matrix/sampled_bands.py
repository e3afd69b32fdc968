"""A banded strategy on cyclic Poisson samples: each turn of a group is a sampled release.

Printed: not in the sources.
Proved: Row r of C x has the steps i with 0 <= r - i < b. For a record of group j, which can be
    sampled in the steps j + s b as shipped, the rows from j + t b up to the next turn have the step
    of turn t and no other: a later turn is after each of these rows, and an earlier one b or more
    before. So the rows between two turns are one Gaussian release of a Poisson sample
    (sampling/poisson), whose shift is at most the length of one column; the other records, and the
    rows before the first turn, tell nothing of the record. The turns are sampled independently, and
    compose (composition/dominating-pairs). The first group has its turns no later than another
    one, so that it has as many, and no shorter columns (matrix/falling-columns). A record that
    replaces another is in the same group; nothing is said of one that is in another.
Idea: With as many groups as bands no two turns of a record share a row.
Source: Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta and Xu (2023), (Amplified) banded
    matrix factorization: a unified approach to private training.
"""

from rdpacct.book.words import (
    Expr, Fact, Falsehood, Iterator, Statement, Status, Step, Symbol, Theorem, at_most, below,
    by_prover, combine, given_by, proves, real, specialize, step_of_group, under,
)  # fmt: skip

r, j, s, t, b, i = map(Symbol, ("r", "j", "s", "t", "b", "i"))
FROM = at_most(step_of_group(j, t, b), r)
"""The row is not before turn t."""
UP_TO = below(r, step_of_group(j, t + 1, b))
"""And before the next one."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "Given all samples of the other records and what was released before, the rows from"
        " one turn of a group to the next are a Gaussian release whose shift is the move of"
        " the record times a column, if it is sampled in that turn, and else 0.",
        "A plan with more turns, or longer columns, dominates: a pair of equal laws is"
        " dominated by any, and a shorter shift by a longer one.",
    ),
    parts=(
        Statement(
            "later",
            "a later turn is after the row",
            below(r, step_of_group(j, s, b)),
            given=(UP_TO, "t + 1 <= s", "0 < b"),
        ),
        Statement(
            "earlier",
            "an earlier turn is b or more before the row, beyond the band",
            at_most(b, r - step_of_group(j, s, b)),
            given=(FROM, "s <= t - 1", "0 < b"),
        ),
        Statement(
            "first group",
            "the turns of the first group are no later than those of group j",
            at_most(step_of_group(i, s, b), step_of_group(j, s, b)),
            by_prover("the groups begin in order"),
            ("i <= j",),
        ),
    ),
    rules=(step_of_group,),
)


def turns(part: Statement, low: Expr, high: Expr) -> Fact:
    """0 <= (high - low) b for low <= high."""
    rule = real("0 <= x*y", "0 <= x", "0 <= y")
    order = real(at_most(0, high - low), *part.given)
    width = real("0 <= b", "0 < b")
    product = specialize(rule, x=high - low, y=b)
    return under(given_by(product, order, width), *part.given)


@proves("later")
def later(part: Statement) -> Iterator[Step]:
    """By at least one turn of b steps."""
    gap = turns(part, t + 1, s)
    yield gap, "the steps between the turns"
    edge = real(UP_TO, *part.given)
    yield combine(part.claim, edge, gap), "after the next turn"


@proves("earlier")
def earlier(part: Statement) -> Iterator[Step]:
    """By at least one turn of b steps."""
    gap = turns(part, s, t - 1)
    yield gap, "the steps between the turns"
    edge = real(FROM, *part.given)
    yield combine(part.claim, edge, gap), "before the last turn"


FALSEHOODS = (
    Falsehood(
        "with one group less than bands no two turns share a row",
        at_most(b + 1, r - step_of_group(j, s, b)),
        (FROM, UP_TO, "s <= t - 1", "0 < b"),
    ),
)
