"""Expansions at the ends of pieces: they agree with values close to the end, and with known
limits.
"""

from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from rdpacct.proof.check.balls import Evaluation, rational_ball, working
from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.language import parse_expression
from rdpacct.proof.check.normal import normal
from rdpacct.proof.check.pieces import constant, rational_bounds
from rdpacct.proof.check.ring import Poly
from rdpacct.proof.check.series import Expansion, nonnegative_by_series
from rdpacct.proof.check.signs import Signs
from rdpacct.proof.check.slots import variable_slot
from rdpacct.proof.search.samples import value_at

# (formula, its end or None for infinity, whether the piece lies below the end)
FORMULAS = [
    ("exp(x)", "0", False),
    ("exp(x)", "exp(1)", True),
    ("log(exp(x)-1)-log(x)", "0", False),
    ("log(x)**2*x**3+x*log(x)", "0", False),
    ("sqrt(x)*exp(sqrt(x))-x**(1/3)", "0", False),
    ("log(1+sqrt(x))/x", "0", False),
    ("exp(x*log(x))", "0", False),
    ("exp(log(x)/2+x)", "0", False),
    ("exp(3*log(exp(x)-1)/2-x**2)", "0", False),
    ("log(2-x)*log(x)", "2", True),
    ("sqrt(2-x)+x**2", "2", True),
    ("log(x+1)-log(x)", None, True),
    ("x**2*log(1+1/x)-x", None, True),
    ("sqrt(x**2+x)-x", None, True),
    ("exp(1/x)*x**3", None, True),
    ("exp((x+1)/(x**2+2))*log(x)", None, True),
    ("(1+x)**7*log(pi+x)", "0", False),
    ("log(2+x)*sqrt(3+x)*pi**x", "0", False),
]


class Near(Signs):
    """Signs as they are at a point close to the end."""

    def __init__(self, end: Any, below: Any) -> None:
        super().__init__()
        self.point = Fraction(10**6)
        if end is not None:
            self.point = rational_bounds(constant(end))[0] + Fraction(
                -1 if below else 1, 10**6
            )
        if self.point > 0:
            self.learn(Poly.slot(variable_slot("x")), True)

    def primitive_sign(self, rest: Any, strict: bool = True) -> int:  # noqa: ARG002
        return int(value_at(rest, "x", self.point) or 0)


def polynomial(text: Any, end: Any, below: Any) -> Any:
    return normal(parse_expression(text), Near(end, below))


@pytest.mark.parametrize(("text", "end", "below"), FORMULAS)
@pytest.mark.parametrize("order", [2, 6, 9])
def test_what_is_left_out_is_small(
    text: str, end: str | None, below: bool, order: int
) -> None:
    value = polynomial(text, end, below)
    expansion = Expansion(
        "x", None if end is None else constant(end), below, Fraction(order)
    )
    series = expansion.poly(value.top)
    with working(2000):
        for power in (60, 90):
            t = arb(2) ** -power
            at = (
                1 / t
                if end is None
                else Evaluation({}).ratio(constant(end)) + (-t if below else t)
            )
            exact = Evaluation({"x": at}).poly(value.top)
            kept = arb(0)
            for (k, j), c in series.terms.items():
                factor = (t.log() * rational_ball(k)).exp() * t.log() ** j
                kept = kept + Evaluation({}).ratio(c) * factor
            # Powers of the logarithm count for less than half a power of t.
            bound = (
                t.log() * rational_ball(series.order - Fraction(1, 2))
            ).exp() * 1000
            assert abs(exact - kept) < bound


LIMITS = [
    # (formula, weight, end, below, whether the limit is not negative)
    ("log(exp(x)-1)-log(x)-x/2", "1", "0", False, True),
    ("x/2-log(exp(x)-1)+log(x)", "x", "0", False, True),
    ("x/2-log(exp(x)-1)+log(x)", "x**2", "0", False, False),
    ("x*log(x)", "1", "0", False, True),
    ("x*log(x)", "x", "0", False, False),
    ("-x*log(x)", "x", "0", False, True),
    ("x*log(x)", "sqrt(x)", "0", False, True),
    ("-x", "x*log(x)**2", "0", False, True),
    ("-x*log(x)**2", "x", "0", False, False),
    ("1-(x+1/2)*(log(x+1)-log(x))", "1", None, True, True),
    ("1-(x+1/2)*(log(x+1)-log(x))", "x**(-2)", None, True, False),
    ("x-sqrt(x**2+x)", "1", None, True, False),
    ("sqrt(x**2+x)-x-1/2", "1", None, True, True),
    ("sqrt(x**2+x)-x-1/2", "x**(-1)", None, True, False),
]


@pytest.mark.parametrize(("text", "weight", "end", "below", "right"), LIMITS)
def test_limits(
    text: str, weight: str, end: str | None, below: bool, right: bool
) -> None:
    poly, divisor = (polynomial(part, end, below).top for part in (text, weight))
    assert (
        nonnegative_by_series(
            poly, divisor, "x", None if end is None else constant(end), below
        )
        is right
    )


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("exp(x)", None),
        ("exp(log(x)**2)", "0"),
        ("exp(log(2)*log(x))", "0"),
        ("log(log(x))", None),
        ("exp(1/x)", "0"),
        ("erfc(x)", "0"),
        ("(1+log(x)**2)**(1/3)", "0"),
        ("exp(x)-exp(x)", "0"),
    ],
)
def test_what_has_no_expansion_is_rejected(text: str, end: str | None) -> None:
    poly = polynomial(text, end, end is None).top
    with pytest.raises(Rejected):
        nonnegative_by_series(
            Poly.number(1),
            poly,
            "x",
            None if end is None else constant(end),
            end is None,
        )
