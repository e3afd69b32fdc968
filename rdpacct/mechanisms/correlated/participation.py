"""In which steps of a stream a record takes part: how often at most, and how far apart at least."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.exact.formula import Scalar
from rdpacct.provenance import by

MOST_STEPS = 10**6
"""The longest stream."""


@dataclass(frozen=True)
class Participation:
    """At most ``times`` of ``steps`` steps, any two of which are ``separation`` apart, at least."""

    steps: int
    times: int
    separation: int

    @property
    def most(self) -> int:
        """The largest number of steps in which a record takes part."""
        return min(self.times, most_within(self.steps, self.separation))

    def first(self) -> range:
        """The pattern whose steps are the earliest."""
        end = earliest(Fraction(self.most), Fraction(self.separation))
        return range(0, int(end), self.separation)

    def allows(self, pattern: list[int]) -> bool:
        """Whether a record may take part in exactly these steps, which rise."""
        gaps = (later - step for step, later in pairwise(pattern))
        enough = all(gap >= self.separation for gap in gaps)
        inside = all(0 <= step < self.steps for step in pattern)
        return enough and inside and len(pattern) <= self.times

    def patterns(self, most: int) -> list[tuple[int, ...]] | None:
        """All patterns that no other one contains; None if there are more than ``most``."""
        patterns: list[tuple[int, ...]] = []
        for pattern in self._grown(()):
            if len(patterns) == most:
                return None
            patterns.append(pattern)
        return patterns

    def _grown(self, pattern: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The patterns that begin with these steps and cannot be continued."""
        start = pattern[-1] + self.separation if pattern else 0
        if len(pattern) == self.times or start >= self.steps:
            yield pattern
            return
        for step in range(start, self.steps):
            yield from self._grown((*pattern, step))


def most_within(length: int, separation: int) -> int:
    """How many steps at least ``separation`` apart fit into a number of consecutive ones."""
    if length <= 0:
        return 0
    return math.floor(participations_within(Fraction(length - 1), Fraction(separation)))


@by("matrix/participation")
def participations_within(last: Scalar, separation: Scalar) -> Scalar:
    """The most steps in which a record takes part up to a last one, counted from 0, before rounding
    down.
    """
    return 1 + last / separation


@by("matrix/participation")
def earliest(index: Scalar, separation: Scalar) -> Scalar:
    """The earliest step of the participation of this number, counted from 0."""
    return index * separation
