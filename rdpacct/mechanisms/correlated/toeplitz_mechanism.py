"""Strategies whose columns are one sequence of coefficients, moved down from step to step."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO
from rdpacct.exact.number import listed, rational, shorten
from rdpacct.exact.parameter import CheckedField, Parameter
from rdpacct.mechanisms.correlated.correlated_noise import (
    CorrelatedNoise,
    steps_at_most,
)
from rdpacct.mechanisms.correlated.falling_columns import toeplitz_square
from rdpacct.mechanisms.correlated.gram import Squares
from rdpacct.mechanisms.inside import WholeIn
from rdpacct.privacy.relation import Norm, SensitivityIn

MOST_COEFFICIENTS = 10_000


class CoefficientsIn(CheckedField[Sequence[Any], tuple[Fraction, ...]]):
    """A field that holds exact coefficients, the first of which is not 0."""

    def checked(self, given: Sequence[Any]) -> tuple[Fraction, ...]:
        numbers = listed(given)
        if not isinstance(numbers, list | tuple) or not numbers:
            raise InputError(
                f"the coefficients are {shorten(str(given))}, but must be a list of"
                " numbers; give one, as in coefficients=[1, 1/2]."
            )
        if len(numbers) > MOST_COEFFICIENTS:
            raise InputError(
                f"there are {len(numbers)} coefficients, more than the"
                f" {MOST_COEFFICIENTS} that are followed; give fewer bands."
            )
        coefficients = tuple(rational(number, "a coefficient") for number in numbers)
        if coefficients[0] == 0:
            raise InputError(
                "the first coefficient is 0, so that the last step is not released; give"
                f" another one than {ZERO}."
            )
        return coefficients


class MovedColumns(CorrelatedNoise):
    """C x + noise, where column i of C has the coefficients from row i on."""

    steps: int

    def __post_init__(self) -> None:
        steps_at_most(self.steps)

    @property
    def length(self) -> int:
        return self.steps

    @property
    def in_order(self) -> bool:
        return True

    @abstractmethod
    def column(self) -> Sequence[Fraction]:
        """The coefficients, of which there are at most as many as steps."""

    def squares(self) -> Squares:
        return toeplitz_square(self.column(), self.taking_part)

    def encoded(self, stream: Sequence[Any]) -> list[Any]:
        numbers = [float(coefficient) for coefficient in self.column()]
        entries = []
        for step in range(self.length):
            reach = min(step + 1, len(numbers))
            entries.append(sum(numbers[j] * stream[step - j] for j in range(reach)))
        return entries


@dataclass(frozen=True)
class ToeplitzMechanism(MovedColumns):
    """C x + N(0, sigma**2) noise on each entry, where row i of C x is the sum of
    ``coefficients[j]`` times row i - j of x: a band of this many steps.
    """

    sigma: Parameter = Parameter(above_least=True)
    steps: WholeIn = WholeIn("the number of steps")
    coefficients: CoefficientsIn = CoefficientsIn()
    participations: WholeIn = WholeIn("the number of participations", 1)
    separation: WholeIn = WholeIn("the separation", 1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L2)

    def column(self) -> Sequence[Fraction]:
        return self.coefficients[: self.steps]

    @classmethod
    def examples(cls) -> Iterable["ToeplitzMechanism"]:
        yield cls(2, 4, [1, "-1/2"], participations=2, separation=2)
