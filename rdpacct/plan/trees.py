"""The plans and guarantees that trees of the grammar stand for."""

from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, fields
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError, TextPlace
from rdpacct.exact.formula import ZERO, Rational
from rdpacct.exact.number import shorten, whole
from rdpacct.exact.parameter import parameters_of
from rdpacct.language.arithmetic import is_number, number
from rdpacct.language.grammar import (
    SQUARED,
    Call,
    Listed,
    Negative,
    Node,
    PowerNode,
    ProductNode,
    SumNode,
)
from rdpacct.language.remedies import REPEAT, did_you_mean, for_parameter
from rdpacct.mechanisms import Mechanism, NoiseMechanism, Plan, find, known_mechanisms
from rdpacct.mechanisms.mechanism import MAX_COUNT
from rdpacct.mechanisms.non_private import NonPrivate
from rdpacct.privacy.guarantee import GUARANTEES, Guarantee
from rdpacct.privacy.relation import Relation

WORDS = {"true": True, "false": False, "True": True, "False": False}
NAMED = 8
"""How many mechanisms a sentence names."""
BY_NAME: dict[str, type[Any]] = {cls.__name__: cls for cls in GUARANTEES}
"""The guarantees that a text may name."""
NOISE = ("sigma", "sigma_squared", "scale")
"""The parameters that scale the noise of a mechanism; a value of zero means no noise and no
privacy.
"""


