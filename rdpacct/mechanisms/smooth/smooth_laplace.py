"""Laplace noise on the scale of a smooth sensitivity."""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from functools import partial

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import absolute, exp, log, maximum, minimum
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.laplace.laplace import worst_pair
from rdpacct.mechanisms.smooth.bends import LAPLACE_BEND
from rdpacct.mechanisms.smooth.shift_and_scale import Noise
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise, corners, pair_loss, slid
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.ratios import Ratios
from rdpacct.privacy.relation import RelationIn


@dataclass(frozen=True)
class LaplaceNoise(Noise):
    """Density exp(-|x|)/2."""

    kinked = True

    def log_density(self, x: Real) -> Expr:
        return -absolute(x) - log(2)

    def below(self, x: Real) -> Expr:
        return exp(minimum(x, 0)) - exp(-absolute(x)) / 2

    def interval(self, shift: Real, ratio: Real, level: Real) -> tuple[Expr, Expr]:
        """The loss rises up to 0; it falls from there, more steeply before the shift than after
        it.
        """
        shrink = exp(-formula(ratio))
        top = self.largest(shift, ratio) - level
        beyond = (top - 2 * formula(shift) * shrink) / (1 - shrink)
        return -maximum(0, top / (1 - shrink)), maximum(
            0, maximum(top / (1 + shrink), beyond)
        )

    def largest(self, shift: Real, ratio: Real) -> Expr:
        return ratio + shift * exp(-formula(ratio))


@dataclass(frozen=True)
class SmoothLaplace(SmoothNoise):
    """f(D) + (S(D)/alpha) Z with Z of density exp(-|z|)/2, for a beta-smooth bound S on the local
    sensitivity.
    """

    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        return pair_loss(LaplaceNoise(), self.alpha, self.beta, narrow_first=False)

    def profile(self) -> Profile:
        return corners(
            LaplaceNoise(),
            worst_pair(self.alpha, slid(self.alpha)),
            self.alpha,
            self.beta,
        )

    def ratios(self) -> Ratios:
        equal = self.equal_scales()
        pair = partial(pair_loss, LaplaceNoise(), self.alpha)
        return Ratios(pair, equal, self.beta, LAPLACE_BEND)

    def draw(self, rng: random.Random) -> float:
        return rng.expovariate(1) - rng.expovariate(1)

    @classmethod
    def examples(cls) -> Iterable["SmoothLaplace"]:
        return cls(1, "0.1"), cls("0.3", "0.5"), cls(2, 1)
