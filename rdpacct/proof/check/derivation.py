"""The derivation of the ring: partial derivatives by the chain rule on slots."""

from fractions import Fraction

from rdpacct.proof.check.ring import Poly, Ratio
from rdpacct.proof.check.slots import PI, TURNS, Slot, exp_slot, turn_slot
from rdpacct.proof.check.terms import Terms, add_term


def derivative(poly: Poly, name: str) -> Ratio:
    """The partial derivative; its denominators are arguments of logs and roots and denominators
    inside exp.
    """
    total = Ratio(Poly({}))
    for slot in poly.slots():
        if slot.kind in TURNS:
            total = total + _by_turn(poly, slot, name)
            continue
        inner = _slot_derivative(slot, name)
        if inner.top.zero():
            continue
        part: Terms = {}
        for monomial, coefficient in poly.terms.items():
            exponent = dict(monomial).get(slot)
            if exponent:
                add_term(part, monomial, coefficient * exponent)
        total = total + Ratio(Poly(part)) * inner
    return total


def _by_turn(poly: Poly, slot: Slot, name: str) -> Ratio:
    """The part of the derivative from a cos or sin slot, which has the exponent 1 wherever it
    occurs.
    """
    part = {
        tuple(p for p in m if p[0] is not slot): c
        for m, c in poly.terms.items()
        if dict(m).get(slot)
    }
    kind, sign = ("sin", -1) if slot.kind == "cos" else ("cos", 1)
    return Ratio(
        Poly(part) * Poly.slot(turn_slot(kind, slot.ratio)).scaled(sign)
    ) * ratio_derivative(slot.ratio, name)


def _slot_derivative(slot: Slot, name: str) -> Ratio:
    """The logarithmic derivative s'/s of a slot; for slots that may vanish the division by s is a
    negative power.
    """
    if slot.kind == "variable" and slot.text == name:
        return Ratio(Poly.slot(slot, -1))
    if slot.kind == "exp":
        return ratio_derivative(slot.ratio, name)
    if slot.kind in ("log", "root"):
        inner = derivative(slot.polynomial, name) * Ratio(
            Poly.number(1), {slot.polynomial: 1}
        )
        if slot.kind == "log":
            return inner * Ratio(Poly.slot(slot, -1))
        return inner.scaled(Fraction(1, slot.degree))
    if slot.kind == "erfc":
        argument = slot.polynomial
        bell = (
            Poly.slot(exp_slot(Ratio((argument * argument).scaled(-1))))
            if not argument.zero()
            else Poly.number(1)
        )
        bell = bell * Poly({((PI, Fraction(-1, 2)),): -2})
        return Ratio(bell * Poly.slot(slot, -1)) * derivative(argument, name)
    return Ratio(Poly({}))


def ratio_derivative(ratio: Ratio, name: str) -> Ratio:
    """The partial derivative of a quotient."""
    total = derivative(ratio.top, name) * Ratio(Poly.number(1), ratio.bottom)
    for factor, exponent in ratio.bottom.items():
        inner = derivative(factor, name) * Ratio(Poly.number(1), {factor: 1})
        total = total - (ratio * inner).scaled(exponent)
    return total
