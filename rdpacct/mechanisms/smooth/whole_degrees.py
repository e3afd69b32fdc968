"""Student's t with a whole number of degrees of freedom: its tails in closed form.

An output is sqrt(degrees) tan(angle), and the density of the angle is proportional to cos(angle) to
the power degrees - 1.
"""

from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import Scalar
from rdpacct.exact.raw import current_bits, real
from rdpacct.provenance import by, remembered

MOST_DEGREES = 40
"""With more degrees the sum is not faster than the incomplete beta function."""
MOST_LOST = 60.0
"""The most bits that may cancel."""


@by("smooth/student-whole")
def two_more(integral: Scalar, power: Scalar, product: Scalar) -> Scalar:
    """The integral of cos**power from an angle to pi/2, from that of cos**(power - 2): ``product``
    is sin cos**(power - 1) at the angle.
    """
    return ((power - 1) * integral - product) / power


def whole(degrees: RealBall) -> int | None:
    """The number of degrees, if it is a whole one and not large."""
    if not degrees.is_integer() or degrees > MOST_DEGREES:
        return None
    return int(float(degrees))


def whole_tail(degrees: int, sine: RealBall, cosine: RealBall) -> RealBall:
    """The probability of outputs beyond the one at an angle between 0 and pi/2."""
    first, others = _tail(degrees, current_bits())
    square = cosine * cosine
    if degrees % 2:
        start = _rest(sine, cosine)
        product = sine * cosine
    else:
        start = square / (1 + sine)
        product = sine * square
    if not others:
        return first * start
    total = others[-1]
    for share in others[-2::-1]:
        total = total * square + share
    return first * start - product * total


@remembered(64)
def _tail(degrees: int, bits: int) -> tuple[RealBall, list[RealBall]]:
    """The tail as a multiple of the integral of 1 or of cos, less multiples of the products of sin
    and the second or third power of cos, and those four and more steps on.
    """
    with precision(bits):
        scale = real(1)
        whole_integral = real(1).atan() * 2 if degrees % 2 else real(1)
        shares: list[RealBall] = []
        for power in range(3 - degrees % 2, degrees, 2):
            step = real(power)
            scale = two_more(scale, step, real(0))
            whole_integral = two_more(whole_integral, step, real(0))
            shares = [two_more(share, step, real(0)) for share in shares]
            shares.append(-two_more(real(0), step, real(1)))
        return (
            scale / (2 * whole_integral),
            [share / (2 * whole_integral) for share in shares],
        )


def _rest(sine: RealBall, cosine: RealBall) -> RealBall:
    """The angle from there to pi/2, from the smaller of sine and cosine."""
    if cosine < sine:
        return (cosine / sine).atan()
    return real(1).atan() * 2 - (sine / cosine).atan()
