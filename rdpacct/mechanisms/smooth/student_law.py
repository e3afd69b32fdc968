"""The law of Student's t in balls: its probabilities, and its means over a bounded function."""

import math

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp, log
from rdpacct.exact.integral import integrate
from rdpacct.exact.raw import real
from rdpacct.mechanisms.smooth.whole_degrees import MOST_LOST, whole, whole_tail
from rdpacct.privacy.constants import about

STRETCH = Symbol("stretch")
DECAY = Symbol("decay")
"""An output is sqrt(degrees) sinh(stretch) or the negative of it; the decay is exp(-stretch)."""
WIDEST = 4000
"""The largest stretch up to which is integrated."""
TIGHT_BITS = 64
"""A ball with at least this accuracy is not taken apart into its ends."""


def below(x: RealBall, degrees: RealBall) -> RealBall:
    """The probability of outputs below x; it rises with x, so that the ends of a ball suffice."""
    if _tight(x):
        return _below(x, degrees)
    return _below(x.lower(), degrees).union(_below(x.upper(), degrees))


def beyond(inverse: RealBall, degrees: RealBall) -> RealBall:
    """The probability of outputs beyond 1/inverse, away from 0: positive for a positive inverse,
    negative for a negative one, and 0 for 0.
    """
    if _tight(inverse):
        return _beyond(inverse, degrees)
    return _beyond(inverse.lower(), degrees).union(_beyond(inverse.upper(), degrees))


def _tight(x: RealBall) -> bool:
    """Whether a ball is so small beside its distance from 0 that its value is as sharp as those of
    its ends.
    """
    return bool(x.rel_accuracy_bits() > TIGHT_BITS)


def _below(x: RealBall, degrees: RealBall) -> RealBall:
    square = x * x
    whole = degrees + square
    tail = _tail(degrees / whole, square / whole, degrees)
    if x < 0:
        return tail
    return 1 - tail


def _beyond(inverse: RealBall, degrees: RealBall) -> RealBall:
    square = degrees * inverse * inverse
    whole = 1 + square
    tail = _tail(square / whole, 1 / whole, degrees)
    if inverse < 0:
        return -tail
    return tail


def _tail(share: RealBall, rest: RealBall, degrees: RealBall) -> RealBall:
    """The probability of outputs beyond one that has this share, degrees/(degrees + square), and
    what is left of 1.
    """
    number = whole(degrees)
    if number is not None and 2.0 ** (-2 * MOST_LOST / number) < share < 1:
        return whole_tail(number, rest.sqrt(), share.sqrt())
    return half_beta(share, rest, degrees)


def half_beta(share: RealBall, rest: RealBall, degrees: RealBall) -> RealBall:
    """Half of the regularized incomplete beta function at (degrees/2, 1/2), for a share and what is
    left of 1: of the smaller one, as that near 1 takes long.
    """
    half = real(1) / 2
    if share >= 1:
        return half
    if rest < half:
        beta: RealBall = 1 - rest.beta_lower(half, degrees / 2, 1)
    else:
        beta = share.beta_lower(degrees / 2, half, 1)
    return beta.max(real(0)).min(real(1)) / 2


def mean_over(
    bodies: tuple[Expr, Expr], degrees: Expr, most: Ball, bits: int, **values: Ball
) -> Ball:
    """The mean of a function of the output whose size is nowhere above ``most``, given by one
    formula in the decay for outputs above 0 and one for those below: by quadrature, and what is
    left out by its probability.

    Written in the decay the formulas have no pole near the stretches from 1 on, so that a few
    pieces are enough, however heavy the tails are.
    """
    power = about(degrees)
    reach = min(math.ceil((bits * math.log(2) + 4) / power) + 2, WIDEST)
    weight = exp(-degrees * (STRETCH + log((1 + DECAY**2) / 2)))
    weight = weight.at(decay=exp(-STRETCH))
    inside = Ball.of(0, bits)
    for body in bodies:
        whole = weight * body.at(decay=exp(-STRETCH))
        part = integrate(whole, STRETCH.name, 0, reach, bits, (), **values)
        inside = inside + part
    with precision(bits):
        count = degrees.ball(bits).raw
        half = real(1) / 2
        whole_mass = (count / 2).gamma() * half.gamma() / ((count + 1) / 2).gamma()
        share = 1 / real(reach).cosh() ** 2
        outside = 2 * half_beta(share, real(reach).tanh() ** 2, count)
    rest = Ball(outside, bits) * most
    return inside / Ball(whole_mass, bits) + (-rest).union(rest)
