"""The mean loss of the Laplace mechanism.

Printed: not in the sources.
Proved: For outputs x of density exp(-|x - s|)/2, the mean of the loss |x| - |x - s| is s + exp(-s)
    - 1.
Idea: The loss is -s, 2x - s and s on three intervals; integrate by parts.
Source: Folklore; Mironov, Renyi differential privacy, Table II, at order 1.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, LEFT, RIGHT, Statement, Status, Step, Theorem, around, at_most, average,
    by_prover, combine, equal, laplace_mean as mean, laplace_pair_LOSS as LOSS, laplace_pair_s as s,
    laplace_pair_x as x,
)  # fmt: skip

P = around(s / 2)


def proof(part: Statement) -> Iterator[Step]:
    """Piece by piece."""
    middle = (2 * x - s - 2) * LEFT
    total = average(P, LOSS, -s * LEFT, middle, middle, -s * RIGHT, given=part.given)
    yield total, "the antiderivatives on the four pieces"
    yield combine(part.claim, total), "added up"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "mean",
            "the mean loss is s + exp(-s) - 1",
            equal(E(P, LOSS), mean(s)),
            proof,
            ("s > 0",),
        ),
    ),
    sharp=(
        Statement(
            "small",
            "it is at most s**2/2",
            at_most(mean(s), s**2 / 2),
            by_prover("convexity"),
            ("s > 0",),
        ),
        Statement(
            "large",
            "it is at least s - 1",
            at_most(s - 1, mean(s)),
            by_prover("exp(-s) >= 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the mean loss is at most s**2/3", at_most(mean(s), s**2 / 3), ("s > 0",)
        ),
        Falsehood(
            "the mean loss is at most s**2/(2 + s)",
            at_most(mean(s), s**2 / (2 + s)),
            ("s > 0",),
        ),
    ),
    rules=(mean,),
)
