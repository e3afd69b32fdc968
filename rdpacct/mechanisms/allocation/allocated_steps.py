"""Steps of which one has the record, as a release of its own, seen from above or from below."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.allocation.allocation_laws import Laws, allocation_laws
from rdpacct.mechanisms.allocation.allocation_loss import AllocationLoss
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.grid import BITS
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by


@dataclass(frozen=True)
class _AllocatedSteps(Mechanism):
    """So many Gaussian steps, one of which has the record: laws that are certainly above those of
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
        """That of removing the record."""
        return allocated_loss(self.mechanism, self.steps)

    def profile(self) -> "AllocationProfile":
        return AllocationProfile(self.loss().directions())

    def directions(self) -> tuple[Direction, ...]:
        laws = allocated_laws(self.mechanism, self.steps)
        found = []
        for law in laws.above if self.above else laws.below:
            infinite = formula(Fraction(Ball(law.infinite, BITS).upper()))
            found.append(Direction(GridTransform((), self.above, law), infinite))
        return tuple(found)

    def __str__(self) -> str:
        side = "above" if self.above else "below"
        return f"one of {self.steps} steps of {self.mechanism}, {side}"


def allocated_loss(mechanism: Gaussian, steps: int) -> AllocationLoss:
    """The loss of removing the record that is in one of so many steps; reversed, of adding it."""
    laws = allocated_laws(mechanism, steps)
    removing, adding = (
        AllocationLoss(above, below, mechanism.loss())
        for above, below in zip(laws.above, laws.below, strict=True)
    )
    object.__setattr__(removing, "other", adding)
    object.__setattr__(adding, "other", removing)
    return removing


@by("sampling/random-allocation")
def allocated_laws(mechanism: Gaussian, steps: int) -> Laws:
    """The laws of the losses of so many steps, one of which has the record."""
    mechanism.directions()
    return allocation_laws(mechanism.shift, steps)


class AllocationProfile(Profile):
    """What is known of one release beside epsilon and delta, which a plan is asked for."""

    __slots__ = ()

    def centered_cdp(self) -> tuple[Bound, Bound]:
        raise UndecidedError(_UNKNOWN.format("tau"))

    def one_sided_tau(self) -> Bound:
        raise UndecidedError(_UNKNOWN.format("tau"))

    def gaussian_mu(self) -> Bound:
        raise UndecidedError(_UNKNOWN.format("mu"))


_UNKNOWN = "{} is not known of random allocation; ask for epsilon."
