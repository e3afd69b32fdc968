"""The privacy curve of randomized response.

Printed: not in the sources.
Proved: With k answers, E max(0, 1 - exp(at - L)) is max(0, (e**eps - e**at)/(e**eps + k - 1)) for
    every at >= 0; this mean under P is delta(at) of the pair.
Idea: Only the loss eps can exceed at >= 0.
Source: Kairouz, Oh and Viswanath, Extremal mechanisms for local differential privacy.
"""

from rdpacct.book.words import (
    E, Fact, Falsehood, Iterator, Real, Statement, Status, Step, Symbol, Table, Theorem, at_most,
    by_prover, combine, equal, exp, formula, maximum, randomized_response_delta as delta, real,
    table, tanh,
)  # fmt: skip

eps = Symbol("epsilon")
k = Symbol("k")
L = Symbol("L")
at = Symbol("at")
TOTAL = exp(eps) + (k - 1)
P = Table(
    "P",
    ("L",),
    (),
    (
        ((eps,), exp(eps) / TOTAL),
        ((-eps,), 1 / TOTAL),
        ((formula(0),), (k - 2) / TOTAL),
    ),
)
DELTA = equal(E(P, maximum(0, 1 - exp(at - L))), delta(eps, k, at))


def proof(part: Statement) -> Iterator[Step]:
    """The sum over the three losses."""
    total = table(P, maximum(0, 1 - exp(at - L)), *part.given)
    yield total, "three losses"
    low = [
        real(equal(maximum(0, 1 - exp(at - loss)), 0), *part.given)
        for loss in (-eps, formula(0))
    ]
    yield from ((one, "no loss below exceeds what is not negative") for one in low)
    gain = 1 - exp(at - eps)
    share = (exp(eps) - exp(at)) / TOTAL
    top, stated = (0, 0) if "epsilon <= at" in part.given else (gain, share)
    first = real(equal(maximum(0, gain), top), *part.given)
    second = real(equal(maximum(0, share), stated), *part.given)
    uses: list[tuple[Fact, Real]] = [
        (first, exp(eps) / TOTAL),
        (low[0], 1 / TOTAL),
        (low[1], (k - 2) / TOTAL),
        (second, -1),
    ]
    yield combine(part.claim, total, *uses), "only the largest counts"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "below",
            "delta up to eps",
            DELTA,
            proof,
            ("k >= 2", "0 <= at", "at <= epsilon"),
        ),
        Statement(
            "above",
            "delta from eps on",
            DELTA,
            proof,
            ("epsilon > 0", "k >= 2", "epsilon <= at"),
        ),
    ),
    sharp=(
        Statement(
            "zero",
            "at 0, two answers have delta tanh(eps/2), the distance of the two laws",
            equal(delta(eps, 2, formula(0)), tanh(eps / 2)),
            by_prover("the hyperbolic tangent by exponentials"),
            ("epsilon >= 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "delta is at most (1 - exp(at - eps))/2 for two answers",
            at_most(delta(eps, 2, at), (1 - exp(at - eps)) / 2),
            ("epsilon > 0", "0 <= at", "at <= epsilon"),
        ),
    ),
    rules=(delta,),
)
