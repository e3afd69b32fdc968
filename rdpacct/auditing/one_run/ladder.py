"""Weights for several half planes of a claim at once: a search in floats that decides nothing.

The checker works out what the weights show. They are best near those of the worst mechanism: the
law of the number of right guesses whose excess over each half plane is all that the claim allows.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.exact.bound import decimal_up
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.proof.audit.one_run_levels import CertifiedLadder, LadderStep
from rdpacct.proof.check.effort import Rejected

MOST_GUESSES = 2000
"""With more guesses, one half plane is almost as good, and doubles are too coarse for the search.
"""
ROUNDS = 3
HALVINGS = 60
NEGLIGIBLE = 1e-18
SLACKS = (1e-9, 1e-6, 1e-3)
"""The weights are raised by these shares, one after the other, until the checker accepts them."""
DIGITS = 15
LEAST_START = 1e-60
"""A start that is smaller than this is not worth its digits in a certificate."""


def best_ladder(
    run: CanaryGuesses, planes: Sequence[HalfPlane], sharing: int
) -> CertifiedLadder | None:
    """The best weights that are found, accepted by the checker; None if there are none."""
    if run.correct == 0 or run.guesses > MOST_GUESSES or len(planes) < 2:
        return None
    ordered = sorted(planes, key=lambda plane: plane.growth)
    best: CertifiedLadder | None = None
    for start, weights in _LadderSearch(run, ordered).candidates():
        ladder = _accepted(run, ordered, start, weights, sharing)
        if ladder is not None and (best is None or ladder.chance() < best.chance()):
            best = ladder
    return best


def _accepted(
    run: CanaryGuesses,
    planes: list[HalfPlane],
    start: float,
    weights: list[float],
    sharing: int,
) -> CertifiedLadder | None:
    """The ladder with these weights, raised a little; None if the checker finds them too small."""
    least = max(weights) * NEGLIGIBLE
    for slack in SLACKS:
        steps = tuple(
            LadderStep(plane, _raised(weight, slack))
            for plane, weight in zip(planes, weights, strict=True)
            if weight > least
        )
        ladder = CertifiedLadder(
            run.canaries,
            run.guesses,
            run.correct,
            str(run.sides),
            min(_raised(max(start, LEAST_START), slack), Fraction(1)),
            steps,
            sharing,
        )
        try:
            ladder.chance()
        except Rejected:
            continue
        return ladder
    return None


def _raised(value: float, share: float) -> Fraction:
    return Fraction(decimal_up(Fraction(value * (1 + share)), DIGITS))


@dataclass
class _LadderSearch:
    """The law of the worst mechanism, and the weights that fit to it."""

    run: CanaryGuesses
    planes: list[HalfPlane]

    def __post_init__(self) -> None:
        leaked = self.run.canaries * self.run.kinds / 2
        self.odds = [float(plane.growth) for plane in self.planes]
        self.leaks = [leaked * float(plane.slack) for plane in self.planes]

    def candidates(self) -> Iterator[tuple[float, list[float]]]:
        """Weights from a few rounds, in which the law from v on is taken from the last ones."""
        r, v = self.run.guesses, self.run.correct
        ratios = [v / (r - v + 1)] * (r + 1)
        for _ in range(ROUNDS):
            above = self._law_above(ratios)
            chosen = self._chosen(above)
            fitted = self._fitted(chosen)
            if fitted is None:
                return
            start, weights, ratios = fitted
            yield start, weights

    def _law_above(self, ratios: list[float]) -> list[float]:
        """The law of the number of right guesses, given that it is at least v, if one more is this
        many times as likely as for a coin alone.
        """
        r, v = self.run.guesses, self.run.correct
        law = [1.0]
        for w in range(v + 1, r + 1):
            law.append(law[-1] * ratios[w] * (r - w + 1) / w)
            if law[-1] < NEGLIGIBLE:
                break
        whole = sum(law)
        return [mass / whole for mass in law]

    def _chosen(self, above: list[float]) -> list[int]:
        """Which half plane is the binding one between w and w + 1, for each w below v: that of the
        law that has mass 1 in all.
        """
        r, v = self.run.guesses, self.run.correct
        beyond = [
            sum(
                max(0.0, (v + k) * above[k] - odds * (r - v - k + 1) * above[k - 1])
                for k in range(1, len(above))
            )
            for odds in self.odds
        ]
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self._walk(middle, beyond, above[0])[0] > 1:
                high = middle
            else:
                low = middle
        return self._walk(high, beyond, above[0])[1]

    def _walk(
        self, top: float, beyond: list[float], at_v: float
    ) -> tuple[float, list[int]]:
        """The mass of the law that has the mass ``top`` from v on and as little as is possible
        below, and the binding half planes.
        """
        r, v = self.run.guesses, self.run.correct
        right = v * top * at_v
        wrong = 0.0
        mass = top
        binding = [0] * v
        level = len(self.odds) - 1
        for w in range(v - 1, -1, -1):
            need = (right + top * beyond[level] - self.leaks[level]) / self.odds[level]
            while level > 0:
                rest = right + top * beyond[level - 1] - self.leaks[level - 1]
                if rest / self.odds[level - 1] < need:
                    break
                level -= 1
                need = rest / self.odds[level]
            binding[w] = level
            more = max(0.0, need - wrong) / (r - w)
            wrong = max(wrong, need)
            right += w * more
            mass += more
            if mass > 1:
                binding[:w] = [level] * w
                break
        return mass, binding

    def _fitted(
        self, binding: list[int]
    ) -> tuple[float, list[float], list[float]] | None:
        """The start and the weights that reach from 0 to r with these half planes, and the ratios
        of the law from v on.
        """
        r, v = self.run.guesses, self.run.correct
        weights = [0.0] * len(self.odds)
        total = height = 0.0
        for w in range(v):
            level = binding[w]
            room = (w * total + 1) / (r - w)
            more = max(0.0, (room - height) / self.odds[level])
            weights[level] += more
            total += more
            height += more * self.odds[level]
        if not math.isfinite(height):
            return None
        filled = _Filled(self.odds, weights)
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            needed = filled.needed(r, v, middle)
            if needed is not None and needed[-1] <= middle * total:
                high = middle
            else:
                low = middle
        path = filled.needed(r, v, high)
        if path is None:
            return None
        ratios = [0.0] * (r + 1)
        for w in range(v + 1, r + 1):
            ratios[w] = filled.slope(path[r - w] / high)
        return high, [high * weight for weight in weights], ratios


class _Filled:
    """Weights in the order of their odds, for a start of 1."""

    def __init__(self, odds: list[float], weights: list[float]) -> None:
        self.totals = [0.0]
        self.heights = [0.0]
        self.odds: list[float] = []
        for each, weight in zip(odds, weights, strict=True):
            if weight > 0:
                self.odds.append(each)
                self.totals.append(self.totals[-1] + weight)
                self.heights.append(self.heights[-1] + weight * each)

    def slope(self, total: float) -> float:
        """The odds of the last part of a total."""
        k = bisect_left(self.totals, total)
        return self.odds[min(max(k - 1, 0), len(self.odds) - 1)]

    def needed(self, r: int, v: int, start: float) -> list[float] | None:
        """The totals that the numbers r, r - 1, ..., v need; None if there is not enough."""
        total = (1 - start) / r
        path = [total]
        for w in range(r - 1, v - 1, -1):
            if start == 0 or total / start > self.totals[-1]:
                return None
            k = max(0, bisect_left(self.totals, total / start) - 1)
            rest = total / start - self.totals[k]
            grown = start * (self.heights[k] + rest * self.odds[k])
            total = (1 - start + (r - w) * grown) / w
            path.append(total)
        return path
