"""Symbols by their names, and parts of a formula that get a name, so that the prover sees a number
there.
"""

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import PI
from rdpacct.proof.kernel import (
    Fact,
    at_most,
    below,
    combine,
    given_by,
    real,
    specialize,
    under,
)


def symbols(names: str) -> tuple[Symbol, ...]:
    """Symbols of the names in a text with spaces between them."""
    return tuple(map(Symbol, names.split()))


def named(expr: Expr, names: dict[Expr, Expr]) -> Expr:
    """The formula with names in the place of parts of it."""
    if expr in names:
        return names[expr]
    if expr.parts():
        return expr.rebuild(tuple(named(part, names) for part in expr.parts()))
    return expr


def positive_cosine(angle: Expr, *given: str) -> Fact:
    """The cosine of half of an angle in [0, pi) is positive; that it is below pi is given."""
    half = angle / 2
    lower = under(combine(at_most(0, half), rest=half, given=given), *given)
    narrow = real(below(angle, PI), *given)
    upper = combine(below(half, PI / 2), (narrow, formula(1) / 2), given=given)
    bent = under(real("0 < cos(v)", "0 <= v", "v < pi/2"), "0 <= v", "v < pi/2", *given)
    return given_by(specialize(bent, v=half), lower, upper)
