"""Tails of binomial laws: means of sums of signs, and geometric series.

Printed: not in the sources.
Proved: Let p(j) be the probability of j successes in c trials, of which each succeeds with
    probability p and fails with q. Then (j + 1) q p(j + 1) = (c - j) p p(j), so that the ratio of
    p(j + 1) to p(j) falls with j. For p = q the sum of (2 i - c) p(i) over all i >= j is j p(j):
    what the place j adds is the difference of j p(j) and (j + 1) p(j + 1). And where all ratios
    from j on are at most rho < 1, the sum of p(i) over all i >= j is at most p(j)/(1 - rho).
Idea: Telescoping sums.
Source: De Moivre's mean absolute deviation of the binomial law.
"""

from rdpacct.book.words import (
    Falsehood, Iterator, Statement, Status, Step, Theorem, at_most, by_prover, combine, equal,
    falling_ratio, geometric_tail, proves, real, symbols, weighted_tail,
)  # fmt: skip

c, j, p, q, here, following, rho = symbols("c j p q here following rho")
RATIO = "(j + 1)*following == (c - j)*here"

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "place",
            "a place adds its sum of signs with its probability",
            equal(
                weighted_tail(j, here),
                weighted_tail(j + 1, following) + (2 * j - c) * here,
            ),
            given=(RATIO,),
        ),
        Statement(
            "last place",
            "the last place alone has all signs 1",
            equal(weighted_tail(c, here), c * here),
            by_prover("the definition"),
        ),
        Statement(
            "ratio",
            "the ratio is that of one success more",
            equal((j + 1) * q * falling_ratio(j, c, p, q) * here, (c - j) * p * here),
            by_prover("the definition"),
            ("0 < q", "0 <= j"),
        ),
        Statement(
            "falling",
            "the ratio falls",
            at_most(falling_ratio(j + 1, c, p, q), falling_ratio(j, c, p, q)),
            by_prover("fewer trials are left, and more have succeeded"),
            ("0 <= p", "0 < q", "0 <= j", "j + 1 <= c"),
        ),
        Statement(
            "series",
            "a place before a geometric series of the next mass is at most one of its own",
            at_most(here + geometric_tail(following, rho), geometric_tail(here, rho)),
            by_prover("one term more"),
            ("rho < 1", "following <= rho*here"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the sum from a place on is that place times the probability of the next one",
            equal(weighted_tail(j, here), weighted_tail(j, following)),
            ("0 < here", "0 < j", "j < c", RATIO),
        ),
        Falsehood(
            "a geometric series is at most twice its first mass",
            at_most(geometric_tail(here, rho), 2 * here),
            ("0 < here", "0 <= rho", "rho < 1"),
        ),
    ),
    in_words=(
        "The places from j on are gone through from the last one back: each adds what the part"
        " `place` or `series` says, by induction.",
    ),
    rules=(weighted_tail, falling_ratio, geometric_tail),
)


@proves("place")
def place(part: Statement) -> Iterator[Step]:
    """The two probabilities are in the known ratio."""
    known = real(RATIO, RATIO)
    yield combine(part.claim, (known, -1), given=part.given), "telescoping"
