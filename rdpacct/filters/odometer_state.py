"""The state of an odometer as JSON: every number is an exact text, and reading is strict."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from rdpacct.errors import InputError
from rdpacct.filters.fields import (
    amounts_of,
    check_counts,
    check_same,
    read_fields,
    refusal,
    sentences_of,
)
from rdpacct.filters.gaussian_odometer import GaussianOdometer
from rdpacct.filters.odometer import (
    Odometer,
    PureOdometer,
    RenyiOdometer,
    ZCDPOdometer,
)
from rdpacct.privacy.relation import Relation

O = TypeVar("O", bound=Odometer)  # noqa: E741
FORMAT = "rdpacct odometer 1"
FIELDS = {
    "format": str,
    "kind": str,
    "delta": str,
    "orders": list,
    "relation": str,
    "spent": dict,
    "releases": int,
    "rests_on": list,
}
"""What a state holds, and as what."""
MORE = {"assumptions": list}
"""What it holds beside that if releases take something for granted."""
KINDS: dict[str, Callable[[str, list[str], Relation], Odometer]] = {
    "PureOdometer": lambda _delta, _orders, relation: PureOdometer(relation=relation),
    "RenyiOdometer": lambda delta, orders, relation: RenyiOdometer(
        orders, delta, relation=relation
    ),
    "ZCDPOdometer": lambda delta, orders, relation: ZCDPOdometer(
        delta, orders=orders, relation=relation
    ),
    "GaussianOdometer": lambda delta, orders, relation: GaussianOdometer(
        delta, orders=orders, relation=relation
    ),
}
"""The odometers by the names of their classes, each from its delta, its orders and its relation."""


def written_state(held: Odometer) -> str:
    """The state of an odometer."""
    with held._lock:
        state = {
            "format": FORMAT,
            "kind": type(held).__name__,
            "delta": str(held.delta),
            "orders": list(map(str, held.orders)),
            "relation": str(held.relation),
            "spent": {
                name: str(amount)
                for name, amount in zip(held.names, held.spent, strict=True)
            },
            "releases": held.releases,
            "rests_on": sorted(held.theorems),
        }
        if held.assumptions:
            state["assumptions"] = list(held.assumptions)
    return json.dumps(state, indent=1)


def read_state(kind: type[O], text: str) -> O:
    """The odometer of a state, of this kind."""
    state = read_fields(text, FIELDS, MORE)
    check_counts(state, FORMAT)
    held = _made(state)
    if not isinstance(held, kind):
        raise InputError(
            f"the state is that of a {type(held).__name__}; read it as such."
        )
    again = [str(held.delta), list(map(str, held.orders))]
    if again != [state["delta"], state["orders"]]:
        raise refusal("delta and orders", [state["delta"], state["orders"]])
    held._spent = amounts_of(held.names, state["spent"])
    held.releases = state["releases"]
    held.theorems = frozenset(state["rests_on"])
    held.assumptions = sentences_of(state)
    check_same(state, written_state(held))
    return held


def _made(state: dict[str, Any]) -> Odometer:
    """An odometer of this kind that has not started."""
    relation = Relation.named(state["relation"])
    orders = state["orders"]
    if not all(isinstance(order, str) for order in orders):
        raise refusal("orders", orders)
    if state["kind"] not in KINDS:
        raise refusal("kind", state["kind"])
    return KINDS[state["kind"]](state["delta"], orders, relation)
