"""The ring of the checker: rational numbers, whole ones as ints."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdpacct.proof.check.ring import Poly
from rdpacct.proof.check.slots import variable_slot, whole


def test_the_ring_has_rational_numbers_only() -> None:
    """A quotient of two ints would be a float: no polynomial takes one."""
    slot = variable_slot("x")
    for number in (Fraction(1, 3), 2, -5):
        assert Poly.number(number).constant() == number
    for wrong in (1 / 3, 2.0):
        with pytest.raises(AttributeError):
            Poly({((slot, 1),): wrong})  # type: ignore[dict-item]
        with pytest.raises(AttributeError):
            Poly.slot(slot).scaled(wrong)  # type: ignore[arg-type]


@given(st.lists(st.fractions(max_denominator=9).filter(bool), min_size=1, max_size=4))
def test_whole_numbers_and_fractions_are_the_same_coefficients(
    numbers: list[Fraction],
) -> None:
    slot = variable_slot("x")
    as_fractions = Poly({((slot, Fraction(k)),): c for k, c in enumerate(numbers, 1)})
    as_wholes = Poly({((slot, k),): whole(c) for k, c in enumerate(numbers, 1)})
    assert as_fractions == as_wholes
    assert as_fractions.text == as_wholes.text
    assert as_fractions.bits == as_wholes.bits
    assert as_fractions * as_fractions == as_wholes * as_wholes
