"""Strategies whose columns are one sequence, moved down: the earliest steps are worst if it
falls.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm

from rdpacct.exact.formula import Scalar
from rdpacct.mechanisms.correlated.gram import Squares
from rdpacct.mechanisms.correlated.participation import Participation
from rdpacct.provenance import by


def toeplitz_square(
    coefficients: Sequence[Fraction], taking_part: Participation
) -> Squares:
    """The square of the sensitivity: exact if the coefficients fall to 0 from above, or end before
    a record takes part again; else up to a sequence above them that falls.
    """
    if len(coefficients) <= taking_part.separation:
        apart = orthogonal_columns(coefficients, taking_part)
        return Squares(apart, apart)
    lower = earliest_steps(coefficients, taking_part)
    falling = falling_above(coefficients)
    if falling == list(coefficients):
        return Squares(lower, lower)
    alone = sum(
        (coefficient * coefficient for coefficient in coefficients), Fraction(0)
    )
    return Squares(max(lower, alone), earliest_steps(falling, taking_part))


def falling_above(coefficients: Sequence[Fraction]) -> list[Fraction]:
    """The least sequence that never rises and is at least the sizes of these."""
    sizes = [abs(coefficient) for coefficient in coefficients]
    return list(accumulate(reversed(sizes), max))[::-1]


def earliest_steps(
    coefficients: Sequence[Fraction], taking_part: Participation
) -> Fraction:
    """The square of the length of the sum of the columns of the earliest steps."""
    zero = Fraction(0)
    common = lcm(*(coefficient.denominator for coefficient in coefficients))
    rest = taking_part.steps - len(coefficients)
    column = [*whole_multiples(coefficients, common), *[zero] * rest]
    apart = taking_part.separation
    span = apart * taking_part.most
    sums: list[Fraction] = []
    for step, own in enumerate(column):
        behind = sums[step - apart] if step >= apart else zero
        left = column[step - span] if step >= span else zero
        sums.append(next_sum(own, behind, left))
    return Fraction(sum(total.numerator**2 for total in sums), common**2)


def whole_multiples(numbers: Sequence[Fraction], common: int) -> list[Fraction]:
    """The numbers times a common denominator, with which sums take less time."""
    return [
        Fraction(number.numerator * (common // number.denominator))
        for number in numbers
    ]


def orthogonal_columns(
    coefficients: Sequence[Fraction], taking_part: Participation
) -> Fraction:
    """The squares of the columns of the earliest steps, which are the longest, added up."""
    squares = list(
        accumulate(coefficient * coefficient for coefficient in coefficients)
    )
    lengths = [taking_part.steps - step for step in taking_part.first()]
    return sum(
        (squares[min(length, len(squares)) - 1] for length in lengths), Fraction(0)
    )


def square_root_coefficients(count: int) -> list[Fraction]:
    """The coefficients of the square root of all prefix sums: 1, 1/2, 3/8, 5/16 and so on."""
    coefficients = [Fraction(1)]
    for index in range(1, count):
        coefficients.append(next_coefficient(coefficients[-1], Fraction(index)))
    return coefficients


@by("matrix/falling-columns")
def next_coefficient(before: Scalar, index: Scalar) -> Scalar:
    """The coefficient of this number of the square root, from the one before."""
    return before * (2 * index - 1) / (2 * index)


@by("matrix/falling-columns")
def next_sum(own: Scalar, behind: Scalar, left: Scalar) -> Scalar:
    """An entry of the sum of the earliest columns: that of one separation before, without the
    column that has left it, and the first column.
    """
    return own + behind - left
