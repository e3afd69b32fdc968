"""Guesses: which coordinates and weights are worth a try, and which goals look simple."""

from fractions import Fraction
from typing import Any

from rdpacct.proof.check.pieces import Piece
from rdpacct.proof.check.ring import ONE, Poly, Ratio, variable_slot


def end_text(end: Ratio | None) -> str:
    """An end of a piece as text."""
    return "inf" if end is None else end.text


def coordinates(piece: Piece, goal: Poly) -> list[tuple[str, str, int]]:
    """Changes of the variable that are worth a try."""
    found = []
    if piece.low is None:
        return [("reflect", "0", 2)]
    low = end_text(piece.low)
    found.append(("inverse", low, 2))
    if low != "0":
        found.append(("shift", low, 2))
    if piece.high is not None:
        found.append(("inverse_below", end_text(piece.high), 2))
    elif low != "0":
        found.append(("inverse", "0", 2))
    if any(e.denominator == 2 for m in goal.terms for s, e in m if s.kind == "variable") or any(
        s.kind in ("root", "log") for s in goal.slots()
    ):
        found.append(("power", low, 2))
    if piece.signs.positive_variable(piece.name):
        found.append(("exp", "0", 2))
    return found


def weights(goal: Poly, piece: Piece) -> list[Poly]:
    """Divisors that may simplify the derivative: exponentials, roots and powers in the goal, coefficients of logs."""
    found = [Poly.number(1)]
    here = variable_slot(piece.name)
    positive = piece.signs.positive_variable(piece.name)
    for monomial in goal.terms:
        units = tuple((s, e) for s, e in monomial if s.kind in ("exp", "root"))
        own = tuple((s, e) for s, e in monomial if s is here)
        found.append(Poly({units: ONE}))
        if positive:
            found.append(Poly({tuple(sorted((*units, *own))): ONE}))
    for slot in goal.slots():
        if slot.kind in ("exp", "root", "log", "erfc"):
            part = {m: c for m, c in goal.terms.items() if dict(m).get(slot)}
            top = max(dict(m)[slot] for m in part)
            found.append(Poly({tuple((s, e) for s, e in m if s is not slot): c for m, c in part.items()}))
            if slot.kind == "exp":
                found.append(Poly(part))
            elif top == 1:
                exponentials = {tuple((s, e) for s, e in m if s.kind == "exp") for m in part}
                found += [found[-1] * Poly({u: ONE}) for u in exponentials if u]
    if positive:
        found += [Poly.slot(here, Fraction(k)) for k in (1, 2, 3)]
    return list(dict.fromkeys(w for w in found if not w.zero()))[:24]


def complexity(poly: Poly) -> float:
    """How far a polynomial is from being one in the variable alone."""
    groups: dict[tuple[Any, ...], list[Fraction]] = {}
    for monomial in poly.terms:
        rest = tuple((s, e) for s, e in monomial if s.kind != "variable")
        groups.setdefault(rest, []).append(next((e for s, e in monomial if s.kind == "variable"), Fraction(0)))
    total = 0.0
    for rest, powers in groups.items():
        hard = sum(abs(e) for s, e in rest if s.kind in ("log", "erfc", "root"))
        total += float(max(powers) - min(powers) + 1) * (1 + 2 * float(hard))
    return total
