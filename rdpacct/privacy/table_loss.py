"""A finite pair of laws as a loss, and its direction for composition."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import ZERO, formula
from rdpacct.exact.functions import log
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.family import HockeyStick
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Edge
from rdpacct.privacy.tradeoff_points import Merged
from rdpacct.privacy.transform import Direction


def table_direction(pair: Merged) -> Direction:
    """Atoms by their ratio p/q, the largest first."""
    infinite = formula(sum((p for p, q in pair if not q), start=Fraction(0)))
    seen = [(p, q) for p, q in pair if q]
    if not seen:
        return Direction(None, infinite)
    return Direction(
        AtomsTransform(
            tuple(formula(p) for p, _ in seen), tuple(log(p / q) for p, q in seen)
        ),
        infinite,
    )


class RawTable:
    """The masses and losses of a finite pair as balls, worked out once for each precision."""

    def __init__(self, pair: Merged) -> None:
        self.pair = pair
        self.seen = [(p, q) for p, q in pair if q]
        self.known: dict[int, tuple[list[RealBall], list[RealBall], HockeyStick]] = {}

    def at(self, bits: int) -> tuple[list[RealBall], list[RealBall], HockeyStick]:
        """The masses under P and the finite losses, and the profile, at this precision, which must
        hold.
        """
        balls = self.known.get(bits)
        if balls is None:
            masses = [real(p) for p, _ in self.seen]
            losses = [real(p / q).log() for p, q in self.seen]
            balls = self.known[bits] = masses, losses, HockeyStick(self.pair)
        return balls


@dataclass(frozen=True, slots=True)
class TableLoss(PrivacyLoss):
    """The loss of a finite pair; sums over its outputs are taken at once."""

    table: RawTable = field(default_factory=lambda: RawTable(()), compare=False)

    def log_moment(self, rate: Fraction, bits: int) -> Ball:
        if (
            not self.table.seen
            or (rate > 0 and self.at_infinity != ZERO)
            or (rate == 0 and self.at_infinity == ZERO)
        ):
            # a slots dataclass makes another class, so that super() without arguments would not
            # find it
            return PrivacyLoss.log_moment(self, rate, bits)
        with precision(bits):
            masses, losses, _ = self.table.at(bits)
            factor = real(rate)
            total = real_inner(masses, [(factor * loss).exp() for loss in losses])
            return Ball(
                (total + (real(self._infinite) if rate == 0 else 0)).log(), bits
            )

    @property
    def _infinite(self) -> Fraction:
        return sum((p for p, q in self.table.pair if not q), start=Fraction(0))

    def range(self) -> tuple[Edge, Edge]:
        if not self.table.seen:
            return PrivacyLoss.range(self)
        (high, least), (low, most) = self.table.seen[0], self.table.seen[-1]
        return log(low / most), (
            math.inf if self.at_infinity != ZERO else log(high / least)
        )

    def mean_ball(self, bits: int) -> Ball:
        return self._inner(bits, lambda loss: loss)

    def _central_moments(self, orders: int, mean: Ball, bits: int) -> list[Ball]:
        with precision(bits):
            powers, losses, _ = self.table.at(bits)
            gaps = [loss - mean.raw for loss in losses]
            moments = []
            for _ in range(orders + 1):
                moments.append(Ball(real_inner(powers, [real(1)] * len(powers)), bits))
                powers = [power * gap for power, gap in zip(powers, gaps, strict=True)]
            return moments

    def _inner(self, bits: int, weight: Callable[[RealBall], RealBall]) -> Ball:
        with precision(bits):
            masses, losses, _ = self.table.at(bits)
            if masses:
                return Ball(real_inner(masses, [weight(loss) for loss in losses]), bits)
            return Ball.of(0, bits)

    def delta_ball(self, epsilon: Fraction, bits: int) -> Ball:
        with precision(bits):
            return Ball(self.table.at(bits)[2].at(real(epsilon).exp()), bits)

    def tail_ball(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            return Ball(
                self.table.at(bits)[2].tail(real(threshold).exp())
                - real(self._infinite),
                bits,
            )


def table_loss(
    pair: Merged, event: Callable[[Fraction], str] | None = None
) -> PrivacyLoss:
    """The loss of a finite pair."""
    return TableLoss(
        tuple(Atom.of(p, q) for p, q in pair if q),
        at_infinity=formula(sum((p for p, q in pair if not q), start=Fraction(0))),
        unseen=formula(1 - sum((q for _, q in pair), start=Fraction(0))),
        event=event,
        table=RawTable(pair),
    )
