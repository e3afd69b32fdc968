"""The differential ring: polynomials over the rationals in variables and in slots for exp, log, roots, erfc and pi.

A slot is one real function of the variables, known by its text. A monomial is a tuple of (slot, exponent) pairs with at
most one exp slot; products of exponentials merge, so ``exp(x)*exp(-x)`` is 1. Two equal polynomials are equal functions
wherever all slots are defined; unequal polynomials may still be equal functions.
"""

from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from flint import fmpq, fmpq_poly

from rdpacct.proof.check.effort import EFFORT
from rdpacct.proof.check.language import Rejected

Monomial = tuple[tuple["Slot", Fraction], ...]
Terms = dict[Monomial, Fraction]

MAX_TERMS = 1500
MAX_BITS = 100_000
ONE = Fraction(1)


class Slot:
    """A generator of the ring; equal kinds and texts are the same object.

    Kinds: ``variable``, ``pi``, ``prime`` (a positive integer under a fractional power), ``exp`` (of a ratio),
    ``log`` and ``root`` (of a polynomial that is positive), ``erfc`` (of a polynomial).
    """

    known: ClassVar[dict[tuple[str, str], "Slot"]] = {}
    kind: str
    text: str
    degree: int
    _poly: "Poly | None"
    _ratio: "Ratio | None"

    def __new__(
        cls, kind: str, text: str, poly: "Poly | None" = None, ratio: "Ratio | None" = None, degree: int = 1
    ) -> "Slot":
        slot = cls.known.get((kind, text))
        if slot is None:
            slot = super().__new__(cls)
            slot.kind, slot.text, slot._poly, slot._ratio, slot.degree = kind, text, poly, ratio, degree
            slot = cls.known.setdefault((kind, text), slot)
        return slot

    @property
    def polynomial(self) -> "Poly":
        """The argument of a log, root or erfc slot."""
        if self._poly is None:
            raise Rejected(f"the slot {self.text} has no polynomial argument.")
        return self._poly

    @property
    def ratio(self) -> "Ratio":
        """The argument of an exp slot."""
        if self._ratio is None:
            raise Rejected(f"the slot {self.text} is not an exponential.")
        return self._ratio

    @property
    def number(self) -> int:
        """The integer of a prime slot."""
        return int(self.text)

    def __lt__(self, other: "Slot") -> bool:
        return self.text < other.text

    def __repr__(self) -> str:
        return self.text


def variable_slot(name: str) -> Slot:
    """The slot of a variable."""
    return Slot("variable", name)


PI = Slot("pi", "pi")


def exp_slot(argument: "Ratio") -> Slot:
    """The slot exp(argument)."""
    return Slot("exp", f"exp({argument.text})", ratio=argument)


def log_slot(argument: "Poly") -> Slot:
    """The slot log(argument)."""
    return Slot("log", f"log({argument.text})", argument)


def root_slot(argument: "Poly", degree: int) -> Slot:
    """The slot argument**(1/degree)."""
    return Slot("root", f"({argument.text})**(1/{degree})", argument, degree=degree)


def erfc_slot(argument: "Poly") -> Slot:
    """The slot erfc(argument)."""
    return Slot("erfc", f"erfc({argument.text})", argument)


def prime_slot(number: int) -> Slot:
    """The slot of a positive integer, used under powers strictly between 0 and 1."""
    return Slot("prime", str(number))


def _power_text(slot: Slot, exponent: Fraction) -> str:
    if exponent == 1:
        return slot.text
    base = f"({slot.text})" if slot.kind == "root" else slot.text
    return f"{base}**{exponent}" if exponent.denominator == 1 and exponent > 0 else f"{base}**({exponent})"


def monomial_text(monomial: Monomial) -> str:
    """The monomial as text of the language; empty for 1."""
    return "*".join(_power_text(slot, exponent) for slot, exponent in monomial)


