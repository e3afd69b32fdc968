"""Guesses: which coordinates, weights and floors are worth a try, and which goals look simple."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rdpacct.proof.check.derivation import derivative
from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.normal import log_of
from rdpacct.proof.check.pieces import Box, Ends
from rdpacct.proof.check.ring import ONE, Poly, Ratio
from rdpacct.proof.check.slots import PI, TURNS, exp_slot, size, variable_slot
from rdpacct.proof.search.factors import factor


def end_text(end: Ratio | None) -> str:
    """An end of a piece as text."""
    return "inf" if end is None else end.text


def coordinates(piece: Box, goal: Poly) -> list[tuple[str, str, int]]:
    """Changes of the variable that are worth a try."""
    changes = []
    if piece.low is None:
        return [("reflect", "0", 2)]
    low = end_text(piece.low)
    changes.append(("inverse", low, 2))
    if low != "0":
        changes.append(("shift", low, 2))
    if piece.high is None and low != "0":
        changes.append(("inverse", "0", 2))
    if any(
        e.denominator == 2 for m in goal.terms for s, e in m if s.kind == "variable"
    ) or any(s.kind in ("root", "log") for s in goal.slots()):
        changes.append(("power", low, 2))
    return changes


def weights(goal: Poly, piece: Box) -> list[Poly]:
    """Divisors that may simplify the derivative: exponentials, roots and powers in the goal,
    coefficients of logs.
    """
    divisors = [Poly.number(1)]
    here = variable_slot(piece.name)
    positive = piece.signs.positive_variable(piece.name)
    for monomial in goal.terms:
        units = tuple((s, e) for s, e in monomial if s.kind in ("exp", "root"))
        own = tuple((s, e) for s, e in monomial if s is here)
        divisors.append(Poly({units: ONE}))
        if positive:
            divisors.append(Poly({tuple(sorted((*units, *own))): ONE}))
    for slot in goal.slots():
        if slot.kind in ("exp", "root", "log", "erfc"):
            part = {m: c for m, c in goal.terms.items() if dict(m).get(slot)}
            top = max(dict(m)[slot] for m in part)
            divisors.append(
                Poly(
                    {
                        tuple((s, e) for s, e in m if s is not slot): c
                        for m, c in part.items()
                    }
                )
            )
            if slot.kind == "exp":
                divisors.append(Poly(part))
            elif top == 1:
                exponentials = dict.fromkeys(
                    tuple((s, e) for s, e in m if s.kind == "exp") for m in part
                )
                divisors += [divisors[-1] * Poly({u: ONE}) for u in exponentials if u]
    if positive:
        divisors += [Poly.slot(here, Fraction(k)) for k in (1, 2, 3)]
    return list(dict.fromkeys(w for w in divisors if not w.zero()))[:24]


def complexity(poly: Poly) -> float:
    """How far a polynomial is from being one in the variable alone."""
    groups: dict[tuple[Any, ...], list[Fraction]] = {}
    for monomial in poly.terms:
        rest = tuple((s, e) for s, e in monomial if s.kind != "variable")
        groups.setdefault(rest, []).append(
            Fraction(next((e for s, e in monomial if s.kind == "variable"), 0))
        )
    total = 0.0
    for rest, powers in groups.items():
        hard = sum(size(e) for s, e in rest if s.kind in ("log", "erfc", "root"))
        total += float(max(powers) - min(powers) + 1) * (1 + 2 * float(hard))
    return total


def has_logarithm(goal: Poly) -> bool:
    """Some term is a rational multiple of a logarithm with variables."""
    return any(
        len(m) == 1
        and m[0][0].kind == "log"
        and m[0][1] == 1
        and m[0][0].polynomial.variables()
        for m in goal.terms
    )


def has_turns(goal: Poly) -> bool:
    """Some term has a cos or sin."""
    return any(slot.kind in TURNS for slot in goal.slots())


def angles(goal: Poly) -> list[Poly]:
    """Angles whose sine is the goal, if it is one cos or sin."""
    if len(goal.terms) != 1 or not has_turns(goal):
        return []
    (slot, *others), (value,) = goal.slots(), goal.terms.values()
    if others or slot.ratio.bottom:
        return []
    here = slot.ratio.top
    pi = Poly.slot(PI)
    if slot.kind == "sin":
        if value > 0:
            return [here, pi - here]
        return [here.scaled(-1), here - pi]
    half = pi.scaled(Fraction(1, 2))
    if value > 0:
        return [half + here, half - here]
    return [here - half]


def ends_text(ends: Ends) -> tuple[str, ...]:
    """Both ends of a side as texts."""
    return tuple(map(end_text, ends))


def critical_point(goal: Poly, piece: Box) -> Ratio | None:
    """Where the derivative of the goal, or of a multiple of it by one of its exponentials,
    vanishes.
    """
    exponents = [slot.ratio for slot in goal.slots() if slot.kind == "exp"]
    for multiple in [
        goal,
        *(goal * Poly.slot(exp_slot(exponent.scaled(-1))) for exponent in exponents),
    ]:
        point = linear_zero(derivative(multiple, piece.name).top, piece)
        if point is not None:
            return point
    return None


def linear_zero(slope: Poly, piece: Box) -> Ratio | None:
    """The zero of a linear function, or of a difference of two terms whose logarithms are linear in
    the variable.
    """
    bend = derivative(slope, piece.name)
    rise = bend.top.constant() if not bend.bottom else None
    if rise:
        return Ratio(
            Poly.slot(variable_slot(piece.name)) - slope.scaled(1 / Fraction(rise))
        )
    if len(slope.terms) != 2:
        return None
    (m1, c1), (m2, c2) = slope.terms.items()
    if c1 * c2 >= 0:
        return None
    logs = [
        log_of(Ratio(Poly({m: size(c)})), piece.signs) for m, c in ((m1, c1), (m2, c2))
    ]
    difference = logs[0] - logs[1]
    rate = derivative(difference.top, piece.name)
    value = rate.top.constant() if not rate.bottom and not difference.bottom else None
    if not value:
        return None
    return Ratio(Poly.slot(variable_slot(piece.name))) - difference.scaled(
        1 / Fraction(value)
    )


def floors(slope: Poly, piece: Box) -> Iterator[Poly]:
    """Where a slope may change its sign: other variables with the same range, and zeros of its
    linear factors.
    """
    candidates = [
        Poly.slot(variable_slot(n))
        for n, ends in piece.others.items()
        if ends_text(ends) == ends_text((piece.low, piece.high))
    ]
    for part, _ in factor(slope) or []:
        try:
            zero = linear_zero(part, piece) if piece.name in part.variables() else None
        except Rejected:
            continue
        if zero is not None and not zero.bottom and zero.top not in candidates:
            candidates.append(zero.top)
    yield from candidates


def face_weights(goal: Poly, piece: Box) -> Iterator[Poly]:
    """Weights for a face: 1, arguments of logarithms, and coefficients of the powers of other
    variables.
    """
    seen = {Poly.number(1)}
    yield Poly.number(1)
    here = variable_slot(piece.name)
    candidates = [known.scaled(sign) for known, sign in piece.signs.strict.items()]
    for slot in goal.slots():
        if slot is not here and slot.kind in ("exp", "log", "variable"):
            part = {m: c for m, c in goal.terms.items() if dict(m).get(slot)}
            candidates.append(
                Poly(
                    {
                        tuple((s, e) for s, e in m if s is not slot): c
                        for m, c in part.items()
                    }
                )
            )
    linear = {m: c for m, c in goal.terms.items() if dict(m).get(here) == ONE}
    candidates.append(
        Poly(
            {tuple((s, e) for s, e in m if s is not here): c for m, c in linear.items()}
        )
    )
    for weight in candidates:
        if (
            not weight.zero()
            and weight not in seen
            and piece.name in weight.variables()
        ):
            seen.add(weight)
            yield weight
