"""The differential ring: polynomials over the rationals in variables and in slots for functions and
pi.

A slot is one real function of the variables, known by its text. A monomial is a tuple of (slot,
exponent) pairs with at most one exp slot and at most one of cos and sin; products of exponentials
merge, so ``exp(x)*exp(-x)`` is 1, and those of cos and sin become sums, so ``cos(x)**2 +
sin(x)**2`` is 1. Two equal polynomials are equal functions wherever all slots are defined; unequal
polynomials may still be equal functions.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

from flint import fmpq, fmpq_poly

from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.slots import (
    PI,
    TURNS,
    Monomial,
    Number,
    Slot,
    exp_slot,
    monomial_text,
    prime_slot,
    size,
    turn_slot,
    variable_slot,
    whole,
)
from rdpacct.proof.check.terms import MAX_BITS, Terms, add_term, longest

MAX_TERMS = 1500
MAX_PAIRS = 60_000
MAX_EXPONENT_BITS = 600
MAX_DIVISION = 60_000
"""The bits that a coefficient of a quotient or remainder may have."""
MAX_TEXT = 1_000_000
"""The characters of a polynomial, not counting its coefficients."""
ONE = 1


class Poly:
    """A polynomial: a finite sum of rational multiples of monomials."""

    def __init__(self, terms: Terms) -> None:
        if len(terms) > MAX_TERMS:
            raise Rejected(f"a polynomial has more than {MAX_TERMS} terms.")
        self.terms = terms
        self.bits = longest(terms.values()) if terms else 0
        EFFORT.spend(1 + len(terms) * (1 + self.bits // 1000))
        if self.bits > MAX_BITS:
            raise Rejected("a coefficient is too long.")

    @classmethod
    def number(cls, value: Number) -> "Poly":
        """The constant polynomial."""
        return cls({(): value} if value else {})

    @classmethod
    def slot(cls, slot: Slot, exponent: Number = ONE) -> "Poly":
        """A power of one slot; of cos and sin only the first."""
        if slot.kind in TURNS and exponent != 1:
            raise Rejected("a power of cos or sin is not a monomial.")
        return cls({((slot, exponent),): ONE})

    @cached_property
    def text(self) -> str:
        """The polynomial as text of the language, its terms in a fixed order."""
        length = sum(
            len(slot.text) + 8 for monomial in self.terms for slot, _ in monomial
        )
        EFFORT.spend(length // 8)
        if length > MAX_TEXT:
            raise Rejected("the text of a polynomial is too long.")
        bodies = [(monomial_text(m), c) for m, c in self.terms.items()]
        pieces = list[str]()
        for body, coefficient in sorted(bodies, key=_body):
            shown = _term_text(body, size(coefficient))
            EFFORT.spend(4 + len(shown) // 16)
            plus = "+" if pieces else ""
            pieces.append(("-" if coefficient < 0 else plus) + shown)
        return "".join(pieces) or "0"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text

    def zero(self) -> bool:
        """No terms: the zero function."""
        return not self.terms

    def constant(self) -> Number | None:
        """The rational number that this is, if it has no slots."""
        if not self.terms:
            return 0
        if len(self.terms) == 1:
            return self.terms.get(())
        return None

    def __add__(self, other: "Poly") -> "Poly":
        EFFORT.spend(3 * len(other.terms))
        total = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            add_term(total, monomial, coefficient)
        return Poly(total)

    def __sub__(self, other: "Poly") -> "Poly":
        return self + other.scaled(-1)

    def scaled(self, factor: Number) -> "Poly":
        """The polynomial times a rational number."""
        EFFORT.spend(len(self.terms) * (1 + (self.bits * longest([factor]) >> 17)))
        factor = whole(factor)
        if type(factor) is int:
            terms = {m: c * factor for m, c in self.terms.items()} if factor else {}
        else:
            terms = {m: whole(c * factor) for m, c in self.terms.items()}
        return Poly(terms)

    def __mul__(self, other: "Poly") -> "Poly":
        total: Terms = {}
        if len(self.terms) * len(other.terms) > MAX_PAIRS:
            raise Rejected("a product of polynomials is too large.")
        row = len(other.terms) * (8 + (self.bits * other.bits >> 17))
        for left, first in self.terms.items():
            EFFORT.spend(row)
            for right, second in other.terms.items():
                monomial, factor, extra = multiply(left, right)
                if extra is None:
                    add_term(total, monomial, first * second * factor)
                else:
                    for m, c in (
                        Poly({monomial: first * second * factor}) * extra
                    ).terms.items():
                        add_term(total, m, c)
        return Poly(total)

    def power(self, exponent: int) -> "Poly":
        """A non-negative integer power."""
        if not 0 <= exponent <= 64:
            raise Rejected(f"the power {exponent} is outside 0..64.")
        self.check_size(exponent)
        result = Poly.number(1)
        for _ in range(exponent):
            result = result * self
        return result

    def check_size(self, exponent: int) -> None:
        """Refuse powers whose coefficients would have very many digits."""
        if self.bits > 1 and self.bits * exponent > 2 * MAX_BITS:
            raise Rejected("the coefficients of a power are too long.")

    def slots(self) -> list[Slot]:
        """The slots that occur, not counting those inside others, in an order that is the same in
        every run.
        """
        EFFORT.spend(1 + len(self.terms) // 2)
        return list(
            dict.fromkeys(slot for monomial in self.terms for slot, _ in monomial)
        )

    def variables(self) -> set[str]:
        """The names of all variables, those inside slots included."""
        names: set[str] = set()
        for slot in self.slots():
            if slot.kind == "variable":
                names.add(slot.text)
            elif slot.kind in ("exp", *TURNS):
                names |= slot.ratio.variables()
            elif slot.kind in ("log", "root", "erfc"):
                names |= slot.polynomial.variables()
        return names


def _body(term: tuple[str, Number]) -> str:
    return term[0]


def _term_text(body: str, coefficient: Number) -> str:
    """A positive multiple of a monomial that has this text."""
    if not body:
        return str(coefficient)
    return body if coefficient == 1 else f"{coefficient}*{body}"


def first_monomial(monomials: Iterable[Monomial]) -> Monomial:
    """The monomial that comes first in the order of texts."""
    return min(monomials, key=_place)


def _place(monomial: Monomial) -> str:
    """The text of a monomial, at the price of the polynomial that it is."""
    shown = monomial_text(monomial) or "1"
    length = sum(len(slot.text) + 8 for slot, _ in monomial)
    EFFORT.spend(6 + length // 8 + len(shown) // 16)
    if length > MAX_TEXT:
        raise Rejected("the text of a polynomial is too long.")
    return shown


def multiply(left: Monomial, right: Monomial) -> tuple[Monomial, Number, Poly | None]:
    """The product of two monomials as (monomial, rational factor, polynomial factor of roots and of
    cos and sin).
    """
    if not left or not right:
        return left or right, ONE, None
    EFFORT.spend((len(left) + len(right)) // 2)
    powers = dict(left)
    argument: Ratio | None = next(
        (slot.ratio for slot, _ in left if slot.kind == "exp"), None
    )
    for slot, exponent in right:
        if slot.kind == "exp" and argument is not None:
            powers = {s: e for s, e in powers.items() if s.kind != "exp"}
            total = argument + slot.ratio
            if not total.top.zero():
                powers[exp_slot(total)] = ONE
        else:
            powers[slot] = powers.get(slot, 0) + exponent
            if powers[slot].denominator.bit_length() > MAX_EXPONENT_BITS:
                raise Rejected("an exponent is too long.")
    turns = [slot for slot, _ in (*left, *right) if slot.kind in TURNS]
    factor: Number = ONE
    extra = None
    if len(turns) > 1:
        powers = {s: e for s, e in powers.items() if s not in turns}
        extra = _product_of_turns(*turns)
    for slot in [s for s in powers if s.kind in ("prime", "root")]:
        count, rest = divmod(powers[slot], slot.degree if slot.kind == "root" else 1)
        powers[slot] = rest
        if count and slot.kind == "prime":
            factor *= whole(Fraction(slot.number) ** int(count))
        elif count:
            extra = (extra or Poly.number(1)) * slot.polynomial.power(int(count))
    return tuple(sorted((s, e) for s, e in powers.items() if e)), factor, extra


def _product_of_turns(first: Slot, second: Slot) -> "Poly":
    """The product of two of cos and sin, as half a sum of two."""
    if first.kind != second.kind and first.kind == "cos":
        first, second = second, first
    kind = "cos" if first.kind == second.kind else "sin"
    near = turn_of(kind, first.ratio - second.ratio)
    far = turn_of(kind, first.ratio + second.ratio)
    both_sines = first.kind == second.kind == "sin"
    return (near - far if both_sines else near + far).scaled(Fraction(1, 2))


def turn_of(kind: str, argument: "Ratio") -> Poly:
    """cos or sin of an argument whose first term is made positive, and whose part in pi is below a
    quarter turn.
    """
    pi: Monomial = ((PI, ONE),)
    others = [
        monomial for monomial in argument.top.terms if argument.bottom or monomial != pi
    ]
    if others and argument.top.terms[min(others, key=monomial_text)] < 0:
        return turn_of(kind, argument.scaled(-1)).scaled(1 if kind == "cos" else -1)
    quarters, part = divmod(
        Fraction(0 if argument.bottom else argument.top.terms.get(pi, 0)),
        Fraction(1, 2),
    )
    if quarters:
        argument = argument - Ratio(Poly({pi: Fraction(quarters, 2)}))
    turned = (quarters + (0 if kind == "cos" else 3)) % 4
    kind = "sin" if turned % 2 else "cos"
    if others or part not in SINES:
        value = Poly.slot(turn_slot(kind, argument))
    else:
        value = SINES[part if kind == "sin" else Fraction(1, 2) - part]
    return value.scaled(-1 if turned in (1, 2) else 1)


SINES = {
    Fraction(0): Poly({}),
    Fraction(1, 6): Poly.number(Fraction(1, 2)),
    Fraction(1, 4): Poly({((prime_slot(2), Fraction(1, 2)),): Fraction(1, 2)}),
    Fraction(1, 3): Poly({((prime_slot(3), Fraction(1, 2)),): Fraction(1, 2)}),
    Fraction(1, 2): Poly.number(1),
}
"""The sines of some multiples of pi."""
TEXTS = [value.text for value in SINES.values()]
"""Written at once, so that the first search does no more work than the others."""


class Ratio:
    """A quotient of a polynomial by powers of polynomials that are positive where it is used."""

    def __init__(self, top: Poly, bottom: dict[Poly, int] | None = None) -> None:
        self.top = top
        self.bottom: dict[Poly, int] = {}
        if not bottom or not top.terms:
            return
        self.bottom = {q: k for q, k in bottom.items() if k}
        for factor in list(self.bottom):
            while (
                self.bottom.get(factor)
                and (quotient := divide(self.top, factor)) is not None
            ):
                self.top = quotient
                self.bottom[factor] -= 1
            if not self.bottom[factor]:
                del self.bottom[factor]

    @cached_property
    def text(self) -> str:
        """The quotient as text of the language."""
        if not self.bottom:
            return self.top.text
        below = sorted(
            f"({q.text})**{k}" if k > 1 else f"({q.text})"
            for q, k in self.bottom.items()
        )
        EFFORT.spend(sum(map(len, below)) // 64)
        return f"({self.top.text})/({'*'.join(below)})"

    def over(self, bottom: dict[Poly, int]) -> Poly:
        """The numerator after expansion to a larger denominator."""
        top = self.top
        for factor, exponent in bottom.items():
            top = top * factor.power(exponent - self.bottom.get(factor, 0))
        return top

    def __add__(self, other: "Ratio") -> "Ratio":
        if not self.bottom and not other.bottom:
            return Ratio(self.top + other.top)
        common = {
            q: max(self.bottom.get(q, 0), other.bottom.get(q, 0))
            for q in {**self.bottom, **other.bottom}
        }
        return Ratio(self.over(common) + other.over(common), common)

    def __mul__(self, other: "Ratio") -> "Ratio":
        if not self.bottom and not other.bottom:
            return Ratio(self.top * other.top)
        both = {
            q: self.bottom.get(q, 0) + other.bottom.get(q, 0)
            for q in {**self.bottom, **other.bottom}
        }
        return Ratio(self.top * other.top, both)

    def scaled(self, factor: Number) -> "Ratio":
        """The quotient times a rational number."""
        return Ratio(self.top.scaled(factor), self.bottom)

    def __sub__(self, other: "Ratio") -> "Ratio":
        return self + other.scaled(-1)

    def variables(self) -> set[str]:
        """The names of all variables."""
        return self.top.variables().union(*(q.variables() for q in self.bottom))


def univariate(poly: Poly, name: str) -> fmpq_poly | None:
    """The polynomial as one in that variable over the rationals, if it is one."""
    coefficients: dict[int, Number] = {}
    EFFORT.spend(1 + len(poly.terms))
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            coefficients[0] = coefficient
            continue
        (slot, exponent), *rest = monomial
        if (
            rest
            or slot.kind != "variable"
            or slot.text != name
            or exponent.denominator != 1
            or not 0 < exponent < 200
        ):
            return None
        coefficients[int(exponent)] = coefficient
    values = (coefficients.get(k, 0) for k in range(max(coefficients, default=0) + 1))
    return fmpq_poly([fmpq(c.numerator, c.denominator) for c in values])


def from_univariate(poly: fmpq_poly, name: str, rest: Monomial = ()) -> Poly:
    """The ring's copy of a polynomial in one variable, times a monomial that is free of it."""
    terms: Terms = {}
    for power, value in enumerate(poly.coeffs()):
        if value != 0:
            own: Monomial = ((variable_slot(name), power),) if power else ()
            terms[tuple(sorted((*rest, *own)))] = _number(value)
    return Poly(terms)


