"""The least law that dominates several losses: its profile is the largest of theirs.

At each level the losses above it are as likely as those of the loss whose profile is the largest
there. So no point is looked for at which two profiles cross.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.compiled import RealFunction, together
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import maximum, minimum
from rdpacct.exact.raw import current_bits, real
from rdpacct.privacy.constants import value
from rdpacct.privacy.family import exchanged
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Edge, Part
from rdpacct.provenance import remembered
from rdpacct.work import spend

LEVEL = Symbol("level")
PairsOfMasses = list[tuple[RealBall, RealBall]]
"""Probabilities under P and under Q."""


@dataclass(frozen=True, slots=True)
class Highest(Part):
    """The finite losses of the least law that dominates several losses."""

    losses: tuple[PrivacyLoss, ...]

    def range(self) -> tuple[Edge, Edge]:
        parts = [part for loss in self.losses for part in loss.parts]
        lows, highs = zip(*(part.range() for part in parts), strict=True)
        if len(self.known(lows)) < len(lows):
            low: Edge = -math.inf
        else:
            low = reduce(minimum, self.known(lows))
        if len(self.known(highs)) < len(highs):
            return low, math.inf
        return low, reduce(maximum, self.known(highs))

    @staticmethod
    def known(edges: Sequence[Edge]) -> list[Expr]:
        """The finite ones among some ends."""
        return [edge for edge in edges if isinstance(edge, Expr)]

    @property
    def edge_work(self) -> int:  # type: ignore[override]
        """The work of all parts of all losses at one edge."""
        return sum(part.edge_work for loss in self.losses for part in loss.parts)

    @property
    def infinite(self) -> Expr:
        """The mass of the infinite losses, which are not part of this."""
        return reduce(maximum, (loss.at_infinity for loss in self.losses))

    @property
    def unseen(self) -> Expr:
        """The mass of Q where P has none."""
        return reduce(maximum, (loss.unseen for loss in self.losses))

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        spend(self.edge_work * len(edges))
        rows = [_cells(loss, edges, bits) for loss in self.losses]
        with precision(bits):
            growth = [real(edge).exp() for edge in edges]
            infinite = [value(loss.at_infinity) for loss in self.losses]
            above = [
                _above(row, mass) for row, mass in zip(rows, infinite, strict=True)
            ]
            leading = [
                highest([tails[k] for tails in above], g) for k, g in enumerate(growth)
            ]
            everything = real(1), 1 - value(self.unseen)
            nothing = value(self.infinite), real(0)
            events = [
                everything,
                *(
                    _united([above[i][k] for i in leaders])
                    for k, leaders in enumerate(leading)
                ),
                nothing,
            ]
            shares = []
            for k in range(len(edges) + 1):
                same = leading[k - 1 : k + 1]
                if 0 < k < len(edges) and len(same[0]) == 1 and same[0] == same[1]:
                    shares.append(rows[same[0][0]][k])
                    continue
                (p, q), (r, s) = events[k : k + 2]
                shares.append(((p - r).max(real(0)), (q - s).max(real(0))))
            return shares

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return Ball(self.cells([threshold], bits)[1][0], bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            return Ball(self.profile(real(threshold)) - value(self.infinite), bits)

    def profile(self, level: RealBall) -> RealBall:
        """delta at a level, with the infinite losses."""
        values = [_delta(loss, level) for loss in self.losses]
        return reduce(lambda x, y: x.max(y), values)

    def moment(self, rate: Fraction, bits: int) -> Ball:
        """Masses are known, and other moments are between the largest of those of the losses and
        what these add to 1 together.
        """
        if rate == 0:
            return (1 - self.infinite).ball(bits)
        if rate == -1:
            return (1 - self.unseen).ball(bits)
        return Ball.everything(bits)

    def mean(self, bits: int) -> Ball:  # noqa: ARG002
        raise _unknown()

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:  # noqa: ARG002
        raise _unknown()

    def reversed(self) -> "Highest":
        return Highest(tuple(loss.reversed() for loss in self.losses))


def _unknown() -> UndecidedError:
    return UndecidedError(
        "the mean of a law that dominates several losses is that of none of them; ask"
        " for delta or epsilon."
    )


def _cells(loss: PrivacyLoss, edges: Sequence[Fraction], bits: int) -> PairsOfMasses:
    """The masses of a loss up to the first edge, between each two, and above the last."""
    with precision(bits):
        total = [(real(0), real(0))] * (len(edges) + 1)
    for part in loss.parts:
        row = part.cells(edges, bits)
        with precision(bits):
            total = [(p + r, q + s) for (p, q), (r, s) in zip(total, row, strict=True)]
    return total


def exceeding(loss: PrivacyLoss, edges: Sequence[Fraction], bits: int) -> PairsOfMasses:
    """The masses of a loss under P and Q above each of some rising edges."""
    spend(sum(part.edge_work for part in loss.parts) * len(edges))
    with precision(bits):
        if len(loss.parts) == 1:
            events = loss.parts[0].events(edges)
            if events is not None:
                infinite = value(loss.at_infinity)
                return [(p + infinite, q) for p, q in events]
        return _above(_cells(loss, edges, bits), value(loss.at_infinity))


def _above(cells: PairsOfMasses, infinite: RealBall) -> PairsOfMasses:
    """The masses above each edge, those of infinite losses included."""
    p, q = cells[-1]
    p = p + infinite
    tails = [(p, q)]
    for more_p, more_q in reversed(cells[1:-1]):
        p = p + more_p
        q = q + more_q
        tails.append((p, q))
    return tails[::-1]


def highest(tails: Sequence[tuple[RealBall, RealBall]], growth: RealBall) -> list[int]:
    """Which of several losses may have the largest profile, from their masses above the level
    log(growth).
    """
    values = [p - growth * q for p, q in tails]
    top = max(values, key=float)
    return [k for k, height in enumerate(values) if not height < top]


def _united(tails: Sequence[tuple[RealBall, RealBall]]) -> tuple[RealBall, RealBall]:
    """Balls that contain each of some pairs of masses."""
    p, q = tails[0]
    for r, s in tails[1:]:
        p = p.union(r)
        q = q.union(s)
    return p, q


def _delta(loss: PrivacyLoss, level: RealBall) -> RealBall:
    """delta of one loss at a level."""
    infinite = value(loss.at_infinity)
    transform = loss.forms.transform
    if transform is not None:
        closed = transform.profile(level)
        if closed is not None:
            return closed.max(real(0)) + infinite
    if loss.symmetric and loss.forms.delta is not None:
        return _symmetric(_closed_delta(loss.forms, current_bits()), level) + infinite
    total = infinite
    for part in loss.parts:
        if isinstance(part, Atom):
            gap = value(part.p) - level.exp() * value(part.q)
            total = total + gap.max(real(0))
            continue
        events = part.events([level])
        if events is None:
            total = total + _between(part, level)
        else:
            p, q = events[0]
            total = total + (p - level.exp() * q).max(real(0))
    return total


@remembered(128)
def _closed_delta(forms: Forms, bits: int) -> RealFunction:
    """The closed form of delta at an epsilon >= 0, for one precision."""
    if forms.delta is None:
        raise AssertionError("a loss without a closed form has parts")
    with precision(bits):
        return together([forms.delta(LEVEL)], LEVEL.name)


def _symmetric(closed: RealFunction, level: RealBall) -> RealBall:
    """delta at a level of a symmetric loss, from a form for levels of at least 0."""
    if level >= 0:
        return closed(level)[0]
    size = abs(level)
    other = exchanged(size.exp(), closed(size)[0])
    if level < 0:
        return other
    return other.union(closed(size)[0])


def _between(part: Part, level: RealBall) -> RealBall:
    """The share of a part in delta, which falls with the level."""
    ball = Ball(level, 128)
    ends = [part.excess(Fraction(end), 128).raw for end in (ball.lower(), ball.upper())]
    return ends[0].union(ends[1])
