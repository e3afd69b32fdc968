"""A histogram under replacement: a changed record moves two counts, not one."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.privacy.relation import Norm, Relation, Sensitivity
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin


def right(votes: list[int], rng: Any) -> Any:
    """Counts with noise for two moved counts."""
    return _counts(votes) + rng.laplace(scale=2, size=3)


def broken(votes: list[int], rng: Any) -> Any:
    """Counts with noise for one moved count, which is right for an added record only."""
    return _counts(votes) + rng.laplace(scale=1, size=3)


def _counts(votes: list[int]) -> Any:
    import numpy as np

    return np.bincount(votes, minlength=3)


def _declared(value: int) -> Sensitivity:
    return Sensitivity(value, norm=Norm.L1, relation=Relation.REPLACE_ONE)


TWIN = ReplayedTwin(
    name="replacement counted once",
    claim="PureDP(epsilon=1)",
    x=[0, 1, 1, 2],
    x_neighbor=[0, 1, 1, 1],
    right=right,
    broken=broken,
    finds=FindingKind.SENSITIVITY,
    note="The sensitivity under replacement is taken for that of adding a record.",
    source="accountants that take one relation for the other, a factor of two",
    sensitivity=_declared(2),
    broken_sensitivity=_declared(1),
)
