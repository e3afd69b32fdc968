"""The privacy of a mechanism: the worst case over its pairs of neighbors, taken once, at the
end.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Self

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound, worst
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, rational, shorten
from rdpacct.privacy.any_loss import Loss
from rdpacct.provenance import Asked, Grounded
from rdpacct.work import in_turn

QUESTIONS = (
    *("delta", "epsilon", "tradeoff", "mean", "renyi", "max_divergence"),
    *("zcdp_rho", "centered_cdp", "one_sided_tau", "gaussian_mu"),
)
"""The questions of a profile."""


@dataclass(frozen=True, slots=True)
class Profile(Asked, Grounded, questions=QUESTIONS):
    """The questions of a privacy loss, answered for the worst of several losses."""

    losses: tuple[Loss, ...]
    rests_on: frozenset[str] = field(
        default=frozenset(), compare=False, repr=False, kw_only=True
    )
    """The theorems by which the profile was built."""
    losses_occur: ClassVar[bool] = True
    """Whether each loss is that of neighbors that can happen, and not of a law above them."""

    def resting_also_on(self, theorems: Iterable[str]) -> Self:
        """The same, which rests on these theorems too, as do its losses."""
        grounded = super(Profile, self).resting_also_on(theorems)
        if grounded is self:
            return self
        losses = tuple(loss.resting_also_on(theorems) for loss in self.losses)
        object.__setattr__(grounded, "losses", losses)
        return grounded

    @property
    def only_loss(self) -> Loss | None:
        """The one loss that answers every question in place of this; None if there are several, or
        a profile of another kind answers otherwise.
        """
        if type(self) is Profile and len(self.losses) == 1:
            return self.losses[0]
        return None

    def delta(self, epsilon: Number) -> Bound:
        """The smallest delta at this epsilon."""
        return self._worst(lambda loss: loss.delta(epsilon))

    def epsilon(self, delta: Number) -> Bound:
        """The smallest epsilon >= 0 at this delta; infinite if there is none."""
        return self._worst(lambda loss: loss.epsilon(delta))

    def mean(self) -> Bound:
        """The largest mean loss."""
        return self._limited(self._worst(lambda loss: loss.mean()))

    def renyi(self, order: Number) -> Bound:
        """The largest Renyi divergence of this order."""
        return self._limited(self._worst(lambda loss: loss.renyi(order)))

    def max_divergence(self) -> Bound:
        """The largest loss: the smallest epsilon of pure differential privacy."""
        return self._worst(lambda loss: loss.max_divergence())

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        """The smallest rho with Renyi divergence at most xi + rho * order at every order above
        1.
        """
        return self._worst(lambda loss: loss.zcdp_rho(xi))

    def centered_cdp(self) -> tuple[Bound, Bound]:
        """The smallest mu and the smallest tau of MeanCDP(mu, tau)."""
        return self.mean(), self._worst(lambda loss: loss.centered_cdp()[1])

    def one_sided_tau(self) -> Bound:
        """The largest one-sided subgaussian parameter about a mean."""
        return self._worst(lambda loss: loss.one_sided_tau())

    def gaussian_mu(self) -> Bound:
        """The smallest mu of GaussianDP(mu)."""
        return self._worst(lambda loss: loss.gaussian_mu())

    def curve(self, deltas: Sequence[Number]) -> list[Bound]:
        """epsilon at each delta."""
        return [self.epsilon(delta) for delta in deltas]

    def tradeoff(self, false_positives: Number) -> Bound:
        """The smallest false negative rate of a test of D against D' with at most this false
        positive rate.
        """
        rate = rational(false_positives, "the false positive rate")
        if not 0 <= rate <= 1:
            raise InputError(
                f"the false positive rate is {shorten(str(false_positives))}, but must"
                " be at least 0 and at most 1; give a probability such as 0.05."
            )
        self._check_losses()
        bounds = in_turn(lambda loss: loss.tradeoff(rate), self.losses)
        least = min(bounds, key=lambda bound: bound.upper)
        lower = min(bound.lower for bound in bounds)
        return Bound(lower, least.upper, least.how).safe_below()

    def deltas(self, epsilons: Sequence[Fraction]) -> list[Bound]:
        """The smallest delta at each epsilon."""
        return [self.delta(epsilon) for epsilon in epsilons]

    def tails(self, levels: Sequence[Fraction]) -> list[Bound]:
        """The largest probability of a loss above each level, over the pairs that are known to be
        worst.
        """
        self._check_losses()
        return [worst([loss.tail(level) for loss in self.losses]) for level in levels]

    def tradeoffs(self, rates: Sequence[Fraction]) -> list[Bound]:
        """The smallest false negative rate at each false positive rate; a profile with its own way
        to answer for one rate uses it for each.
        """
        if type(self).tradeoff is not Profile.tradeoff:
            return [self.tradeoff(rate) for rate in rates]
        self._check_losses()
        by_loss = [loss.tradeoffs(rates) for loss in self.losses]
        return [least_of(bounds) for bounds in zip(*by_loss, strict=True)]

    def way(self, number: int) -> "Loss | Profile":
        """The profile that answers for one direction of an oriented mechanism."""
        self._check_losses()
        return self.losses[min(number, len(self.losses) - 1)]

    def one_way(self, number: int) -> "Profile":
        """The same questions for one direction of a plan whose mechanisms are oriented."""
        if len(self.losses) <= 1:
            return self
        return replace(self, losses=(self.losses[min(number, len(self.losses) - 1)],))

    @property
    def curve_is_attained(self) -> bool:
        """Whether at each epsilon some neighbors have the largest delta of the losses, so that what
        these say of its event is true of them.
        """
        return True

    @property
    def losses_dominate(self) -> bool:
        """Whether the losses dominate all pairs, so that they stand for a release among others; a
        profile of another kind has to say so itself.
        """
        return type(self) is Profile

    def infinite_mass(self) -> tuple[Expr, Expr] | None:
        """The probability of an infinite loss, at least and at most; None if the losses tell it."""
        return None

    def occurring(self) -> tuple[Loss, ...]:
        """Losses of neighbors that do occur."""
        return self.losses

    def worst_at(self, epsilon: Number) -> Loss:
        """The loss with the largest delta at this epsilon; where no pair is known to be the worst,
        of those that occur.
        """
        among = self.losses if self.curve_is_attained else self.occurring()
        among = among or self.occurring()
        if not among:
            raise UndecidedError("no pair of neighbors is known to be the worst.")
        return max(among, key=lambda loss: loss.delta(epsilon).upper)

    def _limited(self, bound: Bound) -> Bound:
        """A divergence that its own arithmetic did not enclose: it is at least 0 and at most the
        largest loss.
        """
        if bound.lower >= 0 and (bound.is_exact or math.isfinite(bound.upper)):
            return bound
        upper = min(bound.upper, self.max_divergence().upper)
        return Bound(
            max(bound.lower, Fraction(0)),
            upper,
            f"{bound.how}, up to the largest loss (conversion/renyi-orders)",
        )

    def _check_losses(self) -> None:
        """A profile without losses answers in a way of its own, what it knows."""
        if not self.losses:
            raise UndecidedError(
                "no single pair of neighbors of this mechanism is known to be the worst;"
                " ask about a plan, as in profile(plan)."
            )

    def _worst(self, question: Callable[[Loss], Bound]) -> Bound:
        self._check_losses()
        return worst(in_turn(question, self.losses))


def least_of(bounds: Sequence[Bound]) -> Bound:
    """The smallest of several false negative rates, with what all of them rest on."""
    used = frozenset[str]().union(*(bound.rests_on for bound in bounds))
    least = min(bounds, key=lambda bound: bound.upper)
    lower = min(bound.lower for bound in bounds)
    return Bound(lower, least.upper, least.how, used).safe_below()
