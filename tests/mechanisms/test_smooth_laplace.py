"""Laplace noise on a smooth scale: the closed forms against direct integration, and the frontier of
the printed eta.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct.errors import InputError
from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import absolute, exp, log
from rdpacct.proof.kernel import (
    Density,
    E,
    Refused,
    Stretch,
    assume,
    combine,
    either,
    equal,
    integrate,
    real,
    relations,
    under,
)
from rdpacct.sensitivity import (
    exact_eta,
    first_failing_alpha,
    largest_beta,
    printed_eta,
    sufficient_eta,
)
from tests.grids import thinned

ALPHAS = ["0.1", "1", "3", "10"]
BETAS = ["0.05", "0.5", "1.25", "2", "4"]


def is_below(one: Any, other: Any) -> Any:
    """Certainly smaller, also for numbers that are too small for a bound."""
    return (log(other) - log(one)).ball(256).certainly_positive()


def hockey_stick(alpha: Any, p: Any, q: Any, unit: int = 1) -> Any:
    """The integral of max(p - exp(2 alpha) q, 0)/unit over the line, for Laplace laws given as
    (mean, scale).

    The quadrature aims at an absolute error, so that the unit should have the size of the result.
    The line is cut at both means and wherever the two densities cross, which linear equations on
    each side give.
    """
    (a, s), (b, t) = p, q
    level = 2 * alpha + mpmath.log(s / t)

    def excess(z: Any) -> Any:
        first = -abs(z - a) / s
        second = 2 * alpha + mpmath.log(s / t) - abs(z - b) / t
        if first > second:
            return (mpmath.exp(first) - mpmath.exp(second)) / (2 * s * unit)
        return mpmath.mpf(0)

    cuts = {a, b}
    for left, right in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        slope = right / t - left / s
        if slope:
            cuts.add((level + right * b / t - left * a / s) / slope)
    points = sorted(cuts)
    span = 4 * max(s, t)
    ends = (
        [points[0] - span * 2**i for i in range(6, -1, -1)],
        [points[-1] + span * 2**i for i in range(7)],
    )
    return mpmath.quad(excess, [-mpmath.inf, *ends[0], *points, *ends[1], mpmath.inf])


@pytest.mark.parametrize(("alpha", "beta"), thinned(2, ALPHAS, BETAS))
def test_the_exact_eta_agrees_with_integration_to_30_digits(
    alpha: str, beta: str
) -> None:
    """At the largest shift and ratio the broader law attains it."""
    with mpmath.workdps(50):
        a = mpmath.mpf(alpha)
        b = mpmath.mpf(beta)
        upper = Fraction(exact_eta(alpha, beta).bound(accuracy=160).upper)
        eta = mpmath.mpf(upper.numerator) / upper.denominator
        found = hockey_stick(a, (a, mpmath.exp(b)), (mpmath.mpf(0), mpmath.mpf(1)), eta)
        assert abs(found - 1) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize(
    ("alpha", "beta", "shift", "part"),
    thinned(
        3,
        ["0.1", "1", "3"],
        ["0.5", "2", "4"],
        [0, Fraction(1, 2), 1],
        [Fraction(1, 3), 1],
    ),
)
def test_no_pair_exceeds_the_exact_eta(
    alpha: str, beta: str, shift: Fraction | int, part: Fraction | int
) -> None:
    """In both orders, for smaller shifts and ratios too."""
    with mpmath.workdps(30):
        a = mpmath.mpf(alpha)
        b = mpmath.mpf(beta)
        mean = a * mpmath.mpf(shift.numerator) / shift.denominator
        broad = mean, mpmath.exp(b * mpmath.mpf(part.numerator) / part.denominator)
        narrow = mpmath.mpf(0), mpmath.mpf(1)
        most = float(exact_eta(alpha, beta).bound())
        for p, q in ((broad, narrow), (narrow, broad)):
            assert hockey_stick(a, p, q) <= most * (1 + 1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("beta", BETAS)
def test_the_simple_eta_holds_everywhere(alpha: str, beta: str) -> None:
    """exp(-alpha/(exp(beta) - 1)) is above the exact one."""
    assert is_below(exact_eta(alpha, beta), sufficient_eta(alpha, beta))


@pytest.mark.parametrize("alpha", ["0.01", "1", "100", "10000"])
@pytest.mark.parametrize("beta", ["0.01", "0.5", "1", "1.2564"])
def test_the_printed_eta_holds_up_to_the_largest_beta(alpha: str, beta: str) -> None:
    """Whatever alpha is."""
    assert largest_beta().certainly_above(Fraction(beta))
    assert is_below(exact_eta(alpha, beta), printed_eta(alpha, beta))
    assert first_failing_alpha(beta) is None


@pytest.mark.parametrize(
    ("alpha", "beta"),
    [("1", "4.2"), ("5", "2.8"), ("20", "1.8"), ("50", "1.5"), ("1e6", "1.257")],
)
def test_the_printed_eta_fails_at_certified_points(alpha: str, beta: str) -> None:
    """The exact value is certainly larger."""
    assert largest_beta().certainly_below(Fraction(beta))
    assert is_below(printed_eta(alpha, beta), exact_eta(alpha, beta))


@pytest.mark.parametrize("beta", ["1.26", "1.5", "2", "5", "20"])
def test_the_frontier_is_certified_at_both_ends(beta: str) -> None:
    """The printed eta holds at the lower end, and fails at the upper end and ten times beyond."""
    frontier = first_failing_alpha(beta)
    assert frontier is not None
    assert frontier.relative_width < 1e-12
    assert is_below(exact_eta(frontier.lower, beta), printed_eta(frontier.lower, beta))
    for alpha in (frontier.upper, 10 * frontier.upper):
        assert is_below(printed_eta(alpha, beta), exact_eta(alpha, beta))


def test_the_largest_beta_is_the_root() -> None:
    """exp(beta) = 1 + 2 beta, by the branch -1 of the Lambert function: beta = -W(-exp(-1/2)/2) -
    1/2.
    """
    bound = largest_beta()
    with mpmath.workdps(30):
        root = (
            -mpmath.lambertw(-mpmath.exp(mpmath.mpf(-1) / 2) / 2, -1).real
            - mpmath.mpf(1) / 2
        )
        assert float(bound.lower) <= root * (1 + mpmath.mpf(10) ** -15)
        assert float(bound.upper) >= root * (1 - mpmath.mpf(10) ** -15)
    assert bound.relative_width < 1e-15


def test_the_formulas_take_symbols() -> None:
    """The same expression at a symbol, filled in later."""
    alpha = Symbol("alpha")
    beta = Symbol("beta")
    for eta in (exact_eta, printed_eta, sufficient_eta):
        assert eta(alpha, beta).at(alpha=formula(3), beta=Fraction(1, 2)) == eta(
            3, "0.5"
        )
        assert eta(alpha, beta).symbols() == {"alpha", "beta"}


@pytest.mark.parametrize(
    ("alpha", "beta"),
    [(-1, 1), (1, 0), (1, -2), ("x", 1), (float("nan"), 1), (True, 1)],
)
@pytest.mark.parametrize("eta", [exact_eta, printed_eta, sufficient_eta])
def test_bad_parameters_are_refused(
    eta: Callable[..., Any], alpha: Any, beta: int
) -> None:
    """With a sentence."""
    with pytest.raises(InputError, match=r"; give "):
        eta(alpha, beta)


def test_cases_join_only_if_they_leave_nothing_out() -> None:
    """The rule ``either``: one condition and its opposite, of which one may be strict."""
    low = real("x**2 <= 4", "0 <= x", "x <= 1")
    high = real("x**2 <= 4", "0 <= x", "1 <= x", "x <= 2")
    assert either(under(low, "0 <= x", "x <= 2", "x <= 1"), high).domain == relations(
        "0 <= x", "x <= 2"
    )
    late = real("x**2 <= 4", "0 <= x", "1.5 <= x", "x <= 2")
    strict = [real("0 <= x**2", one) for one in ("x < 1", "1 < x")]
    other = real("x**2 <= 5", "0 <= x", "x <= 2", "1 <= x")
    for pair in (
        (under(low, "0 <= x", "x <= 2", "x <= 1"), late),
        strict,
        (low, other),
        (low, low),
    ):
        with pytest.raises(Refused):
            either(*pair)


def test_cases_by_an_undefined_relation_do_not_join() -> None:
    """Where log(x) is undefined neither case holds."""
    cases = [assume("y <= 0", one) for one in ("log(x) <= 0", "0 <= log(x)")]
    with pytest.raises(Refused):
        either(*cases)


def test_equations_rewrite_only_the_piece_on_which_they_hold() -> None:
    """The argument ``on`` of ``integrate``: abs(x) is x on the right half only, and hypotheses are
    not taken.
    """
    x = Symbol("x")
    law = Density("L", ("x",), (), (Stretch(None, None, exp(-absolute(x)) / 2),))
    left = real("abs(x) == -x", "x <= 0")
    right = real("abs(x) == x", "0 <= x")
    half = formula(1) / 2
    mass = exp(x) * half, -exp(-x) * half
    moments = exp(x) * (1 - x) * half, -exp(-x) * (1 + x) * half
    good = integrate(law, absolute(x), moments, mass, cuts=(0,), on=((left,), (right,)))
    assert combine(equal(E(law, absolute(x)), 1), good).domain == ()
    guess = assume("abs(x) == 2*x", "0 <= x")
    for on in (((right,), (left,)), ((left,), (guess,)), ((left,),)):
        with pytest.raises((Refused, ValueError)):
            integrate(law, absolute(x), moments, mass, cuts=(0,), on=on)
