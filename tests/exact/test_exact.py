"""Numbers, bounds, formulas, roots and suprema."""

import math
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint
import mpmath
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rdpacct import Bound, InputError
from rdpacct.exact.backend_integral import complex_quadrature, settled
from rdpacct.exact.ball import Ball, precision, refine
from rdpacct.exact.bound import decimal_down, decimal_up, round_down, round_up, worst
from rdpacct.exact.formula import Rational, Symbol, add, formula
from rdpacct.exact.functions import (
    PI,
    absolute,
    cbrt,
    cosh,
    erf,
    erfc,
    exp,
    log,
    maximum,
    minimum,
    normal_cdf,
    sinh,
    sqrt,
    tanh,
)
from rdpacct.exact.integral import integrate
from rdpacct.exact.number import rational
from rdpacct.exact.raw import MANY_FRACTIONS, fraction_sum
from rdpacct.exact.root import bracket
from rdpacct.exact.supremum import supremum_over

fractions = st.fractions(max_denominator=10**6)
X = Symbol("x")


@pytest.mark.parametrize(
    "tenth",
    ["0.1", "1/10", "1e-1", ".1", "00.10", Fraction(1, 10), Decimal("0.1"), "+0.1"],
)
def test_a_tenth_is_a_tenth(tenth: Any) -> None:
    """Text, fractions and decimals mean what they say."""
    assert rational(tenth) == Fraction(1, 10)


def test_a_float_means_its_binary_value() -> None:
    """A float is taken as the dyadic number that it is."""
    assert rational(0.1) == Fraction(0.1) != Fraction(1, 10)


NOT_NUMBERS = [
    *(
        "",
        "abc",
        "nan",
        "inf",
        "-inf",
        "1/0",
        "1e999999999",
        "1e99999999999999999999",
        "9" * 10**6,
        "0x10",
        "1_000",
    ),
    *(
        "\uff11",
        "1e",
        ".",
        "--1",
        "1 2",
        "__import__('os')",
        float("nan"),
        math.inf,
        Decimal("nan"),
        None,
        True,
        [1],
        1j,
    ),
]


@pytest.mark.parametrize("bad", NOT_NUMBERS, ids=lambda bad: repr(bad)[:20])
def test_what_is_not_a_number_is_refused_in_a_sentence(bad: Any) -> None:
    """Everything else is refused with a sentence that names the parameter."""
    with pytest.raises(InputError, match=r"^sigma .*\.$"):
        rational(bad, "sigma")


@given(st.lists(fractions, max_size=3 * MANY_FRACTIONS))
def test_sums_of_fractions_are_exact(values: list[Fraction]) -> None:
    """Few or many, in lowest terms; a formula adds them in the same way."""
    total = Fraction(0)
    for value in values:
        total = total + value
    assert fraction_sum(values) == total
    assert fraction_sum(values).as_integer_ratio() == total.as_integer_ratio()
    assert add(*values) == Rational(total)


@given(fractions)
def test_rounding_to_doubles_is_outward(value: Fraction) -> None:
    """The doubles around a fraction enclose it and are neighbors or equal."""
    low = round_down(value)
    high = round_up(value)
    assert Fraction(low) <= value <= Fraction(high)
    assert high in (low, math.nextafter(low, math.inf))


@given(st.fractions(), st.integers(-400, 400))
def test_decimal_text_is_outward(value: Fraction, exponent: int) -> None:
    """The printed decimals enclose the value, within one unit of the last digit."""
    value *= Fraction(10) ** exponent
    low = Fraction(decimal_down(value))
    high = Fraction(decimal_up(value))
    assert low <= value <= high
    assert high - low <= abs(value) * Fraction(1, 10**15)


def test_rounding_at_the_ends_of_the_double_range() -> None:
    """Beyond the largest and below the smallest double the ends stay valid."""
    huge = Fraction(10) ** 400
    tiny = Fraction(1, 10**400)
    assert (round_down(huge), round_up(huge)) == (sys.float_info.max, math.inf)
    assert (round_down(tiny), round_up(tiny)) == (0.0, 5e-324)
    assert round_up(-huge) == -sys.float_info.max


def test_a_bound_compares_only_what_is_certain() -> None:
    """Overlap is not equality, and an undecided comparison is false in both directions."""
    a = Bound(Fraction(1), Fraction(2))
    b = Bound(Fraction(3, 2), Fraction(3))
    c = Bound(Fraction(4), Fraction(5))
    assert a.overlaps(b)
    assert not a.certainly_below(b)
    assert not b.certainly_below(a)
    assert a.certainly_below(c)
    assert c.certainly_above(b)
    assert not a.certainly_above(Fraction(1))
    assert a.certainly_at_most(Fraction(2))
    assert not a.certainly_below(Fraction(2))
    assert float(a) == 2.0
    assert worst([a, c, b]) == c
    assert worst([a, b]) == Bound(Fraction(3, 2), Fraction(3))
    with pytest.raises(ValueError, match="lower <= upper"):
        Bound(Fraction(2), Fraction(1))
    with pytest.raises(TypeError):
        a < b  # noqa: B015


