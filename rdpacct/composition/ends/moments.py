"""Two bounds that need no plan: they answer where a quadrature cannot, at huge losses and at deltas
near one.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from rdpacct.composition.quadrature.vertical_line import log_moment, log_peak
from rdpacct.composition.terms import Terms
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall
from rdpacct.exact.bound import End
from rdpacct.provenance import by

SHARES = tuple(Fraction(k, 16) for k in (1, 2, 4, 7, 12, 16))
"""The rates s at which moments E exp(-s L) bound a profile from below."""
MOMENT_BITS = 192
"""The precision of these moments."""


@by("engine/lower-chernoff")
def least_delta(log_moment: Ball, share: Fraction, epsilon: Fraction) -> Ball:
    """delta(epsilon) >= 1 - E exp(-s (L - epsilon)) for 0 < s <= 1, where log_moment is log E
    exp(-s L).
    """
    return 1 - (log_moment + share * epsilon).exp()


@by("engine/lower-chernoff")
def least_epsilon(log_moment: Ball, share: Fraction, missed: Ball) -> Ball:
    """The epsilon up to which that bound is above a delta: (log(1 - delta) - log E exp(-s L))/s,
    where ``missed`` is 1 - delta.
    """
    return (missed.log() - log_moment) / share


def largest_by_moments(
    log_moment: Callable[[Fraction, int], Ball],
    bound: Callable[[Ball, Fraction], Ball],
) -> Fraction:
    """The largest lower end, at least 0, that moments of negative rates give, as far as there is
    work left for them.
    """
    largest = Fraction(0)
    for share in SHARES:
        try:
            end = bound(log_moment(-share, MOMENT_BITS), share).lower()
        except UndecidedError:
            break
        if isinstance(end, Fraction):
            largest = max(largest, end)
    return largest


@by("engine/chernoff")
def chernoff_epsilon(log_moment: RealBall, tilt: RealBall, delta: RealBall) -> RealBall:
    """Where the Chernoff bound at this tilt falls to a delta."""
    return (log_moment + log_peak(tilt) - delta.log()) / tilt


def enough_epsilon(terms: Terms, tilt: float, delta: RealBall, bits: int) -> End:
    """An epsilon that certainly suffices: the largest loss, or the point where a Chernoff bound at
    this tilt reaches delta.
    """
    top = terms.top()
    epsilons = [] if top is None else [Ball(top, bits).upper()]
    if math.isfinite(tilt):
        second, log = log_moment(terms, tilt)
        epsilons.append(Ball(chernoff_epsilon(log, second, delta), bits).upper())
    return max(min(epsilons, default=math.inf), Fraction(0))
