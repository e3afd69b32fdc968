"""Side conditions: real claims without expectations, each with a certificate that the checker
    accepts.

The certificates come from outside of what is trusted: from those that ship with the book, or from a
search. Here it is seen to that a certificate is right, and that what it proves implies the side
condition.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Real,
    Sum,
    Symbol,
    formula,
)
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.shapes import identities, on_boxes
from rdpacct.proof.kernel.statements import Condition, Exists, On, Whole
from rdpacct.proof.kernel.terms import (
    Expectation,
    Quantity,
    Refused,
    abstract,
    at_most,
    conditions,
    fold,
    replace,
    unseen,
)
from rdpacct.proof.language import KERNEL_FUNCTIONS, read_comparisons

SECONDS = 20.0
"""How much a search may do for the proof of one side condition, in seconds of work, if nothing else
is said.
"""
SUPPLIER = "rdpacct.proof.sides"
"""The module whose ``certificate`` is asked; it is not trusted, and loaded when a side condition
comes up.
"""

Certificate = dict[str, Any]
Key = tuple[str, tuple[str, ...]]
_seconds: ContextVar[float] = ContextVar("how much may be searched", default=SECONDS)
_settled: dict[Key, Certificate] = {}
_in_vain: dict[Key, float] = {}
"""Claims that were proved, and with how much work others were tried; both are kept, since claims
recur.
"""


@contextmanager
def searching(seconds: float) -> Iterator[None]:
    """Let searches take this many seconds of work for each side condition; with 0 none is searched
    for.
    """
    token = _seconds.set(seconds)
    try:
        yield
    finally:
        _seconds.reset(token)


def settle(
    claim: Comparison, given: Iterable[Condition], seconds: float | None = None
) -> list[Certificate]:
    """The certificate of a claim without expectations, from what is given; none if it is given
    itself.
    """
    known = [relation for condition in given for relation in _as_relations(condition)]
    if claim in known:
        return []
    known = _connected(
        claim, [relation for relation in dict.fromkeys(known) if is_pure(relation)]
    )
    for relation in (claim, *known):
        _is_readable(relation)
    key = (str(claim), tuple(map(str, known)))
    allowed = _seconds.get() if seconds is None else min(seconds, _seconds.get())
    if key not in _settled:
        if _in_vain.get(key, -1.0) >= allowed:
            raise Refused(_no_proof(claim, known))
        _in_vain[key] = allowed
        _settled[key] = _accepted(_supplied(claim, known, allowed), claim, known)
    return [_settled[key]]


def settled() -> dict[Key, Certificate]:
    """The side conditions that were settled so far: claim and what is known, with the certificate
    of each.
    """
    return dict(_settled)


def _supplied(
    claim: Comparison, known: list[Comparison], seconds: float
) -> Certificate | None:
    supply: Callable[..., Certificate | None] = import_module(SUPPLIER).certificate
    return supply(claim, known, seconds)


def _accepted(
    certificate: Certificate | None, claim: Comparison, known: list[Comparison]
) -> Certificate:
    """The certificate, if it proves one of the shapes of the claim; else the claim has no proof."""
    if certificate is None:
        raise Refused(_no_proof(claim, known))
    for shape in (*identities(claim, known), *on_boxes(claim, known)):
        if certificate.get("claim") == shape.text:
            for relation in (shape.claim, *shape.given):
                _is_written(relation)
            try:
                verdict = check(certificate).verdict
            except Rejected as error:
                raise Refused(
                    f"the certificate of {claim} is not right: {error}"
                ) from None
            if verdict == "proved":
                return certificate
    raise Refused(f"the certificate for {claim} proves something else.")


def establish(claim: Comparison, given: Iterable[Condition]) -> list[Certificate]:
    """Certificates that the claim is defined and true wherever what is given holds."""
    known = tuple(given)
    return [*defined([claim.left, claim.right], known, {}), *settle(claim, known)]


def establish_at(
    claim: Comparison, values: Mapping[str, Real], given: Iterable[Condition]
) -> list[Certificate]:
    """Certificates that the claim is defined and true at these values of its symbols."""
    known = tuple(given)
    sides = [claim.left, claim.right]
    return [
        *defined_at(sides, values, known),
        *establish(replace(claim, values), known),
    ]


def defined_at(
    exprs: Iterable[Expr], values: Mapping[str, Real], given: Iterable[Condition]
) -> list[Certificate]:
    """Certificates of what must hold for formulas to be defined at these values, and is no longer
    seen there.
    """
    return defined_after(exprs, lambda expr: expr.at(**values), given)


def defined_after(
    exprs: Iterable[Expr], change: Callable[[Expr], Expr], given: Iterable[Condition]
) -> list[Certificate]:
    """The same after any change of formulas that folds them."""
    known = tuple(given)
    return [
        certificate
        for expr in exprs
        for part, sign in unseen(expr, change)
        for certificate in _sign(part, sign, known)
    ]


def _no_proof(claim: Comparison, known: list[Comparison]) -> str:
    where = f" given {', '.join(map(str, known))}" if known else ""
    if _seconds.get() == 0:
        return (
            f"no certificate ships for {claim}{where}; `make certificates` searches for"
            " one."
        )
    return f"no proof of {claim}{where}."


@cache
def _is_readable(relation: Comparison) -> None:
    """The text that the checker reads says what the relation says, and its names are not the
    kernel's own.
    """
    _is_written(relation)
    if any(name.endswith("_within") for name in relation.symbols()):
        raise Refused("names that end in _within are kept for the kernel.")


@cache
def _is_written(relation: Comparison) -> None:
    """The text that the checker reads says what the relation says."""
    (read,) = read_comparisons(str(relation), KERNEL_FUNCTIONS)
    sides = ((fold(read.left), relation.left), (fold(read.right), relation.right))
    same = all(text == expr or _sorted(text) == _sorted(expr) for text, expr in sides)
    if read.sign != relation.sign or not same:
        raise Refused(f"the relation {relation} does not survive being written down.")


def _sorted(expr: Expr) -> Expr:
    """The formula with terms and factors in a fixed order."""
    parts = tuple(map(_sorted, expr.parts()))
    if isinstance(expr, Sum | Product):
        return type(expr)(tuple(sorted(parts, key=repr)))
    if isinstance(expr, Power):
        return Power(*parts)
    if isinstance(expr, Apply):
        return Apply(expr.function, parts)
    return expr


def _connected(claim: Comparison, known: list[Comparison]) -> list[Comparison]:
    """The relations about the variables of the claim, and about those that these are related to."""
    names = claim.symbols()
    reached = frozenset[str]()
    while names != reached:
        reached = names
        names = names.union(
            *(relation.symbols() for relation in known if relation.symbols() & names)
        )
    return [relation for relation in known if relation.symbols() & names]


def _as_relations(condition: Condition) -> list[Comparison]:
    if isinstance(condition, Exists):
        return []
    if isinstance(condition, On):
        return list(condition.law.support)
    if isinstance(condition, Whole):
        return [at_most(condition.start, Symbol(condition.name))]
    return [condition]


def defined(
    exprs: Iterable[Expr], given: Iterable[Condition], names: dict[Expr, str]
) -> list[Certificate]:
    """Certificates that these formulas are defined wherever what is given holds; their atoms are
    numbers.
    """
    wanted = dict.fromkeys(
        requirement
        for expr in exprs
        for requirement in conditions(abstract(expr, names))
    )
    known = tuple(given)
    return [
        certificate for part, sign in wanted for certificate in _sign(part, sign, known)
    ]


def _sign(part: Expr, sign: str, given: tuple[Condition, ...]) -> list[Certificate]:
    above = Comparison(formula(0), "<", part)
    below = Comparison(part, "<", formula(0))
    if sign != "!=":
        return settle(
            above if sign == ">" else Comparison(formula(0), "<=", part), given
        )
    return one_of((above, below), given)


def one_of(
    claims: tuple[Comparison, ...], given: Iterable[Condition]
) -> list[Certificate]:
    """Certificates of the first of some claims that is proved; each is first looked up, then given
    a short time.
    """
    known = tuple(given)
    return _first_of([(claim, known) for claim in claims])


def settle_from(claim: Comparison, *givens: Iterable[Condition]) -> list[Certificate]:
    """The certificate of a claim from the first of these givens that is enough."""
    return _first_of([(claim, tuple(given)) for given in givens])


def _first_of(
    ways: list[tuple[Comparison, tuple[Condition, ...]]],
) -> list[Certificate]:
    most = _seconds.get()
    for seconds in (0.0, most / 20, most / 4, most):
        for claim, known in ways:
            try:
                return settle(claim, known, seconds)
            except Refused:
                continue
    claims = dict.fromkeys(claim for claim, _ in ways)
    if len(claims) == 1:
        raise Refused(_no_proof(ways[0][0], list(relations_in(ways[0][1]))))
    raise Refused(f"no proof of {' or of '.join(map(str, claims))}.")


def relations_in(conditions_: Iterable[Condition]) -> Iterator[Comparison]:
    """What conditions say of numbers."""
    for condition in conditions_:
        yield from _as_relations(condition)


def is_pure(relation: Comparison) -> bool:
    """The relation has no expectation and no named quantity."""
    return not _impure(relation.left) and not _impure(relation.right)


def _impure(expr: Expr) -> bool:
    return isinstance(expr, Expectation | Quantity) or any(map(_impure, expr.parts()))
