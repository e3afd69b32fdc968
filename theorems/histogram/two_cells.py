"""The privacy curve of a record that moves from one cell with noise to another.

Printed: not in the sources.
Proved: Let both cells have Laplace noise of scale 1, in units in which a record is s, and let alpha
    = 2 s. In one cell E max(0, 1 - exp(e - L)) is 1 - exp((e - s)/2), for -s <= e <= s. In both
    together, with losses L1 and L2 that are independent, it is 1 - (1 + c/4) exp(-c/2) for c =
    alpha - epsilon and 0 <= epsilon <= alpha, and 0 beyond. The pair is symmetric, as exchanging
    the data sets exchanges the cells, so this curve determines the law of the loss.
Idea: Given the first cell, what is left is the curve of the second one at epsilon - L1; integrate
    that over the first.
Source: Balle, Barthe and Gaboardi, Privacy amplification by subsampling, Theorem 3, for one cell.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp, maximum
from rdpacct.mechanisms.histogram.sparse_histogram import two_cells, two_cells_delta
from rdpacct.proof.kernel import (
    E,
    Refused,
    at_most,
    combine,
    equal,
    integrate,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.laplace_pair import (
    LEFT,
    LOSS,
    RIGHT,
    around,
    on_pieces,
    s,
    x,
)
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Statement,
    Status,
    Step,
    Theorem,
    by_prover,
)

eps = Symbol("epsilon")
z = Symbol("z")
ZERO = formula(0)
MIDDLE = 2 * x - s
LOST = Symbol("l")
SECOND = around((s + eps) / 2)
CURVE = maximum(0, 1 - exp((eps - LOSS - s) / 2))
"""What the second cell leaves of the excess over epsilon, once the loss in the first is known."""
FIRST = around(eps / 2)


def one_cell(part: Statement) -> Iterator[Step]:
    """Only outputs to the right of z = (s + e)/2 count."""
    law = around(z)
    given = ("s > 0", "0 <= z", "z <= s")
    body = maximum(0, 1 - exp(2 * z - s - LOSS))
    on = on_pieces(
        law,
        2 * z - s - LOST,
        (-s, MIDDLE, MIDDLE, s),
        (False, False, True, True),
        *given,
    )
    found = (
        ZERO,
        ZERO,
        LEFT + exp(2 * z - s - x) / 2,
        -(1 - exp(2 * z - 2 * s)) * RIGHT,
    )
    total = integrate(law, body, found, (LEFT, LEFT, LEFT, -RIGHT), *given, on=on)
    yield total, "the antiderivatives on the four pieces"
    there = under(specialize(total, z=(s + eps) / 2), *part.given)
    yield combine(part.claim, there), "added up"


def both_cells(part: Statement) -> Iterator[Step]:
    """Only outputs of the first cell to the right of epsilon/2 leave the second one a chance."""
    given = tuple(map(str, part.given))
    on = on_pieces(
        FIRST,
        (eps - LOST - s) / 2,
        (-s, MIDDLE, MIDDLE, s),
        (False, False, True, True),
        *given,
    )
    found = (
        ZERO,
        ZERO,
        LEFT - x * exp(eps / 2 - s) / 2,
        -(1 - exp(eps / 2 - s)) * RIGHT,
    )
    total = integrate(FIRST, CURVE, found, (LEFT, LEFT, LEFT, -RIGHT), *given, on=on)
    yield total, "the antiderivatives on the four pieces"
    here = real(
        equal(
            two_cells_delta(2 * s, eps), 1 - (1 + (2 * s - eps) / 4) * exp(eps / 2 - s)
        ),
        *given,
    )
    yield combine(part.claim, total, here), "added up"


def attack(seed: int) -> int:
    """The shipped law of the loss: its parts against the curve, at random thresholds."""
    rng = Random(seed)
    for _ in range(20):
        alpha = Fraction(rng.randint(1, 60), 20)
        epsilon = alpha * Fraction(rng.randint(0, 24), 20)
        derived = two_cells(formula(alpha)).derived().delta(epsilon)
        if not derived.overlaps(two_cells_delta(alpha, epsilon).bound()):
            raise Refused(
                f"at alpha = {alpha} the parts give delta({epsilon}) = {derived}."
            )
    return 20


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "the noises are independent, so that given the first cell the excess is"
            " that of `one cell` at epsilon - L1, which is at least -s; where it is"
            " above s, both sides are 0"
        ),
        (
            "a symmetric pair is determined by its delta at epsilon >= 0; the shipped"
            " parts have this delta"
        ),
    ),
    parts=(
        Statement(
            "one cell",
            "delta of one cell, for negative thresholds too",
            equal(E(SECOND, maximum(0, 1 - exp(eps - LOSS))), 1 - exp((eps - s) / 2)),
            one_cell,
            ("s > 0", "-s <= epsilon", "epsilon <= s"),
        ),
        Statement(
            "both cells",
            "delta of both cells, the first integrated over what the second leaves",
            equal(E(FIRST, CURVE), two_cells_delta(2 * s, eps)),
            both_cells,
            ("s > 0", "0 <= epsilon", "epsilon <= 2*s"),
        ),
    ),
    sharp=(
        Statement(
            "pure",
            "at epsilon = alpha it is 0",
            equal(two_cells_delta(2 * s, 2 * s), 0),
            by_prover("the gap is 0"),
            ("s > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "one cell of twice the shift is no worse",
            at_most(1 - exp((eps - 2 * s) / 2), two_cells_delta(2 * s, eps)),
            ("s > 0", "0 <= epsilon", "epsilon <= 2*s"),
        ),
    ),
    attacks=(Attack("the parts of the shipped loss against the curve", attack),),
    rules=(two_cells, two_cells_delta),
)
