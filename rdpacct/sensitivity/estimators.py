"""Estimators whose change, when one record is replaced, is bounded by a function of the two records
alone.

Each has ``value`` g, ``pair`` h and ``most``, with n |g(X) - g(X')| <= h(x, x') <= most, where x
and x' are the records in which X and X' differ; ``tolerance`` bounds the error of g in doubles.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load, numbers, rows
from rdpacct.errors import InputError
from rdpacct.exact.formula import Scalar
from rdpacct.exact.number import shorten
from rdpacct.provenance import by

ROUNDING = 2.0**-48
"""An upper bound on the relative error of a few operations in doubles."""

LARGEST = 1e60
"""Numbers of this size can be squared, multiplied and inverted without overflow."""


@dataclass(frozen=True)
class Mean:
    """The mean of numbers within a declared range."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        _check_range(self.lower, self.upper)

    def data(self, data: Any) -> Array:
        """The records, checked."""
        return numbers(data, self.lower, self.upper)

    def value(self, data: Array) -> float:
        """The mean, from a correctly rounded sum."""
        return math.fsum(data) / len(data)

    def pair(self, one: Array, two: Array) -> Array:
        """How far apart the records are."""
        return load().abs(one - two) * (1 + ROUNDING)

    @property
    def most(self) -> float:
        """The width of the range."""
        return (self.upper - self.lower) * (1 + 2 * ROUNDING)

    @property
    def tolerance(self) -> float:
        """The error of the mean in doubles."""
        return ROUNDING * max(abs(self.lower), abs(self.upper))


@dataclass(frozen=True)
class Location:
    """Huber's location: the minimizer of the mean of rho(x - theta) + ridge theta**2/2, rho'
    clipped at +-bend.
    """

    lower: float
    upper: float
    bend: float
    ridge: float

    def __post_init__(self) -> None:
        _check_range(self.lower, self.upper)
        _check_positive(self.bend, "bend")
        _check_positive(self.ridge, "ridge")

    def data(self, data: Any) -> Array:
        """The records, checked."""
        return numbers(data, self.lower, self.upper)

    def value(self, data: Array) -> float:
        """The one root of the gradient, up to the tolerance."""
        np = load()
        reach = max(abs(self.lower), abs(self.upper))

        def gradient(theta: float) -> float:
            return self.ridge * theta - math.fsum(
                np.clip(data - theta, -self.bend, self.bend)
            ) / len(data)

        return _root(gradient, -reach, reach)

    @by("sensitivity/strongly-convex")
    def pair(self, one: Array, two: Array) -> Array:
        """The largest difference of the two gradients over all theta, divided by the ridge;
        clipping increases no difference.
        """
        np = load()
        return (
            np.minimum(np.abs(one - two), 2 * self.bend) / self.ridge * (1 + ROUNDING)
        )

    @property
    def most(self) -> float:
        """At the ends of the range."""
        return (
            min(self.upper - self.lower, 2 * self.bend)
            / self.ridge
            * (1 + 2 * ROUNDING)
        )

    @property
    def tolerance(self) -> float:
        """The error of the root: the last step of the bisection, and the error of the gradient
        divided by the ridge.
        """
        reach = max(abs(self.lower), abs(self.upper))
        return ROUNDING * (
            reach + (self.ridge * reach + self.bend + reach) / self.ridge
        )


