"""Admissible noise: how far it can be shifted and scaled at a cost of epsilon/2 and delta/2 each.

Noise that is (alpha, beta)-admissible, on the scale S/alpha of a beta-smooth bound S on the local
sensitivity, is private with epsilon and a delta that is larger than the one it is admissible for.
This is the textbook method, in any dimension; the mechanisms SmoothLaplace, SmoothGaussian and
SmoothPower have exact answers in one dimension, with less noise. The printed constants are offered
within the range in which they are proved, and refused beyond it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import NoReturn

from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import PI, erfc, exp, log, sqrt
from rdpacct.exact.number import Number, rational, whole
from rdpacct.exact.root import bracket
from rdpacct.privacy.guarantee import ApproxDP, Guarantee, PureDP
from rdpacct.privacy.relation import Norm
from rdpacct.provenance import by

QUANTILE_ROOT = Fraction("1.2564")
"""exp(b) <= 1 + 2 b: up to epsilon = 2 b d for Laplace noise and b d for normal noise the quantile
rule is proved.
"""
EXPLICIT_ROOT = Fraction("0.762")
"""exp(u) <= 1 + 3 u/2: up to epsilon = 4 u d for Laplace noise and 2 u d for normal noise the
explicit rule is.
"""
MOST_DIMENSIONS = 1000


@dataclass(frozen=True)
class Admissible:
    """Noise in ``dimension`` dimensions that can be shifted by alpha in a norm, and scaled by
    exp(beta) or exp(-beta).
    """

    alpha: Expr
    beta: Expr
    epsilon: Expr
    delta: Expr
    dimension: int
    norm: Norm

    def guarantee(self) -> Guarantee:
        """The guarantee of noise on the scale S/alpha, for a beta-smooth bound S on the local
        sensitivity in the norm.
        """
        if self.delta == ZERO:
            return PureDP(self.epsilon)
        return ApproxDP(self.epsilon, admissible_delta(self.epsilon, self.delta))


@by("smooth/admissible")
def admissible_delta(epsilon: Real, delta: Real) -> Expr:
    """The delta of the mechanism, for noise that is admissible with epsilon and delta; the printed
    one is too small.
    """
    return formula(delta) * (exp(formula(epsilon) / 2) + 1) / 2


@by("smooth/cauchy-like")
def power_slope(power: Real) -> Expr:
    """The largest change of log(1 + |z|**power) per unit of |z|."""
    power = formula(power)
    return (power - 1) ** ((power - 1) / power)


@by("smooth/cauchy-like")
def power_admissible(epsilon: Number, power: Number, dimension: int = 1) -> Admissible:
    """Noise with density proportional to 1/(1 + |z|**power) in each coordinate, for slides in L1:
    delta is 0.
    """
    level = _epsilon(epsilon)
    g = _power(power)
    d = _dimension(dimension)
    return _admissible(
        level / (2 * power_slope(g)),
        level / (2 * d * max(Fraction(1), g - 1)),
        level,
        0,
        d,
        Norm.L1,
    )


@by("smooth/cauchy-like")
def printed_power_admissible(
    epsilon: Number, power: Number, dimension: int = 1
) -> Admissible:
    """The same with the printed alpha and beta, where they hold."""
    level = _epsilon(epsilon)
    g = _power(power)
    d = _dimension(dimension)
    if d * max(Fraction(1), g - 1) > g + Fraction(1, 2):
        raise InputError(
            f"the printed beta is false for power {power} in {d} dimensions"
            " (smooth/cauchy-like): it needs d max(1, power - 1) <= power + 1/2; use"
            " power_admissible."
        )
    return _admissible(level / (2 * g + 1), level / (2 * g + 1), level, 0, d, Norm.L1)


@by("smooth/laplace")
def laplace_admissible(
    epsilon: Number, delta: Number, dimension: int = 1
) -> Admissible:
    """Laplace noise in each coordinate, for slides in L1, by the quantile of its norm."""
    level = _epsilon(epsilon)
    target = _delta(delta)
    d = _dimension(dimension)
    quantile = (
        log(2 / target)
        if d == 1
        else formula(_quantile(lambda x: gamma_tail(d, x), target / 2, d))
    )
    if not (d == 1 and level <= 1):
        _within(level, 2 * QUANTILE_ROOT * d, "2.5128 d")
        _beyond(quantile, d)
    return _admissible(
        level / 2, quantile_beta(level, quantile), level, target, d, Norm.L1
    )


@by("smooth/laplace")
def printed_laplace_admissible(
    epsilon: Number, delta: Number, dimension: int = 1
) -> Admissible:
    """The same with the printed beta: epsilon/(2 ln(2/delta)) for one dimension, else epsilon/(4 (d
    + ln(2/delta))).
    """
    level = _epsilon(epsilon)
    target = _delta(delta)
    d = _dimension(dimension)
    if d == 1:
        return laplace_admissible(epsilon, delta)
    _within(level, 4 * EXPLICIT_ROOT * d, "3.048 d")
    return _admissible(
        level / 2, level / (4 * (d + log(2 / target))), level, target, d, Norm.L1
    )


@by("smooth/gaussian")
def gaussian_admissible(
    epsilon: Number, delta: Number, dimension: int = 1
) -> Admissible:
    """Normal noise in each coordinate, for slides in L2, by the quantiles of one coordinate and of
    the squared norm.
    """
    level = _epsilon(epsilon)
    target = _delta(delta)
    d = _dimension(dimension)
    along = formula(Fraction((-Ball.of(target / 2, 128).normal_quantile()).upper()))
    squared = formula(_quantile(lambda x: chi_tail(d, x), target / 2, d))
    _within(level, QUANTILE_ROOT * d, "1.2564 d")
    _beyond(squared, d)
    return _admissible(
        slide_alpha(level, along),
        quantile_beta(level, squared),
        level,
        target,
        d,
        Norm.L2,
    )


@by("smooth/gaussian")
def explicit_gaussian_admissible(
    epsilon: Number, delta: Number, dimension: int = 1
) -> Admissible:
    """The same by explicit bounds on the quantiles: a repair of the printed beta, which lacks a
    factor of 2.
    """
    level = _epsilon(epsilon)
    target = _delta(delta)
    d = _dimension(dimension)
    _within(level, 2 * EXPLICIT_ROOT * d, "1.524 d")
    depth = log(2 / target)
    return _admissible(
        slide_alpha(level, sqrt(2 * depth)),
        level / (4 * (d + 2 * depth)),
        level,
        target,
        d,
        Norm.L2,
    )


def printed_gaussian_admissible(
    epsilon: Number, delta: Number, dimension: int = 1
) -> NoReturn:
    """Refused: the printed beta of normal noise is proved for no range and is false for small
    delta.
    """
    raise InputError(
        "the printed beta of normal noise is false (smooth/gaussian) and not offered"
        f" for epsilon = {epsilon}, delta = {delta} in {dimension} dimensions; use"
        " explicit_gaussian_admissible."
    )


@by("smooth/gaussian")
def slide_alpha(epsilon: Real, quantile: Real) -> Expr:
    """The longest slide whose log ratio stays below epsilon/2 up to the quantile of one normal
    coordinate.
    """
    return sqrt(formula(quantile) ** 2 + epsilon) - quantile


@by("smooth/laplace")
def quantile_beta(epsilon: Real, quantile: Real) -> Expr:
    """The largest dilation whose log ratio stays below epsilon/2 up to the quantile, at least to
    first order.
    """
    return formula(epsilon) / (2 * formula(quantile))


def gamma_tail(dimension: int, x: Real) -> Expr:
    """The probability that the L1 norm of Laplace noise exceeds x."""
    x = formula(x)
    return exp(-x) * sum((x**j / factorial(j) for j in range(dimension)), ZERO)


def chi_tail(dimension: int, x: Real) -> Expr:
    """The probability that the squared L2 norm of normal noise exceeds x."""
    half = formula(x) / 2
    if dimension % 2 == 0:
        return gamma_tail(dimension // 2, half)
    term = 2 * sqrt(half / PI)
    total = ZERO
    for j in range(dimension // 2):
        total = total + term
        term = term * half / (j + Fraction(3, 2))
    return erfc(sqrt(half)) + exp(-half) * total


def _quantile(
    tail: Callable[[Fraction], Expr], rest: Fraction, dimension: int
) -> Fraction:
    """A number that the noise certainly exceeds with at most this probability, hardly larger than
    needed.
    """

    def gap(x: Fraction, bits: int) -> Ball:
        return log(tail(x) / rest).ball(bits)

    high = Fraction(dimension)
    while not gap(high, 128).certainly_negative():
        high *= 2
    return bracket(gap, Fraction(1, 2**40), high)[1]


def _admissible(
    alpha: Real, beta: Real, epsilon: Real, delta: Real, dimension: int, norm: Norm
) -> Admissible:
    return Admissible(
        formula(alpha), formula(beta), formula(epsilon), formula(delta), dimension, norm
    )


def _within(epsilon: Fraction, most: Fraction, rule: str) -> None:
    if epsilon > most:
        raise InputError(
            f"epsilon is {float(epsilon)}, but the dilation is proved for epsilon <="
            f" {rule} only; give a smaller one, or use SmoothLaplace, SmoothGaussian or"
            " SmoothPower."
        )


def _beyond(quantile: Expr, dimension: int) -> None:
    if (quantile - dimension).bound().lower < 0:
        raise InputError(
            f"the quantile of the noise, {float(quantile.bound().upper):.4g}, is below"
            f" its dimension {dimension}, where the dilation is not proved; give a"
            " smaller delta."
        )


def _epsilon(value: Number) -> Fraction:
    level = rational(value, "epsilon")
    if level <= 0:
        raise InputError(f"epsilon is {value}, but must be above 0; give such a value.")
    return level


def _delta(value: Number) -> Fraction:
    target = rational(value, "delta")
    if not 0 < target < 1:
        raise InputError(
            f"delta is {value}, but must be above 0 and below 1; give one such as 1e-6."
        )
    return target


def _power(value: Number) -> Fraction:
    power = rational(value, "power")
    if power <= 1:
        raise InputError(f"power is {value}, but must be above 1; give such a value.")
    return power


def _dimension(value: int) -> int:
    return whole(value, "dimension", 1, MOST_DIMENSIONS)
