"""Plans with mechanisms that hold plans themselves: what is known of the plans inside."""

from collections.abc import Callable, Iterator

from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile


def knowing_runs(plan: Plan, profile: Callable[[Plan], Profile]) -> Plan:
    """The plan whose mechanisms know the profiles of the plans inside of them."""
    releases = [
        (_knowing(mechanism, profile), count) for mechanism, count in plan.terms
    ]
    return Plan.counted(releases).resting_on(plan.rests_on)


def _knowing(mechanism: Mechanism, profile: Callable[[Plan], Profile]) -> Mechanism:
    inside = mechanism.unknown_plan()
    if inside is None:
        return mechanism
    known = profile(inside)
    return mechanism.knowing(known, tuple(_below(_occurring(known))))


def _occurring(profile: Profile) -> tuple[Loss, ...]:
    """The losses of a profile that can happen; none if it has only upper bounds."""
    only_above = type(profile).occurring is Profile.occurring
    if only_above and not profile.losses_occur:
        return ()
    return profile.occurring()


def _below(losses: tuple[Loss, ...]) -> Iterator[Loss]:
    """The losses below a sum that is only an upper bound; else the sum itself."""
    for loss in losses:
        if isinstance(loss, ComposedLoss) and loss.below:
            yield from _below(loss.below)
        else:
            yield loss
