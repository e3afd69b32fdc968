"""Noise on the scale of a smooth sensitivity: f(D) + (S(D)/alpha) Z, where S(D) depends on the
data.

S bounds the local sensitivity and changes by a factor of at most exp(beta) between neighbors. Their
outputs are then, in scales of the narrower noise, Z and c + exp(lam) Z with 0 <= c <= alpha and 0
<= lam <= beta, in either order, and every such pair can occur. A guarantee is one about all of
these pairs.
"""

import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import Number, shorten
from rdpacct.exact.root import bracket, sign
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.moved import shown
from rdpacct.mechanisms.noisy import is_number
from rdpacct.mechanisms.smooth.shift_and_scale import Noise, ShiftAndScale
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.mechanisms.study_only import study_only
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.epsilon_search import LARGEST_EPSILON
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.guarantee import ZCDP
from rdpacct.privacy.least_law import chosen_direction
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.ratios import Ratios
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by


class SmoothNoise(Mechanism):
    """f(D) + (S(D)/alpha) Z, for S at least the local sensitivity and log S within beta of that of
    each neighbor.
    """

    alpha: Expr
    beta: Expr
    continuous: ClassVar[bool] = True
    planned_by_profile: ClassVar[bool] = True

    @abstractmethod
    def profile(self) -> Profile:
        """The worst over all shifts and scales."""

    def directions(self) -> tuple[Direction, ...]:
        """A law above all pairs, the corners below it, and what they are where this runs last."""
        corners = [
            loss for loss in self.profile().losses if isinstance(loss, PrivacyLoss)
        ]
        return (replace(chosen_direction(corners), ratios=self.ratios()),)

    def ratios(self) -> Ratios | None:
        """The pairs with the largest shift: at each ratio of scales no smaller one has a larger
        delta. None if only moments are known of them.
        """
        return None

    def equal_scales(self) -> PrivacyLoss:
        """The loss of the largest shift with equal scales."""
        loss = self.profile().losses[0]
        if not isinstance(loss, PrivacyLoss):
            raise AssertionError("the first corner is a loss with parts")
        return loss

    def promise(self) -> ZCDP | None:
        """What holds for all neighbors if only moments of the loss are bounded; None if its profile
        is known.
        """
        return None

    def hypotheses(self) -> tuple[str, ...]:
        return (
            f"{self}: the noise is scaled by S(D)/alpha, where S is at least the local"
            " sensitivity of the query, which is one number, and changes by a factor of"
            " at most exp(beta) between neighbors.",
        )

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        """Whether the scales bound the move of the value, and are within exp(beta) of each
        other.
        """
        value, scale = first
        other, other_scale = second
        narrow, wide = sorted((scale, other_scale))
        if abs(other - value) > narrow:
            return (
                f"the value moved by {shown(formula(abs(other - value)))}, more than"
                f" the smooth sensitivity {shown(formula(narrow))}"
            )
        if (wide - exp(self.beta) * narrow).bound().certainly_above(0):
            return (
                f"the smooth sensitivity moved from {shown(formula(scale))} to"
                f" {shown(formula(other_scale))}, by more than a factor of"
                f" exp({self.beta})"
            )
        return ""

    def attained(self) -> tuple[Loss, ...]:
        """Each corner is a pair of neighbors that can occur."""
        return self.profile().losses

    def sample(  # type: ignore[override]  # the scale depends on the data
        self, value: float, scale: float, rng: Source = None
    ) -> float:
        """The value with noise for the smooth sensitivity ``scale``, for study only: doubles are
        porous.
        """
        study_only(self)
        if not (is_number(scale) and 0 <= scale < float("inf")):
            raise InputError(
                f"the scale is {scale}, but must be a finite number of at least 0; give"
                " such a value."
            )
        if not is_number(value):
            raise InputError(
                f"the value is {shorten(repr(value))}, to which one draw of noise is"
                " added; give a number."
            )
        return float(value) + scale / float(self.alpha.ball(64)) * self.draw(
            randomness(rng)
        )

    @abstractmethod
    def draw(self, rng: random.Random) -> float:
        """The noise Z in doubles."""


