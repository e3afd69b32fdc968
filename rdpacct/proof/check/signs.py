"""Signs: what is known about polynomials on an open piece, and their splitting into parts of known
sign.
"""

from fractions import Fraction
from math import gcd, lcm

from rdpacct.proof.check.balls import constant_sign
from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.ring import ONE, Poly, Ratio, divide, first_monomial, multiply
from rdpacct.proof.check.slots import (
    Monomial,
    Number,
    Slot,
    exp_slot,
    variable_slot,
    whole,
)
from rdpacct.proof.check.terms import Terms, add_term

POSITIVE_KINDS = ("exp", "pi", "prime", "root", "erfc")


class Undefined(Exception):
    """An expression certainly has no real value at a point."""


class Signs:
    """What is known on an open piece: signs of polynomials, strict and weak, by their primitive
    parts.
    """

    ground = False

    def __init__(self) -> None:
        self.strict: dict[Poly, int] = {}
        self.weak: dict[Poly, int] = {}

    def copy(self) -> "Signs":
        """The same knowledge, to be extended apart."""
        other = Signs()
        EFFORT.spend((len(self.strict) + len(self.weak)) // 4)
        other.strict = dict(self.strict)
        other.weak = dict(self.weak)
        return other

    def learn(self, poly: Poly, strict: bool) -> None:
        """Record that a polynomial is positive, or at least not negative, on the piece."""
        coefficient, _, rest = primitive(poly, self)
        if rest.constant() is None:
            (self.strict if strict else self.weak)[rest] = 1 if coefficient > 0 else -1

    def positive_variable(self, name: str) -> bool:
        """The variable is positive on the whole piece."""
        return self.strict.get(Poly.slot(variable_slot(name))) == 1

    def primitive_sign(self, rest: Poly, strict: bool = True) -> int:
        """The sign of a primitive polynomial; positive terms and constants are seen at once, the
        rest must be known.
        """
        if self.terms_positive(rest):
            return 1
        if not rest.variables():
            return constant_sign(rest)
        sign = self.strict.get(rest) or (0 if strict else self.weak.get(rest, 0))
        if not sign:
            raise Rejected(
                f"the sign of {rest.text[:80]} is not established on the piece."
            )
        return sign

    def terms_positive(self, poly: Poly) -> bool:
        """Every term is a positive multiple of positive slots."""
        EFFORT.spend(1 + len(poly.terms) // 2)
        return not poly.zero() and all(
            c > 0
            and all(
                s.kind in POSITIVE_KINDS
                or (s.kind == "variable" and self.positive_variable(s.text))
                for s, _ in m
            )
            for m, c in poly.terms.items()
        )


class GroundSigns(Signs):
    """Signs of constants, by balls and exact zeros."""

    ground = True

    def positive_variable(self, name: str) -> bool:
        raise Rejected(f"the variable {name} has no value at this point.")

    def primitive_sign(self, rest: Poly, strict: bool = True) -> int:  # noqa: ARG002
        return constant_sign(rest)


GROUND = GroundSigns()


def primitive(poly: Poly, signs: Signs) -> tuple[Number, Monomial, Poly]:
    """The polynomial as rational * positive monomial * primitive polynomial, in a way that ignores
    such multiples.
    """
    if poly.zero():
        raise Rejected("the zero polynomial has no primitive part.")
    monomials = list(poly.terms)
    powers: dict[Slot, Number] = {}
    for slot in poly.slots():
        if slot.kind in ("pi", "prime", "root", "erfc") or (
            slot.kind == "variable" and signs.positive_variable(slot.text)
        ):
            least = min(dict(m).get(slot, 0) for m in monomials)
            if least:
                powers[slot] = least
    inverse: Monomial = tuple(sorted((s, -e) for s, e in powers.items()))
    least_exponent = _least_exponent(monomials)
    if not least_exponent.top.zero():
        powers[exp_slot(least_exponent)] = ONE
        inverse = tuple(sorted((*inverse, (exp_slot(least_exponent.scaled(-1)), ONE))))
    EFFORT.spend(8 * len(monomials))
    rest = Poly(_product(poly.terms, inverse)) if inverse else Poly(poly.terms)
    first = first_monomial(rest.terms)
    numbers = rest.terms.values()
    content = Fraction(
        gcd(*(c.numerator for c in numbers)), lcm(*(c.denominator for c in numbers))
    )
    content = content if rest.terms[first] > 0 else -content
    return whole(content), tuple(sorted(powers.items())), rest.scaled(1 / content)


def _product(terms: Terms, monomial: Monomial) -> Terms:
    """The terms times a monomial, without new factors of roots."""
    total: Terms = {}
    for other, coefficient in terms.items():
        product, factor, extra = multiply(other, monomial)
        if extra is not None:
            raise Rejected("a root overflowed in a division.")
        add_term(total, product, coefficient * factor)
    return total


def _least_exponent(monomials: list[Monomial]) -> Ratio:
    """The least argument of exp among monomials, in an order that does not change when all are
    shifted.
    """
    if not any(s.kind == "exp" for m in monomials for s, _ in m):
        EFFORT.spend(3 * len(monomials) - 3)
        return Ratio(Poly({}))
    arguments = [
        next((s.ratio for s, _ in m if s.kind == "exp"), Ratio(Poly({})))
        for m in monomials
    ]
    least = arguments[0]
    for argument in arguments[1:]:
        difference = (argument - least).top
        if not difference.zero():
            first = first_monomial(difference.terms)
            if difference.terms[first] < 0:
                least = argument
    return least


def sign_of(poly: Poly, signs: Signs, strict: bool = True) -> int:
    """The sign on the piece: 0 for the zero polynomial, otherwise known strictly (or weakly, if
    that is enough).
    """
    if poly.zero():
        return 0
    coefficient, _, _ = split(poly, signs, strict)
    return 1 if coefficient > 0 else -1


def split(
    poly: Poly, signs: Signs, strict: bool = True
) -> tuple[Number, Monomial, list[tuple[Poly, int]]]:
    """The polynomial as rational * positive monomial * powers of polynomials that are positive on
    the piece.
    """
    coefficient, unit, rest = primitive(poly, signs)
    factors: list[tuple[Poly, int]] = []
    for known, sign in signs.strict.items():
        EFFORT.spend(2)
        count = 0
        while known.variables() and (quotient := divide(rest, known)) is not None:
            rest = quotient
            count = count + 1
        if count:
            coefficient *= sign**count
            factors.append((known.scaled(sign), count))
    value = rest.constant()
    if value is not None:
        return coefficient * value, unit, factors
    content, more, rest = primitive(rest, signs)
    sign = signs.primitive_sign(rest, strict)
    if not sign:
        raise Rejected("a polynomial that is zero cannot be split.")
    unit, multiple, extra = multiply(unit, more)
    if extra is not None:
        raise Rejected("a root overflowed in a product of monomials.")
    return (
        coefficient * content * sign * multiple,
        unit,
        [*factors, (rest.scaled(sign), 1)],
    )
