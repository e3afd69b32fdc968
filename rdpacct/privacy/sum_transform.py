"""The transform of a law that is a sum of parts, each with its own transform."""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.raw import real
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Transform


@dataclass(frozen=True)
class SumTransform(Transform):
    """Several shares of one law."""

    shares: tuple[Transform, ...]

    @property
    def node_by_node(self) -> bool:  # type: ignore[override]
        return all(share.node_by_node for share in self.shares)

    def cost(self, tilt: float, height: float) -> float:
        return math.fsum(share.cost(tilt, height) for share in self.shares)

    def planned(self, tilt: float) -> float:
        logs = [share.planned(tilt) for share in self.shares]
        largest = max(logs)
        return largest + math.log(sum(math.exp(log - largest) for log in logs))

    def planned_decay(self, tilt: float, height: float) -> float:
        total = self.planned(tilt)
        sizes = (
            share.planned(tilt) + share.planned_decay(tilt, height) - total
            for share in self.shares
        )
        return math.log(sum(map(math.exp, sizes)))

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        first, *others = (share.at(nodes, nats) for share in self.shares)
        for values in others:
            first = [x + y for x, y in zip(first, values, strict=True)]
        return first

    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,  # noqa: ARG002
        nats: float = NATS,
    ) -> RealBall:
        """The bounds of the shares, added."""
        return sum(
            (
                share.decay(
                    tilt, height, share.at(Nodes(tilt, real(1), 1), nats)[0].real, nats
                )
                for share in self.shares
            ),
            start=real(0),
        )

    def top(self) -> RealBall | None:
        tops = [share.top() for share in self.shares]
        largest = tops[0]
        for top in tops[1:]:
            largest = None if largest is None or top is None else largest.max(top)
        return largest

    def planned_top(self) -> float:
        return max(share.planned_top() for share in self.shares)
