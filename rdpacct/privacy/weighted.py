"""Cases that an observer can tell apart: a law that is another one times a share of the mass."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rdpacct.exact.ball import Ball, ComplexBall, RealBall
from rdpacct.exact.formula import Expr, add
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.parts import FURTHEST_ORDER, Atom, Edge, Part, Piece
from rdpacct.privacy.sum_transform import SumTransform
from rdpacct.privacy.transform import Direction, Transform


@dataclass(frozen=True)
class WeightedPart(Part):
    """A part whose masses, under P and under Q, are those of another one times a weight."""

    largest_order: ClassVar[int] = FURTHEST_ORDER
    weight: Expr
    part: Part

    def range(self) -> tuple[Edge, Edge]:
        return self.part.range()

    def moment(self, rate: Fraction, bits: int) -> Ball:
        return self.weight.ball(bits) * self.part.moment(rate, bits)

    def mean(self, bits: int) -> Ball:
        return self.weight.ball(bits) * self.part.mean(bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        weight = self.weight.ball(bits)
        moments = self.part.central_moments(orders, center, bits)
        return [weight * moment for moment in moments]

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return self.weight.ball(bits) * self.part.tail(threshold, bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        return self.weight.ball(bits) * self.part.excess(threshold, bits)

    def reversed(self) -> "WeightedPart":
        return WeightedPart(self.weight, self.part.reversed())

    def transform(self) -> "WeightedTransform | None":
        inner = self.part.transform()
        return None if inner is None else WeightedTransform(self.weight, inner)


@dataclass(frozen=True)
class WeightedTransform(Transform):
    """A weight times the transform of another law."""

    weight: Expr
    inner: Transform

    @property
    def node_by_node(self) -> bool:  # type: ignore[override]
        return self.inner.node_by_node

    def cost(self, tilt: float, height: float) -> float:
        return self.inner.cost(tilt, height)

    def planned(self, tilt: float) -> float:
        share = max(about(self.weight), 1e-300)
        return math.log(share) + self.inner.planned(tilt)

    def planned_decay(self, tilt: float, height: float) -> float:
        return self.inner.planned_decay(tilt, height)

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        weight = value(self.weight)
        return [weight * moment for moment in self.inner.at(nodes, nats)]

    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,
    ) -> RealBall:
        weight = value(self.weight)
        of_inner = self.inner.decay(tilt, height, value_at_tilt / weight, nats)
        return weight * of_inner

    def profile(self, epsilon: RealBall) -> RealBall | None:
        delta = self.inner.profile(epsilon)
        return None if delta is None else value(self.weight) * delta

    def top(self) -> RealBall | None:
        return self.inner.top()

    def planned_top(self) -> float:
        return self.inner.planned_top()


def weighted(part: Part, weight: Expr) -> Part:
    """A part with this share of its mass: of the same kind, if it is an atom or a stretch."""
    if isinstance(part, Atom):
        return Atom(weight * part.p, weight * part.q, part.loss)
    if isinstance(part, Piece):
        return part.scaled(weight)
    return WeightedPart(weight, part)


def side_by_side(
    cases: Sequence[tuple[Expr, PrivacyLoss]], symmetric: bool
) -> PrivacyLoss:
    """The loss of a pair that is drawn from several, with probabilities that add up to 1 and are
    the same under both laws; which one it is can be seen.
    """
    parts = [weighted(part, share) for share, loss in cases for part in loss.parts]
    infinite = [share * loss.at_infinity for share, loss in cases]
    unseen = [share * loss.unseen for share, loss in cases]
    return PrivacyLoss(tuple(parts), add(*infinite), add(*unseen), symmetric)


def directions_side_by_side(
    cases: Sequence[tuple[Expr, Direction]],
) -> Direction | None:
    """The directions of such a loss, from that of each case; None if one of them is a grid."""
    shares = []
    for share, direction in cases:
        transform = direction.transform
        if transform is None or transform.gridded:
            return None
        shares.append(WeightedTransform(share, transform))
    infinite = [share * direction.at_infinity for share, direction in cases]
    return Direction(SumTransform(tuple(shares)), add(*infinite))
