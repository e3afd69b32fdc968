"""The least law that dominates several losses, as a loss to compose.

Its profile and its tails are those of the losses. Its transform is not known on a line, so that it
is composed by its cells and by its profile.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, ComplexBall, RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ZERO, Expr, Scalar
from rdpacct.exact.raw import current_bits, error, real
from rdpacct.privacy.constants import value
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.grid import span
from rdpacct.privacy.grid_transform import dominating_direction
from rdpacct.privacy.highest import Highest
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Part
from rdpacct.privacy.transform import NATS, Direction, Nodes, Transform
from rdpacct.provenance import built_by, by, planning
from rdpacct.work import Exhausted, spend

PLANNED_CELLS, PLANNED_BITS = 256, 128
"""How many cells a plan cuts the law into, and their precision."""
FAR = Fraction(1, 2**100)
"""The mass that may lie beyond the planned cells."""
MOMENT_WORK = 100_000
"""The work of a moment."""
NEAR_TOP = Fraction(2)
"""How far below the largest loss it is likely to be, by the scale of a tilt."""
STEEP = 60
"""A moment is not integrated if the logarithm of its largest value exceeds this."""


@dataclass(frozen=True, eq=False)
class LeastLawTransform(Transform):
    """The least law that dominates several losses, of which cells and profile are known."""

    has_nodes = False
    plan_work = 60

    law: Highest

    @property
    def profile_work(self) -> int:  # type: ignore[override]
        """The work of the tails of all losses."""
        return self.law.edge_work

    @cached_property
    @planning
    def _cells(self) -> list[tuple[float, float]]:
        """The law on a coarse grid, in doubles: losses and the logarithms of their masses."""
        low, high = span([self.law], FAR)
        step = (high - low) / PLANNED_CELLS
        edges = [low + step * k for k in range(PLANNED_CELLS + 1)]
        masses = self.law.cells(edges, PLANNED_BITS)[1:-1]
        rows = [
            (float(edge + step / 2), float(p))
            for edge, (p, _) in zip(edges, masses, strict=False)
        ]
        return [(loss, math.log(p)) for loss, p in rows if p > 0]

    def pay_for_plans(self) -> None:
        _ = self._cells

    def planned(self, tilt: float) -> float:
        logs = [log + tilt * loss for loss, log in self._cells]
        top = max(logs)
        return top + math.log(math.fsum(math.exp(log - top) for log in logs))

    def profile(self, epsilon: RealBall) -> RealBall:
        spend(self.law.edge_work)
        return self.law.profile(epsilon) - value(self.law.infinite)

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        """A bound on the moment at one real point; no method asks for others."""
        if nodes.count > 1:
            raise Exhausted
        if self.law.infinite != ZERO:
            return [error(real(math.inf)) + nodes.points[0] * 0]
        moments = [_moment(loss, nodes, nats) for loss in self.law.losses]
        largest = reduce(lambda x, y: x.max(y), moments)
        return [largest.union(most_together(moments)) + nodes.points[0] * 0]

    def top(self) -> RealBall | None:
        largest = self.law.range()[1]
        return value(largest) if isinstance(largest, Expr) else None

    def planned_top(self) -> float:
        largest = self.law.range()[1]
        return float(largest.ball(64)) if isinstance(largest, Expr) else math.inf


@by("profile/highest")
def most_together(moments: Sequence[Scalar]) -> Scalar:
    """An upper bound on E exp(t L), t > 0, of the least law that dominates several losses: 1 plus
    the excess of each of their moments over 1; balls or formulas.
    """
    total = moments[0]
    for moment in moments[1:]:
        total = total + (moment - 1)
    return total


def _moment(loss: PrivacyLoss, nodes: Nodes, nats: float) -> RealBall:
    """The moment of the finite losses at a real point, or every number."""
    transform = loss.forms.transform
    if transform is not None:
        return transform.at(nodes, nats)[0].real
    bits = current_bits()
    spend(MOMENT_WORK)
    ball = Ball(nodes.tilt, bits)
    low = Fraction(ball.lower())
    if low != ball.upper():
        return error(real(math.inf))
    try:
        moments = [_moment_of(part, low, bits) for part in loss.parts]
    except UndecidedError:
        return error(real(math.inf))
    return sum(moments[1:], start=moments[0]) if moments else real(0)


def _moment_of(part: Part, rate: Fraction, bits: int) -> RealBall:
    """The moment of a part; where a quadrature would hardly find it, from its largest loss and how
    likely losses near that are.
    """
    top = part.range()[1]
    if not isinstance(top, Expr) or rate * float(top.ball(64)) < STEEP:
        return part.moment(rate, bits).raw
    most = (rate * top).ball(bits).exp() * part.mass(bits)
    near = Fraction(top.ball(bits).lower()) - NEAR_TOP / rate
    least = part.tail(near, bits) * Ball.of(rate * near, bits).exp()
    return least.raw.union(most.raw)


@by("profile/highest")
def least_law(losses: Sequence[PrivacyLoss]) -> PrivacyLoss:
    """The least law that dominates several losses: at each epsilon one of them has its delta."""
    law = Highest(tuple(losses))
    return PrivacyLoss(
        (law,),
        law.infinite,
        law.unseen,
        forms=Forms(transform=LeastLawTransform(law)),
        rests_on=built_by().union(*(loss.rests_on for loss in losses)),
    )


def chosen_direction(losses: Sequence[PrivacyLoss]) -> Direction:
    """The direction of a release with one of these losses, of which each occurs, and whose profile
    is the largest of theirs.
    """
    law = least_law(losses)
    last = law.direction()
    below = tuple(loss.direction() for loss in losses)
    on_grid = dominating_direction(
        [(loss.parts, loss.at_infinity) for loss in losses], below
    )
    return replace(
        on_grid,
        last=replace(last, loss=law),
        rests_on=last.rests_on.union(*(direction.rests_on for direction in below)),
    )
