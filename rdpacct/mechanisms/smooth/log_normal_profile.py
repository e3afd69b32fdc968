"""The privacy of Laplace noise of a log-normal size: between corners, which occur, and pairs with a
corner on each side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rdpacct.errors import UndecidedError
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.number import Number, rational
from rdpacct.mechanisms.smooth.log_normal_law import LogNormalLaw
from rdpacct.mechanisms.smooth.log_normal_pair import LogNormalHalves
from rdpacct.mechanisms.smooth.log_normal_shape import BeyondBoth
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.provenance import by

HOW = "between corners and pairs with a corner on each side (smooth/log-normal-halves)"

NOTHING = (None,)
"""Stands for upper ends of which nothing is known."""


@dataclass(frozen=True, slots=True)
class HalvesProfile(Profile):
    """The profile of one release or of several: the corners bound it from below, and for a single
    release all pairs together bound it from above.
    """

    losses_occur: ClassVar[bool] = False
    corners: tuple[PrivacyLoss, ...]
    or_above: Profile
    """Another profile that is above the releases."""
    one: bool
    """Whether there is one release only, so that the pairs are above it."""

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        or_above = self.or_above.delta(level)
        below = [_asked(loss, level) for loss in self.corners]
        if not self.one:
            return _between(or_above, below, NOTHING)
        return _between(or_above, below, [_asked(loss, level) for loss in self.losses])

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        or_above = self.or_above.epsilon(target)
        if target == 0:
            return or_above
        below: list[Bound | None] = []
        for loss in self.corners:
            least = max((bound.lower for bound in below if bound), default=None)
            if least is None or not _within(loss, least, target):
                below.append(_searched(loss, target))
        if not self.one:
            return _between(or_above, below, NOTHING)
        most = max((bound.upper for bound in below if bound), default=None)
        above = [
            _searched(loss, target)
            for loss in self.losses
            if most is None or not _within(loss, most, target)
        ]
        return _between(or_above, below, above)


def _asked(loss: Loss, epsilon: Fraction) -> Bound | None:
    """The delta of a loss, if the shape of that is known."""
    try:
        return loss.delta(epsilon)
    except UndecidedError:
        return None


def _searched(loss: Loss, delta: Fraction) -> Bound | None:
    """The epsilon of a loss, if the shape of that is known."""
    try:
        return loss.epsilon(delta)
    except UndecidedError:
        return None


def _within(loss: Loss, epsilon: End, target: Fraction) -> bool:
    """Whether a loss certainly has no larger delta at this epsilon."""
    if not isinstance(epsilon, Fraction):
        return False
    delta = _asked(loss, epsilon)
    return delta is not None and delta.certainly_at_most(target)


def _between(
    or_above: Bound, below: Sequence[Bound | None], above: Sequence[Bound | None]
) -> Bound:
    """The largest of the lower ends, and the largest of all upper ones if these are known."""
    upper = or_above.upper
    how = or_above.how
    known = [bound for bound in (*below, *above) if bound is not None]
    if len(known) == len(below) + len(above):
        most = max(bound.upper for bound in known)
        if most < upper:
            upper = most
            how = HOW
    lower = max((bound.lower for bound in below if bound), default=Fraction(0))
    return Bound(min(lower, upper), upper, how)


@by("smooth/log-normal-halves")
def log_normal_pairs(
    sigma: Expr, alpha: Expr, beta: Expr
) -> tuple[tuple[PrivacyLoss, ...], tuple[PrivacyLoss, ...]]:
    """The corners: the largest shift, with equal scales or the largest ratio of them. And what is
    above other pairs: equal scales on one side of the center of the broader law, and the largest
    ratio on the other. Each in both orders.
    """
    law = LogNormalLaw(sigma)
    equal = BeyondBoth(law, alpha, ZERO)
    apart = BeyondBoth(law, alpha, beta)
    both = (False, True)
    corners = [_pair(ZERO, equal, narrow_first=True)]
    corners += [_pair(beta, apart, first) for first in both]
    halves = [_pair(ZERO, apart, first) for first in both]
    halves += [_pair(beta, equal, first) for first in both]
    return tuple(corners), tuple(halves)


def _pair(before: Expr, beyond: BeyondBoth, narrow_first: bool) -> PrivacyLoss:
    return PrivacyLoss((LogNormalHalves(before, beyond, narrow_first),))