class Poly:
    """A polynomial: a finite sum of rational multiples of monomials."""

    def __init__(self, terms: Terms) -> None:
        if len(terms) > MAX_TERMS:
            raise Rejected(f"a polynomial has more than {MAX_TERMS} terms.")
        self.terms = terms

    @classmethod
    def number(cls, value: Fraction | int) -> "Poly":
        """The constant polynomial."""
        return cls({(): Fraction(value)} if value else {})

    @classmethod
    def slot(cls, slot: Slot, exponent: Fraction = ONE) -> "Poly":
        """A power of one slot."""
        return cls({((slot, Fraction(exponent)),): ONE})

    @cached_property
    def text(self) -> str:
        """The polynomial as text of the language, its terms in a fixed order."""
        pieces = list[str]()
        for monomial, coefficient in sorted(self.terms.items(), key=lambda item: monomial_text(item[0])):
            body, size = monomial_text(monomial), abs(coefficient)
            shown = body if body and size == 1 else (f"{size}*{body}" if body else str(size))
            pieces.append(("-" if coefficient < 0 else "+" if pieces else "") + shown)
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

    def constant(self) -> Fraction | None:
        """The rational number that this is, if it has no slots."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(()) if len(self.terms) == 1 else None

    def __add__(self, other: "Poly") -> "Poly":
        total = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            add_term(total, monomial, coefficient)
        return Poly(total)

    def __sub__(self, other: "Poly") -> "Poly":
        return self + other.scaled(-1)

    def scaled(self, factor: Fraction | int) -> "Poly":
        """The polynomial times a rational number."""
        return Poly({m: c * factor for m, c in self.terms.items()} if factor else {})

    def __mul__(self, other: "Poly") -> "Poly":
        total: Terms = {}
        EFFORT.spend(len(self.terms) * len(other.terms))
        for left, first in self.terms.items():
            EFFORT.look()
            for right, second in other.terms.items():
                monomial, factor, extra = multiply(left, right)
                if extra is None:
                    add_term(total, monomial, first * second * factor)
                else:
                    for m, c in (Poly({monomial: first * second * factor}) * extra).terms.items():
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
        longest = max((c.numerator.bit_length() + c.denominator.bit_length() for c in self.terms.values()), default=0)
        if longest * exponent > MAX_BITS:
            raise Rejected("the coefficients of a power are too long.")

    def slots(self) -> list[Slot]:
        """The slots that occur, not counting those inside others, in an order that is the same in every run."""
        return list(dict.fromkeys(slot for monomial in self.terms for slot, _ in monomial))

    def variables(self) -> set[str]:
        """The names of all variables, those inside slots included."""
        found: set[str] = set()
        for slot in self.slots():
            if slot.kind == "variable":
                found.add(slot.text)
            elif slot.kind == "exp":
                found |= slot.ratio.variables()
            elif slot.kind in ("log", "root", "erfc"):
                found |= slot.polynomial.variables()
        return found


def add_term(total: Terms, monomial: Monomial, coefficient: Fraction) -> None:
    total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    if not total[monomial]:
        del total[monomial]


def multiply(left: Monomial, right: Monomial) -> tuple[Monomial, Fraction, Poly | None]:
    """The product of two monomials as (monomial, rational factor, polynomial factor of overflowing roots)."""
    if not left or not right:
        return left or right, ONE, None
    powers = dict(left)
    argument: Ratio | None = next((slot.ratio for slot, _ in left if slot.kind == "exp"), None)
    for slot, exponent in right:
        if slot.kind == "exp" and argument is not None:
            powers = {s: e for s, e in powers.items() if s.kind != "exp"}
            total = argument + slot.ratio
            if not total.top.zero():
                powers[exp_slot(total)] = ONE
        else:
            powers[slot] = powers.get(slot, Fraction(0)) + exponent
    factor, extra = ONE, None
    for slot in [s for s in powers if s.kind in ("prime", "root")]:
        whole, rest = divmod(powers[slot], slot.degree if slot.kind == "root" else 1)
        powers[slot] = rest
        if whole and slot.kind == "prime":
            factor *= Fraction(slot.number) ** int(whole)
        elif whole:
            extra = (extra or Poly.number(1)) * slot.polynomial.power(int(whole))
    return tuple(sorted((s, e) for s, e in powers.items() if e)), factor, extra


class Ratio:
    """A quotient of a polynomial by powers of polynomials that are positive where it is used."""

    def __init__(self, top: Poly, bottom: dict[Poly, int] | None = None) -> None:
        self.top = top
        self.bottom = {q: k for q, k in (bottom or {}).items() if k} if not top.zero() else {}
        for factor in list(self.bottom):
            while self.bottom.get(factor) and (quotient := divide(self.top, factor)) is not None:
                self.top = quotient
                self.bottom[factor] -= 1
            if not self.bottom[factor]:
                del self.bottom[factor]

    @cached_property
    def text(self) -> str:
        """The quotient as text of the language."""
        if not self.bottom:
            return self.top.text
        below = sorted(f"({q.text})**{k}" if k > 1 else f"({q.text})" for q, k in self.bottom.items())
        return f"({self.top.text})/({'*'.join(below)})"

    def over(self, bottom: dict[Poly, int]) -> Poly:
        """The numerator after expansion to a larger denominator."""
        top = self.top
        for factor, exponent in bottom.items():
            top = top * factor.power(exponent - self.bottom.get(factor, 0))
        return top

    def __add__(self, other: "Ratio") -> "Ratio":
        common = {q: max(self.bottom.get(q, 0), other.bottom.get(q, 0)) for q in {**self.bottom, **other.bottom}}
        return Ratio(self.over(common) + other.over(common), common)

    def __mul__(self, other: "Ratio") -> "Ratio":
        both = {q: self.bottom.get(q, 0) + other.bottom.get(q, 0) for q in {**self.bottom, **other.bottom}}
        return Ratio(self.top * other.top, both)

    def scaled(self, factor: Fraction | int) -> "Ratio":
        """The quotient times a rational number."""
        return Ratio(self.top.scaled(factor), self.bottom)

    def __sub__(self, other: "Ratio") -> "Ratio":
        return self + other.scaled(-1)

    def variables(self) -> set[str]:
        """The names of all variables."""
        return self.top.variables().union(*(q.variables() for q in self.bottom))


def univariate(poly: Poly, name: str) -> fmpq_poly | None:
    """The polynomial as one in that variable over the rationals, if it is one."""
    coefficients: dict[int, Fraction] = {}
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            coefficients[0] = coefficient
            continue
        (slot, exponent), *rest = monomial
        if rest or slot.kind != "variable" or slot.text != name or exponent.denominator != 1 or not 0 < exponent < 200:
            return None
        coefficients[int(exponent)] = coefficient
    values = (coefficients.get(k, ONE * 0) for k in range(max(coefficients, default=0) + 1))
    return fmpq_poly([fmpq(c.numerator, c.denominator) for c in values])


def from_univariate(poly: fmpq_poly, name: str, rest: Monomial = ()) -> Poly:
    """The ring's copy of a polynomial in one variable, times a monomial that is free of it."""
    terms: Terms = {}
    for power, value in enumerate(poly.coeffs()):
        if value != 0:
            own: Monomial = ((variable_slot(name), Fraction(power)),) if power else ()
            terms[tuple(sorted((*rest, *own)))] = Fraction(int(value.p), int(value.q))
    return Poly(terms)


def divide(poly: Poly, divisor: Poly) -> Poly | None:
    """The quotient, if the divisor is a polynomial in one variable over the rationals and divides exactly."""
    name = min(divisor.variables(), default="")
    below = univariate(divisor, name)
    if below is None or below.degree() < 1:
        return None
    groups, slot = dict[Monomial, Terms](), variable_slot(name)
    for monomial, coefficient in poly.terms.items():
        rest = tuple((s, e) for s, e in monomial if s is not slot)
        groups.setdefault(rest, {})[tuple((s, e) for s, e in monomial if s is slot)] = coefficient
    total = Poly({})
    for rest, part in groups.items():
        above = univariate(Poly(part), name)
        if above is None or above.degree() < below.degree():
            return None
        quotient, remainder = divmod(above, below)
        if not remainder.is_zero():
            return None
        total = total + from_univariate(quotient, name, rest)
    return total
