"""Steps of which one has the record, as a release of its own, seen from above or from below."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, worst
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.allocation.allocation_laws import Laws, allocation_laws
from rdpacct.mechanisms.allocation.allocation_loss import AllocationLoss
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.grid import BITS
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.work import in_turn


@dataclass(frozen=True)
class _AllocatedSteps(Mechanism):
    """``steps`` Gaussian steps, one of which has the record: laws that are certainly above those of
    the losses, or certainly below.
    """

    mechanism: Gaussian
    steps: int
    above: bool
    relation: Relation
    oriented = True

    @property
    def by_moments(self) -> bool:
        """One release is answered as a composition."""
        return True

    def loss(self) -> AllocationLoss:
        """The loss of removing the record."""
        return allocated_loss(self.mechanism, self.steps)

    def profile(self) -> "AllocationProfile":
        ways = self.loss().both_ways()
        return AllocationProfile(ways, ways)

    def directions(self) -> tuple[Direction, ...]:
        laws = allocated_laws(self.mechanism, self.steps)
        directions = []
        for law in laws.above if self.above else laws.below:
            infinite = formula(Fraction(Ball(law.infinite, BITS).upper()))
            directions.append(Direction(GridTransform((), self.above, law), infinite))
        return tuple(directions)

    def __str__(self) -> str:
        side = "above" if self.above else "below"
        return f"one of {self.steps} steps of {self.mechanism}, {side}"


def allocated_loss(mechanism: Gaussian, steps: int) -> AllocationLoss:
    """The loss of removing a record that is in one of the steps; reversed, of adding it."""
    laws = allocated_laws(mechanism, steps)
    removing, adding = (
        AllocationLoss(above, below, mechanism.loss())
        for above, below in zip(laws.above, laws.below, strict=True)
    )
    object.__setattr__(removing, "other", adding)
    object.__setattr__(adding, "other", removing)
    return removing


def allocated_laws(mechanism: Gaussian, steps: int) -> Laws:
    """The laws of the losses of several steps, one of which has the record."""
    mechanism.directions()
    return allocation_laws(mechanism.shift, steps)


@dataclass(frozen=True, slots=True)
class AllocationProfile(Profile):
    """The answers of one release that need no composition, in each direction; a plan is asked for
    epsilon.
    """

    ways: tuple[AllocationLoss, ...] = ()

    def way(self, number: int) -> Profile:
        self._check_losses()
        losses = (self.ways[min(number, len(self.ways) - 1)],)
        return AllocationProfile(losses, losses)

    def _check_losses(self) -> None:
        if not self.ways:
            raise UndecidedError(
                "only epsilon and delta are known of a record in several batches; ask for"
                " these."
            )

    def _worst(self, question: Callable[[Loss], Bound]) -> Bound:
        self._check_losses()
        return worst(in_turn(question, self.ways))

    def max_divergence(self) -> Bound:
        return Bound.exactly(math.inf, "losses are unbounded")

    def centered_cdp(self) -> tuple[Bound, Bound]:
        raise UndecidedError(_UNKNOWN.format("tau"))

    def one_sided_tau(self) -> Bound:
        raise UndecidedError(_UNKNOWN.format("tau"))

    def gaussian_mu(self) -> Bound:
        raise UndecidedError(_UNKNOWN.format("mu"))


_UNKNOWN = "{} is not known of random allocation; ask for epsilon."
