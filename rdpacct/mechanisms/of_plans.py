"""What a mechanism says of plans that it holds; by default it holds none."""

from typing import TYPE_CHECKING, ClassVar, Self

from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile

if TYPE_CHECKING:
    from rdpacct.mechanisms.mechanism import Plan


class OfPlans:
    """A mechanism some of whose fields may hold a plan of several releases."""

    of_plans: ClassVar[tuple[str, ...]] = ()
    """Which of its fields do."""

    def unknown_plan(self) -> "Plan | None":
        """A plan inside of it whose profile composition is to tell it; None if there is none."""
        return None

    def knowing(self, profile: Profile, occurring: tuple[Loss, ...]) -> Self:  # noqa: ARG002
        """The same, knowing the profile of that plan and losses of it that can happen."""
        return self
