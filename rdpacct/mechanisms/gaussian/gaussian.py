"""The Gaussian mechanism: normal noise calibrated to the L2 sensitivity, in any dimension."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from rdpacct.arrays import generator
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import normal_cdf, normal_density
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.gaussian.gaussian_curve import gaussian_epsilon
from rdpacct.mechanisms.gaussian.gaussian_transform import GaussianTransform
from rdpacct.mechanisms.mechanism import Mechanism, NoiseMechanism
from rdpacct.mechanisms.moved import shown
from rdpacct.mechanisms.noisy import with_noise
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.mechanisms.study_only import study_only
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.gaussian_profile import gaussian_delta, gaussian_tradeoff
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Part, Piece
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.privacy.transform import Direction, Transform
from rdpacct.provenance import by

if TYPE_CHECKING:
    from rdpacct.mechanisms.with_replacement.copies import Copies
    from rdpacct.mechanisms.with_replacement.copies_apart import CopiesApart


@dataclass(frozen=True)
class Gaussian(NoiseMechanism):
    """f(D) + N(0, sigma**2) noise on each coordinate; sigma is the standard deviation itself, not a
    multiple.
    """

    also_called: ClassVar[tuple[str, ...]] = ("GaussianMechanism", "Normal")
    instead_of: ClassVar[Mapping[str, str]] = {
        "scale": "the standard deviation is called sigma",
        "std": "the standard deviation is called sigma",
        "epsilon": "rdpacct calibrate finds the sigma for an epsilon and a delta",
        "noise_multiplier": (
            "sigma is the noise multiplier times the sensitivity, which is the clipping"
            " norm"
        ),
    }
    sigma: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L2)
    continuous: ClassVar[bool] = True
    one_pair: ClassVar[bool] = True

    @property
    def shift(self) -> Expr:
        """The sensitivity in standard deviations of the noise: mu of GaussianDP."""
        return self.sensitivity.value / self.sigma

    def loss(self) -> PrivacyLoss:
        return worst_pair(self.shift, self._event)

    @by("gaussian/worst-pair")
    def directions(self) -> tuple[Direction, ...]:
        """Neighbors at the largest distance are worst: what composition needs of their loss."""
        return (Direction(GaussianTransform(self.shift**2)),)

    @classmethod
    def together(cls, releases: Sequence[tuple[Mechanism, int]]) -> PrivacyLoss | None:
        """Gaussian releases are one whose square of a shift is the sum of theirs."""
        ours = [
            (release, count)
            for release, count in releases
            if isinstance(release, Gaussian)
        ]
        if len(ours) < len(releases):
            return None
        shifts = [(release.shift, count) for release, count in ours]
        from rdpacct.privacy.compose import compose_gaussian_shifts

        return worst_pair(compose_gaussian_shifts(shifts))

    def sampled_part(self, rate: Expr) -> Part:
        from rdpacct.mechanisms.poisson.sampled_gaussian_part import SampledGaussian

        return SampledGaussian(self.shift, rate)

    def sampled_transform(self, rate: Expr, removing: bool) -> Transform:
        from rdpacct.mechanisms.poisson.sampled_gaussian import SampledGaussianTransform

        return SampledGaussianTransform(self.shift, rate, removing)

    def several_part(self, rate: Expr, size: int, replaced: bool) -> Part:
        from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss
        from rdpacct.mechanisms.poisson.several_records import several_pair

        return MixtureLoss(several_pair(self.shift, rate, size, replaced))

    def copies_part(self, shares: tuple[Expr, ...]) -> Part:
        from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss
        from rdpacct.mechanisms.with_replacement.copies import copies_pair

        return MixtureLoss(copies_pair(self.shift, shares))

    def copies_apart(self, copies: "Copies") -> "CopiesApart | None":
        from rdpacct.mechanisms.with_replacement.copies_apart import CopiesApart

        return CopiesApart.of(self.shift, copies)

    def folded_part(self, rate: Expr) -> Part:
        from rdpacct.mechanisms.mixtures.exponential_sum import one_term, two_terms
        from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
        from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss

        return MixtureLoss(
            MixturePair(two_terms(rate, self.shift), one_term(), self.shift / 2)
        )

    def flattened_transform(self, rate: Expr) -> Transform | None:
        from rdpacct.mechanisms.fixed_size.flattened import flattened
        from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss

        part = self.folded_part(rate)
        if not isinstance(part, MixtureLoss):
            raise TypeError("the folded pair of Gaussian noise is one of mixtures")
        return flattened(part.pair, self.shift, rate)

    def upper_tail(self, level: Expr) -> Expr:
        return normal_cdf(-level / self.sigma)

    def loss_with_closed_tails(self) -> PrivacyLoss:
        from rdpacct.mechanisms.gaussian.gaussian_slide import with_closed_tails

        return with_closed_tails(self.loss(), self.shift)

    def sample(self, value: Any, rng: Source = None) -> Any:
        """The noisy value, for study only: floating-point normal noise is porous and leaks the
        input.

        A list or an array has independent noise on each coordinate. ``rng`` is random.Random, a
        generator of NumPy, a seed, or nothing for the randomness of the operating system.
        """
        study_only(self)
        source = randomness(rng)
        sigma = float(self.sigma.ball(64))
        return with_noise(
            value,
            lambda: source.normalvariate(0, sigma),
            lambda size: generator(source).normal(scale=sigma, size=size),
        )

    def pair(self) -> tuple[float, float]:
        return float(self.sensitivity.value.ball(64)), 0.0

    def observed(self, output: float) -> float:
        shift = float(self.shift.ball(64))
        return shift * (output / float(self.sigma.ball(64)) - shift / 2)

    def _event(self, threshold: Fraction) -> str:
        beyond = threshold * self.sigma / self.shift + self.sensitivity.value / 2
        return (
            f"output - f(D') > {shown(beyond)}, along f(D) - f(D') of length"
            f" {self.sensitivity.value}"
        )

    @classmethod
    def examples(cls) -> Iterable["Gaussian"]:
        return cls(1), cls("0.3"), cls(20, sensitivity="7/2")


@by("gaussian/worst-pair")
def worst_pair(mu: Expr, event: Callable[[Fraction], str] | None = None) -> PrivacyLoss:
    """Among neighbors at most mu standard deviations apart, those at distance mu are worst: L is
    N(mu**2/2, mu**2).
    """
    return PrivacyLoss(
        (normal_piece(mu),),
        symmetric=True,
        forms=Forms(
            mean=partial(mean, mu),
            delta=partial(gaussian_delta, mu),
            epsilon=partial(gaussian_epsilon, mu),
            tradeoff=partial(gaussian_tradeoff, mu),
            log_moment=partial(log_moment, mu),
            tau_squared=partial(tau_squared, mu),
            rho=partial(rho, mu),
            rho_at_both_ends=True,
            gaussian_mu=formula(mu),
            transform=GaussianTransform(mu**2),
        ),
        event=event,
    )


@lru_cache(maxsize=256)
def normal_piece(mu: Expr) -> Piece:
    """The density of the loss, a formula that is built once for each mu."""
    center = mu**2 / 2
    density = normal_density(LOSS, center, mu)
    return Piece(density, -math.inf, math.inf, center=center, spread=mu)


@by("cdp/gaussian")
def mean(mu: Real) -> Expr:
    """The mean loss of a shift by mu standard deviations."""
    return formula(mu) ** 2 / 2


@by("cdp/gaussian")
def tau(mu: Real) -> Expr:
    """The subgaussian parameter of the loss of a shift by mu standard deviations."""
    return formula(mu)


def tau_squared(mu: Real) -> Expr:
    """The square of the subgaussian parameter."""
    return tau(mu) ** 2


@by("gaussian/zcdp")
def rho(mu: Real) -> Expr:
    """The zCDP parameter of a shift by mu standard deviations."""
    return formula(mu) ** 2 / 2


@by("gaussian/renyi")
def log_moment(mu: Real, rate: Real) -> Expr:
    """log E exp(rate L) of a shift by mu standard deviations; the Renyi divergence of order a is a
    mu**2/2.
    """
    return formula(rate) * (1 + formula(rate)) * formula(mu) ** 2 / 2
