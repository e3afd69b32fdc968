"""Bounds of a polynomial on a piece that are seen term by term."""

from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.pieces import Box
from rdpacct.proof.check.ring import Poly
from rdpacct.proof.check.signs import Signs
from rdpacct.proof.check.slots import TURNS, size


def terms_suffice(goal: Poly, piece: Box, strict: bool) -> bool:
    """No term is ever negative, and for a strict goal some term is always positive."""
    parts = [
        Poly({monomial: coefficient}) for monomial, coefficient in goal.terms.items()
    ]
    positive = [piece.signs.terms_positive(part) for part in parts]
    if strict and not any(positive):
        return False
    return all(
        sure or never_negative(part, piece.signs)
        for sure, part in zip(positive, parts, strict=True)
    )


def never_negative(term: Poly, signs: Signs) -> bool:
    """A term that is not negative: its slots are positive or under even powers."""
    ((monomial, coefficient),) = term.terms.items()
    return coefficient > 0 and all(
        (exponent.denominator == 1 and exponent % 2 == 0)
        or signs.terms_positive(Poly.slot(slot))
        for slot, exponent in monomial
    )


def least_turns(goal: Poly, piece: Box) -> Poly:
    """A lower bound of the goal without cos and sin of variables."""
    total = Poly({})
    for monomial, coefficient in goal.terms.items():
        rest = tuple((slot, e) for slot, e in monomial if slot.kind not in TURNS)
        if rest != monomial:
            if not never_negative(Poly({rest: size(coefficient)}), piece.signs):
                raise Rejected(
                    "a cos or sin stands beside something whose sign is not seen."
                )
            coefficient = -size(coefficient)
        total = total + Poly({rest: coefficient})
    return total
