"""What a proposal has to know of each kind of release, beside what the checker knows of it."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Parameters = Mapping[str, Any]


class ProposedKind:
    """A kind of release whose transform is a closed form, on any contour."""

    is_slow = False
    """Whether the transform is an integral or a long sum."""

    def reach(self, parameters: Parameters, nats: float) -> int:  # noqa: ARG002
        """How far sums over whole numbers must go, for errors that are so small; 0 if it has
        none.
        """
        return 0

    def shift(self, parameters: Parameters) -> Fraction | None:  # noqa: ARG002
        """How far a sampled normal loss is shifted, which bounds the strip of its contours; None if
        it is none.
        """
        return None


class _Integral(ProposedKind):
    is_slow = True


class _WholeNormal(ProposedKind):
    is_slow = True

    def reach(self, parameters: Parameters, nats: float) -> int:
        variance = float(Fraction(parameters["sigma_squared"]))
        return math.ceil(math.sqrt(2 * variance * nats)) + 4


class _SampledNormal(ProposedKind):
    is_slow = True

    def shift(self, parameters: Parameters) -> Fraction:
        return Fraction(parameters["sensitivity"]) / Fraction(parameters["sigma"])


_CLOSED = ProposedKind()
_OTHERS = {
    "DiscreteGaussian": _WholeNormal(),
    "PoissonSampled(Gaussian)": _SampledNormal(),
    "PoissonSampled(Laplace)": _Integral(),
}


def kind_of(row: Mapping[str, Any]) -> ProposedKind:
    """The kind of a release, by its row in a certificate."""
    return _OTHERS.get(row["mechanism"], _CLOSED)
