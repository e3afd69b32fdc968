"""The loss of one Gaussian release of a Poisson sample, in closed form where there is one."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rdpacct.exact.backend_integral import complex_quadrature
from rdpacct.exact.ball import Ball, ComplexBall, RealBall, complex_functions, precision
from rdpacct.exact.formula import Expr, Scalar
from rdpacct.exact.functions import log
from rdpacct.exact.raw import error, pi, real
from rdpacct.mechanisms.poisson.sampled_gaussian import (
    SampledGaussianTransform,
    sampled_events,
)
from rdpacct.privacy.constants import value
from rdpacct.privacy.nodes import Nodes
from rdpacct.privacy.parts import FURTHEST_ORDER, Edge, Part
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by


@dataclass(frozen=True)
class SampledGaussian(Part):
    """L = log R(x), R(x) = 1 - rate + rate exp(mu x - mu**2/2), with x from the mixture under P and
    N(0, 1) under Q.

    Without ``removing`` the two are exchanged, and L = -log R(x).
    """

    largest_order: ClassVar[int] = FURTHEST_ORDER
    mu: Expr
    rate: Expr
    removing: bool = True

    def range(self) -> tuple[Edge, Edge]:
        edge = log(1 - self.rate)
        if self.removing:
            return (edge, math.inf)
        return (-math.inf, -edge)

    def reversed(self) -> "SampledGaussian":
        return SampledGaussian(self.mu, self.rate, not self.removing)

    def transform(self) -> Transform:
        return SampledGaussianTransform(self.mu, self.rate, self.removing)

    def moment(self, rate: Fraction, bits: int) -> Ball:
        with precision(bits):
            transform = SampledGaussianTransform(self.mu, self.rate, self.removing)
            return Ball(
                transform.at(Nodes(real(rate), real(1), 1), nats=bits * math.log(2))[
                    0
                ].real,
                bits,
            )

    def mean(self, bits: int) -> Ball:
        with precision(bits):
            return Ball(
                sampled_mean(value(self.mu), value(self.rate), self.removing, bits),
                bits,
            )

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        raise NotImplementedError("central moments are taken of bounded losses only")

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            return Ball(self._event(threshold)[0], bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            p, q = self._event(threshold)
            return Ball((p - real(threshold).exp() * q).max(real(0)), bits)

    def events(
        self, edges: Sequence[Fraction | RealBall]
    ) -> list[tuple[RealBall, RealBall]]:
        mu = value(self.mu)
        rate = value(self.rate)
        return [sampled_events(mu, rate, real(x), self.removing) for x in edges]

    def _event(self, threshold: Fraction) -> tuple[RealBall, RealBall]:
        """The probabilities of L > threshold under P and Q."""
        return sampled_events(
            value(self.mu), value(self.rate), real(threshold), self.removing
        )


def sampled_mean(mu: RealBall, q: RealBall, removing: bool, bits: int) -> RealBall:
    """The mean of log R under the mixture, or of -log R under N(0, 1); |log R(x)| <= -log(1 - q) +
    mu |x|.

    Each component of the mixture is integrated about its own center, so that they may be far apart.
    """
    reach = real(math.sqrt(2 * math.log(2) * bits) + 2)
    left = (-reach * reach / 2).exp() * left_out(mu, -(1 - q).log())
    not_used = component_mean(mu, q, real(0), reach)
    if not removing:
        return -not_used + error(left)
    used = component_mean(mu, q, mu, reach)
    return (1 - q) * not_used + q * used + error(left)


def component_mean(
    mu: RealBall, q: RealBall, center: RealBall, reach: RealBall
) -> RealBall:
    """The mean of log R under N(center, 1) within that reach of the center."""
    functions = {flag: complex_functions(flag) for flag in (False, True)}

    def inside(
        above: bool,
    ) -> Callable[[ComplexBall, bool], ComplexBall | RealBall]:
        return lambda x, analytic: weighted_loss(
            x, center, mu, q, above, functions[analytic]["log"]
        )

    bend = (mu / 2 - center + ((1 - q) / q).log() / mu).mid()
    middle = bend.max(-reach).min(reach)
    total = real(0)
    if middle > -reach:
        total = total + complex_quadrature(inside(False), -reach, middle).real
    if middle < reach:
        total = total + complex_quadrature(inside(True), middle, reach).real
    return total / (2 * pi()).sqrt()


def weighted_loss(
    x: ComplexBall,
    center: RealBall,
    mu: RealBall,
    q: RealBall,
    above: bool,
    log: Callable[..., ComplexBall | RealBall],
) -> ComplexBall | RealBall:
    """log R at a distance x from a center, times exp(-x**2/2): beside the smaller of the two terms
    of R, or ``above`` where they are equal, beside the larger one.

    Each form is analytic on its side, far from the real line too.
    """
    growth = (x + center) * mu - mu * mu / 2
    rest = 1 - q
    loss: ComplexBall | RealBall
    if above:
        loss = growth + log(x * 0 + q) + log(1 + (-growth).exp() * rest / q)
    else:
        loss = log(x * 0 + rest) + log(1 + growth.exp() * q / rest)
    return loss * (-x * x / 2).exp()


@by("sampling/gaussian-mean")
def left_out(mu: Scalar, lost: Scalar) -> Scalar:
    """The factor of exp(-reach**2/2) in a bound on the mean beyond the reach, where ``lost`` is
    -log(1 - q).
    """
    return 2 * (mu * mu + lost) + 4 * mu
