"""Slots: the generators of the ring, each one real function of the variables, known by its text."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from rdpacct.proof.check.effort import EFFORT, Rejected

if TYPE_CHECKING:
    from rdpacct.proof.check.ring import Poly, Ratio

Number = int | Fraction
"""A rational number; whole ones are mostly of the type int, which is fast. A quotient is
made from a Fraction: that of two ints would be a float.
"""


def whole(value: Number) -> Number:
    """The same number, as an int if it is one."""
    return value.numerator if value.denominator == 1 else value


def size(value: Number) -> Number:
    """The absolute value."""
    return -value if value < 0 else value


Monomial = tuple[tuple["Slot", Number], ...]
TURNS = ("cos", "sin")
MAX_TEXT = 50_000
"""The characters of a slot, which are repeated wherever it stands."""


class Slot:
    """A generator of the ring; equal kinds and texts are the same object, until the slots are
    forgotten.

    Kinds: ``variable``, ``pi``, ``prime`` (a positive integer under a fractional power), ``exp``,
        ``cos`` and
    ``sin`` (of a ratio), ``log`` and ``root`` (of a polynomial that is positive), ``erfc`` (of a
    polynomial).
    """

    kind: str
    text: str
    degree: int
    _poly: "Poly | None"
    _ratio: "Ratio | None"

    def __new__(
        cls,
        kind: str,
        text: str,
        poly: "Poly | None" = None,
        ratio: "Ratio | None" = None,
        degree: int = 1,
    ) -> "Slot":
        EFFORT.spend(2 + len(text) // 64)
        if len(text) > MAX_TEXT:
            raise Rejected("a function has too long an argument.")
        known = KNOWN.slots
        slot = known.get((kind, text))
        if slot is None:
            slot = super().__new__(cls)
            slot.kind = kind
            slot.text = text
            slot._poly = poly
            slot._ratio = ratio
            slot.degree = degree
            known[kind, text] = slot
        return slot

    @property
    def polynomial(self) -> "Poly":
        """The argument of a log, root or erfc slot."""
        if self._poly is None:
            raise Rejected(f"the slot {self.text} has no polynomial argument.")
        return self._poly

    @property
    def ratio(self) -> "Ratio":
        """The argument of an exp, cos or sin slot."""
        if self._ratio is None:
            raise Rejected(f"the slot {self.text} has no ratio for its argument.")
        return self._ratio

    @property
    def number(self) -> int:
        """The integer of a prime slot."""
        return int(self.text)

    def __lt__(self, other: "Slot") -> bool:
        return self.text < other.text

    def __repr__(self) -> str:
        return self.text


LASTING: dict[tuple[str, str], Slot] = {}
"""The slots that are never forgotten: those of constants of the ring."""


class SlotsOfThread(threading.local):
    """The slots that this thread has met."""

    def __init__(self) -> None:
        self.slots = dict(LASTING)


KNOWN = SlotsOfThread()


@contextmanager
def fresh_slots() -> Iterator[None]:
    """Forget at the end what slots were met within; what was known before is not seen within."""
    before = KNOWN.slots
    KNOWN.slots = dict(LASTING)
    try:
        yield
    finally:
        KNOWN.slots = before


def variable_slot(name: str) -> Slot:
    """The slot of a variable."""
    return Slot("variable", name)


PI = Slot("pi", "pi")
LASTING |= {
    (slot.kind, slot.text): slot
    for slot in (PI, Slot("prime", "2"), Slot("prime", "3"))
}


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


def turn_slot(kind: str, argument: "Ratio") -> Slot:
    """The slot cos(argument) or sin(argument)."""
    return Slot(kind, f"{kind}({argument.text})", ratio=argument)


def prime_slot(number: int) -> Slot:
    """The slot of a positive integer, used under powers strictly between 0 and 1."""
    return Slot("prime", str(number))


def _power_text(slot: Slot, exponent: Number) -> str:
    if exponent == 1:
        return slot.text
    base = f"({slot.text})" if slot.kind == "root" else slot.text
    if exponent.denominator == 1 and exponent > 0:
        return f"{base}**{exponent}"
    return f"{base}**({exponent})"


def monomial_text(monomial: Monomial) -> str:
    """The monomial as text of the language; empty for 1."""
    return "*".join(_power_text(slot, exponent) for slot, exponent in monomial)
