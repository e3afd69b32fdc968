"""The privacy of a mechanism whose worst pair is not known: between pairs that can happen and pairs
that dominate all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rdpacct.exact.bound import Bound, greatest, worst
from rdpacct.exact.number import Number
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, record
from rdpacct.work import in_turn

HOW = "between a pair that can happen and one that dominates"


@dataclass(frozen=True, slots=True)
class BetweenPairs(Profile):
    """Upper ends are those of the losses, which dominate; lower ends those of losses that
    happen.
    """

    below: tuple[Loss, ...] = ()

    def tradeoff(self, false_positives: Number) -> Bound:
        lower = Profile(self.losses).tradeoff(false_positives)
        upper = Profile(self.below).tradeoff(false_positives)
        return Bound(lower.lower, max(lower.lower, upper.upper), HOW).safe_below()

    def way(self, number: int) -> Profile:
        above = self.losses[min(number, len(self.losses) - 1)]
        below = self.below[min(number, len(self.below) - 1)]
        return BetweenPairs((above,), (below,))

    one_way = way

    @property
    def losses_dominate(self) -> bool:
        return True

    @property
    def curve_is_attained(self) -> bool:
        return False

    def occurring(self) -> tuple[Loss, ...]:
        return self.below

    def _worst(self, question: Callable[[Loss], Bound]) -> Bound:
        above = worst(in_turn(question, self.losses))
        with attempt():
            below = greatest(in_turn(question, self.below))
        if below.lower >= above.lower:
            return above
        record(below.rests_on)
        return Bound(below.lower, above.upper, HOW)


@dataclass(frozen=True, slots=True)
class ExactCurve(BetweenPairs):
    """The same for losses whose delta is attained at each epsilon, though perhaps by another pair
    at each: answers that depend on the curve alone are exact.
    """

    def delta(self, epsilon: Number) -> Bound:
        return Profile(self.losses).delta(epsilon)

    def epsilon(self, delta: Number) -> Bound:
        return Profile(self.losses).epsilon(delta)

    def tradeoff(self, false_positives: Number) -> Bound:
        return Profile(self.losses).tradeoff(false_positives)

    def gaussian_mu(self) -> Bound:
        return Profile(self.losses).gaussian_mu()

    @property
    def curve_is_attained(self) -> bool:
        return True


def dominating(above: Direction, below: Sequence[Loss]) -> Direction:
    """A direction that dominates, with losses that can happen; no pair has the losses that a grid
    of it rounds.
    """
    transform = above.transform
    if isinstance(transform, GridTransform):
        transform = GridTransform((), True, transform.law)
    ends = []
    for loss in below:
        way = loss.direction()
        ends += [replace(each, loss=loss) for each in way.below or (way,)]
    return replace(above, transform=transform, below=tuple(ends))
