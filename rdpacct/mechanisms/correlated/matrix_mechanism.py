"""A strategy that is given by its matrix, in exact rationals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.number import listed, rational
from rdpacct.exact.parameter import CheckedField, Parameter
from rdpacct.mechanisms.correlated.correlated_noise import CorrelatedNoise
from rdpacct.mechanisms.correlated.gram import (
    MOST_PATTERNS,
    Gram,
    Squares,
    attained_square,
    largest_square,
    signs_of,
)
from rdpacct.mechanisms.inside import WholeIn
from rdpacct.privacy.relation import Norm, SensitivityIn

MOST_COLUMNS = 200
MOST_ENTRIES = 40_000


class MatrixIn(CheckedField[Sequence[Sequence[Any]], tuple[tuple[Fraction, ...], ...]]):
    """A field that holds a matrix of exact numbers by its rows, checked when it is given."""

    def checked(
        self, given: Sequence[Sequence[Any]]
    ) -> tuple[tuple[Fraction, ...], ...]:
        return _matrix(listed(given))


def _matrix(rows: Any) -> tuple[tuple[Fraction, ...], ...]:
    lists = isinstance(rows, list | tuple) and all(
        isinstance(row, list | tuple) and row for row in rows
    )
    if not lists or not rows:
        raise InputError(
            "the strategy is a list of rows, each a list of numbers, one for each step;"
            " give such a list, as in strategy=[[1, 0], [1, 1]]."
        )
    columns = len(rows[0])
    if any(len(row) != columns for row in rows):
        raise InputError(
            "the strategy has rows of different lengths; give one number for each step."
        )
    if columns > MOST_COLUMNS or columns * len(rows) > MOST_ENTRIES:
        raise InputError(
            f"the strategy has {len(rows)} rows and {columns} columns, more than"
            f" {MOST_COLUMNS} columns or {MOST_ENTRIES} entries; give its coefficients to"
            " ToeplitzMechanism, or split the stream."
        )
    matrix = tuple(tuple(rational(x, "an entry") for x in row) for row in rows)
    if not any(any(row) for row in matrix):
        raise InputError(
            "the strategy has zeros only, so that it releases nothing; give another one."
        )
    return matrix


@dataclass(frozen=True)
class MatrixMechanism(CorrelatedNoise):
    """C x + N(0, sigma**2) noise on each entry, for the matrix C with the rows ``strategy``; what
    is worked out from it, such as all prefix sums of x, costs nothing more.
    """

    also_called: ClassVar[tuple[str, ...]] = ("MatrixFactorization", "DPFTRL")
    sigma: Parameter = Parameter(above_least=True)
    strategy: MatrixIn = MatrixIn()
    participations: WholeIn = WholeIn("the number of participations", 1)
    separation: WholeIn = WholeIn("the separation", 1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L2)

    @property
    def length(self) -> int:
        return len(self.strategy[0])

    @property
    def in_order(self) -> bool:
        """Whether each row has zeros after the step of its number."""
        rows = enumerate(self.strategy)
        return all(not any(row[index + 1 :]) for index, row in rows)

    def gram(self) -> Gram:
        """The products of each two columns of the strategy."""
        common = lcm(*(x.denominator for row in self.strategy for x in row))
        whole = [[int(x * common) for x in row] for row in self.strategy]
        columns = list(zip(*whole, strict=True))
        scale = common**2
        return [
            [Fraction(sum(map(mul, column, other)), scale) for other in columns]
            for column in columns
        ]

    def squares(self) -> Squares:
        return largest_square(self.gram(), self.taking_part)

    def encoded(self, stream: Sequence[Any]) -> list[Any]:
        rows = [[float(x) for x in row] for row in self.strategy]
        return [sum(map(mul, row, stream)) for row in rows]

    def worst_moves(self) -> list[int] | None:
        """The moves of the first pattern that attains the sensitivity, with their signs."""
        gram = self.gram()
        for pattern in self.taking_part.patterns(MOST_PATTERNS) or ():
            if attained_square(gram, pattern) == self._squares.upper:
                return self._signed(gram, pattern)
        return None

    def _signed(self, gram: Gram, pattern: Sequence[int]) -> list[int]:
        moves = [0] * self.length
        for step, sign in zip(pattern, signs_of(gram, pattern), strict=True):
            moves[step] = sign
        return moves

    @classmethod
    def examples(cls) -> Iterable["MatrixMechanism"]:
        yield cls(2, [[1, 0, 0], [-1, 1, 0], [0, "-1/2", 1]], 2, 2)