@dataclass(frozen=True, slots=True)
class AtTheCorners(Profile):
    """The worst over all shifts and scales: the largest shift with equal scales, or with the
    largest ratio of them.

    Which of these pairs is worst depends on epsilon. That they are worst is known for delta,
    epsilon and tests only.
    """

    @property
    def losses_dominate(self) -> bool:
        return True

    def mean(self) -> Bound:
        raise _unknown("mean loss")

    def renyi(self, order: Number) -> Bound:
        if order == float("inf"):
            return self.max_divergence()
        raise _unknown(f"Renyi divergence of order {order}")

    def zcdp_rho(self, xi: Number = 0) -> Bound:  # noqa: ARG002
        raise _unknown("rho")

    def centered_cdp(self) -> tuple[Bound, Bound]:
        raise _unknown("tau")

    def gaussian_mu(self) -> Bound:
        raise _unknown("mu")


def _unknown(what: str) -> UndecidedError:
    return UndecidedError(
        f"the largest {what} over all shifts and scales is not known; ask for delta or"
        " epsilon."
    )


@by("smooth/corners")
def corners(
    noise: Noise, equal_scales: PrivacyLoss, alpha: Expr, beta: Expr
) -> AtTheCorners:
    """The pairs that are worst for delta(epsilon), at every epsilon, and for tests of every
    size.
    """
    others = (
        pair_loss(noise, alpha, beta, narrow_first) for narrow_first in (False, True)
    )
    return AtTheCorners((equal_scales, *others))


def pair_loss(
    noise: Noise, shift: Expr, ratio: Expr, narrow_first: bool
) -> PrivacyLoss:
    """The loss of Z against shift + exp(ratio) Z, or the other way round."""
    part = ShiftAndScale(noise, shift, ratio, narrow_first)
    return PrivacyLoss(
        (part,),
        forms=Forms(delta=part.delta, epsilon=partial(_epsilon, part)),
        event=partial(_event, part),
    )


def _epsilon(part: ShiftAndScale, target: Fraction) -> Bound | None:
    """A certified bracket, searched for from small epsilon on: the largest loss can be far
    beyond.
    """

    def excess(epsilon: Fraction, bits: int) -> Ball:
        delta = part.delta(epsilon).ball(bits)
        if delta.certainly_positive():
            return (delta / target).log()
        return delta - target

    low = Fraction(0)
    high = Fraction(1, 16)
    if sign(partial(excess, low))[0] <= 0:
        return None
    while sign(partial(excess, high))[0] > 0:
        low = high
        high = 2 * high
        if high > LARGEST_EPSILON:
            raise UndecidedError(
                f"epsilon is beyond {LARGEST_EPSILON:.3g}, which is as far as it is"
                " looked for."
            )
    if sign(partial(excess, high))[0] == 0:
        return None
    return Bound(
        *bracket(excess, low, high), "certified bracket of delta(epsilon) = delta"
    )


def _event(part: ShiftAndScale, threshold: Fraction) -> str:
    low, high = map(shown, part.interval(threshold))
    if part.narrow_first:
        return (
            f"the output is between {low} and {high}, from f(D) towards f(D'), in"
            " scales of the noise of D"
        )
    return (
        f"the output is below {low} or above {high}, from f(D') towards f(D), in scales"
        " of the noise of D'"
    )


def slid(shift: Expr) -> Callable[[Fraction], str]:
    """The outputs that tell neighbors with equal scales apart, in words."""

    def event(threshold: Fraction) -> str:
        return (
            "the output, from f(D') towards f(D) in scales of the noise, has a loss"
            f" above {threshold}; the scales are equal and the shift is {shift}"
        )

    return event
