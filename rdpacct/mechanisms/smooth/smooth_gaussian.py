"""Normal noise on the scale of a smooth sensitivity."""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from functools import partial

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import PI, exp, log, maximum, normal_cdf, sqrt
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.gaussian.gaussian import worst_pair
from rdpacct.mechanisms.gaussian.gaussian_slide import with_closed_tails
from rdpacct.mechanisms.smooth.bends import GAUSSIAN_BEND
from rdpacct.mechanisms.smooth.shift_and_scale import Noise
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise, corners, pair_loss, slid
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.ratios import Ratios
from rdpacct.privacy.relation import RelationIn


@dataclass(frozen=True)
class GaussianNoise(Noise):
    """The standard normal law."""

    def log_density(self, x: Real) -> Expr:
        return -(formula(x) ** 2) / 2 - log(2 * PI) / 2

    def below(self, x: Real) -> Expr:
        return normal_cdf(x)

    def interval(self, shift: Real, ratio: Real, level: Real) -> tuple[Expr, Expr]:
        """The loss is a quadratic about -shift/(exp(2 ratio) - 1)."""
        curve = 1 - exp(-2 * formula(ratio))
        center = formula(shift) * (1 - curve) / curve
        width = sqrt(maximum(0, 2 * (self.largest(shift, ratio) - level) / curve))
        return -center - width, width - center

    def largest(self, shift: Real, ratio: Real) -> Expr:
        return ratio + formula(shift) ** 2 / (2 * (exp(2 * formula(ratio)) - 1))


@dataclass(frozen=True)
class SmoothGaussian(SmoothNoise):
    """f(D) + (S(D)/alpha) Z with a standard normal Z, for a beta-smooth bound S on the local
    sensitivity.
    """

    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        return pair_loss(GaussianNoise(), self.alpha, self.beta, narrow_first=False)

    def profile(self) -> Profile:
        slide = worst_pair(self.alpha, slid(self.alpha))
        equal_scales = with_closed_tails(slide, self.alpha)
        return corners(GaussianNoise(), equal_scales, self.alpha, self.beta)

    def ratios(self) -> Ratios:
        equal = self.equal_scales()
        pair = partial(pair_loss, GaussianNoise(), self.alpha)
        return Ratios(pair, equal, self.beta, GAUSSIAN_BEND)

    def draw(self, rng: random.Random) -> float:
        return rng.normalvariate(0, 1)

    @classmethod
    def examples(cls) -> Iterable["SmoothGaussian"]:
        return cls("0.5", "0.1"), cls("0.1", "0.02"), cls(1, "0.5")