class TreeReader:
    """The plan or the claim that a tree stands for, with all numbers stated for one relation."""

    def __init__(self, relation: Relation, opened: Fraction | None = None) -> None:
        self.relation = relation
        self.opened = opened

    def plan(self, tree: Node) -> Plan:
        """The plan that a tree stands for."""
        return Plan.counted(self._releases(tree))

    def _releases(self, tree: Node) -> list[tuple[Mechanism, int]]:
        """The mechanisms that a tree runs, with how often; one may stand there several times."""
        if isinstance(tree, PowerNode) and isinstance(tree.base, Call):
            raise InputError(
                f"the plan has a power of {shorten(tree.base.name)}; {REPEAT}.",
                tree.base.place,
            )
        if is_number(tree):
            raise InputError(
                "the plan has a number where a mechanism was expected; give a"
                " mechanism, as in 10*Gaussian(sigma=1)."
            )
        match tree:
            case SumNode(terms):
                return [
                    release
                    for sign, term in terms
                    for release in self._added(sign, term)
                ]
            case ProductNode(factors):
                return self._repeated(factors)
            case Call():
                return [(self.mechanism(tree), 1)]
            case Listed():
                raise InputError(
                    "the plan has a list where a mechanism was expected; join releases"
                    " with +."
                )
            case Negative():
                raise _no_subtraction()
        raise InputError(
            "the plan has a power where a mechanism was expected; repeat a release as"
            " in 10*Laplace(...)."
        )

    def _added(self, sign: str, term: Node) -> list[tuple[Mechanism, int]]:
        if sign == "-":
            raise _no_subtraction()
        return self._releases(term)

    def _repeated(
        self, factors: tuple[tuple[str, Node], ...]
    ) -> list[tuple[Mechanism, int]]:
        repeated = [(sign, factor) for sign, factor in factors if not is_number(factor)]
        if len(repeated) != 1 or repeated[0][0] == "/":
            raise InputError(
                "a product in a plan repeats one mechanism, as in 10*Gaussian(sigma=1);"
                " join mechanisms with +."
            )
        numbers = tuple((sign, factor) for sign, factor in factors if is_number(factor))
        count = number(ProductNode(numbers), "the count", self.opened)
        if not isinstance(count, Rational):
            raise InputError(
                f"the count is {count}, but must be a whole number; give one such"
                " as 10."
            )
        once = self._releases(repeated[0][1])
        times = whole(count.value, "the count", 0, MAX_COUNT)
        return [(mechanism, times * before) for mechanism, before in once if times]

    def mechanism(self, call: Call) -> Mechanism:
        """The mechanism of a call; a guarantee stands for the worst release that it allows."""
        try:
            return self._mechanism(call)
        except InputError as error:
            error.happened_at(call.place)
            raise

    def _mechanism(self, call: Call) -> Mechanism:
        if call.name in BY_NAME:
            from rdpacct.mechanisms.promised.promised import Promised

            return Promised(self.guarantee(call), relation=self.relation)
        cls = find(call.name)
        if cls is None:
            raise _not_a_mechanism(call)
        given = self._arguments(call, cls)
        if issubclass(cls, NoiseMechanism) and (
            silent := [name for name in NOISE if given.get(name) == ZERO]
        ):
            # the other parameters are checked before they are forgotten
            _made(cls, {**given, **dict.fromkeys(silent, 1)}, call)
            return NonPrivate(relation=self.relation)
        mechanism: Mechanism = _made(cls, given, call)
        return mechanism.stated_for(self.relation)

    def claim(self, tree: Node, text: str) -> Guarantee:
        """The guarantee that a claim names; errors repeat its text."""
        if not isinstance(tree, Call) or tree.name not in BY_NAME:
            raise _not_a_guarantee(tree, text)
        return self.guarantee(tree)

    def guarantee(self, call: Call) -> Guarantee:
        """The guarantee of a call, with its parameters by name."""
        cls = BY_NAME[call.name]
        try:
            guarantee: Guarantee = _made(cls, self._arguments(call, cls), call)
        except InputError as error:
            error.happened_at(call.place)
            raise
        return guarantee

    def _arguments(self, call: Call, cls: type[Any]) -> dict[str, Any]:
        """The arguments of a call by name, if each is known and given once and none is missing."""
        parameters = _parameters(cls)
        names = [parameter.name for parameter in parameters]
        if len(call.positional) > len(names) or any(map(_is_plain, call.positional)):
            decimals = ", and decimals with a point" if call.keywords else ""
            raise InputError(
                f"{call.name} is written {call.name}({_signature(cls)}); give its"
                f" parameters by name{decimals}."
            )
        given: dict[str, Any] = {}
        for name, tree, place in self._named(call, names):
            try:
                if name not in names:
                    raise _no_parameter(cls, name, names)
                if name in given:
                    raise InputError(f"{call.name} has {name} twice; give it once.")
                value = self._value(name, tree, call.name)
                taken = parameters_of(cls)  # type: ignore[arg-type]
                given[name] = value if name in taken else _plain(value)
            except InputError as error:
                error.happened_at(place)
                raise
        for parameter in parameters:
            if parameter.default is MISSING and parameter.name not in given:
                raise InputError(
                    f"{call.name} needs {parameter.name}; give it, as in"
                    f" {call.name}({_signature(cls)})."
                )
        return given

    @staticmethod
    def _named(
        call: Call, names: list[str]
    ) -> Iterator[tuple[str, Node, TextPlace | None]]:
        """The arguments by name, with where they are written; a parameter that is given by its
        square is the root of it.
        """
        for name, tree in zip(names, call.positional, strict=False):
            yield name, tree, None
        for index, (name, tree) in enumerate(call.keywords):
            place = call.place_of(index)
            root = name.removesuffix(SQUARED)
            if name not in names and root in names and is_number(tree):
                yield root, Call("sqrt", (tree,)), place
            else:
                yield name, tree, place

    def _inside(self, owner: str) -> "TreeReader":
        """The reader of the mechanism inside of another, which a sampler has stated for samples."""
        cls = find(owner)
        if cls is None or cls.inside is None:
            return self
        return TreeReader(cls.inside, self.opened)

    def _value(self, name: str, tree: Node, owner: str) -> Any:
        """An argument: a number, true or false, a list, or a mechanism or guarantee inside of
        another.
        """
        cls = None if owner in BY_NAME else find(owner)
        if cls is not None and name in cls.of_plans:
            return self.plan(tree)
        if isinstance(tree, Listed):
            if cls is not None and name in cls.lists_of_plans:
                return [self.plan(item) for item in tree.items]
            return [_plain(self._value(name, item, owner)) for item in tree.items]
        if is_number(tree):
            return number(tree, name, self.opened)
        if isinstance(tree, Call):
            if tree.name in WORDS and not tree.positional and not tree.keywords:
                return WORDS[tree.name]
            if tree.name in BY_NAME and name != "mechanism":
                return self.guarantee(tree)
            if tree.name in BY_NAME or find(tree.name) is not None:
                return self._inside(owner).mechanism(tree)
            if name in ("mechanism", "guarantee"):
                raise _not_a_mechanism(tree)
        if any(isinstance(part, Call) and find(part.name) for part in _operands(tree)):
            raise InputError(
                f"{owner} holds one mechanism, not a sum or a multiple; give it one,"
                f" and repeat {owner}."
            )
        return number(tree, name, self.opened)


