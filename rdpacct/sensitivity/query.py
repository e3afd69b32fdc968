"""Queries that know how much they change: local, smooth and global sensitivity of a number computed
from data.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import Number, rational, whole
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.provenance import by

BITS = 128
FARTHEST = 10**18
"""No data set has more records."""


@dataclass(frozen=True)
class LocalSensitivity:
    """The largest change of the query from one data set to a neighbor. Noise on this scale is not
    private.
    """

    value: Unpublishable[Fraction]
    relation: Relation


@dataclass(frozen=True)
class SmoothSensitivity:
    """The smallest bound on the local sensitivity whose logarithm changes by at most beta between
    neighbors.
    """

    value: Unpublishable[Bound]
    beta: Fraction
    slack: Fraction
    """The largest width of the enclosure in logarithm, for all data sets of this size."""
    relation: Relation

    def scale(self) -> Unpublishable[Fraction]:
        """The upper end: a bound on the local sensitivity, and smooth with ``smoothness``."""
        return Unpublishable(
            Fraction(self.value.for_study().upper), "the scale of the noise"
        )

    @property
    def smoothness(self) -> Fraction:
        """An upper bound on the change of the logarithm of ``scale`` between neighbors."""
        return self.beta + self.slack


class Query(ABC):
    """A number computed from a data set, whose neighbors are the data sets with one record
    replaced.

    A subclass gives the value, and its largest change within a number of replaced records.
    """

    relation: Relation = Relation.REPLACE_ONE

    @abstractmethod
    def value(self, data: Any) -> Number:
        """The query itself."""

    @abstractmethod
    def local_within(self, data: Any, distance: int) -> Number:
        """The largest local sensitivity of all data sets within this number of replaced records."""

    @abstractmethod
    def farthest(self, data: Any) -> int:
        """The largest distance between this data set and another."""

    def global_bound(self) -> Number | None:
        """An upper bound on every local sensitivity; None if there is none."""
        return None

    def whole(self) -> bool:
        """True if the values are integers for all data; then noise over the integers is exact."""
        return False

    def local(self, data: Any) -> LocalSensitivity:
        """The largest change of the query between this data set and a neighbor."""
        largest = rational(self.local_within(data, 0), "the local sensitivity")
        return LocalSensitivity(
            Unpublishable(largest, "the local sensitivity"), self.relation
        )

    @by("smooth/efficient")
    def smooth(self, data: Any, beta: Number) -> SmoothSensitivity:
        """The largest exp(-beta k) times the largest local sensitivity within the distance k."""
        rate = smooth_rate(beta)
        most = self.global_bound()
        best = Ball.of(0, BITS)
        decay = Ball.of(1, BITS)
        shrink = Ball.of(-rate, BITS).exp()
        for distance in range(self.farthest(data) + 1):
            if (
                most is not None
                and (
                    best - decay * rational(most, "the global bound")
                ).certainly_positive()
            ):
                break
            best = best.larger(
                decay
                * rational(self.local_within(data, distance), "the local sensitivity")
            )
            decay = decay * shrink
        bound = best.bound("largest over the distances")
        slack = Fraction(1, 2**64)
        if Fraction(bound.upper) > Fraction(bound.lower) * (1 + slack):
            raise InputError(
                f"the smooth sensitivity for beta = {beta} is too small to be enclosed;"
                " give a smaller beta."
            )
        return SmoothSensitivity(
            Unpublishable(bound, "the smooth sensitivity"), rate, slack, self.relation
        )


@dataclass(frozen=True)
class DistanceOracle(Query):
    """A query given by functions: its value, its largest local sensitivity within a distance, and
    the largest distance.

    ``within`` must rise with the distance and be right for every data set: nothing here can check
    it. ``FiniteQuery`` does, on small spaces. ``integer`` says that all values are integers.
    """

    of: Callable[[Any], Number]
    within: Callable[[Any, int], Number]
    reach: Callable[[Any], int]
    most: Number | None = None
    integer: bool = False

    def value(self, data: Any) -> Number:
        return self.of(data)

    def local_within(self, data: Any, distance: int) -> Number:
        return self.within(data, distance)

    def farthest(self, data: Any) -> int:
        return self.reach(data)

    def global_bound(self) -> Number | None:
        return self.most

    def whole(self) -> bool:
        return self.integer


@dataclass(frozen=True)
class OnGrid(Query):
    """The multiple of ``step`` nearest to a query, as a number of steps, so that noise over the
    integers is exact.

    It changes by at most as many steps as the query, rounded up.
    """

    query: Query
    step: Number = 1

    def __post_init__(self) -> None:
        if rational(self.step, "the step") <= 0:
            raise InputError(
                f"the step is {self.step}, but must be above 0; give one such as 0.01."
            )

    def _steps(self, length: Number) -> Fraction:
        return rational(length, "a value of the query") / rational(
            self.step, "the step"
        )

    def value(self, data: Any) -> int:
        return math.floor(self._steps(self.query.value(data)) + Fraction(1, 2))

    @by("sensitivity/grid")
    def local_within(self, data: Any, distance: int) -> int:
        """An upper bound on the largest local sensitivity within the distance; it increases with
        the distance, as that of the query does.
        """
        return math.ceil(self._steps(self.query.local_within(data, distance)))

    def farthest(self, data: Any) -> int:
        return self.query.farthest(data)

    def global_bound(self) -> int | None:
        most = self.query.global_bound()
        if most is None:
            return None
        return math.ceil(self._steps(most))

    def whole(self) -> bool:
        return True


def steps_of(distance: object) -> int:
    """A number of replaced records."""
    return whole(distance, "the distance", 0, FARTHEST)


def smooth_rate(beta: Number) -> Fraction:
    """beta, which must be above 0."""
    rate = rational(beta, "beta")
    if rate <= 0:
        raise InputError(
            f"beta is {beta}, but must be above 0; give a rate such as 0.1."
        )
    return rate
