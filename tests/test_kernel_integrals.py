"""The rule for densities: cuts, indicators, and what it refuses."""

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import erfc, normal_cdf, normal_density, sqrt
from rdpacct.proof.kernel import (
    Density,
    E,
    Law,
    Piece,
    Refused,
    assume,
    combine,
    conditional,
    equal,
    event,
    integrable,
    integrate,
)

x, z, A = Symbol("x"), Symbol("z"), Symbol("A")
NORMAL = Density("N", ("x",), (), (Piece(None, None, normal_density(x, 0, 1)),))
MASS = -erfc(x / sqrt(2)) / 2
LOW = event(NORMAL, "A", "x <= z")


def test_an_indicator_is_a_number_on_each_side_of_a_cut():
    found = integrate(LOW, A, (MASS, 0), (MASS, MASS), cuts=(z,))
    assert combine(equal(E(LOW, A), normal_cdf(z)), found)


FLAT = Piece(formula(0), formula(1), formula(1))
REFUSED = {
    "an indicator that changes inside a piece": (lambda: integrate(LOW, A, (MASS,), (MASS,)), "no proof"),
    "an indicator on the wrong side": (lambda: integrate(LOW, A, (0, MASS), (MASS, MASS), cuts=(z,)), "no proof"),
    "cuts in the wrong order": (lambda: integrate(NORMAL, 1, (MASS,) * 3, (MASS,) * 3, cuts=(1, 0)), "no proof"),
    "a cut outside the piece": (
        lambda: integrate(Density("D", ("x",), (), (FLAT,)), 1, (x, x), (x, x), cuts=(2,)),
        "no proof",
    ),
    "a cut that moves with the variable": (
        lambda: integrate(NORMAL, 1, (MASS, MASS), (MASS, MASS), cuts=(x,)),
        "may not speak of",
    ),
    "a condition on the variable": (lambda: integrate(NORMAL, x, (MASS,), (MASS,), "x >= 0"), "may not speak of"),
    "a piece that runs backwards, on which anything holds": (
        lambda: integrate(
            Density("D", ("x",), (), (FLAT, Piece(formula(1), formula(0), formula(1)))), x, (x**2 / 2, 7 * x), (x, 0)
        ),
        "no proof",
    ),
    "conditioning on what is not there": (lambda: conditional(_finite(), "Y"), "does not become"),
}


def _finite():
    law = Law("P", ("X", "Z"))
    return integrable(assume(equal(E(law, Symbol("X")), 0)), E(law, Symbol("X")))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    make, why = REFUSED[name]
    with pytest.raises(Refused, match=why):
        make()


def test_conditional():
    assert conditional(_finite(), "Z").integrable.given == ("Z",)