def test_the_backend_precision_is_left_alone() -> None:
    """No call changes the global precision of the backend."""
    flint.ctx.prec = 77
    try:
        exp(Fraction(1, 3)).ball(300)
        _ = Ball.of(Fraction(1, 3), 200) * 2
        integrate(exp(X), "x", 0, 1, 150)
        assert flint.ctx.prec == 77
    finally:
        flint.ctx.prec = 53


FUNCTIONS = [
    (exp, mpmath.exp, "all"),
    (log, mpmath.log, "positive"),
    (sqrt, mpmath.sqrt, "positive"),
    (tanh, mpmath.tanh, "all"),
    (sinh, mpmath.sinh, "all"),
    (cosh, mpmath.cosh, "all"),
    (erf, mpmath.erf, "all"),
    (erfc, mpmath.erfc, "all"),
    (absolute, abs, "all"),
    (cbrt, lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), "all"),
    (normal_cdf, mpmath.ncdf, "all"),
]


@pytest.mark.parametrize(
    ("ours", "theirs", "domain"),
    FUNCTIONS,
    ids=lambda f: getattr(f, "__name__", str(f)),
)
@given(st.fractions(-30, 30, max_denominator=1000))
def test_functions_enclose_the_true_value(
    ours: Callable[..., Any], theirs: Callable[..., Any], domain: str, x: Fraction
) -> None:
    """Every function of a formula encloses its value by mpmath at 50 digits, and narrowly."""
    x = abs(x) + Fraction(1, 1000) if domain == "positive" else x
    with mpmath.workdps(70):
        reference = theirs(mpmath.mpf(x.numerator) / x.denominator)
        bound = ours(x).bound()
        low, high = (
            mpmath.mpf(end.numerator) / end.denominator
            for end in (bound.lower, bound.upper)
        )
        slack = abs(reference) * mpmath.mpf(10) ** -60
        assert low - slack <= reference <= high + slack
    assert bound.relative_width < 1e-18


@given(st.fractions(-5, 5, max_denominator=50), st.fractions(-5, 5, max_denominator=50))
def test_one_formula_reads_the_same_in_sympy_and_in_balls(
    x: Fraction, y: Fraction
) -> None:
    """The symbolic reading of a formula, evaluated by sympy, lies in its enclosure."""
    y_symbol = Symbol("y")
    written = (
        maximum(X, y_symbol) * exp(-(X**2)) / (1 + X**2)
        + minimum(X, 1) ** 3
        - sqrt(2) * PI * tanh(y_symbol) / 7
    )
    ball = written.ball(200, x=x, y=y).bound()
    symbolic = written.sympy(
        x=sympy.Rational(x.numerator, x.denominator),
        y=sympy.Rational(y.numerator, y.denominator),
    )
    value = Fraction(str(sympy.N(symbolic, 50)))
    assert ball.lower - Fraction(1, 10**40) <= value <= ball.upper + Fraction(1, 10**40)
    assert written.at(x=x, y=y).ball(200).bound().overlaps(ball)


def test_a_third_is_inside_its_ball() -> None:
    """x/3 is evaluated exactly: no double sneaks in."""
    bound = (X / 3).ball(120, x=1).bound()
    assert bound.lower < Fraction(1, 3) < bound.upper
    assert (formula(1) / 3).bound() == Bound.exactly(Fraction(1, 3))


def test_exact_values_stay_exact() -> None:
    """What is rational is folded exactly."""
    assert sqrt(Fraction(9, 4)) == Rational(Fraction(3, 2))
    assert (sqrt(X) ** 2) == X
    assert exp(0) == formula(1)
    assert log(exp(X)) == X
    assert formula(0) == X * 0
    assert (X + 1 - 1) == X


def test_a_formula_with_an_open_symbol_has_no_value() -> None:
    """Evaluating a formula with an open symbol is refused in a sentence."""
    with pytest.raises(InputError, match="x is open"):
        (X + 1).ball(64)


def test_division_by_an_uncertain_zero_is_not_finite() -> None:
    """A ball around zero has no inverse: nothing is known, and nothing is claimed."""
    assert not (1 / Ball.hull(Fraction(-1), Fraction(1), 64)).finite()
    assert not Ball.hull(Fraction(-1), Fraction(1), 64).log().finite()


def test_powers_of_balls_around_zero_are_enclosed() -> None:
    """Integer powers are defined on balls around zero, where the backend's own are not."""
    square = (Ball.hull(Fraction(-1), Fraction(1), 64) ** 2).bound()
    assert square.contains(0)
    assert square.contains(1)
    assert square.upper < 2


