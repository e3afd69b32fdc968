"""Sums over a binary tree: the noise of each node serves for all prefix sums that use it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.correlated.correlated_noise import (
    CorrelatedNoise,
    steps_at_most,
)
from rdpacct.mechanisms.correlated.gram import Squares
from rdpacct.mechanisms.correlated.tree_levels import levels_of, tree_square
from rdpacct.mechanisms.inside import WholeIn
from rdpacct.privacy.relation import Norm, SensitivityIn


@dataclass(frozen=True)
class TreeAggregation(CorrelatedNoise):
    """The sums over all complete blocks of 1, 2, 4, 8 and so on steps, each with N(0, sigma**2)
    noise: every prefix sum adds up few of them.
    """

    also_called: ClassVar[tuple[str, ...]] = ("Tree", "DPFTRL")
    sigma: Parameter = Parameter(above_least=True)
    steps: WholeIn = WholeIn("the number of steps")
    participations: WholeIn = WholeIn("the number of participations", 1)
    separation: WholeIn = WholeIn("the separation", 1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L2)

    def __post_init__(self) -> None:
        steps_at_most(self.steps)

    @property
    def length(self) -> int:
        return self.steps

    @property
    def in_order(self) -> bool:
        return True

    def squares(self) -> Squares:
        return tree_square(self.taking_part)

    def encoded(self, stream: Sequence[Any]) -> list[Any]:
        """The sums over the blocks, level by level."""
        level = list(stream)
        nodes = list(level)
        for _ in range(1, levels_of(self.steps)):
            pairs = zip(level[::2], level[1::2], strict=False)
            level = [one + other for one, other in pairs]
            nodes += level
        return nodes

    @classmethod
    def examples(cls) -> Iterable["TreeAggregation"]:
        yield cls(2, 4)
        yield cls(4, 5, participations=2, separation=2, sensitivity="3/2")
