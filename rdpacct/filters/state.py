"""The state of a filter as JSON: every number is an exact text, and reading is strict."""

import json
from typing import Any, TypeVar

from rdpacct.errors import InputError
from rdpacct.filters.amounts import Amounts
from rdpacct.filters.fields import (
    amounts_of,
    check_counts,
    check_same,
    read_fields,
    refusal,
    sentences_of,
)
from rdpacct.filters.filter import Filter
from rdpacct.filters.kinds import filter_of
from rdpacct.filters.menu import MenuFilter
from rdpacct.filters.renyi_curve import RenyiCurveFilter
from rdpacct.plan import read_claim
from rdpacct.privacy.guarantee import ApproxDP, Guarantee
from rdpacct.privacy.relation import Relation

F = TypeVar("F", bound=Filter)
FORMAT = "rdpacct filter 1"
FIELDS = {
    "format": str,
    "budget": str,
    "relation": str,
    "spent": dict,
    "releases": int,
    "rests_on": list,
}
"""What a state holds, and as what."""
MORE = {"parts": dict, "orders": list, "menu": dict, "assumptions": list}
"""What it holds beside that if releases were made on parts, if the budget has several orders or is
for a menu, or if releases take something for granted.
"""


def written_state(held: Filter) -> str:
    """The state of a filter."""
    with held._lock:
        state = {
            "format": FORMAT,
            "budget": str(held.budget),
            "relation": str(held.relation),
            "spent": _texts(held, held._spent),
            "releases": held.releases,
            "rests_on": sorted(held.theorems),
        }
        state |= held._own_fields()
        if held._parts:
            parts = held._parts.items()
            state["parts"] = {name: _texts(held, own) for name, own in parts}
        if held.assumptions:
            state["assumptions"] = list(held.assumptions)
    return json.dumps(state, indent=1)


def read_state(kind: type[F], text: str) -> F:
    """The filter of a state, of this kind."""
    state = read_fields(text, FIELDS, MORE)
    check_counts(state, FORMAT)
    held = _made(state)
    if not isinstance(held, kind):
        raise InputError(
            f"the state is that of a {type(held).__name__}; read it as such."
        )
    if str(held.budget) != state["budget"]:
        raise refusal("budget", state["budget"])
    held._spent = amounts_of(held.names, state["spent"])
    for name, own in state.get("parts", {}).items():
        held._parts[held.part(name).name] = amounts_of(held.names, own)
    if not held.all_within() or state.get("parts") == {}:
        raise refusal("spent", state["spent"])
    held.releases = state["releases"]
    held.theorems = frozenset(state["rests_on"])
    held.assumptions = sentences_of(state)
    check_same(state, written_state(held))
    return held


def _made(state: dict[str, Any]) -> Filter:
    """The filter of a budget, of which nothing is spent."""
    relation = Relation.named(state["relation"])
    budget = read_claim(state["budget"])
    if "menu" in state:
        return _for_menu(state, budget, relation)
    if "orders" not in state:
        return filter_of(budget, relation=relation)
    orders = state["orders"]
    if not isinstance(budget, ApproxDP) or not all(
        isinstance(order, str) for order in orders
    ):
        raise refusal("orders", orders)
    held = RenyiCurveFilter(
        budget.epsilon, budget.delta, orders=orders, relation=relation
    )
    if list(map(str, held.orders)) != orders:
        raise refusal("orders", orders)
    return held


def _for_menu(
    state: dict[str, Any], budget: Guarantee, relation: Relation
) -> MenuFilter:
    """The filter of a menu, whose units are worked out again."""
    menu = state["menu"]
    whole = all(type(price) is int for price in menu.values())
    if not isinstance(budget, ApproxDP) or not whole or "orders" in state:
        raise refusal("menu", menu)
    held = MenuFilter(
        list(menu),
        budget.epsilon,
        budget.delta,
        prices=list(menu.values()),
        relation=relation,
    )
    if list(map(str, held.menu)) != list(menu):
        raise refusal("menu", menu)
    return held


def _texts(held: Filter, amounts: Amounts) -> dict[str, str]:
    """Amounts by what they are of."""
    pairs = zip(held.names, amounts, strict=True)
    return {name: str(amount) for name, amount in pairs}
