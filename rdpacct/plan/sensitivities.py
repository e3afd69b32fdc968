"""The sensitivity of a release that a plan file states apart from the scale of its noise."""

from dataclasses import replace

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.arithmetic import is_number
from rdpacct.language.grammar import Call, Node
from rdpacct.language.plan_records import WrittenRelease, WrittenSensitivity
from rdpacct.mechanisms import find
from rdpacct.plan.trees import WORDS
from rdpacct.privacy.relation import Norm, Relation, SensitivityIn

FIELD = "sensitivity"


def with_sensitivity(tree: Node, written: WrittenRelease, relation: Relation) -> Node:
    """The tree with the sensitivity as a parameter of its mechanism, or of the one inside of it."""
    stated = written.sensitivity
    if stated is None:
        return tree
    try:
        return _inserted(tree, stated, relation)
    except InputError as error:
        raise error.within(written.place) from None


def _inserted(tree: Node, stated: WrittenSensitivity, relation: Relation) -> Node:
    if not isinstance(tree, Call):
        raise InputError(
            "the sensitivity stands beside a plan that is not one mechanism; state it"
            " inside of each, as in Gaussian(sigma=1, sensitivity=2)."
        )
    sampler = find(tree.name)
    if sampler is not None and sampler.inside is not None:
        relation = sampler.inside
    for place, argument in enumerate(tree.positional):
        if _is_mechanism(argument):
            inside = _inserted(argument, stated, relation)
            others = tree.positional
            return replace(
                tree, positional=(*others[:place], inside, *others[place + 1 :])
            )
    keywords = dict(tree.keywords)
    for name, argument in keywords.items():
        if _is_mechanism(argument):
            keywords[name] = _inserted(argument, stated, relation)
            return replace(tree, keywords=tuple(keywords.items()))
    _check(tree.name, stated, relation)
    return replace(tree, keywords=(*tree.keywords, (FIELD, stated.value)))


def _is_mechanism(tree: Node) -> bool:
    return isinstance(tree, Call) and not is_number(tree) and tree.name not in WORDS


def _check(name: str, stated: WrittenSensitivity, relation: Relation) -> None:
    """Refuse a sensitivity in another norm or for another relation than it is used for."""
    if stated.relation and Relation.named(stated.relation) is not relation:
        raise InputError(
            f"the sensitivity is stated for {Relation.named(stated.relation)}, but the"
            f" plan for {relation}; give the sensitivity for {relation}."
        )
    cls = find(name)
    field = None if cls is None else _field(cls)
    if cls is not None and field is None:
        raise InputError(
            f"{name} has no sensitivity: its parameters say all; leave it out."
        )
    if not stated.norm or field is None:
        return
    norm = _norm(stated.norm)
    if norm not in (field.norm, *field.also):
        raise InputError(
            f"the sensitivity is in the norm {norm}, but {name} is calibrated in"
            f" {field.norm}; give the sensitivity in {field.norm}."
        )


def _field(cls: type) -> SensitivityIn | None:
    for base in cls.__mro__:
        field = vars(base).get(FIELD)
        if isinstance(field, SensitivityIn):
            return field
    return None


def _norm(text: str) -> Norm:
    for norm in Norm:
        if text.strip().lower() == norm.value.lower():
            return norm
    known = ", ".join(norm.value for norm in Norm)
    raise InputError(f"the norm '{shorten(text)}' is not known; give one of {known}.")
