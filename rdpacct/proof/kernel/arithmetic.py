"""The rules of arithmetic: facts added up with factors, slacks that vanish, two halves of an
equation.
"""

from typing import Any

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.logic import relations_of
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import defined, settle, settle_from
from rdpacct.proof.kernel.statements import Condition, Whole
from rdpacct.proof.kernel.terms import (
    Refused,
    abstract,
    at_most,
    atoms,
    atoms_of,
    below,
    derivative,
    equal,
    relation,
)


@rule
def combine(
    claim: Comparison | str,
    *uses: Fact | tuple[Fact, Real],
    rest: str | Real = 0,
    given: tuple[str | Condition, ...] = (),
) -> Fact:
    """A relation that is a sum of facts, each times a factor that is not negative, plus a rest that
    is not negative.

    Each expectation counts as one unknown number. A factor that is not stated is the one that makes
    an expectation cancel, fact by fact. The identity, the factors and the rest are proved as real
    claims. A strict claim needs a strict fact with a positive factor, or a positive rest.
    """
    statement = relation(claim)
    facts = tuple(use if isinstance(use, Fact) else use[0] for use in uses)
    remainder = (
        relation(f"0 <= {rest}").right if isinstance(rest, str) else formula(rest)
    )
    stated = [None if isinstance(use, Fact) else formula(use[1]) for use in uses]
    named = [factor for factor in stated if factor is not None]
    _are_spoken_of(facts, [statement.left, statement.right, remainder, *named])
    names: dict[Expr, str] = {}
    goal = _abstracted(statement, names)
    rest_ = abstract(remainder, names)
    used = [_abstracted(fact.relation, names) for fact in facts]
    factors = _factors(
        goal.right - goal.left - rest_,
        used,
        [None if factor is None else abstract(factor, names) for factor in stated],
        set(names.values()),
    )
    domain: list[Condition] = [
        *(c for fact in facts for c in fact.domain),
        *relations_of(*given),
    ]
    known = [*domain, *used]
    certificates = defined([goal.left, goal.right, rest_, *factors], known, names)
    signs, strict = _no_negative_factors(used, factors, statement.sign, known)
    certificates += signs
    total = rest_
    for each, factor in zip(used, factors, strict=True):
        total = total + factor * (each.right - each.left)
    certificates += settle_from(equal(goal.right - goal.left, total), domain, known)
    if statement.sign == "==" and (
        remainder != formula(0) or any(each.sign != "==" for each in used)
    ):
        raise Refused("an equation follows from equations only.")
    if statement.sign == "<" or remainder != formula(0):
        left = below if statement.sign == "<" and not strict else at_most
        certificates += settle(left(0, rest_), known)
    return make("combine", statement, facts, domain=domain, certificates=certificates)


def _are_spoken_of(facts: tuple[Fact, ...], exprs: list[Expr]) -> None:
    """Refuse an expectation of which none of the facts speaks."""
    known = set[Expr]().union(*(atoms_of(fact.relation) for fact in facts))
    for expr in exprs:
        for atom in atoms(expr):
            if atom not in known:
                raise Refused(
                    f"none of the facts speaks of {atom}, so that it may be infinite."
                )


def _abstracted(comparison: Comparison, names: dict[Expr, str]) -> Comparison:
    """The relation with a name in the place of each expectation."""
    return Comparison(
        abstract(comparison.left, names),
        comparison.sign,
        abstract(comparison.right, names),
    )


def _no_negative_factors(
    used: list[Comparison],
    factors: list[Expr],
    sign: str,
    known: list[Condition],
) -> tuple[list[dict[str, Any]], bool]:
    """Certificates that no inequality has a negative factor; and whether a strict one has a
    positive factor, which is shown for the first only.
    """
    certificates = list[dict[str, Any]]()
    strict = False
    for comparison, factor in zip(used, factors, strict=True):
        if comparison.sign != "==":
            exact = (
                comparison.sign == sign == "<" and not strict and factor != formula(0)
            )
            certificates += settle((below if exact else at_most)(0, factor), known)
            strict = strict or exact
    return certificates, strict


def _factors(
    gap: Expr, used: list[Comparison], stated: list[Expr | None], unknowns: set[str]
) -> list[Expr]:
    """Factors with which the facts add up to the gap; a plan only, which the caller checks."""
    factors = list[Expr]()
    for factor, fact in zip(stated, used, strict=True):
        if factor is None:
            factor = formula(1)
            for side, sign in ((fact.left, -1), (fact.right, 1)):
                if (
                    isinstance(side, Symbol)
                    and side.name in unknowns
                    and side.name in gap.symbols()
                ):
                    factor = sign * derivative(gap, side.name)
                    break
        gap = gap - factor * (fact.right - fact.left)
        factors.append(factor)
    return factors


@rule
def closed(fact: Fact, slack: str) -> Fact:
    """From ``left <= right + slack`` for every slack > 0: ``left <= right``."""
    comparison = fact.relation
    right = comparison.right.at(**{slack: 0})
    if (
        comparison.sign == "=="
        or comparison.right != right + Symbol(slack)
        or slack in comparison.left.symbols() | right.symbols()
    ):
        raise Refused(f"{slack} is not an extra term on the right of {comparison}.")
    about = [c for c in fact.domain if slack in c.symbols()]
    if any(slack in h.free() for h in fact.hypotheses):
        raise Refused(f"a hypothesis speaks of {slack}.")
    for condition in about:
        if condition != below(0, Symbol(slack)):
            raise Refused(
                f"{slack} must be any positive number; the fact has {condition}."
            )
    domain = [c for c in fact.domain if c not in about]
    return make("closed", at_most(comparison.left, right), (fact,), domain=domain)


@rule
def vanishing(fact: Fact, name: str, right: Real, excess: Real) -> Fact:
    """From ``left <= right + excess/n`` for every whole number n from a start on: ``left <=
    right``.
    """
    comparison = fact.relation
    whole = formula(right)
    about = [c for c in fact.domain if name in c.symbols()]
    if comparison.sign == "==" or comparison.right != whole + formula(excess) / Symbol(
        name
    ):
        raise Refused(
            f"the right side of {comparison} is not {whole} and a part of {excess}."
        )
    if name in comparison.left.symbols() | whole.symbols() | formula(excess).symbols():
        raise Refused(f"{name} stands at another place of {comparison}.")
    if (
        not about
        or not all(isinstance(c, Whole) for c in about)
        or any(name in h.free() for h in fact.hypotheses)
    ):
        raise Refused(f"{name} must be any whole number.")
    domain = [c for c in fact.domain if c not in about]
    return make("vanishing", at_most(comparison.left, whole), (fact,), domain=domain)


@rule
def both(first: Fact, second: Fact) -> Fact:
    """a == b, from a <= b and b <= a."""
    forward = first.relation
    backward = second.relation
    if (forward.sign, backward.sign) != ("<=", "<=") or (
        forward.left,
        forward.right,
    ) != (
        backward.right,
        backward.left,
    ):
        raise Refused(
            f"{forward} and {backward} are not the two halves of an equation."
        )
    return make("both", equal(forward.left, forward.right), (first, second))
