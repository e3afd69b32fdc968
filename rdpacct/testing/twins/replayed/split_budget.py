"""Three counts under one budget: a third of it for each, or all of it for each."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin

GROUPS = ("a", "b", "c")


def right(members: list[str], rng: Any) -> list[float]:
    """A noisy count of those that are not in a group, for each group, with a third of epsilon."""
    return [_others(members, name) + rng.laplace(scale=3) for name in GROUPS]


def broken(members: list[str], rng: Any) -> list[float]:
    """The same with all of epsilon for each count, as if a record were in one of them only."""
    return [_others(members, name) + rng.laplace(scale=1) for name in GROUPS]


def _others(members: list[str], name: str) -> int:
    return sum(member != name for member in members)


TWIN = ReplayedTwin(
    name="budget not split",
    claim="PureDP(epsilon=1)",
    x=["a", "b", "b", "c"],
    x_neighbor=["a", "b", "b"],
    right=right,
    broken=broken,
    finds=FindingKind.BUDGET,
    note="Each of three releases has all of the budget.",
    source="basic composition (Dwork, McSherry, Nissim and Smith 2006)",
    sensitivity=1,
)
