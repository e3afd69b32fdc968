"""The state of a filter as JSON: every number is an exact text, and reading is strict."""

import json
from fractions import Fraction
from typing import Any, TypeVar

from rdpacct.errors import InputError
from rdpacct.exact.number import rational, shorten
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
    state = _fields(_read(text))
    relation = Relation.named(state["relation"])
    held = filter_of(read_claim(state["budget"]), relation=relation)
    if not isinstance(held, kind):
        raise InputError(
            f"the state is that of a {type(held).__name__}; read it as such."
        )
    if str(held.budget) != state["budget"]:
        raise _refusal("budget", state["budget"])
    held._spent = _spent(held, state["spent"])
    held.releases = state["releases"]
    held.theorems = frozenset(state["rests_on"])
    return held


def _read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, TypeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"the state {shorten(repr(text))} is not JSON; give what to_json wrote."
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without repeated names."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("a name stands twice in the state; give what to_json wrote.")
    return found


def _fields(state: Any) -> dict[str, Any]:
    if not isinstance(state, dict) or set(state) != set(FIELDS):
        raise InputError(
            f"the state does not have exactly the fields {', '.join(FIELDS)}; give what"
            " to_json wrote."
        )
    for name, kind in FIELDS.items():
        if type(state[name]) is not kind:
            raise _refusal(name, state[name])
    if state["format"] != FORMAT:
        raise _refusal("format", state["format"])
    if state["releases"] < 0:
        raise _refusal("releases", state["releases"])
    if not all(isinstance(one, str) for one in state["rests_on"]):
        raise _refusal("rests_on", state["rests_on"])
    return state


def _spent(held: Filter, given: dict[str, Any]) -> tuple[Fraction, ...]:
    """What is spent, which is within the budget."""
    if tuple(given) != held.names:
        raise _refusal("spent", given)
    amounts = []
    for name, cap in zip(held.names, held.caps, strict=True):
        if not isinstance(given[name], str):
            raise _refusal("spent", given)
        amount = rational(given[name], f"the {name} that is spent")
        if str(amount) != given[name] or not 0 <= amount <= cap:
            raise _refusal(f"{name} that is spent", given[name])
        amounts.append(amount)
    return tuple(amounts)


def _refusal(name: str, value: object) -> InputError:
    return InputError(
        f"the {name} of the state is {shorten(repr(value))}, which to_json does not"
        " write; give what it wrote."
    )
