"""The discrete Laplace (geometric) mechanism: two-sided geometric noise on an integer query."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.by import by
from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Rational
from rdpacct.exact.functions import exp
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.mechanism import NoiseMechanism, randomness, rational_of
from rdpacct.mechanisms.sampling import discrete_laplace
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import Norm, Sensitivity, SensitivityIn

MAX_STEPS = 10_000


@dataclass(frozen=True)
class DiscreteLaplace(NoiseMechanism):
    """f(D) + an integer x of probability proportional to exp(-|x|/scale), for an integer query f."""

    scale: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L1)

    def __post_init__(self) -> None:
        steps_of(self.sensitivity, MAX_STEPS)

    def loss(self) -> PrivacyLoss:
        return worst_pair(1 / self.scale, steps_of(self.sensitivity, MAX_STEPS))

    def sample(self, value: int, rng: random.Random | None = None) -> int:
        """The noisy value, exactly distributed."""
        return value + discrete_laplace(rational_of(self.scale, "scale"), randomness(rng))

    def pair(self) -> tuple[int, int]:
        return 0, steps_of(self.sensitivity, MAX_STEPS)

    def observed(self, output: int) -> float:
        steps = self.pair()[1]
        return (abs(output - steps) - abs(output)) / float(self.scale.ball(64))

    @classmethod
    def examples(cls) -> Iterable["DiscreteLaplace"]:
        return cls(1), cls("0.3", sensitivity=2), cls(5, sensitivity=7)


@by("discrete-laplace/worst-pair")
def worst_pair(rate: Expr, steps: int) -> PrivacyLoss:
    """Among integer values at distance at most ``steps``, those at distance ``steps`` have the worst loss."""
    outside = 1 / (1 + exp(-rate))
    weight = (1 - exp(-rate)) / (1 + exp(-rate))
    far = exp(-steps * rate) * outside
    atoms = [Atom(outside, far, steps * rate), Atom(far, outside, -steps * rate)]
    for x in range(1, steps):
        atoms.append(Atom(weight * exp(-x * rate), weight * exp((x - steps) * rate), (steps - 2 * x) * rate))
    return PrivacyLoss(tuple(atoms), symmetric=True)


def steps_of(sensitivity: Sensitivity, most: int) -> int:
    """The sensitivity of an integer query, as a whole number of steps."""
    value = sensitivity.value
    if not isinstance(value, Rational) or value.value.denominator != 1 or value.value > most:
        raise InputError(
            f"sensitivity is {value}, but discrete noise is for integer queries, whose sensitivity is a whole number "
            f"up to {most}; scale the query to integers."
        )
    return int(Fraction(value.value))
