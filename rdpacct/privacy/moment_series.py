"""The logarithm of a moment near zero: a polynomial whose last coefficient is taken over all
expansion points.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.provenance import by

TAYLOR_ORDER, SHORT_ORDER = 14, 5
"""The orders of the polynomial near zero; the short one is enough to show most laws to be no worse
than another.
"""


@by("cdp/log-moment-series")
def moved_by(order: int, variance: Ball, width: Ball, reach: Fraction) -> Ball:
    """How far the moment E X**order exp(s X)/order! of a centered X with values in [-width, width]
    is from the one at s = 0, for all s from 0 to the reach.
    """
    growth = (width * reach).exp()
    spill = (
        (growth - 1) * width ** (order - 2)
        if order >= 2
        else growth * reach ** (2 - order) / (2 - order)
    )
    return variance * spill / math.factorial(order)


@by("cdp/log-moment-series")
def next_coefficient(moments: Sequence[Ball], logs: Sequence[Ball]) -> Ball:
    """The next Taylor coefficient of a logarithm, from those of the function and from its own ones
    of smaller order, the first of which is not used.
    """
    n = len(logs)
    carried = sum(
        (k * logs[k] * moments[n - k] for k in range(1, n)), start=moments[0] * 0
    )
    return (n * moments[n] - carried) / (n * moments[0])


def log_series(moments: Sequence[Ball]) -> list[Ball]:
    """The Taylor coefficients of the logarithm of a series, its constant term left as it is."""
    logs = [moments[0]]
    for _ in moments[1:]:
        logs.append(next_coefficient(moments, logs))
    return logs


@by("cdp/log-moment-series")
def polynomial(series: Sequence[Ball], t: Ball) -> Ball:
    """The value of a polynomial with these coefficients, the constant term first."""
    value = series[-1]
    for coefficient in reversed(series[:-1]):
        value = value * t + coefficient
    return value


@by("cdp/log-moment-series")
def quotient_near_zero(
    series: Sequence[Ball], t: Ball, u: Fraction, v: Fraction
) -> Ball:
    """A polynomial over u + v t."""
    return polynomial(series, t) / (u + v * t)


@by("cdp/log-moment-series")
def slope_series(series: Sequence[Ball], u: Fraction, v: Fraction) -> list[Ball]:
    """The coefficients of the slope of a polynomial over u + v t, times (u + v t)**2."""
    above = [
        (k + 1) * coefficient
        for k, coefficient in enumerate([*series[1:], series[-1] * 0])
    ]
    return [
        u * up + (k - 1) * v * here
        for k, (up, here) in enumerate(zip(above, series, strict=True))
    ]


@by("cdp/log-moment-series")
def slope_near_zero(slopes: Sequence[Ball], t: Ball, u: Fraction, v: Fraction) -> Ball:
    """The slope of a polynomial over u + v t, from the coefficients of ``slope_series``."""
    return polynomial(slopes, t) / (u + v * t) ** 2
