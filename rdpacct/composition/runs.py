"""Plans with the best of several runs, each of which is a plan itself: what is known of one run."""

from collections.abc import Callable, Iterator

from rdpacct.composition.alternatives import AmongPlans
from rdpacct.composition.composed import ComposedLoss
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.selection.best_of_runs import BestRun
from rdpacct.mechanisms.selection.best_run_profile import BestRunProfile
from rdpacct.mechanisms.selection.one_run import KnownRun, says_all
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile


def knowing_runs(plan: Plan, profile: Callable[[Plan], Profile]) -> Plan:
    """The plan whose best runs know the profile of one run."""
    releases = [
        (_knowing(mechanism, profile), count) for mechanism, count in plan.terms
    ]
    return Plan.counted(releases).resting_on(plan.rests_on)


def _knowing(mechanism: Mechanism, profile: Callable[[Plan], Profile]) -> Mechanism:
    if not isinstance(mechanism, BestRun):
        return mechanism
    single = mechanism.run.single
    if single is not None and says_all(single):
        return mechanism
    of_run = profile(mechanism.run)
    return mechanism.knowing(KnownRun(of_run, tuple(_occurring(of_run))))


def _occurring(profile: Profile) -> Iterator[Loss]:
    """Losses that can happen: those of plans that can, where a profile is above several."""
    if isinstance(profile, AmongPlans):
        for below in profile.below:
            yield from _occurring(below)
    elif isinstance(profile, BestRunProfile):
        yield from profile.occurring
    elif profile.losses_occur:
        yield from _below(profile.losses)


def _below(losses: tuple[Loss, ...]) -> Iterator[Loss]:
    """Those below a sum, if it is only above what happens."""
    for loss in losses:
        if isinstance(loss, ComposedLoss) and loss.below:
            yield from _below(loss.below)
        else:
            yield loss
