"""Staircase noise on one number: the least error at a given epsilon (Geng and Viswanath)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.functions import exp, maximum, minimum
from rdpacct.exact.parameter import OptionalParameter, Parameter
from rdpacct.mechanisms.mechanism import NoiseMechanism
from rdpacct.mechanisms.noisy import not_one_number, one_number, worst_move
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.mechanisms.study_only import study_only
from rdpacct.privacy.constants import about
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.provenance import attempt, by


@dataclass(frozen=True)
class Staircase(NoiseMechanism):
    """f(D) + noise of a density that falls by exp(epsilon) from step to step, for one number.

    The steps end at (gamma + k) sensitivity, for k = 0, 1, 2, ... on both sides of 0. Without
    gamma it is 1/(1 + exp(epsilon/2)), which the authors find best for the mean of |noise|.
    """

    epsilon: Parameter = Parameter(above_least=True)
    gamma: OptionalParameter = OptionalParameter(0, 1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L1)
    continuous: ClassVar[bool] = True

    @property
    def first_step(self) -> Expr:
        """Where the first step ends, as a share of the sensitivity."""
        if self.gamma is None:
            return 1 / (1 + exp(self.epsilon / 2))
        return self.gamma

    def loss(self) -> PrivacyLoss:
        with attempt() as used:
            worst_move(self.sensitivity.value)  # which is one step of the stairs
            law = staircase_pair(self.epsilon, self.first_step)
        return replace(law, rests_on=law.rests_on | used)

    def for_group(self, size: int) -> None:  # noqa: ARG002
        """None: larger moves have losses of several steps, which are not worked out."""
        return

    def hypotheses(self) -> tuple[str, ...]:
        return (f"{self}: the query is one number.",)

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        return not_one_number(first) or super().uncovered(first, second)

    def sample(self, value: Any, rng: Source = None) -> float:
        """The noisy value, for study only: noise in doubles is porous and leaks the input."""
        study_only(self)
        center = one_number(value, self)
        source = randomness(rng)
        epsilon, gamma, width = self._planned
        whole = int(source.expovariate(epsilon))
        low = gamma / (gamma + (1 - gamma) * math.exp(-epsilon))
        place = source.random()
        inside = gamma * place
        if source.random() >= low:
            inside = gamma + (1 - gamma) * place
        return center + source.choice((-1, 1)) * (whole + inside) * width

    @lazy_property
    def _planned(self) -> tuple[float, float, float]:
        """Epsilon, the first step and the sensitivity as doubles, for the sampler."""
        numbers = self.epsilon, self.first_step, self.sensitivity.value
        first, second, third = map(about, numbers)
        return first, second, third

    def pair(self) -> tuple[float, float]:
        return 0.0, float(self.sensitivity.value.ball(64))

    def observed(self, output: float) -> float:
        epsilon, _, width = self._planned
        here, there = (self._step(abs(x) / width) for x in (output, output - width))
        return (there - here) * epsilon

    def _step(self, distance: float) -> int:
        """The number of the step on which a noise of this size lies."""
        return math.floor(distance - self._planned[1]) + 1

    @classmethod
    def examples(cls) -> Iterable["Staircase"]:
        return (cls(1),)


@by("noise/staircase")
def staircase_pair(epsilon: Expr, gamma: Expr) -> PrivacyLoss:
    """The loss of a move by the sensitivity, with the first step up to the share gamma of it."""
    high = first_height(epsilon, gamma)
    up = Fraction(1, 2) + high * minimum(gamma, 1 - gamma)
    down = exp(-epsilon) * up
    level = maximum(0, 1 - 2 * gamma) * exp(-epsilon) + maximum(0, 2 * gamma - 1)
    same = high * level
    return PrivacyLoss(
        (
            Atom(up, down, epsilon),
            Atom(same, same, ZERO),
            Atom(down, up, -epsilon),
        ),
        symmetric=True,
    )


@by("noise/staircase")
def first_height(epsilon: Expr, gamma: Expr) -> Expr:
    """The density of the first step, times the sensitivity."""
    return (1 - exp(-epsilon)) / (2 * (gamma + (1 - gamma) * exp(-epsilon)))
