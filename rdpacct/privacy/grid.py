"""A law of losses on a grid: one that certainly dominates it, and one that it certainly dominates.

Let p and q be the masses of a cell of losses between x and x + step. Above, the cell is replaced by
atoms at its two ends that keep p and q: a hockey stick is convex in exp(-L), so that its chord over
the cell lies above it (connecting the dots). Below, the cell is pooled into one outcome, whose loss
is log(p/q), and that loss is then lowered.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import powers, real
from rdpacct.privacy.parts import Part
from rdpacct.provenance import by
from rdpacct.work import spend

BITS = 256
"""The precision at which cells are filled: masses down to 2**-200 keep their size."""
NEGLIGIBLE = Fraction(1, 2**160)
"""The most mass under P that may lie beyond the grid of an unbounded loss."""
FINE = Fraction(1, 2**60)
FARTHEST = 2**40
CELL_WORK = 20
"""The work of a cell of one part, and of both its laws."""


@dataclass(frozen=True)
class Masses:
    """Masses under P at ``origin + k step`` for k = 0, 1, ..., some beside the grid, and one at
    infinity.
    """

    origin: Fraction
    step: Fraction
    masses: list[RealBall]
    beside: list[tuple[RealBall, RealBall]]
    """Masses with their losses."""
    infinite: RealBall


@dataclass(frozen=True)
class Cells:
    """The masses under P and Q of the losses in each cell, below the first one and above the last
    one.
    """

    origin: Fraction
    step: Fraction
    inside: list[tuple[RealBall, RealBall]]
    before: tuple[RealBall, RealBall] | None
    """None if no loss is smaller."""
    beyond: tuple[RealBall, RealBall] | None

    @classmethod
    def of(
        cls,
        parts: Sequence[Part],
        origin: Fraction,
        step: Fraction,
        count: int,
        bits: int = BITS,
    ) -> "Cells":
        """The cells of several parts together, at a precision."""
        spend(CELL_WORK * count * (1 + len(parts)))
        edges = [origin + step * k for k in range(count + 1)]
        rows = [part.cells(edges, bits) for part in parts]
        with precision(bits):
            inside = [_total([row[k + 1] for row in rows]) for k in range(count)]
            ends = [_reaches(parts, edges[0], 0), _reaches(parts, edges[-1], 1)]
            before = _total([row[0] for row in rows]) if ends[0] else None
            beyond = _total([row[-1] for row in rows]) if ends[1] else None
        return cls(origin, step, inside, before, beyond)

    @by("engine/connect-the-dots")
    def above(self) -> Masses:
        """Each cell moved to its two ends, keeping its masses under P and under Q."""
        start = real(self.origin)
        step = real(self.step)
        growth = powers(step.exp(), len(self.inside) + 1)
        shorter = 1 - (-step).exp()
        first = start.exp()
        nothing = real(0)
        infinite = real(0)
        moved = [
            ((p - q * first * g) / shorter).max(nothing).min(p)
            for (p, q), g in zip(self.inside, growth, strict=False)
        ]
        masses = [p - m for (p, _), m in zip(self.inside, moved, strict=True)]
        masses = [
            x + m for x, m in zip([*masses, nothing], [nothing, *moved], strict=True)
        ]
        if self.before is not None:
            masses[0] = masses[0] + self.before[0]
        if self.beyond is not None:
            p, q = self.beyond
            at_end = (q * first * growth[-1]).min(p)
            masses[-1], infinite = masses[-1] + at_end, (p - at_end).max(real(0))
        return Masses(self.origin, self.step, masses, [], infinite)

    @by("engine/connect-the-dots")
    def below(self) -> Masses:
        """Each cell pooled, and its loss lowered to a little below the middle, or to the middle of
        the cell before.
        """
        start = real(self.origin)
        step = real(self.step)
        quarter = real(self.step / 4)
        pooled = [
            (p / q).log() - start - step * k if p > 0 and q > 0 else None
            for k, (p, q) in enumerate(self.inside)
        ]
        # the cells at the ends may be filled in part only; they should not lower all the others
        short = [
            float(2 * quarter - gap)
            for gap in pooled[2:-2]
            if gap is not None and gap > quarter
        ]
        lowered = (
            max(Fraction(max(short, default=0.0)), Fraction(0)) + self.step / 2**40
        )
        least = real(self.step / 2 - lowered)
        masses = [real(0)] * (len(pooled) + 1)
        for k, ((p, _), gap) in enumerate(zip(self.inside, pooled, strict=True)):
            reached = gap is not None and gap >= least
            masses[k + reached] = masses[k + reached] + p
        beside = []
        if self.beyond is not None:
            masses[-1] = masses[-1] + self.beyond[0]
        if self.before is not None:
            if not (self.before[0] > 0 and self.before[1] > 0):
                raise UndecidedError(
                    "the mass of the losses below the grid could not be enclosed."
                )
            beside.append((self.before[0], (self.before[0] / self.before[1]).log()))
        return Masses(
            self.origin - self.step / 2 - lowered, self.step, masses, beside, real(0)
        )


def span(
    parts: Sequence[Part], negligible: Fraction = NEGLIGIBLE
) -> tuple[Fraction, Fraction]:
    """Where the grid of some parts begins and ends: their range, cut where little mass lies
    beyond.
    """
    lows, highs = zip(*(part.range() for part in parts), strict=True)
    low = min(
        (
            Fraction(e.ball(128).lower())
            if isinstance(e, Expr)
            else _reach(parts, -1, negligible)
        )
        for e in lows
    )
    high = max(
        (
            Fraction(e.ball(128).upper())
            if isinstance(e, Expr)
            else _reach(parts, 1, negligible)
        )
        for e in highs
    )
    return _floor(low), _floor(high) + FINE


def _floor(number: Fraction) -> Fraction:
    return math.floor(number / FINE) * FINE


def _reach(parts: Sequence[Part], side: int, negligible: Fraction) -> Fraction:
    """A point beyond which little mass lies."""
    level = Fraction(1)
    whole = sum((part.mass(BITS) for part in parts), start=Ball.of(0, BITS))
    while level < FARTHEST:
        above = sum(
            (part.tail(side * level, BITS) for part in parts), start=Ball.of(0, BITS)
        )
        if ((above if side > 0 else whole - above) - negligible).certainly_negative():
            return side * level
        level = level * 5 / 4
    raise UndecidedError(f"the losses reach beyond {FARTHEST}, too far for a grid.")


def _reaches(parts: Sequence[Part], edge: Fraction, side: int) -> bool:
    """Whether some loss may lie beyond an edge of the grid."""
    for part in parts:
        end = part.range()[side]
        if not isinstance(end, Expr):
            return True
        if (
            not (end - edge if side else edge - end)
            .ball(BITS)
            .bound()
            .certainly_at_most(0)
        ):
            return True
    return False


def _total(shares: Sequence[tuple[RealBall, RealBall]]) -> tuple[RealBall, RealBall]:
    p, q = shares[0]
    for more in shares[1:]:
        p = p + more[0]
        q = q + more[1]
    return p, q
