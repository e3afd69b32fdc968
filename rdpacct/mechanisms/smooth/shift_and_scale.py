"""Pairs of one noise that differ in place and in scale: Z against c + exp(lam) Z, the narrower law
first or second.

Outputs are measured from the center of the narrower law towards that of the broader one, in scales
of the narrower law. The noise is symmetric about 0, and the outputs on which the narrower law
exceeds a multiple of the broader one form an interval.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.compiled import RealFunction, together
from rdpacct.exact.formula import ZERO, Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.integral import integrate, integrate_tail
from rdpacct.exact.raw import current_bits, real
from rdpacct.privacy.parts import Edge, Part, whole_law_cells
from rdpacct.provenance import by, remembered

OUTPUT = Symbol("output")
LEVEL = Symbol("level")


class Noise(ABC):
    """A symmetric law of one number, and the intervals on which it exceeds its shifted and
    broadened copies.
    """

    @abstractmethod
    def log_density(self, x: Real) -> Expr:
        """The logarithm of the density at x, with scale 1."""

    @abstractmethod
    def below(self, x: Real) -> Expr:
        """The probability of outputs below x."""

    @abstractmethod
    def interval(self, shift: Real, ratio: Real, level: Real) -> tuple[Expr, Expr]:
        """The ends of the outputs with a loss of the narrower law against the broader one above the
        level.
        """

    @abstractmethod
    def largest(self, shift: Real, ratio: Real) -> Expr:
        """The largest loss of the narrower law against the broader one."""

    kinked: bool = False
    """The density is not analytic at its center."""


@dataclass(frozen=True, slots=True)
class ShiftAndScale(Part):
    """Every output of the pair Z, c + exp(lam) Z: ``narrow_first`` says which of the two is P."""

    noise: Noise
    shift: Expr
    ratio: Expr
    """lam, above 0."""
    narrow_first: bool

    def range(self) -> tuple[Edge, Edge]:
        most = self.noise.largest(self.shift, self.ratio)
        if self.narrow_first:
            return (-math.inf, most)
        return (-most, math.inf)

    def interval(self, level: Real) -> tuple[Expr, Expr]:
        """The ends of the outputs with a loss above the level, or of the other outputs if the
        broader law is first.
        """
        return self.noise.interval(
            self.shift, self.ratio, level if self.narrow_first else -formula(level)
        )

    @by("smooth/corners")
    def masses(self, level: Real) -> tuple[Expr, Expr]:
        """The probabilities under P and under Q that the loss exceeds the level."""
        low, high = self.interval(level)
        shift = self.shift
        shrink = exp(-self.ratio)
        below = self.noise.below
        narrow = below(low) + below(-high)
        broad = below((low - shift) * shrink) + below((shift - high) * shrink)
        if self.narrow_first:
            return (1 - narrow, 1 - broad)
        return (broad, narrow)

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return self.masses(threshold)[0].ball(bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        return self.delta(threshold).ball(bits).positive_part()

    def delta(self, epsilon: Real) -> Expr:
        """How much P exceeds exp(epsilon) Q, on the outputs with a loss above epsilon."""
        if (
            self.narrow_first
            and not self.noise.largest(self.shift, self.ratio).symbols()
        ):
            room = (self.noise.largest(self.shift, self.ratio) - epsilon).bound()
            if room.certainly_at_most(0):
                return ZERO
        p, q = self.masses(epsilon)
        return p - exp(epsilon) * q

    def moment(self, rate: Fraction, bits: int) -> Ball:
        narrow = self.noise.log_density(OUTPUT)
        broad = (
            self.noise.log_density((OUTPUT - self.shift) * exp(-self.ratio))
            - self.ratio
        )
        p, q = (narrow, broad) if self.narrow_first else (broad, narrow)
        body = exp((1 + rate) * p - rate * q)
        last = Fraction(math.ceil(float(self.shift.ball(64))) + 1)
        kinks = (formula(0), self.shift) if self.noise.kinked else ()
        middle = integrate(body, OUTPUT.name, Fraction(-1), last, bits, kinks=kinks)
        tails = (
            integrate_tail(body, body, OUTPUT.name, start, step, bits)
            for start, step in ((Fraction(-1), Fraction(-1)), (last, Fraction(1)))
        )
        return sum(tails, start=middle)

    def mass(self, bits: int) -> Ball:
        """All outputs, so that no integral is needed; the laws compare ``moment`` with it."""
        return Ball.of(1, bits)

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        """From the probabilities above each edge; all of both laws is above none."""
        return whole_law_cells(self, edges, bits)

    def events(
        self, edges: Sequence[Fraction | RealBall]
    ) -> list[tuple[RealBall, RealBall]]:
        masses = _masses(self, current_bits())
        return [(p, q) for p, q in (masses(real(edge)) for edge in edges)]

    def mean(self, bits: int) -> Ball:  # noqa: ARG002
        raise UndecidedError(
            "the mean loss of a change of scale is not derived; ask for delta or"
            " epsilon."
        )

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:  # noqa: ARG002
        raise UndecidedError(
            "the loss of a change of scale is unbounded; ask for delta or epsilon."
        )

    def reversed(self) -> "ShiftAndScale":
        return ShiftAndScale(self.noise, self.shift, self.ratio, not self.narrow_first)


@remembered(128)
def _masses(pair: ShiftAndScale, bits: int) -> RealFunction:
    """``masses`` as a function of the level, for one precision."""
    with precision(bits):
        return together(pair.masses(LEVEL), LEVEL.name)
