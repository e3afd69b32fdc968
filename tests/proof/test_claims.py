"""Claims: their language, their domains, and counterexamples that are certified."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rdpacct import InputError
from rdpacct.proof.claim import Claim
from rdpacct.proof.domain import ranges
from rdpacct.proof.language import read_comparisons
from rdpacct.proof.refute import refute
from tests.counting import counted_calls

FALSE = [
    ("log(x) <= x/2.7182819", ["x>0"]),
    ("exp(x) <= 1+x+x**2", ["0<=x<=1.7933"]),
    ("tanh(x) <= x - x**3/3 + x**5/8", ["x>0"]),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= 2.0001*(p-q)**2", ["0<p<1", "0<q<1"]),
    ("log(1-p+p*exp(h)) - p*h <= h**2/8.00001", ["0<p<1"]),
    ("erfc(x) <= exp(-x**2) - 1e-9*x", ["x>=0"]),
    ("1+x <= exp(x) - 1e-12", []),
]
"""False claims that must be refuted."""

HARDER = [
    ("log(x) <= x/2.718281828459045235360287471352662498", ["x>0"]),
    ("(x-1000000)**2 >= 1e-12", []),
    ("(x-1e12)**2 > 0", []),
    ("abs(x-0.123456789) >= 1e-9", ["0<=x<=1"]),
    ("abs(x-1e-9) >= 1e-16", []),
    ("exp(-1000*abs(x-0.37)) <= 0.5", ["0<=x<=1"]),
    ("1/(1+1e8*(x-0.377)**2) <= 0.9", ["0<=x<=1"]),
    ("1/(1+1e10*(x-sqrt(2)/2)**2) <= 0.9", ["0<=x<=1"]),
    ("(x-0.7)**2+(y-0.3)**2 >= 1e-10", ["0<x<1", "0<y<1"]),
    ("sqrt(x*y) <= (x-y)/(log(x)-log(y)) - 1e-9*x", ["x>y>0"]),
    ("(x+y+z)**3 >= 27.0001*x*y*z", ["x>0", "y>0", "z>0"]),
    ("x**2+y**2+z**2 >= 1e-9", []),
    ("x*(1-x) < 1/4", ["0<x<1"]),
    ("x + 1/x > 2", ["x>0"]),
    ("x == x + 1", []),
    ("x**2 != 2*x - 1", []),
    ("x > 0", ["x>=0"]),
    ("2 < 1", []),
    ("sqrt(x)**2 >= 0.5", []),
]


def claim_of(conclusion: Any, assumptions: Any) -> Any:
    """The claim of two texts."""
    given_relations = [one for text in assumptions for one in read_comparisons(text)]
    return Claim(tuple(given_relations), read_comparisons(conclusion)[0])


@pytest.mark.parametrize(("conclusion", "assumptions"), FALSE + HARDER, ids=str)
def test_false_claims_are_refuted_at_a_certified_point(
    conclusion: str, assumptions: Any
) -> None:
    """A point is found in time, satisfies the assumptions and breaks the conclusion."""
    claim = claim_of(conclusion, assumptions)
    point = refute(claim, 10)
    assert point is not None
    assert claim.fails_at(point)
    assert set(point) == set(claim.variables())


TRUE = [
    ("exp(x) >= 1+x", []),
    ("log(x) <= x/exp(1)", ["x>0"]),
    ("log(x) <= x - 1", ["x>0"]),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= 2*(p-q)**2", ["0<p<1", "0<q<1"]),
    ("log(1-p+p*exp(h)) - p*h <= h**2/8", ["0<p<1"]),
    ("x + 1/x >= 2", ["x>0"]),
    ("sqrt(x)**2 >= 0", []),
    ("log(x) - log(x) + x >= 0", []),
    ("(x-1)**2 >= 0", []),
]


@pytest.mark.parametrize(("conclusion", "assumptions"), TRUE, ids=str)
def test_true_claims_are_not_refuted(conclusion: str, assumptions: Any) -> None:
    """Contact points, and points where a side is undefined, are no counterexamples."""
    assert refute(claim_of(conclusion, assumptions), 1) is None


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.fractions(-50, 50, max_denominator=997), st.integers(2, 14))
def test_narrow_wells_are_found_anywhere(center: Fraction, digits: int) -> None:
    """A parabola that dips below zero on a tiny interval around any rational is caught."""
    width = Fraction(1, 10**digits)
    text = (
        f"(x - ({center.numerator}/{center.denominator}))**2 >="
        f" {width.numerator}/{width.denominator}"
    )
    claim = claim_of(text, ["-100 <= x <= 100"])
    point = refute(claim, 5)
    assert point is not None
    assert (point["x"] - center) ** 2 < width


BAD = {
    "unknown function": "foo(x) > 1",
    "unbalanced": "(x > 1",
    "overbalanced": "x > 1)",
    "no relation": "x + 1",
    "dunder": "__class__ > 1",
    "attribute": "x.__class__ > 1",
    "50 kB": "x + " * 12_500 + "x > 0",
    "division by the constant 0": "x/0 > 1",
    "division by a folded 0": "x/(1-1) > 1",
    "0 to the power -1": "0**-1 > x",
    "two relations in a row": "x > > 1",
    "function without argument": "exp > 1",
    "too many arguments": "exp(x, y) > 1",
    "too few arguments": "min(x) > 1",
    "huge power": "x**100000 > 1",
    "deep": "(" * 5000 + "x" + ")" * 5000 + " > 1",
    "deep minus": "-" * 5000 + "x > 1",
    "and": "x > 1 and y > 1",
    "unicode": "x\u00b2 > 1",
    "look-alike": "\u0435xp(x) > 1",
    "long number": "x > " + "9" * 5000,
    "empty": "",
    "string": "'x' > 1",
    "lambda": "lambda: 1 > 0",
    "assignment": "x = 1",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_claims_are_refused(name: str) -> None:
    """What is not a claim is refused in one sentence, at once."""
    with (
        counted_calls() as steps,
        pytest.raises(InputError, match=r"^[^\n]{20,400}\.$"),
    ):
        read_comparisons(BAD[name])
    assert steps.number < 100_000


def test_precedence_and_exact_numbers() -> None:
    """Signs, powers and decimals are read as in mathematics."""
    point = {"x": Fraction(3)}
    for text, holds in [
        ("-x**2 == -9", True),
        ("2**-1 == 0.5", True),
        ("x**2**1 == 9", True),
        ("1/3*x == 1", True),
        ("0.1 + 0.2 == 0.3", True),
        ("x - 1 - 1 == 1", True),
        ("12/2/3 == 2", True),
        ("1e-3*1000 == 1", True),
        ("min(x, 4) == 3", True),
        ("max(x, 4) > 4", False),
        ("cbrt(-8) == -2", True),
        ("log(-x) > 0", None),
    ]:
        assert read_comparisons(text)[0].at(point) is holds, text


def test_ranges_of_variables() -> None:
    """Assumptions on single variables give intervals, open or closed, with irrational ends
    enclosed.
    """
    where = ranges(claim_of("x > y", ["0 < x <= 1", "y >= exp(1)", "x < y"]))
    assert (
        where["x"].low.lower,
        where["x"].low_open,
        where["x"].high.upper,
        where["x"].high_open,
    ) == (
        0,
        True,
        1,
        False,
    )
    assert where["y"].low.lower < where["y"].low.upper < Fraction(27183, 10000)
    assert ranges(claim_of("x > 0", ["x > 1", "x < 1"]))["x"].certainly_empty()
    assert not ranges(claim_of("x > 0", ["x >= 1", "x <= 1"]))["x"].certainly_empty()


def test_what_is_excluded_is_said() -> None:
    """The conditions under which the sides are defined are listed."""
    claim = claim_of("p*log(p/q) >= sqrt(1 - p)/(q - 1)", [])
    assert claim.excluded() == ("q != 0", "p/q > 0", "1 - p >= 0", "q - 1 != 0")
