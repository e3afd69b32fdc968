"""The profile of a Gaussian loss in closed form."""

from collections.abc import Callable

from rdpacct.exact.ball import REAL_FUNCTIONS, RealBall
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