def _number(value: fmpq) -> Number:
    top = int(value.p)
    bottom = int(value.q)
    return top if bottom == 1 else Fraction(top, bottom)


def divide(poly: Poly, divisor: Poly) -> Poly | None:
    """The quotient, if the divisor is a polynomial in one variable over the rationals and divides
    exactly.

    Quotients with very long coefficients are not looked for.
    """
    name = min(divisor.variables(), default="")
    below = univariate(divisor, name)
    if below is None or below.degree() < 1:
        return None
    EFFORT.spend(3 * len(poly.terms))
    groups = dict[Monomial, Terms]()
    slot = variable_slot(name)
    for monomial, coefficient in poly.terms.items():
        rest = tuple((s, e) for s, e in monomial if s is not slot)
        groups.setdefault(rest, {})[tuple((s, e) for s, e in monomial if s is slot)] = (
            coefficient
        )
    total = Poly({})
    for rest, part in groups.items():
        above = univariate(Poly(part), name)
        if above is None or above.degree() < below.degree():
            return None
        bits = poly.bits + (above.degree() - below.degree() + 1) * divisor.bits
        if bits > MAX_DIVISION:
            return None
        EFFORT.spend(2 + above.degree() * below.degree() * (1 + bits // 1000) // 100)
        quotient, remainder = divmod(above, below)
        if not remainder.is_zero():
            return None
        total = total + from_univariate(quotient, name, rest)
    return total