def _plain(value: Any) -> Any:
    """A number as a fraction, where it is one, for an argument that is not a parameter."""
    return value.value if isinstance(value, Rational) else value


def _made(cls: type[Any], given: dict[str, Any], call: Call) -> Any:
    """A mechanism or a guarantee with these parameters; a refused one is shown where it is
    written.
    """
    try:
        return cls(**given)
    except InputError as error:
        if error.place is None:
            said = str(error).split(" ", 1)[0]
            names = [name for name, _ in call.keywords]
            if said in names:
                error.place = call.place_of(names.index(said))
        raise


def shown_tree(tree: Node) -> str:
    """What a tree is called in a sentence: the name of a call."""
    if isinstance(tree, Call):
        return tree.name
    return "a sum, a product or a number"


def _operands(tree: Node) -> list[Node]:
    """The terms of a sum or the factors of a product."""
    match tree:
        case SumNode(parts) | ProductNode(parts):
            return [part for _, part in parts]
        case _:
            return []


def _is_plain(tree: Node) -> bool:
    """True if an argument is a number, a word or a list, which must be given by name."""
    return (
        is_number(tree)
        or isinstance(tree, Listed)
        or (isinstance(tree, Call) and tree.name in WORDS)
    )


def _parameters(cls: type[Any]) -> list[Field[Any]]:
    return [parameter for parameter in fields(cls) if parameter.name != "relation"]


def _signature(cls: type[Any]) -> str:
    inside = {
        "mechanism": "Gaussian(sigma=1)",
        "run": "run=Gaussian(sigma=1)",
        "guarantee": "ApproxDP(epsilon=1, delta=1e-6)",
    }
    names = [parameter.name for parameter in _parameters(cls)]
    return ", ".join(inside.get(name, f"{name}=...") for name in names)


def _no_parameter(cls: type[Any], name: str, names: list[str]) -> InputError:
    remedy = for_parameter(name, names, cls.instead_of)
    takes = f"it takes {', '.join(names)}" if names else "it takes none"
    return InputError(
        f"{cls.__name__} has no parameter '{shorten(name)}'; {takes}{remedy or '.'}"
    )


def _not_a_mechanism(call: Call) -> InputError:
    classes = known_mechanisms()
    known = sorted(classes)
    others = _other_names([*(classes[name] for name in known), *GUARANTEES])
    meant = did_you_mean(call.name, [*known, *BY_NAME], others)
    some = ", ".join(known[:NAMED])
    listed = f"give one of {some}, or another of `rdpacct list mechanisms`."
    remedy = f"did you mean {meant}?" if meant else listed
    return InputError(f"the mechanism '{shorten(call.name)}' is not known; {remedy}")


def _other_names(classes: Iterable[type[Any]]) -> dict[str, tuple[str, ...]]:
    """What each class is called elsewhere; a class that derives from another does not inherit
    it.
    """
    return {cls.__name__: vars(cls).get("also_called", ()) for cls in classes}


def _not_a_guarantee(tree: Node, text: str) -> InputError:
    known = list(BY_NAME)
    meant = None
    if isinstance(tree, Call) and find(tree.name) is None:
        meant = did_you_mean(tree.name, known, _other_names(GUARANTEES))
    remedy = f"did you mean {meant}?" if meant else f"give one of {', '.join(known)}."
    place = tree.place if isinstance(tree, Call) else None
    return InputError(
        f"the claim '{shorten(text)}' is not a guarantee; {remedy}", place
    )


def _no_subtraction() -> InputError:
    return InputError(
        "the plan subtracts, but releases only add up; write 10*Gaussian(sigma=1) +"
        " Laplace(scale=1)."
    )
