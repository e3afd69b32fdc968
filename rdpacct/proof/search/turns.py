"""Sums of cosines and sines of multiples of some angles, as polynomials in the cosines and sines of
these.
"""

from fractions import Fraction
from math import gcd, lcm

from rdpacct.proof.check.ring import Poly, Ratio, turn_of
from rdpacct.proof.check.slots import TURNS, Monomial, Slot

MAX_MULTIPLE = 8
TurnTerms = dict[tuple[int, ...], Fraction]


class Angles:
    """The angles of which the arguments in a polynomial are whole combinations."""

    def __init__(self, poly: Poly) -> None:
        slots = [
            slot
            for slot in poly.slots()
            if slot.kind in TURNS and not slot.ratio.bottom
        ]
        coefficients = dict[Monomial, list[Fraction]]()
        for slot in slots:
            for monomial, coefficient in slot.ratio.top.terms.items():
                coefficients.setdefault(monomial, []).append(Fraction(coefficient))
        self.units = {
            m: Fraction(
                gcd(*(c.numerator for c in cs)), lcm(*(c.denominator for c in cs))
            )
            for m, cs in coefficients.items()
        }

    def generator(self, kind: str, monomial: Monomial) -> Poly:
        """The cosine or sine of one of the angles."""
        return turn_of(kind, Ratio(Poly({monomial: self.units[monomial]})))

    def expanded(
        self, slot: Slot
    ) -> list[tuple[dict[tuple[str, Monomial], int], Fraction]] | None:
        """A cosine or sine as a sum of products of those of the angles; no sine is squared."""
        multiples = [(m, c / self.units[m]) for m, c in slot.ratio.top.terms.items()]
        if slot.ratio.bottom or sum(abs(k) for _, k in multiples) > MAX_MULTIPLE:
            return None
        size = 2 * len(multiples)
        real: TurnTerms = {(0,) * size: Fraction(1)}
        other: TurnTerms = {}
        for i, (_, multiple) in enumerate(multiples):
            sign = 1 if multiple > 0 else -1
            for _ in range(abs(int(multiple))):
                cosine = _sum(_times(real, 2 * i), _times(other, 2 * i + 1), -sign)
                sine = _sum(_times(other, 2 * i), _times(real, 2 * i + 1), sign)
                real = cosine
                other = sine
        names = [(kind, m) for m, _ in multiples for kind in ("cos", "sin")]
        rows = (real if slot.kind == "cos" else other).items()
        return [
            ({names[j]: e for j, e in enumerate(powers) if e}, value)
            for powers, value in rows
        ]


def _times(pair: TurnTerms, place: int) -> TurnTerms:
    """The product with a generator; the square of a sine is 1 less that of the cosine before it."""
    total: TurnTerms = {}
    for powers, value in pair.items():
        raised = [e + (j == place) for j, e in enumerate(powers)]
        if place % 2 and raised[place] == 2:
            raised[place] = 0
            total[tuple(raised)] = total.get(tuple(raised), Fraction(0)) + value
            raised[place - 1] += 2
            value = -value
        total[tuple(raised)] = total.get(tuple(raised), Fraction(0)) + value
    return total


def _sum(first: TurnTerms, second: TurnTerms, sign: int) -> TurnTerms:
    total = dict(first)
    for powers, value in second.items():
        total[powers] = total.get(powers, Fraction(0)) + sign * value
    return {powers: value for powers, value in total.items() if value}
