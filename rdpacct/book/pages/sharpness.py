"""How sharp an inequality in one variable is: both of its sides, drawn where it is stated."""

import math
from fractions import Fraction

from rdpacct.errors import NotInstalledError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Rational, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.terms import atoms_of
from rdpacct.proof.theorem import Statement
from rdpacct.report.pictures import Drawn, sides_figure, svg_of
from rdpacct.report.svg import inlined

POINTS = 60
WIDTH = Fraction(5)
"""How far a picture goes where the statement does not end."""
BITS = 80


def sharpness_picture(part: Statement, name: str) -> str:
    """The picture of a statement as an element of a page; empty if it is no such inequality, or if
    there is nothing to draw with.
    """
    claim = part.claim
    if claim.sign == "==" or len(claim.symbols()) != 1 or atoms_of(claim):
        return ""
    [variable] = claim.symbols()
    at = _points(part, variable)
    sides = [_side(side, variable, at) for side in (claim.left, claim.right)]
    kept = [
        place
        for place in range(len(at))
        if all(math.isfinite(bounds[place].upper) for bounds in sides)
    ]
    if len(kept) < POINTS // 2:
        return ""
    lines = [
        Drawn(
            str(side), [at[place] for place in kept], [bounds[place] for place in kept]
        )
        for side, bounds in zip((claim.left, claim.right), sides, strict=True)
    ]
    try:
        drawn = svg_of(sides_figure(variable, lines), name)
    except NotInstalledError:
        return ""
    told = f"Both sides of {claim} against {variable}."
    return inlined(drawn, name, "How sharp the inequality is", told)


def _points(part: Statement, variable: str) -> list[Fraction]:
    """Points inside of where the statement is given, evenly."""
    low: Fraction | None = None
    high: Fraction | None = None
    for condition in conditions_of(*part.given):
        if not isinstance(condition, Comparison):
            continue
        left, right = condition.left, condition.right
        if _is(right, variable) and isinstance(left, Rational):
            low = left.value if low is None else max(low, left.value)
        elif _is(left, variable) and isinstance(right, Rational):
            high = right.value if high is None else min(high, right.value)
    if low is None:
        low = high - WIDTH if high is not None else Fraction(0)
    if high is None:
        high = low + WIDTH
    return [low + (high - low) * Fraction(2 * k + 1, 2 * POINTS) for k in range(POINTS)]


def _is(side: Expr, variable: str) -> bool:
    return isinstance(side, Symbol) and str(side) == variable


def _side(side: Expr, variable: str, at: list[Fraction]) -> list[Bound]:
    """Enclosures of a side; where it is undefined, an infinite one."""
    bounds = []
    for point in at:
        try:
            bounds.append(side.at(**{variable: formula(point)}).ball(BITS).bound())
        except (ArithmeticError, ValueError):
            bounds.append(Bound(Fraction(0), math.inf, "undefined"))
    return bounds
