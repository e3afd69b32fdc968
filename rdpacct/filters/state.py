"""The state of a filter as JSON: every number is an exact text, and reading is strict."""

import json
from typing import TypeVar

from rdpacct.errors import InputError
from rdpacct.filters.fields import amounts_of, check_counts, read_fields, refusal
from rdpacct.filters.filter import Filter
from rdpacct.filters.kinds import filter_of
from rdpacct.plan import read_claim
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


def written_state(held: Filter) -> str:
    """The state of a filter."""
    with held._lock:
        state = {
            "format": FORMAT,
            "budget": str(held.budget),
            "relation": str(held.relation),
            "spent": {
                name: str(one) for name, one in zip(held.names, held.spent, strict=True)
            },
            "releases": held.releases,
            "rests_on": sorted(held.theorems),
        }
    return json.dumps(state, indent=1)


def read_state(kind: type[F], text: str) -> F:
    """The filter of a state, of this kind."""
    state = read_fields(text, FIELDS)
    check_counts(state, FORMAT)
    relation = Relation.named(state["relation"])
    held = filter_of(read_claim(state["budget"]), relation=relation)
    if not isinstance(held, kind):
        raise InputError(
            f"the state is that of a {type(held).__name__}; read it as such."
        )
    if str(held.budget) != state["budget"]:
        raise refusal("budget", state["budget"])
    spent = amounts_of(held.names, state["spent"])
    if any(one > cap for one, cap in zip(spent, held.caps, strict=True)):
        raise refusal("spent", state["spent"])
    held._spent = spent
    held.releases = state["releases"]
    held.theorems = frozenset(state["rests_on"])
    return held
