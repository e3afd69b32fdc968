"""Plans and claims from text and from files."""

from dataclasses import MISSING, Field, fields, replace
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.grammar import MAX_LENGTH, Call, Node, Product, Sum, Value, parse
from rdpacct.mechanisms import Mechanism, Plan, find, shipped
from rdpacct.mechanisms.promised import Promised
from rdpacct.privacy.guarantee import GUARANTEES, Guarantee
from rdpacct.privacy.relation import Relation

WORDS = {"true": True, "false": False}


def read_plan(source: str, relation: Relation | None = None) -> Plan:
    """The plan of an expression, or of a .toml or .json file with the fields ``plan`` and ``relation``.

    The numbers of a plan are stated for its relation: that of the file, or the one given, or adding or removing one.
    """
    source, relation = plan_text(source, relation)
    stated_for = relation or Relation.ADD_OR_REMOVE_ONE
    plan = replace(_plan(parse(source, "plan"), stated_for), if_empty=stated_for)
    if relation is not None and plan.relation is not relation:
        raise InputError(f"{plan} is about {plan.relation} only, not about {relation}; leave out the relation.")
    return plan


def plan_text(source: str, relation: Relation | None) -> tuple[str, Relation | None]:
    """The expression of a plan, read from its file if it is one, and the relation that it is stated for, if any."""
    if source.strip().lower().endswith((".toml", ".json")):
        source, stated = _read_file(source.strip())
        if relation is not None and stated is not None and stated is not relation:
            raise InputError(
                f"the plan is stated for {stated}, not for {relation}; leave out --relation or restate it."
            )
        relation = relation or stated
    return source, relation


def read_claim(text: str) -> Guarantee:
    """The guarantee that a text such as ``ApproxDP(epsilon=1, delta=1e-5)`` names."""
    tree = parse(text, "claim")
    known = {cls.__name__: cls for cls in GUARANTEES}
    if not isinstance(tree, Call) or tree.name not in known:
        raise InputError(f"the claim {shorten(text)!r} is not a guarantee; give one of {', '.join(known)}.")
    if tree.positional:
        raise InputError(
            f"{tree.name} takes its parameters by name, as in {tree.name}({_signature(known[tree.name])})."
        )
    guarantee: Guarantee = known[tree.name](**_arguments(tree, known[tree.name]))
    return guarantee


def _plan(tree: Node, relation: Relation) -> Plan:
    if isinstance(tree, Sum):
        return Plan.total(_plan(term, relation) for term in tree.terms)
    if isinstance(tree, Product):
        return _repeated(tree, relation)
    if isinstance(tree, Call):
        return Plan.of(_mechanism(tree, relation))
    raise InputError(f"the plan has the number {shorten(str(tree))} where a mechanism was expected; give a mechanism.")


def _repeated(tree: Product, relation: Relation) -> Plan:
    count, plans = Fraction(1), []
    for item in tree.items:
        if isinstance(item, Fraction):
            count *= item
        else:
            plans.append(_plan(item, relation))
    if len(plans) != 1:
        raise InputError(
            "a product in a plan repeats one mechanism, as in 10*Gaussian(sigma=1); join mechanisms with +."
        )
    return plans[0] * count


def _mechanism(call: Call, relation: Relation) -> Mechanism:
    promised = {cls.__name__: cls for cls in GUARANTEES}.get(call.name)
    if promised is not None and not call.positional:
        return Promised(promised(**_arguments(call, promised)), relation=relation)
    cls = find(call.name)
    if cls is None:
        known = ", ".join(sorted(shipped()))
        raise InputError(f"the mechanism {shorten(call.name)!r} is not known; give one of {known}.")
    inner = [parameter.name for parameter in _parameters(cls) if parameter.name == "mechanism"]
    if len(call.positional) != len(inner):
        raise InputError(f"{call.name} is written {call.name}({_signature(cls)}); give its parameters so.")
    given: dict[str, Any] = {}
    for name, tree in zip(inner, call.positional, strict=True):
        if not isinstance(tree, Call):
            raise InputError(f"{call.name} holds one mechanism, as in {call.name}({_signature(cls)}); give one.")
        given[name] = _mechanism(tree, relation)
    mechanism: Mechanism = cls(**given, **_arguments(call, cls))
    return mechanism.stated_for(relation)


def _parameters(cls: type[Any]) -> list[Field[Any]]:
    return [parameter for parameter in fields(cls) if parameter.name != "relation"]


def _signature(cls: type[Any]) -> str:
    names = [parameter.name for parameter in _parameters(cls)]
    return ", ".join("Gaussian(sigma=1)" if name == "mechanism" else f"{name}=..." for name in names)


def _arguments(call: Call, cls: type[Any]) -> dict[str, Any]:
    """The keyword arguments of a call, if each is known and given once and none is missing."""
    names = [parameter.name for parameter in _parameters(cls) if parameter.name != "mechanism"]
    given: dict[str, Any] = {}
    for name, value in call.keywords:
        if name not in names:
            raise InputError(f"{call.name} has no parameter {shorten(name)!r}; it takes {', '.join(names)}.")
        if name in given:
            raise InputError(f"{call.name} has {name} twice; give it once.")
        given[name] = _value(name, value)
    for parameter in _parameters(cls):
        if parameter.default is MISSING and parameter.name in names and parameter.name not in given:
            raise InputError(f"{call.name} needs {parameter.name}; give it, as in {call.name}({_signature(cls)}).")
    return given


def _value(name: str, value: Value) -> Any:
    if isinstance(value, list):
        return [_value(name, item) for item in value]
    if isinstance(value, str):
        if value not in WORDS:
            raise InputError(
                f"{name} is {shorten(value)!r}, which is not a finite number; give one such as 0.5 or 1e-6."
            )
        return WORDS[value]
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON file, in which no field may stand twice."""
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError("a field stands twice")
    return dict(pairs)


def _read_file(name: str) -> tuple[str, Relation | None]:
    """The plan text of a file, and its relation if it states one; what only files need is loaded here."""
    import json
    import tomllib
    from pathlib import Path

    path = Path(name)
    try:
        if path.stat().st_size > 2 * MAX_LENGTH:
            raise InputError(f"the file {path} is larger than {2 * MAX_LENGTH} bytes; give a smaller plan.")
        text = path.read_text(encoding="utf-8")
        toml = path.suffix.lower() == ".toml"
        data = tomllib.loads(text) if toml else json.loads(text, object_pairs_hook=_once)
    except FileNotFoundError:
        raise InputError(f"the file {path} does not exist; give a plan or the path of a .toml or .json file.") from None
    except OSError as error:
        raise InputError(f"the file {path} cannot be read ({error.strerror}); give a readable file.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"the file {path} is not valid {path.suffix[1:]} ({shorten(str(error))}); correct it."
        ) from None
    if not isinstance(data, dict) or not isinstance(data.get("plan"), str):
        raise InputError(f"the file {path} has no text field 'plan'; add one, as in plan = \"Gaussian(sigma=1)\".")
    unknown = sorted(data.keys() - {"plan", "relation"})
    if unknown:
        raise InputError(
            f"the file {path} has the unknown field {shorten(str(unknown[0]))!r}; it takes plan and relation."
        )
    relation = data.get("relation")
    return data["plan"], None if relation is None else Relation.named(str(relation))
