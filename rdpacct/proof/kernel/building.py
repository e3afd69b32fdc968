"""How laws are made from others: a drawn variable, an indicator, laws side by side, a change of
measure, a sequence.
"""

from __future__ import annotations

from collections.abc import Mapping

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import terms
from rdpacct.proof.kernel.laws import (
    Chain,
    Draw,
    Event,
    Independent,
    Law,
    Ranked,
    Tilted,
    ranked_support,
)


def ranked(name: str, count: Expr, rank: Expr) -> Ranked:
    """The law of how the last of some exchangeable values ranks among them; a rank is at most the
    count.
    """
    return Ranked(name, *ranked_support(count, rank), count, rank)


def draw(base: Law, name: str, weights: Mapping[Expr, Expr]) -> Draw:
    """The law with a new variable of the given values and conditional probabilities."""
    _is_new(base, name)
    return Draw(
        f"{base.name}_{name}",
        (*base.variables, name),
        base.support,
        base,
        tuple(weights.items()),
    )


def event(base: Law, name: str, happens: Comparison | str) -> Event:
    """The law with the indicator of a relation as a new variable."""
    _is_new(base, name)
    return Event(
        f"{base.name}_{name}",
        (*base.variables, name),
        base.support,
        base,
        terms.relation(happens),
    )


def independent_of(first: Law, second: Law) -> Independent:
    """Two laws with no variable in common, side by side."""
    for name in second.variables:
        _is_new(first, name)
    support = first.support + second.support
    return Independent(
        f"{first.name}_{second.name}",
        first.variables + second.variables,
        support,
        first,
        second,
    )


def tilted(name: str, base: Law, ratio: Expr) -> Tilted:
    """The law with this density ratio to the base."""
    return Tilted(name, base.variables, base.support, base, ratio)


def chain(
    name: str,
    steps: Mapping[str, tuple[Real, Real]],
    new: tuple[str, ...] | Law,
    index: Real,
    support: tuple[Comparison, ...] = (),
    beside: tuple[str, ...] = (),
) -> Chain:
    """The law of a sequence at an index.

    ``steps`` has the start and the update of each variable of the past. ``new`` names what is new,
    or is its law if that is independent of the past; ``beside`` names more that is new, of any law
    given all that.
    """
    fresh = new if isinstance(new, Law) else None
    names = (*(new.variables if isinstance(new, Law) else new), *beside)
    return Chain(
        name,
        (*steps, *names),
        (*support, *(fresh.support if fresh else ())),
        tuple(formula(start) for start, _ in steps.values()),
        tuple(formula(update) for _, update in steps.values()),
        formula(index),
        fresh,
    )


def _is_new(base: Law, name: str) -> None:
    if name in base.variables or name in base.parameters():
        raise terms.Refused(f"{base.name} already speaks of {name}; use another name.")