@pytest.mark.parametrize("accuracy", [40, 64, 128])
def test_refined_values_are_known_to_more_than_is_asked_for(accuracy: int) -> None:
    """Of exp(1/3) less the first terms of its series, which loses bits, against mpmath."""
    x = formula(Fraction(1, 3))
    rest = exp(x) - 1 - x - x * x / 2
    ball = refine(rest.ball, accuracy)
    bound = ball.bound()
    assert isinstance(bound.lower, Fraction)
    assert isinstance(bound.upper, Fraction)
    assert ball.accuracy_bits() >= accuracy + 24
    with mpmath.workprec(600):
        third = mpmath.mpf(1) / 3
        truth = mpmath.nsum(lambda k: third**k / mpmath.factorial(k), [3, mpmath.inf])
        assert mpmath.mpf(bound.lower.numerator) / bound.lower.denominator <= truth
        assert mpmath.mpf(bound.upper.numerator) / bound.upper.denominator >= truth


def test_refine_stops_at_its_limit() -> None:
    """A value that stays uncertain is returned wide, not forever refined."""
    x = formula(Fraction(1, 3))
    assert (
        refine(lambda bits: (exp(x) - exp(x)).ball(bits), limit=400).bound().contains(0)
    )


def test_undeclared_kinks_cost_width_and_never_validity() -> None:
    """The integral of |x| over [-1, 2] is 5/2 with the kink declared, and still enclosed
    without.
    """
    declared = integrate(absolute(X), "x", -1, 2, 100, kinks=[0]).bound()
    undeclared = integrate(absolute(X), "x", -1, 2, 60).bound()
    assert declared.contains(Fraction(5, 2))
    assert declared.relative_width < 1e-25
    assert undeclared.contains(Fraction(5, 2))


@given(st.fractions(Fraction(1, 1000), 1000, max_denominator=10**4))
def test_bracket_encloses_a_known_root(target: Fraction) -> None:
    """The bracket of target - x**2 encloses the square root, closely."""
    low, high = bracket(
        lambda x, bits: Ball.of(target - x**2, bits), Fraction(0), Fraction(1000)
    )
    assert low**2 <= target <= high**2
    assert (high - low) <= high * Fraction(1, 2**48)


def test_bracket_at_a_rational_root() -> None:
    """A root that is hit exactly, where no sign can be decided, is enclosed all the same."""
    low, high = bracket(lambda x, bits: Ball.of(1 - x, bits), Fraction(0), Fraction(2))
    assert low <= 1 <= high
    assert high - low < Fraction(1, 2**40)


def test_supremum_of_a_parabola() -> None:
    """x (1 - x) over [0, 1] has the supremum 1/4."""
    found = supremum_over(
        [(Fraction(0), Fraction(1))],
        lambda cell: cell[1] * (1 - cell[0]),
        lambda cell: (
            (m := (cell[0] + cell[1]) / 2) * (1 - m),
            [(cell[0], m), (m, cell[1])],
        ),
        Fraction(0),
        Fraction(0),
        Fraction(1, 2**12),
    )
    assert found.contains(Fraction(1, 4))
    assert found.relative_width < 1e-3


def integral_after(*precisions: int) -> list[tuple[Any, Any]]:
    """The integral of the backend and ours at 120 bits, after those at other precisions."""

    def integrand(z: flint.acb, _analytic: bool) -> flint.acb:
        return (z / 7).exp() / (3 + z * z) + (z * z).exp() / 9

    flint.ctx.cleanup()
    ends: list[tuple[Any, Any]] = []
    for bits in (*precisions, 120):
        with precision(bits):
            values = (
                flint.acb.integral(integrand, 0, 3).real,
                complex_quadrature(integrand, flint.arb(0), flint.arb(3)).real,
            )
            ends = [(v.mid().man_exp(), v.rad().man_exp()) for v in values]
    return ends


def test_an_integral_does_not_depend_on_those_before_it() -> None:
    """That of the backend does, in the last bits of its radius."""
    theirs, ours = integral_after()
    for before in (121, 150, 240, 900):
        theirs_later, ours_later = integral_after(before)
        assert ours == ours_later
        if before == 121:
            assert theirs != theirs_later


@pytest.mark.parametrize("radius", [1, 255, 256, 257, 2**30 - 1, 2**29 + 1])
@pytest.mark.parametrize("exponent", [-900, -170, 0, 77])
def test_a_settled_integral_holds_the_whole_ball(radius: int, exponent: int) -> None:
    """Its radius is at least what is asked, and otherwise at most 1/128 more but for the rounding
    of the midpoint.
    """
    size = flint.arb(radius) * flint.arb(2) ** exponent
    middle = flint.arb(7) ** 90
    with precision(400):
        value = flint.arb(middle, size)
        for least in (flint.arb(0), flint.arb(2) ** -100, flint.arb(2) ** 200):
            plain = settled(value, least, 120)
            rounding = middle * flint.arb(2) ** -143
            most = (value.rad() + rounding).max(least) * (1 + flint.arb(2) ** -7)
            assert plain.contains(value)
            assert plain.rad() >= least
            assert plain.rad() <= most


def test_what_has_no_radius_stays() -> None:
    assert settled(flint.arb(3), flint.arb(1), 64).is_exact()
    assert not settled(flint.arb("nan"), flint.arb(1), 64).is_finite()
