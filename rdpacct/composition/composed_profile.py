"""The worst of several sums of losses, such as those of a pair and of the exchanged one."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.bound import Bound, End, worst
from rdpacct.exact.number import Number, rational
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile
from rdpacct.provenance import attempt, record
from rdpacct.work import in_turn


@dataclass(frozen=True, slots=True)
class ComposedProfile(Profile):
    """The worst of several sums of losses; one that a quick bound shows to be no worse is not
    worked out.
    """

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        found: list[Bound] = []

        def ask(loss: Loss) -> None:
            if not (found and target > 0 and _shown(loss, found[0].lower, target)):
                found.append(loss.epsilon(target))

        in_turn(ask, self.losses)
        return worst(found)

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        found: list[Bound] = []

        def ask(loss: Loss) -> None:
            if not (
                found and found[0].lower > 0 and _shown(loss, level, found[0].lower)
            ):
                found.append(loss.delta(level))

        in_turn(ask, self.losses)
        return worst(found)


def _shown(loss: Loss, epsilon: End, delta: End) -> bool:
    """Whether a quick bound shows that a sum has at most this delta at this epsilon; it counts
    if it does.
    """
    if not (isinstance(epsilon, Fraction) and isinstance(delta, Fraction)):
        return False
    with attempt() as used:
        shown = loss.certainly_within(epsilon, delta)
    if shown:
        record(used | loss.rests_on)
    return shown
