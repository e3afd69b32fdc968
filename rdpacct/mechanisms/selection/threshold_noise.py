"""Noise of scale 1 on a threshold and on queries: in doubles to plan, in balls to answer."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from rdpacct.exact.raw import AnyBall, pi, real


class ThresholdNoise(ABC):
    """Symmetric noise whose density and tail are analytic on either side of 0."""

    kinked: ClassVar[bool]
    """Whether the two sides are different formulas."""
    spacing: ClassVar[float]
    reach: ClassVar[int]
    """How many nodes a plan has on each side, and how far they are apart."""

    @property
    def nodes(self) -> list[float]:
        """Where a plan looks at the noise of the threshold."""
        return [self.spacing * k for k in range(-self.reach, self.reach + 1)]

    @abstractmethod
    def planned_below(self, level: float) -> float:
        """The chance that the noise is below a level."""

    @abstractmethod
    def planned_density(self, point: float) -> float:
        """The density."""

    @abstractmethod
    def below(self, level: AnyBall, positive: bool) -> AnyBall:
        """The chance that the noise is below a level, by the formula of one side."""

    @abstractmethod
    def density(self, point: AnyBall, positive: bool) -> AnyBall:
        """The density, by the formula of one side."""


@dataclass(frozen=True)
class StandardNormal(ThresholdNoise):
    """Normal noise of variance 1."""

    kinked = False
    spacing = 0.35
    reach = 21

    def planned_below(self, level: float) -> float:
        return math.erfc(-level / math.sqrt(2)) / 2

    def planned_density(self, point: float) -> float:
        return math.exp(-(point**2) / 2) / math.sqrt(2 * math.pi)

    def below(self, level: AnyBall, positive: bool) -> AnyBall:  # noqa: ARG002
        return (-level / real(2).sqrt()).erfc() / 2

    def density(self, point: AnyBall, positive: bool) -> AnyBall:  # noqa: ARG002
        return (-(point**2) / 2).exp() / (2 * pi()).sqrt()


@dataclass(frozen=True)
class StandardLaplace(ThresholdNoise):
    """Laplace noise of scale 1."""

    kinked = True
    spacing = 0.75
    reach = 27

    def planned_below(self, level: float) -> float:
        tail = math.exp(-abs(level)) / 2
        return tail if level < 0 else 1 - tail

    def planned_density(self, point: float) -> float:
        return math.exp(-abs(point)) / 2

    def below(self, level: AnyBall, positive: bool) -> AnyBall:
        return 1 - (-level).exp() / 2 if positive else level.exp() / 2

    def density(self, point: AnyBall, positive: bool) -> AnyBall:
        return (-point if positive else point).exp() / 2
