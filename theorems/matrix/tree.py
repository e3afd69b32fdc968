"""The sensitivity of a tree: blocks that are as full as they can be.

Printed: not in the sources.
Proved: The products of the columns of a tree are numbers of nodes, so that its square is the sum
    over the nodes of the squares of how often a record takes part below them (matrix/sensitivity).
    On each level let no block have more than c of m participations. Then the squares add up to at
    most what is shipped, q c**2 + r**2 with m = q c + r, 0 <= r <= c: a block of n <= c that joins
    others adds at most what the shipped bound grows by, whether the rest r stays within one block
    or fills it. For one participation each of the levels adds 1.
Idea: c**2 + (r + n - c)**2 - r**2 - n**2 is twice (c - r) (c - n).
Source: Kairouz, McMahan, Song, Thakkar, Thakurta and Xu (2021), Practical and private (deep)
    learning without sampling or shuffling, for one participation.
"""

from rdpacct.book.words import (
    Falsehood, Statement, Status, Symbol, Theorem, at_most, by_prover, equal, formula,
    fullest_blocks,
)  # fmt: skip

q, c, r, n = map(Symbol, ("q", "c", "r", "n"))

THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "Block after block, the squares of the numbers so far are at most the shipped bound"
        " for how many they are together; fewer participations have a smaller bound.",
    ),
    parts=(
        Statement(
            "joins",
            "a block of n that joins the rest of r within one block",
            at_most(n**2 + fullest_blocks(q, c, r), fullest_blocks(q, c, r + n)),
            by_prover("twice r n is not negative"),
            ("0 <= r", "0 <= n"),
        ),
        Statement(
            "fills",
            "a block of n that fills one, and leaves r + n - c",
            at_most(
                n**2 + fullest_blocks(q, c, r), fullest_blocks(q + 1, c, r + n - c)
            ),
            by_prover("twice (c - r) (c - n) is not negative"),
            ("r <= c", "n <= c"),
        ),
        Statement(
            "more",
            "one participation more has a larger bound",
            at_most(fullest_blocks(q, c, r), fullest_blocks(q, c, r + 1)),
            by_prover("a square"),
            ("0 <= r",),
        ),
        Statement(
            "one",
            "one participation adds 1 on each level",
            equal(fullest_blocks(formula(1), c, formula(0)), c**2),
            by_prover("as it stands"),
        ),
    ),
    rules=(fullest_blocks,),
)

FALSEHOODS = (
    Falsehood(
        "participations that are spread over more blocks have a larger square",
        at_most(fullest_blocks(q, c, r + n), n**2 + fullest_blocks(q, c, r)),
        ("0 < r", "0 < n"),
    ),
)
