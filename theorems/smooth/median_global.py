"""The global sensitivity of the median is the whole range of the data.

Printed: For an odd number n of rows in {0, ..., U} the data of (n+1)/2 zeros and (n-1)/2 values U
    has the median 0, and with one zero replaced by U the median U: |median(x) - median(x')| = U.
Proved: For n = 2m - 1 rows and each m >= 1 the pair above has medians 0 and U, and no pair in [0,
    U] differs by more. The same pair shows it for the lower median of an even number of rows. The
    mean of the middle two of n = 2m rows changes by at most U/2, which is attained.
Idea: V(k) <= t if and only if at least k rows are at most t. In x, m rows are at most 0; in x' only
    m - 1 are below U. The middle two interlace (smooth/median-local): their sum moves by at most
    V(m+2) - V(m).
Source: Lecture 13 (smoothed sensitivity and median), section 13.1.1.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rdpacct.exact.formula import Symbol
from rdpacct.proof.entries import lemma
from rdpacct.proof.kernel import (
    Refused,
    assume,
    at_most,
    below,
    closed,
    combine,
    specialize,
    under,
)
from rdpacct.proof.tactics.smooth import HALF, Sample, divided
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Statement,
    Status,
    Step,
    Theorem,
    by_prover,
)

m, t, U, slack = (Symbol(name) for name in ("m", "t", "U", "slack"))
DATA = Sample("c", "V")
OTHER = Sample("d", "W")
V = DATA.value
W = OTHER.value
c = DATA.count
d = OTHER.count


def at_zero(part: Statement) -> Iterator[Step]:
    """m rows are at most 0."""
    zeros = part.assuming["zeros"]
    enough = combine(below(0, c(0) - m + HALF), zeros, rest=HALF)
    yield enough, "m rows are at most 0"
    yield (
        divided(part.claim, specialize(part.assuming["rank"], k=m, t=0), enough),
        "so the value of rank m is",
    )


def at_top(part: Statement) -> Iterator[Step]:
    """Fewer than m rows are below U, whatever the distance to U."""
    few = specialize(part.assuming["few below"], t=U - slack)
    yield few, "fewer than m rows lie below U"
    missing = combine(below(0, m - HALF - d(U - slack)), few, rest=HALF)
    order = specialize(part.assuming["rank"], k=m, t=U - slack)
    near = divided(at_most(U - slack, W(m)), order, missing)
    yield near, "so the value of rank m is at least what is below U"
    moved = under(combine(at_most(U, W(m) + slack), near), "0 < slack")
    yield closed(moved, "slack"), "and so at least U"


def middle(part: Statement) -> Iterator[Step]:
    """The sums telescope, and lie in the range."""
    moved = lemma("smooth/median-local", "middle-rise")
    yield moved, "the middle two interlace with those of a neighbor"
    ends = part.assuming["above 0"], part.assuming["at most U"]
    yield (
        combine(part.claim, (moved, 1), *((fact, HALF) for fact in ends)),
        "and lie in the range",
    )


def exhaust(seed: int) -> int:  # noqa: ARG001
    """All pairs of neighbors of small universes: the largest change is U, or U/2 for the mean of
    the middle two.
    """
    tried = 0
    for universe, size in ((1, 1), (3, 1), (3, 2), (3, 3), (2, 4), (1, 5)):
        largest = 0
        twice = 0
        for data in product(range(universe + 1), repeat=size):
            for i, new in product(range(size), range(universe + 1)):
                one = sorted(data)
                two = sorted([*data[:i], new, *data[i + 1 :]])
                low = (size - 1) // 2
                high = size // 2
                tried = tried + 1
                largest = max(largest, abs(one[low] - two[low]))
                twice = max(twice, abs(one[low] + one[high] - two[low] - two[high]))
        if largest != universe or twice != (
            universe if size % 2 == 0 else 2 * universe
        ):
            raise Refused(
                f"the median of {size} rows in 0..{universe} changes by {largest} or"
                f" {Fraction(twice, 2)}."
            )
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "V(k) <= t if and only if at least k values are at most t: the definition,"
            " as a hypothesis"
        ),
    ),
    parts=(
        Statement(
            "bounded",
            "two medians in [0, U] differ by at most U",
            claim=at_most(Symbol("v"), Symbol("w") + U),
            given=("v <= U", "0 <= w"),
            proof=by_prover("both lie in the range"),
        ),
        Statement(
            "median-of-x",
            "with m zeros among the data the value of rank m is at most 0",
            claim=at_most(V(m), 0),
            assuming={"rank": DATA.least(), "zeros": assume(at_most(m, c(0)))},
            proof=at_zero,
        ),
        Statement(
            "median-of-x'",
            "with fewer than m rows below U the value of rank m is at least U",
            claim=at_most(U, W(m)),
            assuming={
                "rank": OTHER.least(),
                "few below": assume(at_most(d(t), m - 1), "t < U", every="t"),
            },
            proof=at_top,
        ),
        Statement(
            "middle-two",
            "the mean of the middle two of an even number of rows rises by at most U/2",
            claim=at_most((W(m) + W(m + 1)) / 2, (V(m) + V(m + 1)) / 2 + U / 2),
            assuming={
                "rank in x'": OTHER.least(),
                "reached in x": DATA.reached(),
                "one row": DATA.loses_one(OTHER),
                "above 0": assume(at_most(0, V(m))),
                "at most U": assume(at_most(V(m + 2), U)),
            },
            proof=middle,
        ),
    ),
    falsehoods=(
        Falsehood(
            "half the range bounds the change of the median of an odd number of rows",
            at_most(Symbol("w"), Symbol("v") + U / 2),
            ("0 <= v", "v <= U", "0 <= w", "w <= U"),
        ),
    ),
    attacks=(Attack("all pairs of neighbors of small universes", exhaust),),
)
