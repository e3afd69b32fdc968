"""Flattened pairs: what stands for a replaced record in a batch beside a ramp.

A folded pair has the losses of removing above 0 and those of adding below, which no release has
both. Together the losses of a release vary less. The flattened pair has the same losses above 0, so
much mass at one loss below that it varies as much as the worst release, and the rest of its mass at
0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, ComplexBall, RealBall, precision
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.mixture_transform import CLOSE_MASS, MixtureTransform
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.nodes import Nodes
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by

BITS, NATS = 192, 100.0
"""The precision of the drop, and the accuracy of the integral in it."""
SHORT = 60
"""A drop is rounded up to this many bits after its first."""


@dataclass(frozen=True)
class FlattenedTransform(MixtureTransform):
    """M(z) of the losses above 0 of a folded pair, with masses at -log(1 + drop) and at 0."""

    drop: Expr

    @property
    def mirrored(self) -> bool:
        return False

    def masses(self) -> tuple[RealBall, RealBall]:
        """The masses under P at 0 and at the drop."""
        above = self._above()
        low = dropped_mass(above[0] - above[1], value(self.drop))
        return (1 - above[0] - low).max(real(0)), low

    def _above(self) -> tuple[RealBall, RealBall]:
        """The masses above 0 under P and Q."""
        return _beyond(self.pair)

    @cached_property
    def _planned_masses(self) -> tuple[float, float, float]:
        with precision(64):
            still, low = map(float, self.masses())
        # less what the steps have too much above 0 at the tilt 0: all masses together are one
        rest = 1 - math.exp(self._planned_share(1, 0)) - low
        if abs(rest - still) < CLOSE_MASS:
            still = rest
        return still, low, math.log1p(about(self.drop))

    def planned(self, tilt: float) -> float:
        above = super().planned(tilt)
        still, low, length = self._planned_masses
        rest = still + low * math.exp(-tilt * length)
        if above > 600:
            return above
        return math.log(math.exp(above) + rest)

    def _with_atoms(self, sums: list[ComplexBall], nodes: Nodes) -> list[ComplexBall]:
        still, low = self.masses()
        length = (1 + value(self.drop)).log()
        size = low * (-nodes.tilt * length).exp()
        turns = nodes.turns(-length)
        pairs = zip(sums, turns, strict=True)
        return [total + still + size * turn for total, turn in pairs]

    def profile(self, epsilon: RealBall) -> RealBall:
        if epsilon >= 0:
            return super().profile(epsilon)
        if not epsilon < 0:
            return real(0).union(real(1))
        growth = epsilon.exp()
        above = self._above()
        still, low = self.masses()
        rest = 1 - growth * (1 + value(self.drop))
        total = above[0] - growth * above[1] + still * (1 - growth)
        return total + low * rest.max(real(0))

    def _profiles_below(self, levels: Sequence[RealBall]) -> list[RealBall]:
        return [self.profile(level) for level in levels]


def _beyond(pair: MixturePair) -> tuple[RealBall, RealBall]:
    if pair.folded_at is None:
        raise ValueError("the pair is not folded")
    start = value(pair.folded_at)
    return pair.first.beyond(start), pair.second.beyond(start)


def flattened(pair: MixturePair, shift: Expr, rate: Expr) -> Transform | None:
    """The flattened pair of a Gaussian mechanism on a batch, from its folded pair; None if the
    noise is so small that its moments have no size here.
    """
    with precision(BITS):
        most = value(replaced_variance(shift**2, rate))
        above = _beyond(pair)
        square = above_square(*above, _inverse_above(pair, shift, rate))
        drop_ball = drop(most, square, above[0] - above[1])
        most_drop = Ball(drop_ball, BITS).upper()
    if isinstance(most_drop, float):
        return None
    upper = Fraction(most_drop)
    return FlattenedTransform(pair, formula(_rounded_up(upper)))


def _inverse_above(pair: MixturePair, shift: Expr, rate: Expr) -> RealBall:
    """The integral of Q**2/P over the losses above 0: the folded moment of order 1, without what
    else is in it.
    """
    whole = MixtureTransform(pair)
    moment = whole.at(Nodes(real(1), real(1), 1), NATS)[0].real
    start = shift / 2
    square = [
        ((1 - rate) ** 2, 0 * shift),
        (2 * rate * (1 - rate), shift),
        (rate**2 * exp(shift**2), 2 * shift),
    ]
    root = real(2).sqrt()
    above = real(0)
    for weight, place in square:
        tail = (value(start - place) / root).erfc() / 2
        above = above + value(weight) * tail
    return moment - whole.atom() - above


def _rounded_up(number: Fraction) -> Fraction:
    """A number with few bits that is not below this one."""
    scale = 2 ** max(SHORT - math.floor(math.log2(number)), 1)
    return Fraction(math.ceil(number * scale), scale)


@by("sampling/replaced-together")
def replaced_variance(square: Real, rate: Real) -> Expr:
    """At least E (v/u - 1)**2 under u, for the outputs of batches with a record and with the one
    that replaces it, where the square of the shift is ``square``.
    """
    whole = exp(formula(square))
    half = exp(formula(square) / 2)
    return 2 * formula(rate) ** 2 * (whole - half)


@by("sampling/replaced-together")
def above_square(p: RealBall, q: RealBall, inverse: RealBall) -> RealBall:
    """E (1 - Q/P)**2 over the losses above 0, from the masses there, and the integral of
    Q**2/P.
    """
    return p - 2 * q + inverse


@by("sampling/replaced-together")
def drop(variance: RealBall, square: RealBall, distance: RealBall) -> RealBall:
    """The relative excess of Q over P at the loss below 0 with which the pair has this variance."""
    return (variance - square) / distance


@by("sampling/replaced-together")
def dropped_mass(distance: RealBall, drop: RealBall) -> RealBall:
    """The mass under P of the loss below 0: Q exceeds P by the total variation there."""
    return distance / drop
