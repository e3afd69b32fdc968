"""Laplace noise of a log-normal size on the scale of a smooth sensitivity."""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from rdpacct.exact.formula import Expr
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.smooth.log_normal_noise import LogNormalNoise, laplace_slope
from rdpacct.mechanisms.smooth.log_normal_profile import (
    HalvesProfile,
    log_normal_pairs,
)
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import RelationIn


@dataclass(frozen=True)
class SmoothLaplaceLogNormal(LogNormalNoise):
    """f(D) + (S(D)/alpha) X exp(sigma Y) with X of density exp(-|x|)/2 and a standard normal Y.

    S is a beta-smooth bound on the local sensitivity.
    """

    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    sigma: Parameter = Parameter(above_least=True)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def releases_within(self, count: int) -> Profile:
        """The corners are below, also of several releases; all pairs of one are within halves."""
        above = LogNormalNoise.releases_within(self, count)
        corners, halves = log_normal_pairs(self.sigma, self.alpha, self.beta)
        return HalvesProfile(halves, corners, above, count == 1)

    def attained(self) -> tuple[Loss, ...]:
        """The corners: the largest shift, with equal scales or the largest ratio of them."""
        corners, _ = log_normal_pairs(self.sigma, self.alpha, self.beta)
        return corners

    def slope(self) -> Expr:
        return laplace_slope(self.sigma)

    def draw_unit(self, rng: random.Random) -> float:
        return rng.expovariate(1) - rng.expovariate(1)

    @classmethod
    def examples(cls) -> Iterable["SmoothLaplaceLogNormal"]:
        return cls("0.5", "0.1", "0.5"), cls("0.1", "0.02", "0.2")
