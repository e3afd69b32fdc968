"""Random exact instances for attacks on theorems: pairs of laws, adaptive pairs and data sets, in
rationals.
"""

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from rdpacct.exact.formula import ZERO, Apply, Expr, Rational

Masses = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two laws on the same finitely many outcomes."""

    p: Masses
    q: Masses

    def ratios(self) -> Masses:
        """p/q, outcome by outcome, where q is positive."""
        return tuple(a / b for a, b in zip(self.p, self.q, strict=True) if b)


def masses(rng: random.Random, size: int, largest: int = 30) -> Masses:
    """A random law on that many outcomes, all of positive mass."""
    weights = [rng.randint(1, largest) ** rng.choice((1, 1, 2)) for _ in range(size)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def any_pair(rng: random.Random, size: int) -> Pair:
    """Two unrelated laws of positive masses."""
    return Pair(masses(rng, size), masses(rng, size))


def products(first: Pair, second: Pair) -> list[tuple[Masses, ...]]:
    """The laws of two independent outcomes, each pair either way round."""
    ways = product(
        ((first.p, first.q), (first.q, first.p)),
        ((second.p, second.q), (second.q, second.p)),
    )
    return [
        tuple(
            tuple(a * b for a in left for b in right)
            for left, right in zip(*way, strict=True)
        )
        for way in ways
    ]


def bounded_pair(rng: random.Random, largest: Fraction, size: int) -> Pair:
    """Two laws whose ratios lie in [1/largest, largest], often at its ends."""
    q = masses(rng, size)
    ends = (1 / largest, largest)
    wished = [
        rng.choice(
            (
                *ends,
                Fraction(1),
                ends[0] + (ends[1] - ends[0]) * Fraction(rng.randint(0, 8), 8),
            )
        )
        for _ in q
    ]
    mean = sum(
        (mass * ratio for mass, ratio in zip(q, wished, strict=True)), Fraction(0)
    )
    changes = [ratio - mean for ratio in wished]
    room = [(ends[1] - 1) / c if c > 0 else (ends[0] - 1) / c for c in changes if c]
    step = (
        min([Fraction(1), *room])
        if rng.random() < 0.5
        else min(room, default=Fraction(0))
    )
    return Pair(
        tuple(
            mass * (1 + step * change) for mass, change in zip(q, changes, strict=True)
        ),
        q,
    )


def adaptive_pair(rng: random.Random, largest: Fraction, size: int, depth: int) -> Pair:
    """A pair of laws of ``depth`` releases, each chosen by an adversary who has seen the ones
    before.
    """
    first = bounded_pair(rng, largest, size)
    if depth == 1:
        return first
    p = list[Fraction]()
    q = list[Fraction]()
    for a, b in zip(first.p, first.q, strict=True):
        then = adaptive_pair(rng, largest, size, depth - 1)
        p += [a * mass for mass in then.p]
        q += [b * mass for mass in then.q]
    return Pair(tuple(p), tuple(q))


def data_set(rng: random.Random, values: int, size: int) -> tuple[int, ...]:
    """A data set of that many rows, each one of ``values`` values."""
    return tuple(rng.randrange(values) for _ in range(size))


def rational_growth(epsilon: Expr) -> Fraction | None:
    """exp(epsilon) for the logarithm of a rational number of at least 1, and for 0; else None."""
    if epsilon == ZERO:
        return Fraction(1)
    if not isinstance(epsilon, Apply) or epsilon.function != "log":
        return None
    [inside] = epsilon.arguments
    return inside.value if isinstance(inside, Rational) and inside.value >= 1 else None
