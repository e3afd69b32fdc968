"""The earliest steps in which a record can take part, and how many fit.

Printed: not in the sources.
Proved: Let d(k) be the distance from a step, such as the first one or one in which a record takes
    part, to the k-th step after it in which the record takes part. If each such step is at least b
    after the one before, then d(k) >= b k, as shipped: no pattern is anywhere before the earliest
    one, and no two of its steps are closer than those of the earliest one with the same numbers. So
    at most 1 + last/b participations fit into the steps from 0 to the last.
Idea: Induction over the participations.
Source: Choquette-Choo, Dvijotham, Pillutla, Ganesh, Steinke and Thakurta (2023), Multi-epoch matrix
    factorization mechanisms for private machine learning.
"""

from rdpacct.book.words import (
    Falsehood, Iterator, Quantity, Statement, Status, Step, Symbol, Theorem, Whole, assume, at_most,
    combine, earliest, formula, induct, participations_within, proves, under,
)  # fmt: skip

k, b, last = map(Symbol, ("k", "b", "last"))
FAR = Quantity("d", (k,))
"""The distance to the k-th participation."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "earliest",
            "the k-th participation is no earlier than the shipped step",
            at_most(earliest(k, b), FAR),
            given=(Whole("k", 0),),
            assuming={
                "start": assume(at_most(0, FAR.at(k=0))),
                "apart": assume(at_most(FAR + b, FAR.at(k=k + 1)), every="k"),
            },
        ),
        Statement(
            "fits",
            "if the k-th is not after the last step, there are at most the shipped number",
            at_most(k + 1, participations_within(last, b)),
            given=("0 < b",),
            assuming={"inside": assume(at_most(earliest(k, b), last))},
        ),
    ),
    rules=(earliest, participations_within),
)


@proves("earliest")
def along(part: Statement) -> Iterator[Step]:
    """One participation more is at least b later."""
    before = assume(part.claim, *part.given)
    claim = at_most(earliest(k + 1, b), FAR.at(k=k + 1))
    step = combine(claim, before, part.assuming["apart"])
    yield step, "one participation more"
    first = at_most(earliest(formula(0), b), FAR.at(k=0))
    base = combine(first, part.assuming["start"])
    yield base, "the start"
    yield induct(base, step, "k"), "from there on"


@proves("fits")
def fits(part: Statement) -> Iterator[Step]:
    """Divided by b."""
    inside = under(part.assuming["inside"], *part.given)
    yield combine(part.claim, (inside, 1 / b), given=part.given), "divided by b"


FALSEHOODS = (
    Falsehood(
        "a record takes part at most last/b times",
        at_most(k + 1, last / b),
        ("0 < b", "0 <= k", "b*k <= last"),
    ),
)
