"""The largest length of C u over the moves u of a record, from the products of the columns of C.

In step i a record moves the stream by a vector of length at most 1, if it takes part there. The
square of the length of C u is the sum over all pairs of steps of the product of their columns times
that of the moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add

from rdpacct.exact.formula import Scalar
from rdpacct.mechanisms.correlated.participation import Participation
from rdpacct.provenance import by

MOST_PATTERNS = 5_000
"""How many patterns are gone through one by one."""
Gram = Sequence[Sequence[Fraction]]
"""The products of each two columns."""


@dataclass(frozen=True)
class Squares:
    """The square of a sensitivity: attained by some moves, and certainly never exceeded."""

    lower: Fraction
    upper: Fraction

    @property
    def exact(self) -> bool:
        """Whether the two are the same."""
        return self.lower == self.upper


def largest_square(gram: Gram, taking_part: Participation) -> Squares:
    """The largest square over all patterns: exact for one participation, for columns that are
    orthogonal where a record takes part again, and for few patterns with products of at least 0.
    """
    diagonal = [gram[i][i] for i in range(len(gram))]
    if taking_part.most == 1:
        largest = max(diagonal)
        return Squares(largest, largest)
    if _is_orthogonal(gram, taking_part.separation):
        largest = best_total(diagonal, taking_part)
        return Squares(largest, largest)
    sizes = [[abs(entry) for entry in row] for row in gram]
    patterns = taking_part.patterns(MOST_PATTERNS)
    if patterns is not None:
        lower = max(attained_square(gram, pattern) for pattern in patterns)
        return Squares(
            lower, max(square_at_most(sizes, pattern) for pattern in patterns)
        )
    lower = max(*diagonal, attained_square(gram, taking_part.first()))
    return Squares(lower, row_by_row(sizes, taking_part))


def _is_orthogonal(gram: Gram, separation: int) -> bool:
    """Whether columns at least this far apart are orthogonal."""
    size = len(gram)
    return all(
        gram[i][j] == 0 for i in range(size) for j in range(i + separation, size)
    )


@by("matrix/sensitivity")
def square_at_most(sizes: Sequence[Sequence[Scalar]], pattern: Sequence[int]) -> Scalar:
    """The sum of the sizes of the products of all pairs of columns of a pattern."""
    return reduce(add, (sizes[i][j] for i in pattern for j in pattern))


@by("matrix/sensitivity")
def square_of_moves(
    gram: Sequence[Sequence[Scalar]], pattern: Sequence[int], signs: Sequence[int]
) -> Scalar:
    """The square for moves by 1 along one line, each up or down."""
    moves = list(zip(pattern, signs, strict=True))
    rows = (sign * other * gram[i][j] for i, sign in moves for j, other in moves)
    return reduce(add, rows)


def signs_of(gram: Gram, pattern: Sequence[int]) -> list[int]:
    """Directions along one line in which each move adds to those before."""
    signs: list[int] = []
    for i in pattern:
        before = zip(pattern, signs, strict=False)
        total = sum((sign * gram[i][j] for j, sign in before), Fraction(0))
        signs.append(1 if total >= 0 else -1)
    return signs


def attained_square(gram: Gram, pattern: Sequence[int]) -> Fraction:
    """The square for moves along one line in such directions."""
    return square_of_moves(gram, pattern, signs_of(gram, pattern))


def best_total(weights: Sequence[Fraction], taking_part: Participation) -> Fraction:
    """The largest sum of weights over a pattern, step by step: a step is left out, or taken after
    those that are far enough before it.
    """
    size = len(weights)
    zero = Fraction(0)
    before = [zero] * (size + 1)
    for _ in range(taking_part.most):
        totals = [zero] * (size + 1)
        for step in range(size):
            earlier = max(0, step + 1 - taking_part.separation)
            taken = weights[step] + before[earlier]
            totals[step + 1] = max(totals[step], taken)
        before = totals
    return before[size]


def row_by_row(sizes: Gram, taking_part: Participation) -> Fraction:
    """The largest sum over a pattern of the most that each step can have with all others; it is
    above that of the products of each pattern.
    """
    most = [best_total(row, taking_part) for row in sizes]
    return best_total(most, taking_part)
