"""The sensitivity of a binary tree over a stream: level by level.

The nodes of level l are the sums over blocks of 2**l consecutive steps that are complete. A record
adds to every node over a step in which it takes part.
"""

from fractions import Fraction

from rdpacct.exact.formula import Scalar
from rdpacct.mechanisms.correlated.gram import Squares
from rdpacct.mechanisms.correlated.participation import Participation, most_within
from rdpacct.provenance import by


def levels_of(steps: int) -> int:
    """How many levels a tree has."""
    return steps.bit_length()


def tree_square(taking_part: Participation) -> Squares:
    """The square of the sensitivity: by the earliest pattern, and by the fullest blocks of each
    level.
    """
    levels = range(levels_of(taking_part.steps))
    lower = sum(_of_the_first(taking_part, level) for level in levels)
    upper = sum(_at_most(taking_part, level) for level in levels)
    return Squares(Fraction(lower), Fraction(upper))


def _of_the_first(taking_part: Participation, level: int) -> int:
    """The sum of the squares of the numbers in each block, for the earliest pattern."""
    counts: dict[int, int] = {}
    blocks = taking_part.steps >> level
    for step in taking_part.first():
        if step >> level < blocks:
            counts[step >> level] = counts.get(step >> level, 0) + 1
    return sum(count * count for count in counts.values())


def _at_most(taking_part: Participation, level: int) -> int:
    """The sum of squares for the fullest blocks that a pattern can have."""
    separation = taking_part.separation
    blocks = taking_part.steps >> level
    inside = min(taking_part.times, most_within(blocks << level, separation))
    fullest = min(taking_part.times, most_within(1 << level, separation))
    full, rest = divmod(inside, fullest)
    square = fullest_blocks(Fraction(full), Fraction(fullest), Fraction(rest))
    return int(square)


@by("matrix/tree")
def fullest_blocks(full: Scalar, fullest: Scalar, rest: Scalar) -> Scalar:
    """The largest sum of squares of numbers that are at most the fullest: as many full ones as
    there are, and one that has the rest.
    """
    return full * fullest**2 + rest**2
