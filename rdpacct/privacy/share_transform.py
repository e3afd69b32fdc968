"""The transform of a share of a law that has a transform of its own."""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.formula import Expr
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Transform


@dataclass(frozen=True)
class ShareTransform(Transform):
    """A law times a share of at most 1."""

    law: Transform
    share: Expr

    @property
    def node_by_node(self) -> bool:  # type: ignore[override]
        return self.law.node_by_node

    def planned(self, tilt: float) -> float:
        return math.log(about(self.share)) + self.law.planned(tilt)

    def planned_decay(self, tilt: float, height: float) -> float:
        return self.law.planned_decay(tilt, height)

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        share = value(self.share)
        return [share * point for point in self.law.at(nodes, nats)]

    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,
    ) -> RealBall:
        share = value(self.share)
        return share * self.law.decay(tilt, height, value_at_tilt / share, nats)

    def top(self) -> RealBall | None:
        return self.law.top()

    def planned_top(self) -> float:
        return self.law.planned_top()
