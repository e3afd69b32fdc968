"""No false claim is proved: sharp constants of true claims are nudged past their margin."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rdpacct.proof.language import KERNEL_FUNCTIONS
from rdpacct.proof.prove import Settled, prove

# (claim with the nudge e > 0 that makes it false, what is given, the largest nudge at which it is
# false)
SHARP = [
    ("exp(x) >= 1+x+{e}", [], 1),
    ("exp(x) >= 1+(1+{e})*x", [], 1),
    ("exp(x) >= (exp(1)+{e})*x", [], 1),
    ("exp(x) > 1+x", ["x>-{e}"], 1),
    ("exp(x) >= 1+x+x**2/2", ["x>=-{e}"], 1),
    ("exp(x) >= 1+x+(1/2+{e})*x**2", ["x>=0"], 1),
    ("log(x) <= x/exp(1)-{e}", ["x>0"], 1),
    ("log(x) <= x/(exp(1)+{e})", ["x>0"], 1),
    ("log(x) < x/exp(1)", ["x>exp(1)-{e}"], 1),
    ("log(1+x) <= x-{e}*x", ["x>0"], 1),
    ("log(1+x) <= x-x**2/2", ["-1<x<={e}"], 1),
    ("log(1+x) >= x-(1/2-{e})*x**2", ["x>=0"], Fraction(1, 2)),
    ("log(cosh(x)) <= x**2/(2+{e})", [], 1),
    ("log(cosh(x)) < x**2/2", ["x>-{e}"], 1),
    ("cosh(x) <= exp((1/2-{e})*x**2)", [], Fraction(1, 2)),
    ("sinh(x)/x <= exp(x**2/(6+{e}))", ["x>0"], 1),
    ("sinh(x) >= x", ["x>=-{e}"], 1),
    ("sinh(x) >= x+(1/6+{e})*x**3", ["x>=0"], 1),
    ("tanh(x) <= x-(1/3+{e})*x**3+2/15*x**5", ["0<=x<=1"], 1),
    ("(exp(x)-1)/(exp(x)+1) <= x/(2+{e})", ["x>0"], 1),
    ("1-exp(-x) >= x-(1/2-{e})*x**2", ["x>=0"], Fraction(1, 2)),
    ("erfc(x) <= exp(-x**2)", ["x>=-{e}"], Fraction(1, 10)),
    ("erfc(x) <= (1-{e})*exp(-x**2)", ["x>=0"], 1),
    ("erfc(x) >= 1-(2/sqrt(pi)-{e})*x", ["x>=0"], Fraction(1, 10)),
    ("sqrt(1+x) <= 1+(1/2-{e})*x", ["x>=0"], Fraction(1, 2)),
    ("x*(1-x) <= 1/4-{e}", [], Fraction(1, 4)),
    ("x**x >= exp(-exp(-1))+{e}", ["x>0"], Fraction(1, 10)),
    ("abs(x) >= x+{e}", [], 1),
    ("(x-1)**2 > 0", ["x>1-{e}"], 1),
    ("x**2 >= {e}*x", [], 1),
    ("-x*log(x) <= 1/exp(1)-{e}", ["0<x<1"], Fraction(1, 10)),
    ("-p*log(p)-(1-p)*log(1-p) <= log(2)-{e}", ["0<p<1"], Fraction(1, 2)),
    ("log(1-p+p*exp(h))-p*h <= h**2/(8+{e})", ["0<p<1"], 1),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= (2+{e})*(p-q)**2", ["0<p<1", "0<q<1"], 1),
    ("x*y <= x*log(x)+(1-{e})*exp(y-1)", ["x>0"], 1),
    ("x*y <= x*log(x)+exp(y-1)-{e}", ["x>0"], Fraction(1, 10)),
    ("(x+y)/2 >= (1+{e})*sqrt(x*y)", ["x>0", "y>0"], 1),
    ("x**2+y**2 >= (2+{e})*x*y", [], 1),
    ("x**2+y**2+z**2 >= (1+{e})*(x*y+y*z+z*x)", [], 1),
    ("max(x, y) >= (x+y)/2+{e}", [], 1),
    ("(1+x)**r >= 1+(1+{e})*r*x", ["x>-1", "r>=1"], 1),
    ("y >= 1+x", ["y == exp(x)-{e}"], 1),
    ("y <= 3-{e}", ["y == 2*x+1", "x<=1"], 1),
    ("(r-exp(-e))/(exp(e)-exp(-e)) <= 1-{e}", ["e>0", "r<=exp(e)"], 1),
    ("log((exp(x)-1)/x)+x/(exp(x)-1)-1 <= x**2/(8+{e})", ["x>0"], 1),
    ("(x+1/2-{e})*log(1+1/x) >= 1", ["x>0"], Fraction(1, 2)),
    ("log(1+exp(x)) >= max(x, 0)+{e}", [], 1),
    ("l**2 <= e**2", ["-e<=l", "l<=e+{e}"], 1),
    ("x*y >= 1+{e}", ["x>=1", "y>=1/x"], 1),
    ("cos(x) >= 1-x**2/(2+{e})", [], 1),
    ("cos(x) <= 1-{e}", [], 1),
    ("sin(x) <= x", ["x>=-{e}"], 1),
    ("sin(x) >= 0", ["0<=x<=pi+{e}"], 1),
    ("sin(x) >= (2/pi+{e})*x", ["0<=x<=pi/2"], 1),
    ("1-cos(x) >= (2+{e})*x**2/pi**2", ["0<=x<=pi"], 1),
    ("x*sin(x)+2*cos(x) <= 2-{e}", ["0<=x<=pi"], 1),
    ("y*cos(x) <= y", ["y>=-{e}"], 1),
]

TRUE = [
    (text.format(e="0"), [one.format(e="0") for one in assumptions])
    for text, assumptions, _ in SHARP
]


def nudged(row: Any, size: Any) -> Any:
    """The false claim of a row, nudged by a part of what it allows."""
    text, assumptions, largest = row
    amount = Fraction(size) * largest
    shown = f"({amount.numerator}/{amount.denominator})"
    return text.format(e=shown), [one.format(e=shown) for one in assumptions]


@st.composite
def nudges(draw: Any) -> Fraction:
    """From 1e-1 down to 1e-15, with a few digits."""
    return Fraction(draw(st.integers(1, 10)), 10 ** draw(st.integers(2, 16)))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from(SHARP), nudges())
def test_nudged_claims_are_not_proved(row: Any, size: Any) -> None:
    """A claim past its margin is refuted or undecided, never proved."""
    claim, assumptions = nudged(row, size)
    assert (
        prove(claim, assumptions, timeout=0.5, functions=KERNEL_FUNCTIONS).settled
        is not Settled.PROVED
    )


@pytest.mark.slow
@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.sampled_from(SHARP), nudges())
def test_many_nudged_claims_are_not_proved(row: Any, size: Any) -> None:
    claim, assumptions = nudged(row, size)
    assert (
        prove(claim, assumptions, timeout=2, functions=KERNEL_FUNCTIONS).settled
        is not Settled.PROVED
    )


@pytest.mark.parametrize(("claim", "assumptions"), TRUE, ids=str)
def test_claims_are_true_before_they_are_nudged(claim: str, assumptions: Any) -> None:
    assert (
        prove(claim, assumptions, functions=KERNEL_FUNCTIONS).settled is Settled.PROVED
    )


def test_the_nudges_are_about_claims_that_are_not_vacuous() -> None:
    """At the largest nudge most claims are refuted, so that the test above asks for something."""
    worst = [nudged(row, Fraction(1, 10)) for row in SHARP]
    refuted = [
        prove(claim, given, timeout=1, functions=KERNEL_FUNCTIONS).settled
        is Settled.REFUTED
        for claim, given in worst
    ]
    assert sum(refuted) >= 0.9 * len(SHARP)
