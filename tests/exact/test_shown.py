"""How bounds are shown: every number that a person reads is on the safe side of the true one."""

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdpacct import Bound, InputError
from rdpacct.exact.bound import Side
from rdpacct.exact.decimals import formatted, full_decimal

VALUES = st.fractions(max_denominator=10**9).flatmap(
    lambda value: st.integers(-30, 30).map(lambda power: value * Fraction(10) ** power)
)
CODES = ["f", "e", "g", "%"]
THIRD = Bound(Fraction(1, 3), Fraction(1, 3))


def value_of(text: str) -> Fraction:
    """The number that a text says, exactly."""
    if text.endswith("%"):
        return Fraction(text[:-1].replace(",", "")) / 100
    return Fraction(text.replace(",", "").strip())


@given(VALUES, st.sampled_from(CODES), st.integers(0, 12))
def test_format_codes_round_to_the_safe_side(
    value: Fraction, kind: str, places: int
) -> None:
    """Up by less than one unit of the last place for most bounds, and down where too small is
    safe.
    """
    bound = Bound.exactly(value)
    up = format(bound, f".{places}{kind}")
    down = format(bound.safe_below(), f".{places}{kind}")
    assert value_of(down) <= value <= value_of(up)
    gap = value_of(up) - value_of(down)
    unit = Fraction(10) ** -places / (100 if kind == "%" else 1)
    if kind in "eg":
        unit = abs(value) * Fraction(10) ** (1 - max(places, 1))
    assert gap <= unit


@given(st.integers(-(10**6), 10**6), st.integers(0, 6), st.sampled_from("fe"))
def test_format_codes_agree_with_those_of_exact_decimals(
    figures: int, places: int, kind: str
) -> None:
    """Where nothing is rounded away, the text has the value and the length that Python's has."""
    value = Decimal(figures).scaleb(-places)
    shown = format(Bound.exactly(Fraction(value)), f".{6}{kind}")
    assert Fraction(shown) == Fraction(value)
    if kind == "f":
        assert shown == f"{value:.6f}"


@given(VALUES, VALUES)
def test_the_quoted_number_is_safe(one: Fraction, other: Fraction) -> None:
    """What is stated with <= is at least the upper end, with >= at most the lower one, with = the
    value.
    """
    bound = Bound(min(one, other), max(one, other))
    for shown in (bound, bound.safe_below()):
        name, sign, number = shown.stated("x").split()
        assert name == "x"
        if sign == "<=":
            assert Fraction(number) >= bound.upper
        elif sign == ">=":
            assert Fraction(number) <= bound.lower
        else:
            assert sign == "="
            assert bound.lower == bound.upper == Fraction(number)


def test_examples_of_quoted_numbers() -> None:
    """Six digits, rounded up or down; a short exact value is itself; an infinite one is said."""
    bound = Bound(Fraction("2.3815969"), Fraction("2.3815970"), "a method")
    assert bound.stated("epsilon") == "epsilon <= 2.38160"
    assert bound.safe_below().stated("x") == "x >= 2.38159"
    assert bound.lines("epsilon")[1] == "  certainly in [2.3815969, 2.381597]"
    assert Bound.exactly(Fraction(1, 4)).lines("x") == ["x = 0.25"]
    assert Bound.exactly(math.inf).lines("x") == ["x = inf"]
    assert Bound(Fraction(1), math.inf).stated("x") == "x <= inf"
    assert THIRD.stated("x") == "x <= 0.333334"
    assert full_decimal(Fraction("9.999996"), 6, math.ceil) == "10.0000"
    ends = (Fraction(float(THIRD.safe_below())), Fraction(float(THIRD)))
    assert ends[0] < Fraction(1, 3) < ends[1]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (".3f", "0.334"),
        (".0f", "1"),
        (".4g", "0.3334"),
        (".2e", "3.34e-01"),
        (".2E", "3.34E-01"),
        (".1%", "33.4%"),
        ("", "[0.33333333333333333, 0.33333333333333334]"),
        (">8.2f", "    0.34"),
        ("<8.2f", "0.34    "),
        ("*^8.2f", "**0.34**"),
        ("08.2f", "00000.34"),
        ("+.2f", "+0.34"),
        (".2", "0.34"),
        ("8", "0.333334"),
    ],
)
def test_format_codes(code: str, shown: str) -> None:
    """The codes of Python's floats, for a third."""
    assert format(THIRD, code) == shown


def test_signs_and_groups() -> None:
    """Commas are put into the whole part alone, and a sign stays."""
    assert f"{Bound.exactly(Fraction(-4, 3)):,.1f}" == "-1.3"
    assert f"{Bound.exactly(Fraction(-1, 3)):,.1f}" == "-0.3"
    assert f"{Bound.exactly(Fraction(1234567)):,.1f}" == "1,234,567.0"
    assert f"{Bound.exactly(math.inf):,.1f}" == "inf"
    assert formatted(Fraction(10) ** 5000, ".2f", math.ceil) == "1e+5000"


@pytest.mark.parametrize("code", ["d", "x", "s", "n", ".3d", ",e", ".9999f", "99999f"])
def test_other_codes_are_refused(code: str) -> None:
    """In a sentence that names some that are known."""
    with pytest.raises(InputError, match=r"is not one for a bound; use .*\.3f.*\.$"):
        format(THIRD, code)


@pytest.mark.parametrize(
    ("ask", "method"),
    [
        (lambda bound: bound < 5, "certainly_below"),
        (lambda bound: bound <= 5, "certainly_at_most"),
        (lambda bound: bound > 5, "certainly_above"),
        (lambda bound: bound >= 5, "certainly_above"),
        (lambda bound: max(5, bound), "certainly_above"),
        (lambda bound: round(bound, 2), 'f"{bound:.2f}"'),
        (lambda bound: sorted([bound, bound]), "certainly_below"),
    ],
)
def test_what_a_bound_does_not_do_names_what_to_ask(ask: Any, method: str) -> None:
    """Comparisons by signs and rounding to the nearest are refused."""
    with pytest.raises(TypeError, match=re.escape(method)):
        ask(THIRD)


def test_the_sides() -> None:
    """Two sides, each with its sign and its rounding."""
    assert (Side.UPPER.sign, Side.UPPER.rounding(Fraction(1, 2))) == ("<=", 1)
    assert (Side.LOWER.sign, Side.LOWER.rounding(Fraction(1, 2))) == (">=", 0)
    assert THIRD.safe_below() == THIRD


def test_a_notebook_shows_the_safe_number_and_warns() -> None:
    """The text of a method is escaped; a wide bound says so."""
    html = Bound(Fraction(1), Fraction(2), "<script>")._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "&lt;= 2.00000" in html
    assert "wide" in html
    assert "wide" not in THIRD._repr_html_()
