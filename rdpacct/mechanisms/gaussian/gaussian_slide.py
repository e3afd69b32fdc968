"""The loss of a Gaussian slide with the closed form of its tails, for many of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import real
from rdpacct.mechanisms.gaussian.gaussian import normal_piece
from rdpacct.privacy.constants import value
from rdpacct.privacy.gaussian_profile import gaussian_profile
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Piece, whole_law_cells


@dataclass(frozen=True, slots=True)
class GaussianSlide(Piece):
    """The loss of a slide by ``spread`` standard deviations, whose tails have a closed form."""

    @classmethod
    def of(cls, shift: Expr) -> "GaussianSlide":
        """The slide by this many standard deviations."""
        piece = normal_piece(shift)
        return cls(piece.density, piece.low, piece.high, piece.center, piece.spread)

    def events(
        self, edges: Sequence[Fraction | RealBall]
    ) -> list[tuple[RealBall, RealBall]]:
        events = []
        shift = value(self.spread)
        for edge in map(real, edges):
            delta, slope = gaussian_profile(shift, edge)
            events.append((delta - slope, -slope / edge.exp()))
        return events

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            return Ball(self.events([threshold])[0][0], bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            delta, _ = gaussian_profile(value(self.spread), real(threshold))
            return Ball(delta, bits).positive_part()

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        return whole_law_cells(self, edges, bits)

    def mass(self, bits: int) -> Ball:
        return Ball.of(1, bits)

    def reversed(self) -> "GaussianSlide":
        return self


def with_closed_tails(loss: PrivacyLoss, shift: Expr) -> PrivacyLoss:
    """The loss of a slide by this many standard deviations, whose part has closed tails."""
    return replace(loss, parts=(GaussianSlide.of(shift),))
