"""Noise of a log-normal size on the scale of a smooth sensitivity: its Renyi divergences are
bounded at every order.
"""

import random
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from rdpacct.errors import UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import PI, exp, sqrt
from rdpacct.exact.number import Number, rational
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.promised.moment_promise import MomentProfile, MomentTransform
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise
from rdpacct.privacy.compose import compose_gaussian_shifts
from rdpacct.privacy.guarantee import ZCDP
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by


class LogNormalNoise(SmoothNoise):
    """f(D) + (S(D)/alpha) X exp(sigma Y) with a standard normal Y, for a beta-smooth bound S.

    Which pair of neighbors is worst is not known: upper ends come from the bound on the Renyi
    divergences, lower ends from pairs that occur.
    """

    sigma: Expr

    @abstractmethod
    def slope(self) -> Expr:
        """At least how fast the logarithm of the density of the noise changes."""

    def members(self) -> tuple[PrivacyLoss, ...]:
        """Losses of pairs that occur: here of neighbors that have the same value and scale."""
        return (worst_pair(ZERO, ZERO),)

    def promise(self) -> ZCDP:
        """What holds for all neighbors."""
        return ZCDP(log_normal_rho(self.alpha, self.beta, self.sigma, self.slope()))

    @property
    def by_moments(self) -> bool:
        return True

    def loss(self) -> NoReturn:
        raise UndecidedError(
            f"which neighbors of {self} are worst is not known; ask for delta, epsilon"
            " or rho."
        )

    def profile(self) -> MomentProfile:
        return MomentProfile(self.members(), MomentTransform(self.promise().rho, ZERO))

    def directions(self) -> tuple[Direction, ...]:
        bounded = MomentTransform(self.promise().rho, ZERO)
        below = tuple(loss.direction() for loss in self.members())
        return (Direction(bounded, ZERO, below),)

    def releases_within(self, count: int) -> Profile:
        """Each slide adds at most its largest loss, and the dilations are Gaussian."""
        mu = compose_gaussian_shifts([(formula(self.beta) / self.sigma, count)])
        losses = Gaussian(1, mu).profile().losses
        return SlidProfile(losses, count * self.alpha, self.slope())

    def draw(self, rng: random.Random) -> float:
        size = rng.lognormvariate(0, float(self.sigma.ball(64)))
        return self.draw_unit(rng) * size

    @abstractmethod
    def draw_unit(self, rng: random.Random) -> float:
        """The factor X in doubles."""


@dataclass(frozen=True, slots=True)
class SlidProfile(Profile):
    """Gaussian losses, and beside them a slide that changes the logarithm of a density by at most
    the slope times alpha: upper ends only.
    """

    alpha: Expr
    slope: Expr

    def delta(self, epsilon: Number) -> Bound:
        level = before_slide(rational(epsilon, "epsilon"), self.alpha, self.slope)
        upper = Profile.delta(self, Fraction(level.bound().lower)).upper
        return Bound(Fraction(0), upper, "a slide and a dilation")

    def epsilon(self, delta: Number) -> Bound:
        without = Profile.epsilon(self, delta).upper
        room = before_slide(0, self.alpha, self.slope)
        if isinstance(without, float):
            return Bound(Fraction(0), without, "a slide and a dilation")
        upper = without - Fraction(room.bound().lower)
        return Bound(Fraction(0), upper, "a slide and a dilation")


@by("smooth/log-normal")
def before_slide(epsilon: Real, alpha: Real, slope: Real) -> Expr:
    """The epsilon of the dilation alone that has at least the delta of both together."""
    return formula(epsilon) - formula(slope) * alpha


@by("smooth/log-normal")
def log_normal_rho(alpha: Real, beta: Real, sigma: Real, slope: Real) -> Expr:
    """The rho of a dilation by beta and a slide by alpha: (beta/sigma + slope alpha)**2/2."""
    return (formula(beta) / sigma + formula(slope) * alpha) ** 2 / 2


@by("smooth/log-normal")
def laplace_slope(sigma: Real) -> Expr:
    """How fast the logarithm of the density changes, for a factor X of density exp(-|x|)/2."""
    return exp(3 * formula(sigma) ** 2 / 2)


@by("smooth/log-normal")
def uniform_slope(sigma: Real) -> Expr:
    """How fast the logarithm of the density changes, for a factor X that is uniform between -1 and
    1, if sigma is at least sqrt(2).
    """
    spread = formula(sigma)
    return exp(3 * spread**2 / 2) * sqrt(2 / PI) / spread
