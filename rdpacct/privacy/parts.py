"""What the law of a privacy loss is made of: point masses and smooth stretches.

Each part answers the same few questions, and the loss adds the answers up. A mechanism whose loss
has another shape brings its own kind of part.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, TypeAlias

from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import ONE, ZERO, Expr, Rational, Symbol, formula
from rdpacct.exact.functions import absolute, exp, log
from rdpacct.exact.integral import integrate, integrate_tail
from rdpacct.exact.number import Number, rational, shorten
from rdpacct.exact.raw import real
from rdpacct.exact.taylor import expandable, integrals
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.constants import value
from rdpacct.privacy.transform import Transform

LOSS = Symbol("loss")
"""The variable of the density of a piece."""
CELL_BITS = 128
"""The precision of the masses of a cell."""

LARGEST_ORDER, FURTHEST_ORDER = 10**6, 10**18
"""Above this order a Renyi divergence is enclosed by those of this order and of order infinity: the
first if moments are integrals, the second if they have a closed form.
"""

Edge: TypeAlias = Expr | float
"""An end of the range of a loss: an exact real number, or an infinity."""


def exactly(given: Number | Expr, name: str) -> Expr:
    """A formula as it is, and a number as the formula of it."""
    return given if isinstance(given, Expr) else formula(rational(given, name))


class Part(ABC):
    """A share of the law of L = log dP/dQ under P, on which L is finite."""

    quick = False
    """Whether its tails have a closed form, so that many of them take little time."""
    edge_work: ClassVar[int] = 30
    """The work of its tails at one edge, where many of them are asked for."""
    largest_order: ClassVar[int] = LARGEST_ORDER
    """The largest order of a Renyi divergence up to which its moments are worked out."""

    @abstractmethod
    def range(self) -> tuple[Edge, Edge]:
        """The smallest and the largest loss."""

    @abstractmethod
    def moment(self, rate: Fraction, bits: int) -> Ball:
        """The expectation of exp(rate L) on this part; its mass under P at rate 0 and under Q at
        rate -1.
        """

    @abstractmethod
    def mean(self, bits: int) -> Ball:
        """The expectation of L on this part."""

    @abstractmethod
    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        """The expectations of (L - center)**k on this part, for k from 0 to ``orders``."""

    @abstractmethod
    def tail(self, threshold: Fraction, bits: int) -> Ball:
        """The probability under P that L exceeds the threshold on this part."""

    @abstractmethod
    def excess(self, threshold: Fraction, bits: int) -> Ball:
        """The expectation of max(0, 1 - exp(threshold - L)): how much P exceeds exp(threshold) Q on
        this part.
        """

    @abstractmethod
    def reversed(self) -> "Part":
        """The same outcomes seen with P and Q exchanged."""

    def transform(self) -> Transform | None:
        """The expectation of exp(z L) on this part for complex z; without one the part is composed
        on a grid.
        """
        return None

    def mass(self, bits: int) -> Ball:
        """The probability of this part under P."""
        return self.moment(Fraction(0), bits)

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        """The masses under P and Q of the losses up to the first edge, between each two, and above
        the last.
        """
        with precision(bits):
            events = self.events(edges)
        if events is None:
            rows = [self._from_tails(edge, bits) for edge in edges]
        else:
            rows = [(Ball(p, bits), Ball(q, bits)) for p, q in events]
        whole = self.moment(Fraction(0), bits), self.moment(Fraction(-1), bits)
        nothing = Ball.of(0, bits), Ball.of(0, bits)
        return shares_between([whole, *rows, nothing])

    def _from_tails(self, edge: Fraction, bits: int) -> tuple[Ball, Ball]:
        """The probabilities under P and Q that L exceeds an edge."""
        p = self.tail(edge, bits)
        return p, (p - self.excess(edge, bits)) / Ball.of(edge, bits).exp()

    def events(
        self,
        edges: Sequence[Fraction | RealBall],  # noqa: ARG002
    ) -> list[tuple[RealBall, RealBall]] | None:
        """The probabilities under P and Q that L exceeds each of some rising edges, at the current
        precision, if both have one closed form; None if tails and excesses are asked for instead.
        """
        return None


def whole_law_cells(
    part: Part, edges: Sequence[Fraction], bits: int
) -> list[tuple[RealBall, RealBall]]:
    """The cells of a part with all of both laws, from the probabilities above each edge."""
    with precision(bits):
        events = part.events(edges)
    if events is None:
        raise NotImplementedError(f"{type(part).__name__} has no closed tails")
    whole = Ball.of(1, bits)
    nothing = Ball.of(0, bits)
    above = [(Ball(p, bits), Ball(q, bits)) for p, q in events]
    return shares_between([(whole, whole), *above, (nothing, nothing)])


def shares_between(
    above: Sequence[tuple[Ball, Ball]],
) -> list[tuple[RealBall, RealBall]]:
    """The masses under P and Q between each two thresholds, from those above each of them."""
    nothing = real(0)
    with precision(max(p.bits for p, _ in above)):
        return [
            ((p.raw - r.raw).max(nothing), (q.raw - s.raw).max(nothing))
            for (p, q), (r, s) in pairwise(above)
        ]


@dataclass(frozen=True, slots=True)
class Atom(Part):
    """Outcomes of probability p under P and q under Q, both positive, that share one loss
    log(p/q).
    """

    largest_order: ClassVar[int] = FURTHEST_ORDER
    edge_work: ClassVar[int] = 5
    p: Expr
    q: Expr
    loss: Expr

    def __post_init__(self) -> None:
        for given in (self.p, self.q, self.loss):
            if not isinstance(given, Expr):
                raise InputError(
                    f"an atom has {shorten(repr(given))} where a formula is expected;"
                    " give Atom.of(p, q) two exact probabilities, as in Atom.of('1/3',"
                    " '1/6')."
                )

    @classmethod
    def of(cls, p: Number, q: Number) -> "Atom":
        """The atom of two exact probabilities."""
        first = rational(p, "p")
        second = rational(q, "q")
        if not (0 < first <= 1 and 0 < second <= 1):
            told = f"{shorten(str(p))} and {shorten(str(q))}"
            raise InputError(
                f"the probabilities of an atom are {told}; give two above 0 and at"
                " most 1."
            )
        return cls(formula(first), formula(second), log(first / second))

    def range(self) -> tuple[Edge, Edge]:
        return self.loss, self.loss

    def moment(self, rate: Fraction, bits: int) -> Ball:
        if rate in (0, -1):
            return (self.q if rate else self.p).ball(bits)
        return (self.p * exp(rate * self.loss)).ball(bits)

    def mean(self, bits: int) -> Ball:
        return (self.p * self.loss).ball(bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        p = self.p.ball(bits)
        gap = self.loss.ball(bits) - center
        return [p * gap**order for order in range(orders + 1)]

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        if self.loss == formula(threshold):
            return Ball.of(0, bits)
        gap = self.loss.ball(bits) - threshold
        mass = self.p.ball(bits)
        if gap.certainly_positive():
            return mass
        if gap.certainly_negative():
            return Ball.of(0, bits)
        return mass.union(0)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        if self.loss == formula(threshold):
            return Ball.of(0, bits)
        return (self.p - exp(threshold) * self.q).ball(bits).positive_part()

    def reversed(self) -> "Atom":
        return Atom(self.q, self.p, -self.loss)

    def transform(self) -> Transform:
        return AtomsTransform((self.p,), (self.loss,))


@dataclass(frozen=True, slots=True)
class Piece(Part):
    """A stretch of losses with a density under P that is analytic between its ends.

    Where an end is infinite the density is log-concave, and ``center`` and ``spread`` say where
    most of it lies; they steer the integration and do not enter the answer.
    """

    quick = True

    density: Expr
    low: Edge
    high: Edge
    center: Expr = ZERO
    spread: Expr = ONE

    def __post_init__(self) -> None:
        for name in ("density", "low", "high", "center", "spread"):
            given = getattr(self, name)
            if isinstance(given, Expr):
                continue
            end = _infinite(given) if name in ("low", "high") else None
            number = exactly(given, f"the {name} of a piece") if end is None else end
            object.__setattr__(self, name, number)
        if _certain(self.low, -math.inf) > _certain(self.high, math.inf):
            raise InputError(
                f"a piece goes from {self.low} to {self.high}; give the lower edge first."
            )
        if isinstance(self.spread, Rational) and self.spread.value <= 0:
            raise InputError(
                f"the spread of a piece is {self.spread}; give one above 0, about how"
                " far from its center most of its mass is."
            )

    def range(self) -> tuple[Edge, Edge]:
        return self.low, self.high

    def moment(self, rate: Fraction, bits: int) -> Ball:
        weight = exp(rate * LOSS)
        return self._expect(
            weight, weight, _about(self.center + rate * self.spread**2), bits
        )

    def mean(self, bits: int) -> Ball:
        return self._expect(LOSS, absolute(LOSS), Fraction(0), bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        if not (isinstance(self.low, Expr) and isinstance(self.high, Expr)):
            raise NotImplementedError(
                "central moments are taken of bounded losses only"
            )
        weights = ((LOSS - Symbol("shift")) ** order for order in range(orders + 1))
        return [
            integrate(
                self.density * weight,
                LOSS.name,
                self.low,
                self.high,
                bits,
                shift=center,
            )
            for weight in weights
        ]

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return self._expect_above(threshold, ONE, bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        return self._expect_above(
            threshold, 1 - exp(threshold - LOSS), bits
        ).positive_part()

    def reversed(self) -> "Piece":
        density = (self.density * exp(-LOSS)).at(loss=-LOSS)
        low = -self.high
        high = -self.low
        return Piece(density, low, high, -(self.center - self.spread**2), self.spread)

    def scaled(self, weight: Expr) -> "Piece":
        """The same losses with this share of their mass."""
        return replace(self, density=weight * self.density)

    def from_loss(self, low: Expr) -> "Piece":
        """The losses from one of them on."""
        return replace(self, low=low)

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        if not expandable(self.density):
            return Part.cells(self, edges, bits)
        before, _, beyond = Part.cells(self, (edges[0], edges[-1]), bits)
        with precision(CELL_BITS):
            points = [self._within(real(edge)) for edge in edges]
            p, q = (
                integrals(density, LOSS.name, points)
                for density in (self.density, self.density * exp(-LOSS))
            )
        return [before, *zip(p, q, strict=True), beyond]

    def _within(self, point: RealBall) -> RealBall:
        """A point moved to the nearer end of the piece if it lies outside."""
        point = point.max(value(self.low)) if isinstance(self.low, Expr) else point
        if isinstance(self.high, Expr):
            return point.min(value(self.high))
        return point

    def _expect(
        self, weight: Expr, majorant: Expr, middle: Fraction, bits: int
    ) -> Ball:
        """The integral of the weight against the density over the whole piece."""
        if isinstance(self.low, Expr) and isinstance(self.high, Expr):
            return integrate(
                self.density * weight, LOSS.name, self.low, self.high, bits
            )
        step = _about(self.spread)
        below = self._expect_beyond(middle, -step, self.low, weight, majorant, bits)
        return below + self._expect_beyond(
            middle, step, self.high, weight, majorant, bits
        )

    def _expect_beyond(
        self,
        start: Fraction,
        step: Fraction,
        edge: Edge,
        weight: Expr,
        majorant: Expr,
        bits: int,
    ) -> Ball:
        """The integral from a start inside the piece to one of its edges, in the direction of the
        step.
        """
        inside = self.density * weight
        if not isinstance(edge, Expr):
            return integrate_tail(
                inside, self.density * majorant, LOSS.name, start, step, bits
            )
        low, high = (formula(start), edge) if step > 0 else (edge, formula(start))
        return integrate(inside, LOSS.name, low, high, bits)

    def _expect_above(self, threshold: Fraction, weight: Expr, bits: int) -> Ball:
        """The integral of a weight that is at most one over the losses above the threshold."""
        below_high = _order(threshold, self.high, bits)
        above_low = _order(self.low, threshold, bits)
        if below_high is False:
            return Ball.of(0, bits)
        if above_low is False and isinstance(self.low, Expr):
            return self._from(self.low, weight, bits)
        value = self._from(threshold, weight, bits)
        if above_low is None and isinstance(self.low, Expr):
            value = value.union(self._from(self.low, weight, bits))
        return value if below_high else value.union(0)

    def _from(self, start: Expr | Fraction, weight: Expr, bits: int) -> Ball:
        """The integral of a weight from 0 to 1 from a start to the upper end."""
        inside = self.density * weight
        if isinstance(self.high, Expr):
            return integrate(inside, LOSS.name, start, self.high, bits)
        step = _about(self.spread)
        far = step * math.isqrt(2 * bits)
        begin = _about(formula(start))
        center = _about(self.center)
        middle = max(begin, center)
        above = integrate_tail(inside, self.density, LOSS.name, middle, step, bits)
        if isinstance(self.low, Expr) or begin >= center - far:
            return integrate(inside, LOSS.name, start, middle, bits) + above
        # a weight from 0 to 1 on what is far below the center adds next to nothing
        cut = center - far
        below = integrate_tail(self.density, self.density, LOSS.name, cut, -step, bits)
        near = integrate(inside, LOSS.name, cut, middle, bits)
        return near + below.union(0) + above


def _about(value: Expr) -> Fraction:
    """A rational near the number, for planning."""
    if isinstance(value, Rational):
        return value.value
    return Fraction(float(value.ball(64)))


def _infinite(given: object) -> float | None:
    """The infinity that a number of any kind is; None for another number, or none at all."""
    try:
        equal = [end for end in (-math.inf, math.inf) if bool(given == end)]
    except (ArithmeticError, TypeError, ValueError):  # an array, or a signaling nan
        return None
    return equal[0] if equal else None


def _certain(edge: Edge, otherwise: float) -> Fraction | float:
    """An edge that is plainly a number."""
    if isinstance(edge, Expr):
        return edge.value if isinstance(edge, Rational) else otherwise
    return edge


def _order(left: Edge | Fraction, right: Edge | Fraction, bits: int) -> bool | None:
    """Whether left < right; None if the balls leave it open."""
    if isinstance(left, float) or isinstance(right, float):
        return left == -math.inf or right == math.inf
    left = formula(left)
    right = formula(right)
    if left == right:
        return False
    gap = (right - left).ball(bits)
    if gap.certainly_positive():
        return True
    if gap.certainly_negative():
        return False
    return None
