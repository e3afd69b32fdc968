"""A pointwise relation on the average: finite means are found, and none is made up."""

import pytest

from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.kernel import (
    E,
    Law,
    Refused,
    assume,
    at_most,
    equal,
    real,
    relations,
)
from rdpacct.proof.tactics.averages import on_average
from rdpacct.proof.tactics.naming import symbols

c, x, y = symbols("c x y")
P = Law("P", ("x", "y"))
SQUARES = assume(at_most(E(P, x**2), 1)), assume(at_most(E(P, y**2), c))


def test_both_sides_are_taken_apart() -> None:
    """The factors come out, and each mean is one that is known."""
    line = real("c*x*y <= (c**2*x**2 + y**2)/2")
    product = assume(equal(E(P, y * x), 0))
    mean = on_average(line, P, product, *SQUARES)
    assert mean.relation == at_most(
        c * E(P, y * x), c * c * E(P, x**2) / 2 + E(P, y**2) / 2
    )
    assert not mean.loose


def test_a_left_side_that_is_not_negative_is_finite_below_a_finite_one() -> None:
    """No one has to say that it is."""
    line = real("abs(x*y) <= (x**2 + y**2)/2")
    mean = on_average(line, P, *SQUARES)
    assert mean.relation.left == E(P, absolute(x * y))
    assert not mean.loose


def test_a_bounded_term_is_finite() -> None:
    """Its bound is looked for on the support."""
    unit = Law("U", ("x",), relations("0 <= x", "x <= 1"))
    mean = on_average(real("x**2 <= x", *unit.support), unit)
    assert mean.relation == at_most(E(unit, x**2), E(unit, x))


@pytest.mark.parametrize("known", [(), SQUARES[:1]], ids=["nothing", "one square"])
def test_a_mean_that_may_be_infinite_is_refused(known: tuple[()]) -> None:
    """Nothing is integrated that is not known to be finite: y**2 may have no mean."""
    with pytest.raises(Refused, match=r"not known that E_P\[y\*y\] is finite"):
        on_average(real("2*x*y - x**2 <= y**2"), P, *known)


def test_a_side_without_a_sign_needs_its_own_mean() -> None:
    """x below exp(x) may still have the mean minus infinity."""
    moment = assume(at_most(E(P, exp(x)), 2))
    with pytest.raises(Refused, match=r"not known that E_P\[x\] is finite"):
        on_average(real("x <= exp(x)"), P, moment)
