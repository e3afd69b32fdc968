"""N(mu, 1) against N(0, 1) in closed form: the profile, as a formula and in balls, and the
trade-off.
"""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.exact.ball import REAL_FUNCTIONS, Ball, RealBall, refine
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp, normal_cdf
from rdpacct.exact.raw import real
from rdpacct.provenance import by


@by("gaussian/delta")
def gaussian_profile(
    mu: RealBall,
    epsilon: RealBall,
    erfc: Callable[[RealBall], RealBall] = REAL_FUNCTIONS["erfc"],
) -> tuple[RealBall, RealBall]:
    """delta(epsilon) of N(mu**2/2, mu**2), and its derivative, which is minus exp(epsilon) times
    the tail under Q.
    """
    root = real(2).sqrt()
    near = (epsilon / mu - mu / 2) / root
    far = (epsilon / mu + mu / 2) / root
    above = erfc(near) / 2
    below = epsilon.exp() * erfc(far) / 2
    return above - below, -below


@by("gaussian/delta")
def gaussian_delta(mu: Real, epsilon: Real) -> Expr:
    """delta(epsilon) of N(mu, 1) against N(0, 1), for mu > 0."""
    mu = formula(mu)
    epsilon = formula(epsilon)
    return normal_cdf(mu / 2 - epsilon / mu) - exp(epsilon) * normal_cdf(
        -mu / 2 - epsilon / mu
    )


@by("gaussian/tradeoff")
def gaussian_misses(mu: Real, threshold: Real) -> Expr:
    """The false negatives of the test for N(mu, 1) against N(0, 1) with the false positive rate
    Phi(-threshold).
    """
    return normal_cdf(formula(threshold) - formula(mu))


def gaussian_tradeoff(mu: Expr, rate: Fraction) -> Bound:
    """The smallest false negative rate of a test of N(0, 1) against N(mu, 1), at a rate above 0 and
    below 1.
    """

    threshold = Symbol("threshold")

    def misses(bits: int) -> Ball:
        at = -Ball.of(rate, bits).normal_quantile()
        return gaussian_misses(mu, threshold).ball(bits, threshold=at)

    return refine(misses).bound("closed form (gaussian/tradeoff)")