@dataclass(frozen=True)
class RidgeSlope:
    """The slope of y on x: the minimizer of the mean of (y - theta x)**2/2, plus ridge theta**2/2;
    rows are (x, y).
    """

    x_most: float
    y_most: float
    ridge: float

    def __post_init__(self) -> None:
        for name in ("x_most", "y_most", "ridge"):
            _check_positive(getattr(self, name), name)

    def data(self, data: Any) -> Array:
        """The records, checked."""
        table = rows(data, 2)
        for column, (name, most) in enumerate((("x", self.x_most), ("y", self.y_most))):
            if load().abs(table[:, column]).max() > most:
                raise InputError(
                    f"the data have a value of {name} beyond {most}; clip them or widen"
                    " the range."
                )
        return table

    def value(self, data: Array) -> float:
        """The closed form of the minimizer."""
        x = data[:, 0]
        y = data[:, 1]
        return (math.fsum(x * y) / len(data)) / (
            math.fsum(x * x) / len(data) + self.ridge
        )

    @property
    def _turn(self) -> float:
        """The x at which one record can pull the slope farthest from 0."""
        return min(self.x_most, math.sqrt(self.ridge))

    @property
    def reach(self) -> float:
        """An upper bound on the distance of a minimizer from 0, up to rounding."""
        return float(ridge_reach(self.y_most, self._turn, self.ridge))

    @by("sensitivity/strongly-convex")
    def pair(self, one: Array, two: Array) -> Array:
        """The largest difference of the two gradients over all theta within reach, divided by the
        ridge.
        """
        square = abs(one[:, 0] ** 2 - two[:, 0] ** 2)
        product = abs(one[:, 0] * one[:, 1] - two[:, 0] * two[:, 1])
        rounding = ROUNDING * (self.x_most**2 * self.reach + self.x_most * self.y_most)
        return ridge_move(square, product + rounding, self.reach, self.ridge) * (
            1 + ROUNDING
        )

    @property
    def most(self) -> float:
        """At one record with the largest x and y, and one with x at the turn and the opposite y."""
        return float(ridge_most(self.x_most, self.y_most, self._turn, self.ridge)) * (
            1 + 8 * ROUNDING
        )

    @property
    def tolerance(self) -> float:
        """The error of the closed form in doubles."""
        return ROUNDING * (self.reach + self.x_most * self.y_most / self.ridge)


@by("sensitivity/strongly-convex")
def ridge_reach(y_most: Scalar, turn: Scalar, ridge: Scalar) -> Scalar:
    """The largest |x y| / (x**2 + ridge), which is at x = ``turn``, the smaller of the bound on x
    and sqrt(ridge).
    """
    return y_most * turn / (turn**2 + ridge)


@by("sensitivity/strongly-convex")
def ridge_move(square: Scalar, product: Scalar, reach: Scalar, ridge: Scalar) -> Scalar:
    """An upper bound on n times the change of the slope, from |x**2 - x'**2| and |x y - x' y'|."""
    return (square * reach + product) / ridge


@by("sensitivity/strongly-convex")
def ridge_most(x_most: Scalar, y_most: Scalar, turn: Scalar, ridge: Scalar) -> Scalar:
    """The largest change over all records."""
    square = x_most**2 - turn**2
    product = (x_most + turn) * y_most
    return ridge_move(square, product, ridge_reach(y_most, turn, ridge), ridge)


def _root(gradient: Callable[[float], float], low: float, high: float) -> float:
    """The root of an increasing function between two points, by bisection down to a small part of
    their distance.
    """
    step = (high - low) * ROUNDING / 4
    while high - low > step:
        middle = (low + high) / 2
        if gradient(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _check_range(lower: float, upper: float) -> None:
    _check_numbers(lower, upper)
    if not (-LARGEST <= lower < upper <= LARGEST and upper - lower >= 1 / LARGEST):
        raise InputError(
            f"the range [{lower}, {upper}] is empty or not finite; give two numbers,"
            " the lower one first."
        )


def _check_positive(value: float, name: str) -> None:
    _check_numbers(value)
    if not 1 / LARGEST <= value <= LARGEST:
        raise InputError(
            f"{name} is {value}, but must be above 0 and finite; give such a value."
        )


def _check_numbers(*values: object) -> None:
    for value in values:
        if not isinstance(value, int | float):
            raise InputError(
                f"{shorten(str(value))!r} is not a number for data in doubles; give one"
                " such as 0.5."
            )
