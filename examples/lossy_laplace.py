"""A mechanism with a transform of its own, in one file.

A value is published with Laplace noise with probability ``keep``, and else nothing is. Saved in
``rdpacct/mechanisms/`` or anywhere else, as soon as it is imported it works in plans, also sampled
and beside other mechanisms.
"""

import math
from dataclasses import dataclass
from typing import Any

from rdpacct import Laplace, epsilon
from rdpacct.functions import exp
from rdpacct.mechanisms import (
    LOSS,
    Atom,
    Direction,
    Expr,
    NoiseMechanism,
    Norm,
    Parameter,
    Piece,
    PrivacyLoss,
    SensitivityIn,
    Transform,
    about,
    randomness,
    value,
)

PLANS = [
    "LossyLaplace(scale=2, keep=1/2)",
    "10*LossyLaplace(scale=2, keep=1/2) + Gaussian(sigma=4)",
    "20*PoissonSampled(LossyLaplace(scale=1, keep=1/2), rate=1/10) + Gaussian(sigma=4)",
]


@dataclass(frozen=True)
class KeptTransform(Transform):
    """E exp(z L) for a loss that is 0 unless a coin with probability ``keep`` shows heads."""

    keep: Expr
    other: Transform

    def planned(self, tilt: float) -> float:
        kept = math.log(about(self.keep)) + self.other.planned(tilt)
        rest = math.log1p(-about(self.keep))
        return max(kept, rest) + math.log1p(math.exp(-abs(kept - rest)))

    def at(self, nodes: Any, nats: float = 40.0) -> list[Any]:
        keep = value(self.keep)
        return [1 - keep + keep * at for at in self.other.at(nodes, nats)]

    def top(self) -> Any:
        return self.other.top()

    def planned_top(self) -> float:
        return self.other.planned_top()


@dataclass(frozen=True)
class LossyLaplace(NoiseMechanism):
    """Laplace noise with probability ``keep``, and else no answer."""

    scale: Parameter = Parameter(above_least=True)
    keep: Parameter = Parameter(above_least=True, most=1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L1)

    @property
    def noise(self) -> Laplace:
        return Laplace(self.scale, sensitivity=self.sensitivity)

    def loss(self) -> PrivacyLoss:
        shift = self.noise.shift
        above = self.keep / 2
        below = self.keep * exp(-shift) / 2
        between = self.keep * exp((LOSS - shift) / 2) / 4
        nothing = 1 - self.keep
        return PrivacyLoss(
            (
                Atom(above, below, shift),
                Piece(between, -shift, shift),
                Atom(below, above, -shift),
                Atom(nothing, nothing, shift - shift),
            ),
            symmetric=True,
        )

    def directions(self) -> tuple[Direction, ...]:
        [direction] = self.noise.directions()
        assert direction.transform is not None
        return (Direction(KeptTransform(self.keep, direction.transform)),)

    def sampled_transform(self, rate: Expr, removing: bool) -> Transform:
        return KeptTransform(self.keep, self.noise.sampled_transform(rate, removing))

    def sample(self, value: float, rng: Any = None) -> float | None:
        source = randomness(rng)
        if source.random() >= about(self.keep):
            return None
        noisy: float = self.noise.sample(value, source)
        return noisy

    def pair(self) -> Any:
        return self.noise.pair()

    def observed(self, output: float | None) -> float:
        return 0.0 if output is None else self.noise.observed(output)

    @classmethod
    def examples(cls) -> tuple["LossyLaplace", ...]:
        return cls(2, "1/2"), cls("0.5", "0.9")


def main() -> None:
    for text in PLANS:
        print(epsilon(text, "1e-6"), text)


if __name__ == "__main__":
    main()
