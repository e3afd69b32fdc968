"""The Laplace mechanism: two-sided exponential noise calibrated to the L1 sensitivity, in any
dimension.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from rdpacct.arrays import generator
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp, log, maximum
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.laplace.laplace_transform import LaplaceTransform
from rdpacct.mechanisms.mechanism import NoiseMechanism
from rdpacct.mechanisms.moved import shown
from rdpacct.mechanisms.noisy import with_noise
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.mechanisms.study_only import study_only
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Atom, Piece
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.privacy.transform import Direction, Transform
from rdpacct.provenance import by


@dataclass(frozen=True)
class Laplace(NoiseMechanism):
    """f(D) + noise of density exp(-|x|/scale)/(2 scale) on each coordinate."""

    also_called: ClassVar[tuple[str, ...]] = ("LaplaceMechanism",)
    instead_of: ClassVar[Mapping[str, str]] = {
        "epsilon": "for an epsilon take scale = sensitivity/epsilon",
        "b": "b is called scale",
        "sigma": "Laplace noise of standard deviation sigma has scale = sigma/sqrt(2)",
    }
    scale: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L1)
    continuous: ClassVar[bool] = True
    one_pair: ClassVar[bool] = True

    @property
    def shift(self) -> Expr:
        """The sensitivity in scales of the noise: epsilon of PureDP."""
        return self.sensitivity.value / self.scale

    def loss(self) -> PrivacyLoss:
        return worst_pair(self.shift, self._event)

    @by("laplace/worst-pair")
    def directions(self) -> tuple[Direction, ...]:
        """A move by all of the sensitivity in one coordinate is worst: what composition needs of
        its loss.
        """
        return (Direction(LaplaceTransform(self.shift)),)

    def sampled_transform(self, rate: Expr, removing: bool) -> Transform:
        from rdpacct.mechanisms.poisson.sampled_laplace import SampledLaplaceTransform

        return SampledLaplaceTransform(self.shift, rate, removing)

    def upper_tail(self, level: Expr) -> Expr:
        return laplace_tail(self.scale, level)

    def sample(self, value: Any, rng: Source = None) -> Any:
        """The noisy value, for study only: floating-point Laplace noise is porous and leaks the
        input.

        A list or an array has independent noise on each coordinate. ``rng`` is random.Random, a
        generator of NumPy, a seed, or nothing for the randomness of the operating system.
        """
        study_only(self)
        source = randomness(rng)
        scale = float(self.scale.ball(64))
        return with_noise(
            value,
            lambda: source.expovariate(1 / scale) - source.expovariate(1 / scale),
            lambda size: generator(source).laplace(scale=scale, size=size),
        )

    def pair(self) -> tuple[float, float]:
        return float(self.sensitivity.value.ball(64)), 0.0

    def observed(self, output: float) -> float:
        width = float(self.sensitivity.value.ball(64))
        return (abs(output) - abs(output - width)) / float(self.scale.ball(64))

    def _event(self, threshold: Fraction) -> str:
        beyond = (threshold * self.scale + self.sensitivity.value) / 2
        if beyond.bound().certainly_below(0):
            return "every output"
        return (
            f"output - f(D') > {shown(beyond)}, where f(D) - f(D') ="
            f" {self.sensitivity.value}"
        )

    @classmethod
    def examples(cls) -> Iterable["Laplace"]:
        return cls(1), cls("0.2"), cls(10, sensitivity="1/2")


@by("laplace/worst-pair")
def worst_pair(
    shift: Expr, event: Callable[[Fraction], str] | None = None
) -> PrivacyLoss:
    """Among neighbors at most shift scales apart in L1, those moved by shift in one coordinate are
    worst.
    """
    above = formula(Fraction(1, 2))
    between = exp((LOSS - shift) / 2) / 4
    below = exp(-shift) / 2
    return PrivacyLoss(
        (
            Atom(above, below, shift),
            Piece(between, -shift, shift),
            Atom(below, above, -shift),
        ),
        symmetric=True,
        forms=Forms(
            mean=partial(mean, shift),
            delta=partial(delta, shift),
            log_moment=partial(log_moment, shift),
            rho=partial(rho, shift),
            transform=LaplaceTransform(shift),
        ),
        event=event,
    )


@by("selection/threshold")
def laplace_tail(scale: Real, level: Real) -> Expr:
    """The probability that Laplace noise is at least a level >= 0."""
    return exp(-formula(level) / scale) / 2


@by("laplace/mean")
def mean(shift: Real) -> Expr:
    """The mean loss of a shift by that many scales."""
    return formula(shift) + exp(-formula(shift)) - 1


@by("laplace/zcdp")
def rho(shift: Real) -> Expr:
    """The zCDP parameter of a shift by that many scales: its mean loss."""
    return mean(shift)


@by("laplace/delta")
def delta(shift: Real, epsilon: Real) -> Expr:
    """delta(epsilon) of a shift by that many scales, for epsilon >= 0."""
    return maximum(0, 1 - exp((formula(epsilon) - shift) / 2))


@by("laplace/renyi")
def log_moment(shift: Real, rate: Real) -> Expr:
    """log E exp(rate L) of a shift by that many scales, for rate other than -1/2."""
    shift = formula(shift)
    rate = formula(rate)
    return log(
        ((1 + rate) * exp(rate * shift) + rate * exp(-(1 + rate) * shift))
        / (1 + 2 * rate)
    )
