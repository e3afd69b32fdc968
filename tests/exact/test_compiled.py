"""A compiled formula has the values of the formula, to the last bit."""

from typing import Any

import pytest
from flint import acb, arb

from rdpacct.exact.ball import complex_functions, precision
from rdpacct.exact.compiled import compiled, operations
from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp, log, minimum, sqrt

X = Symbol("x")
Y = Symbol("y")
FORMULAS: dict[str, Expr] = {
    "a constant": sqrt(formula(2)) / 3,
    "the variable": X,
    "a sum": Y + X + sqrt(formula(7)) + X * X,
    "a product": Y * exp(X) * sqrt(formula(5)) * X,
    "whole powers": (X + Y) ** 3 / (1 + X) ** 2,
    "another power": (2 + X) ** (Y / 3),
    "a function in a function": log(1 + exp(-((X - Y) ** 2) / 2)),
    "a function of two": minimum(X, Y / 2),
}
POINTS = [acb(0.3), acb(1.5, 0.25), acb(arb(0.75, 0.125), arb(0, 0.125))]


def bits(value: acb) -> object:
    """All bits of the midpoint and of the radius; none for what is not finite."""
    if not value.is_finite():
        return None
    ends = (value.real, value.imag)
    return [(end.mid().man_exp(), end.rad().man_exp()) for end in ends]


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("analytic", [False, True])
def test_values_are_those_of_the_formula(name: str, analytic: bool) -> None:
    expr = FORMULAS[name]
    functions = complex_functions(analytic)
    with precision(100):
        known = {"y": arb("0.7")}
        function = compiled(expr, "x", functions, known)
        for point in POINTS:
            values: dict[str, Any] = {**known, "x": point}
            value = expr.raw(functions, values)
            assert bits(acb(function(point))) == bits(acb(value))


def test_other_bits_are_seen() -> None:
    """The comparison itself can fail, on the order of a sum alone."""
    with precision(100):
        third = acb(1) / 3
        assert bits((third + 7) + third) != bits(7 + (third + third))


def test_a_branch_is_seen_as_by_the_formula() -> None:
    """Where a function is not analytic the integrator is told, and only if it asks."""
    point = acb(arb(0, 1), arb(0, 1))
    with precision(64):
        plain, asked = (
            compiled(sqrt(X) + 1, "x", complex_functions(flag), {})(point)
            for flag in (False, True)
        )
    assert acb(plain).is_finite()
    assert not acb(asked).is_finite()


def test_operations_are_those_with_the_variable() -> None:
    """One for each sign between two parts and for each function; none for what is constant."""
    counts = {name: operations(expr, "x") for name, expr in FORMULAS.items()}
    assert counts["a constant"] == counts["the variable"] == 0
    assert counts["a sum"] == 4  # three additions and a square
    assert counts["a product"] == 4
    assert counts["a function of two"] == 1
    assert counts["a function in a function"] > counts["a sum"]
    assert operations(exp(X) + exp(X) + exp(2 * X), "x") > operations(exp(X), "x")
    assert operations(FORMULAS["a sum"], "y") == 3
