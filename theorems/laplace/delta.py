"""The privacy curve of the Laplace mechanism.

Printed: not in the sources.
Proved: For outputs x of density exp(-|x - s|)/2 and loss L = |x| - |x - s|, E max(0, 1 -
    exp(epsilon - L)) is max(0, 1 - exp((epsilon - s)/2)) for every epsilon >= 0. This mean under P
    is delta(epsilon) of the pair, the largest P(A) - exp(epsilon) Q(A) of an event A.
Idea: The loss exceeds epsilon to the right of (s + epsilon)/2; integrate from there on.
Source: Balle, Barthe and Gaboardi, Privacy amplification by subsampling, Theorem 3.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, LEFT, RIGHT, Statement, Status, Step, Symbol, Theorem, around, at_most,
    by_prover, combine, equal, exp, formula, integrate, laplace_delta as delta,
    laplace_pair_LOSS as LOSS, laplace_pair_s as s, laplace_pair_x as x, maximum, on_pieces,
    specialize, under,
)  # fmt: skip

eps = Symbol("epsilon")
z = Symbol("z")
g = Symbol("g")
EXCESS = maximum(0, 1 - exp(eps - LOSS))
NEAR = around((s + eps) / 2)
FAR = around()
ZERO = formula(0)


def near(part: Statement) -> Iterator[Step]:
    """Only outputs to the right of z = (s + epsilon)/2 count."""
    law = around(z)
    given = ("s > 0", "0 <= z", "z <= s")
    middle = 2 * x - s
    body = maximum(0, 1 - exp(2 * z - s - LOSS))
    on = on_pieces(
        law,
        2 * z - s - Symbol("l"),
        (-s, middle, middle, s),
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


def far(part: Statement) -> Iterator[Step]:
    """No loss exceeds s."""
    given = tuple(map(str, part.given))
    on = on_pieces(
        FAR, eps - Symbol("l"), (-s, 2 * x - s, s), (False, False, False), *given
    )
    total = integrate(
        FAR, EXCESS, (ZERO, ZERO, ZERO), (LEFT, LEFT, -RIGHT), *given, on=on
    )
    yield total, "no loss exceeds epsilon"
    yield combine(part.claim, total), "which is what the formula says"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "near",
            "delta for epsilon up to s",
            equal(E(NEAR, EXCESS), delta(s, eps)),
            near,
            ("s > 0", "0 <= epsilon", "epsilon <= s"),
        ),
        Statement(
            "far",
            "delta for epsilon from s on",
            equal(E(FAR, EXCESS), delta(s, eps)),
            far,
            ("s > 0", "s <= epsilon"),
        ),
    ),
    sharp=(
        Statement(
            "pure",
            "delta is positive at every epsilon below s: at s less g it is at least"
            " g/(2 + g)",
            at_most(g / (2 + g), delta(g, formula(0))),
            by_prover("exp(-x) <= 1/(1 + x), and delta depends on s less epsilon only"),
            ("g >= 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "delta falls as fast as 1 - exp(epsilon - s), the chance of randomized"
            " response",
            at_most(1 - exp(eps - s), delta(s, eps)),
            ("s > 0", "0 <= epsilon", "epsilon <= s"),
        ),
    ),
    rules=(delta,),
)
