"""Adversaries that really choose: the best of concrete pairs, release by release, in doubles.

A loss is pooled into finitely many outcomes, which only an adversary who looks less closely would
do; so what is found is attained, up to rounding.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from rdpacct.privacy.grid import span
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom

CELLS = 64
BITS = 96
NEGLIGIBLE = Fraction(1, 2**40)
PlannedOutcomes: TypeAlias = list[tuple[float, float]]
"""The probabilities of each outcome under P and Q."""


def pooled(loss: PrivacyLoss) -> PlannedOutcomes:
    """The atoms of a loss, its other parts in cells, and the mass at infinity."""
    atoms = [part for part in loss.parts if isinstance(part, Atom)]
    others = [part for part in loss.parts if not isinstance(part, Atom)]
    outcomes = [(float(atom.p.ball(BITS)), float(atom.q.ball(BITS))) for atom in atoms]
    outcomes.append((float(loss.at_infinity.ball(BITS)), 0.0))
    if others:
        low, high = span(others, NEGLIGIBLE)
        edges = _edges(low, high)
        rows = [part.cells(edges, BITS) for part in others]
        outcomes += [
            (sum(float(p) for p, _ in cell), sum(float(q) for _, q in cell))
            for cell in zip(*rows, strict=True)
        ]
    return [(p, q) for p, q in outcomes if p > 0]


def _edges(low: Fraction, high: Fraction) -> list[Fraction]:
    """Evenly spaced ones, and others that are denser at 0, where the losses of a small rate lie."""
    even = {low + (high - low) * k / CELLS for k in range(CELLS + 1)}
    size = max(abs(low), abs(high))
    near = {
        sign * size * Fraction(4, 5) ** k for k in range(CELLS // 2) for sign in (-1, 1)
    }
    return sorted(even | {edge for edge in near if low < edge < high})


def stick(pair: PlannedOutcomes, growth: float) -> float:
    """delta of one release of a pair."""
    return math.fsum(max(p - growth * q, 0.0) for p, q in pair)


def best(pairs: Sequence[PlannedOutcomes], growth: float) -> float:
    """delta of one release with the best of several pairs."""
    return max((stick(pair, growth) for pair in pairs), default=0.0)


def best_after(
    first: PlannedOutcomes, pairs: Sequence[PlannedOutcomes], growth: float
) -> float:
    """delta of a pair, and of the best of several pairs chosen after each of its outcomes."""
    return math.fsum(p * best(pairs, growth * q / p) for p, q in first)


def best_twice(
    pairs: Sequence[PlannedOutcomes], growth: float, oriented: bool
) -> float:
    """delta of two releases with the best choices; of the same pair twice if the losses are
    oriented.
    """
    return max(
        (best_after(first, [first] if oriented else pairs, growth) for first in pairs),
        default=0.0,
    )
