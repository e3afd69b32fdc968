"""The discrete Laplace (geometric) mechanism: two-sided geometric noise on an integer query."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Expr, Rational, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.exact.special import geometric_moments
from rdpacct.mechanisms.array_sampling import many_discrete_laplaces
from rdpacct.mechanisms.discrete.discrete_transforms import DiscreteLaplaceTransform
from rdpacct.mechanisms.mechanism import NoiseMechanism
from rdpacct.mechanisms.noisy import with_whole_noise
from rdpacct.mechanisms.sampling import discrete_laplace
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import FURTHEST_ORDER, Atom, Edge, Part
from rdpacct.privacy.relation import Norm, Sensitivity, SensitivityIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by

MAX_STEPS = 100_000
FEW_ATOMS = 8
"""Up to this many steps the composition of the outcomes as atoms is exact."""
MOST_ATOMS = 64
"""Up to this many steps every outcome is an atom; beyond, they are added up as geometric series."""


@dataclass(frozen=True)
class DiscreteLaplace(NoiseMechanism):
    """f(D) + an integer x of probability proportional to exp(-|x|/scale), for an integer query
    f.
    """

    also_called: ClassVar[tuple[str, ...]] = ("Geometric",)
    instead_of: ClassVar[Mapping[str, str]] = {
        "epsilon": "for an epsilon take scale = sensitivity/epsilon",
    }
    scale: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L1)
    same_outputs: ClassVar[bool] = True

    def __post_init__(self) -> None:
        steps_of(self.sensitivity, MAX_STEPS)

    def loss(self) -> PrivacyLoss:
        return worst_pair(1 / self.scale, steps_of(self.sensitivity, MAX_STEPS))

    @by("discrete-laplace/worst-pair")
    def directions(self) -> tuple[Direction, ...]:
        """Neighbors at the largest distance are worst: what composition needs of their loss."""
        steps = steps_of(self.sensitivity, MAX_STEPS)
        if steps <= FEW_ATOMS:
            return super().directions()
        return (Direction(DiscreteLaplaceTransform(1 / self.scale, steps)),)

    def upper_tail(self, level: Expr) -> Expr:
        return discrete_laplace_tail(self.scale, level)

    def sample(self, value: Any, rng: Source = None) -> Any:
        """The noisy value, exactly distributed, with independent noise on each coordinate of a list
        or an array.
        """
        scale = rational_of(self.scale, "scale")
        source = randomness(rng)
        return with_whole_noise(
            value,
            lambda: discrete_laplace(scale, source),
            lambda size: many_discrete_laplaces(scale, size, source),
        )

    def pair(self) -> tuple[int, int]:
        return 0, steps_of(self.sensitivity, MAX_STEPS)

    def observed(self, output: int) -> float:
        steps = self.pair()[1]
        return (abs(output - steps) - abs(output)) / float(self.scale.ball(64))

    @classmethod
    def examples(cls) -> Iterable["DiscreteLaplace"]:
        return (
            cls(1),
            cls("0.3", sensitivity=2),
            cls(5, sensitivity=7),
            cls(30, sensitivity=100),
        )


@by("selection/threshold")
def discrete_laplace_tail(scale: Real, level: Real) -> Expr:
    """The probability that discrete Laplace noise is at least a whole level >= 0."""
    rate = 1 / formula(scale)
    return exp(-rate * level) / (1 + exp(-rate))


@by("discrete-laplace/worst-pair")
def worst_pair(rate: Expr, steps: int) -> PrivacyLoss:
    """Among integer values at distance at most ``steps``, those at distance ``steps`` have the
    worst loss.
    """
    outside = 1 / (1 + exp(-rate))
    far = exp(-steps * rate) / (1 + exp(-rate))
    inside: list[Part] = [GeometricLattice(rate, steps)]
    if steps <= MOST_ATOMS:
        weight = (1 - exp(-rate)) / (1 + exp(-rate))
        inside = [
            Atom(
                weight * exp(-x * rate),
                weight * exp((x - steps) * rate),
                (steps - 2 * x) * rate,
            )
            for x in range(1, steps)
        ]
    ends = Atom(outside, far, steps * rate), Atom(far, outside, -steps * rate)
    return PrivacyLoss(
        (*ends, *inside), symmetric=True, event=partial(_event, rate, steps)
    )


def _event(rate: Expr, steps: int, threshold: Fraction) -> str:
    last = math.ceil(((steps - threshold / rate) / 2).bound().lower) - 1
    return f"output - f(D) <= {last}, where f(D') - f(D) = {steps}"


@dataclass(frozen=True)
class GeometricLattice(Part):
    """The outcomes 0 < x < steps: losses rate (steps - 2x), of probabilities that fall
    geometrically in x.
    """

    largest_order: ClassVar[int] = FURTHEST_ORDER
    rate: Expr
    steps: int

    def range(self) -> tuple[Edge, Edge]:
        return (2 - self.steps) * self.rate, (self.steps - 2) * self.rate

    def moment(self, rate: Fraction, bits: int) -> Ball:
        ratio = exp(-(1 + 2 * rate) * self.rate)
        series = (
            formula(self.steps - 1)
            if rate == Fraction(-1, 2)
            else (ratio - ratio**self.steps) / (1 - ratio)
        )
        return (self._weight() * exp(rate * self.steps * self.rate) * series).ball(bits)

    def mean(self, bits: int) -> Ball:
        return self.central_moments(1, Ball.of(0, bits), bits)[1]

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        shrink = exp(-self.rate).ball(bits)
        mass = self._weight().ball(bits)
        gap = self.steps * self.rate.ball(bits) - center
        step = 2 * self.rate.ball(bits)
        return geometric_moments(mass, shrink, gap, step, self.steps - 1, orders)

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return self._below(self._last(threshold, bits), bits)[0]

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        p, q = self._below(self._last(threshold, bits), bits)
        return (p - q * exp(threshold).ball(bits)).positive_part()

    def reversed(self) -> "GeometricLattice":
        return self

    def _weight(self) -> Expr:
        return (1 - exp(-self.rate)) / (1 + exp(-self.rate))

    def _last(self, threshold: Fraction, bits: int) -> tuple[int, int]:
        """The last x whose loss certainly exceeds the threshold, and the last one whose loss
        may.
        """
        edge = ((self.steps - threshold / self.rate) / 2).ball(bits).bound()
        certain, possible = (
            math.ceil(end) - 1 if end > -1 else 0 for end in (edge.lower, edge.upper)
        )
        return min(max(certain, 0), self.steps - 1), min(
            max(possible, 0), self.steps - 1
        )

    def _below(self, last: tuple[int, int], bits: int) -> tuple[Ball, Ball]:
        """The probabilities of 0 < x <= last under P and Q; a ball around both ends where the last
        is uncertain.
        """
        ratio = exp(-self.rate)
        scale = self._weight() / (1 - exp(-self.rate))
        p = [(scale * (ratio - ratio ** (k + 1))).ball(bits) for k in last]
        q = [
            (scale * (ratio ** (self.steps - k) - ratio**self.steps)).ball(bits)
            for k in last
        ]
        return p[0].union(p[1]), q[0].union(q[1])


def steps_of(sensitivity: Sensitivity, most: int) -> int:
    """The sensitivity of an integer query, as a whole number of steps."""
    value = sensitivity.value
    if (
        not isinstance(value, Rational)
        or value.value.denominator != 1
        or value.value > most
    ):
        raise InputError(
            f"sensitivity is {value}, but discrete noise is for integer queries, whose"
            f" sensitivity is a whole number up to {most}; scale the query to integers."
        )
    return int(Fraction(value.value))
