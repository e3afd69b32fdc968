"""A release without noise: it tells neighbors apart for certain, and no epsilon below infinity
describes it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from rdpacct.exact.formula import ONE
from rdpacct.mechanisms.mechanism import NoiseMechanism
from rdpacct.mechanisms.source import Source
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.relation import Relation, RelationIn


@dataclass(frozen=True)
class NonPrivate(NoiseMechanism):
    """f(D) itself, for a query that neighbors may change: every privacy loss is infinite, and delta
    is 1 throughout.

    A plan reads noise of scale zero as this. Under Poisson sampling it reveals the record if that
    is sampled.
    """

    also_called: ClassVar[tuple[str, ...]] = ("Identity", "Noiseless")
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        return PrivacyLoss(
            (),
            at_infinity=ONE,
            unseen=ONE,
            symmetric=True,
            event=lambda _: "the output is f(D)",
        )

    def attained(self) -> tuple[PrivacyLoss, ...]:
        return (self.loss(),)

    def assumes(self) -> tuple[str, ...]:
        return ()

    def for_group(self, size: int) -> Self:  # noqa: ARG002
        """Itself: nothing is hidden from anybody."""
        return self

    def stated_for(self, relation: Relation) -> Self:
        return replace(self, relation=relation)

    def sample(self, value: Any, rng: Source = None) -> Any:  # noqa: ARG002
        """The value as it is."""
        return value

    @classmethod
    def examples(cls) -> Iterable["NonPrivate"]:
        yield cls()
