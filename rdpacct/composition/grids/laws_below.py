"""A law on the middles of the cells of a grid that is certainly below a law of losses.

The profile of a pair is the largest P(event) - g Q(event) over all events. So each event is a line
that lies nowhere above it. With the losses above each point of a grid as events, the dots at the
middles of the cells that are on or below the lines of both ends have a polygon below the profile.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rdpacct.composition.grids.knots import Dots, law_through
from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import powers, real
from rdpacct.privacy.grid import Cells, Masses
from rdpacct.provenance import by

OFF = 0.05
"""How far from the middle of its cell a pooled loss is, in cells, if it may stand for itself."""
LIGHT = 1e-10
"""A cell with less than this share of the tilted mass never stands for itself."""


@by("engine/lines")
def event_line(p: RealBall, q: RealBall, g: RealBall) -> RealBall:
    """At most the profile at g = exp(epsilon): what an event of these probabilities shows."""
    return p - g * q


@by("engine/lines")
def dot_below(
    one: tuple[RealBall, RealBall], other: tuple[RealBall, RealBall], g: RealBall
) -> RealBall:
    """The lower of the lines of two events at g."""
    return event_line(*one, g).min(event_line(*other, g))


def line_dots(
    middles: Sequence[RealBall], tails: Sequence[tuple[RealBall, RealBall]]
) -> Dots:
    """Dots of a polygon that is nowhere above a profile, at the middles between the points whose
    tails under P and Q are given: each is on or below the lines of both points beside it.

    From the first dot below 0 on they are left out, and the last of the others is lowered to 0.
    """
    dots: Dots = []
    for middle, one, other in zip(middles, tails[:-1], tails[1:], strict=True):
        lowest = dot_below(one, other, middle).lower()
        if not lowest >= 0:
            break
        dots.append((middle, lowest))
    if dots:
        dots[-1] = (dots[-1][0], real(0))
    return dots


@dataclass(frozen=True)
class LawBelow:
    """The cells of a law, some of which stand for themselves with their pooled losses."""

    cells: Cells
    alone: tuple[int, ...] = ()

    def law(self) -> Masses:
        """Masses at the middles of the cells, and beside the grid those of the pooled cells."""
        cells = self.cells
        alone = set(self.alone)
        nothing = real(0), real(0)
        rows = [nothing if k in alone else row for k, row in enumerate(cells.inside)]
        origin = cells.origin + cells.step / 2
        # the last event is empty, so that the polygon ends at 0; losses beyond it only
        # count as those of the cell before
        tails = [nothing]
        p, q = cells.beyond or nothing
        for more_p, more_q in reversed(rows):
            p = p + more_p
            q = q + more_q
            tails.append((p, q))
        tails.reverse()
        first = real(origin).exp()
        growth = powers(real(cells.step).exp(), len(rows))
        whole = tails[0][0].lower()
        law = Masses(origin, cells.step, [real(0)], [], real(0))
        if whole > 0:
            scaled = [(p / whole, q / whole) for p, q in tails]
            dots = line_dots([first * g for g in growth], scaled)
            if dots:
                law = law_through(origin, cells.step, dots)
        masses = [mass * whole for mass in law.masses]
        beside = [pooled_cell(*cells.inside[k]) for k in self.alone]
        return replace(law, masses=masses, beside=beside, infinite=real(0))


@by("engine/lines")
def pooled_cell(p: RealBall, q: RealBall) -> tuple[RealBall, RealBall]:
    """The mass of a cell, and the loss of all its outcomes as one."""
    return p, (p / q).log()


def standing_alone(cells: Cells, tilt: float, most: int) -> tuple[int, ...]:
    """The cells whose losses are far from the middle, the heaviest first, up to a number."""
    step = float(cells.step)
    middle = float(cells.origin) + step / 2
    weights = []
    total = 0.0
    for k, (p, q) in enumerate(cells.inside):
        if not (p > 0 and q > 0):
            continue
        mass = float(p)
        ratio = mass / float(q) if mass > 1e-280 else 0.0
        if ratio <= 0 or not math.isfinite(ratio):
            continue
        loss = math.log(ratio)
        size = math.log(mass) + tilt * loss
        weights.append((size, abs(loss - middle - step * k) / step, k))
    if not weights:
        return ()
    top = max(size for size, _, _ in weights)
    total = sum(math.exp(size - top) for size, _, _ in weights)
    ranking = sorted(
        (math.exp(size - top) * off, k)
        for size, off, k in weights
        if off > OFF and math.exp(size - top) > LIGHT * total
    )
    return tuple(k for _, k in ranking[-most:]) if most else ()
