"""The transform of a privacy loss, M(z) = E exp(z L) on a vertical line: what composition
multiplies.

Every method with raw values runs at the current precision and returns balls that contain the
true value. The ``planned`` methods work in doubles; they steer the engine and never enter an
answer.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.raw import real, row_product
from rdpacct.privacy.apart import Apart
from rdpacct.privacy.cases import Case
from rdpacct.privacy.closed_curve import ClosedCurve
from rdpacct.privacy.cut import EVERYWHERE, Cut, LossRange
from rdpacct.privacy.family import Family
from rdpacct.privacy.lattice_law import LatticeLaw
from rdpacct.privacy.nodes import NATS as NATS
from rdpacct.privacy.nodes import Nodes as Nodes
from rdpacct.privacy.patterns import Column
from rdpacct.provenance import built_by, by

if TYPE_CHECKING:
    from rdpacct.privacy.any_loss import Loss
    from rdpacct.privacy.profile import Profile
    from rdpacct.privacy.ratios import Ratios


class Transform(ABC):
    """M(z) = E exp(z L) over the finite losses L, for Re z > 0."""

    node_by_node = True
    """Whether each node is evaluated on its own, so that some of them may be left out."""

    has_nodes: ClassVar[bool] = True
    """Whether it is known at nodes of a line; if not, a loss is composed by its cells and its
    profile.
    """
    plan_work, cost_work = 3, 4.0
    """The work of one planned value, and of a node for each unit of its cost."""
    profile_work: ClassVar[int] = 15
    """The work of one value of its profile, where that has a closed form."""

    def cost(self, tilt: float, height: float) -> float:  # noqa: ARG002
        """How long a node takes if the nodes reach up to a height, about, in units of a closed
        form.
        """
        return 1.0

    def node_work(self, tilt: float, height: float, count: int) -> float:  # noqa: ARG002
        """The work of a node if this many of them reach up to a height."""
        return self.cost_work * self.cost(tilt, height)

    @abstractmethod
    def planned(self, tilt: float) -> float:
        """log M(tilt), about."""

    def pay_for_plans(self) -> None:  # noqa: B027
        """Pay for what ``planned`` has kept and takes counted work, where its value is known."""

    @classmethod
    def planned_sum(cls, group: Sequence[Self], tilt: float) -> float:
        """The sum of ``planned`` over several transforms of this kind."""
        return math.fsum([transform.planned(tilt) for transform in group])

    def planned_decay(self, tilt: float, height: float) -> float:  # noqa: ARG002
        """About the logarithm of ``decay`` over M(tilt)."""
        return 0.0

    @abstractmethod
    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        """M at each node; the first is real and positive.

        Where a value is itself computed by quadrature, its error is to be this many nats below
        M(tilt).
        """

    @classmethod
    def product(
        cls, group: Sequence[Self], nodes: Nodes, nats: float = NATS
    ) -> list[ComplexBall]:
        """The product of several transforms of this kind at each node."""
        if len(group) == 1:
            return group[0].at(nodes, nats)
        return row_product(transform.at(nodes, nats) for transform in group)

    def decay(
        self,
        tilt: RealBall,  # noqa: ARG002
        height: RealBall,  # noqa: ARG002
        value: RealBall,
        nats: float = NATS,  # noqa: ARG002
    ) -> RealBall:
        """A bound on |M(tilt + i y)| for all y >= height, where ``value`` is M(tilt): itself, if
        nothing better.
        """
        return value

    def lattice(self) -> tuple[Expr, tuple[Expr, ...]] | None:
        """A loss, and distances of which every other loss is a sum of multiples away; None if that
        is not known.
        """
        return None

    def planned_lattice_decay(
        self,
        tilt: float,  # noqa: ARG002
        height: float,  # noqa: ARG002
        spacing: float,  # noqa: ARG002
    ) -> float:
        """About the logarithm of ``lattice_decay``."""
        return 0.0

    def lattice_decay(
        self,
        tilt: RealBall,  # noqa: ARG002
        height: RealBall,  # noqa: ARG002
        spacing: Expr,  # noqa: ARG002
    ) -> RealBall:
        """A bound on |M(tilt + i y)|/M(tilt) for height <= y <= pi/spacing, for losses on a
        lattice.
        """
        return real(1)

    def planned_points(self, tilt: float, count: int, nats: float) -> float:  # noqa: ARG002
        """About how many points of its lattice a sum of ``count`` draws has within this many nats;
        infinite if there is no lattice.
        """
        return math.inf

    def lattice_law(self, tilt: RealBall, nats: float) -> LatticeLaw | None:  # noqa: ARG002
        """The tilted law on the coarsest lattice that holds it, without what is far more than this
        many nats below.
        """
        return None

    merges: ClassVar[bool] = False
    """Whether draws of this kind add up to one of its kind, which ``together`` gives."""
    smooths: ClassVar[bool] = False
    """Whether a sum with such a loss is so smooth that none of the others is cut into cells."""
    cut_last: ClassVar[bool] = False
    """Whether it is better to cut another loss into cells than this one."""
    gridded: ClassVar[bool] = False
    """Whether the law is on a grid, which takes time to fill."""

    @property
    def rounds(self) -> bool:
        """Whether the law is that of a loss rounded to a grid, which is only above or below it."""
        return False

    def rounds_as(self, other: "Transform") -> bool:  # noqa: ARG002
        """Whether the other one is that of the same loss, rounded to a grid the other way."""
        return False

    def atoms(self) -> list[tuple[RealBall, RealBall]] | None:
        """The mass and the value of each loss, if there are finitely many; None otherwise."""
        return None

    @property
    def planned_last(self) -> float | None:
        """The largest tilt at which moments are bounded, if only moments are known."""
        return None

    @classmethod
    def together(cls, group: "Sequence[tuple[Self, int]]") -> "Transform":
        """One loss of this kind that is the sum of these draws, for kinds that merge."""
        raise NotImplementedError(f"draws of {cls.__name__} do not add up to one")

    def listed_points(self, count: int) -> float:  # noqa: ARG002
        """How many sums ``count`` draws have, if all are listed; infinite without atoms."""
        return math.inf

    def tilted_atoms(self, tilt: RealBall) -> list[tuple[RealBall, RealBall]]:
        """Each loss with its mass under the tilted law, for finitely many losses."""
        raise NotImplementedError(f"{type(self).__name__} has no atoms")

    def draws(self) -> "tuple[tuple[Transform, int], ...]":
        """The draws that this stands for: itself, if it is not that of a sum."""
        return ((self, 1),)

    def cases(self, count: int, log_least: float) -> list[Case] | None:  # noqa: ARG002
        """The draws as cases, without those far less likely than the least; None if there are too
        many, or the losses are of another kind.
        """
        return None

    def apart(self) -> Apart | None:
        """The pair behind the loss, if it is a sampled one whose two laws are far apart."""
        return None

    def closed_curve(self, count: int) -> ClosedCurve | None:  # noqa: ARG002
        """The profile of ``count`` draws in closed form at the current precision, or None."""
        return None

    def patterns(self, count: int) -> Column | None:  # noqa: ARG002
        """``count`` draws as patterns of an exact sum, if they have any."""
        return None

    def profile(self, epsilon: RealBall) -> RealBall | None:  # noqa: ARG002
        """delta(epsilon) of one draw, if it has a closed form."""
        return None

    def profiles(self, levels: Sequence[RealBall]) -> list[RealBall | None]:
        """delta at rising levels of epsilon."""
        return [self.profile(level) for level in levels]

    def planned_cells(self, losses: LossRange = EVERYWHERE) -> float:  # noqa: ARG002
        """The number of cells whose losses differ by about 1 into which the losses of one draw in
        a range can be cut; 0 if they cannot be.
        """
        return 0.0

    def cell_bits(self) -> int:
        """How many bits more than the accuracy of their masses the edges of cells take."""
        return 0

    def cells(
        self,
        number: int,
        losses: LossRange = EVERYWHERE,
    ) -> Cut:
        """A number of cells for a range of losses, and one on either side of it."""
        raise NotImplementedError(
            f"{type(self).__name__} cannot be cut into {number} cells"
        )

    def top(self) -> RealBall | None:
        """The largest loss, or None if it is not bounded."""
        return None

    def planned_top(self) -> float:
        """About the largest loss."""
        return math.inf

    def planned_bottom(self) -> float:
        """About the least loss, or minus infinity if that is not known."""
        return -math.inf


@by("engine/variance-decay")
def variance_decay(variance: RealBall, width: RealBall, height: RealBall) -> RealBall:
    """For height <= y <= pi/width: |phi(y)| of a law of this variance on an interval of this width
    is at most this.
    """
    return (
        (1 - 2 * variance * (1 - (height * width).cos()) / (width * width))
        .max(real(0))
        .sqrt()
    )


@by("engine/variance-decay")
def on_either_side(everywhere: RealBall, near: RealBall, beyond: RealBall) -> RealBall:
    """A bound for all heights, from one that holds at all of them, one up to a height, and one from
    that height on.
    """
    return everywhere.min(near.max(beyond))


@dataclass(slots=True, unsafe_hash=True)
class Direction:
    """One direction of a pair: the transform of its finite losses, if any, and the mass of infinite
    ones.

    Where it is above what a mechanism does, each of those ``below`` is certainly not. Where a
    release lets an adversary choose among several pairs, ``family`` has them all, and the transform
    is that of a law which dominates them. It is never changed; a plan makes so many that it is not
    frozen, which would take four times as long.
    """

    transform: Transform | None
    at_infinity: Expr = ZERO
    below: "tuple[Direction, ...]" = ()
    family: Family | None = None
    draws: "tuple[tuple[Direction, Callable[[], Loss | Profile], int], ...]" = field(
        default=(), compare=False
    )
    """The draws that a sum of losses is made of, with what answers for each; none for a single
    loss.
    """
    rests_on: frozenset[str] = field(default_factory=built_by, compare=False)
    """The theorems by which this stands for a release: those of the rule that built it."""
    loss: "Loss | Profile | None" = field(default=None, compare=False, repr=False)
    """What answers for this direction where it is below, if that is not the loss of the release
    itself.
    """
    last: "Direction | None" = field(default=None, compare=False, repr=False)
    """The least law that dominates all pairs, if at each epsilon a pair has its delta, or comes as
    near as one likes: what the release is where it runs last.
    """
    ratios: "Ratios | None" = field(default=None, compare=False, repr=False)
    """The pairs from which that of the release is chosen, if they differ by a ratio of scales."""
    instead: "Direction | None" = field(default=None, compare=False, repr=False)
    """Another pair that dominates the release; the sum that is lower counts."""
    beside_ramp: "Direction | None" = field(default=None, compare=False, repr=False)
    """A smaller pair that dominates the release beside a ramp, if one is known."""
