"""The rules for equations from two inequalities and for bounds that fall with a whole number, and
what they give.
"""

from typing import Any

import pytest

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import cos, exp, sin
from rdpacct.proof.kernel import (
    E,
    Law,
    Refused,
    Whole,
    assume,
    at_most,
    below,
    both,
    combine,
    equal,
    real,
    specialize,
    vanishing,
)
from rdpacct.proof.tactics.characteristic import (
    normal_characteristic,
    normal_characteristic_sine,
)
from rdpacct.proof.tactics.normal import standard_normal

u, v, n, c = map(Symbol, "uvnc")
NUMBERS = Whole("n", 1)


def falling(right: Any = v + c / n, *domain: Any) -> Any:
    return assume(at_most(u, right), *(domain or (NUMBERS,)), every="n")


def test_a_bound_that_falls_with_a_whole_number() -> None:
    found = vanishing(falling(), "n", v, c)
    assert found.relation == at_most(u, v)
    assert found.domain == ()
    assert len(found.hypotheses) == 1


FALLING = {
    "another right side": lambda: vanishing(falling(), "n", v + 1, c),
    "a part that grows": lambda: vanishing(falling(v + c * n), "n", v, c),
    "an excess that moves": lambda: vanishing(falling(v + c * n / n), "n", v, c * n),
    "a right side that moves": lambda: vanishing(falling(v / n + c / n), "n", v / n, c),
    "a left side that moves": lambda: vanishing(
        assume(at_most(u * n, v + c / n), NUMBERS, every="n"), "n", v, c
    ),
    "any number": lambda: vanishing(falling(v + c / n, "1 <= n"), "n", v, c),
    "some whole numbers": lambda: vanishing(
        falling(v + c / n, NUMBERS, "n <= 7"), "n", v, c
    ),
    "one whole number": lambda: vanishing(
        assume(at_most(u, v + c / n), NUMBERS), "n", v, c
    ),
    "a fixed whole number": lambda: vanishing(assume(at_most(u, v + c / n)), "n", v, c),
    "an equation": lambda: vanishing(
        assume(equal(u, v + c / n), NUMBERS, every="n"), "n", v, c
    ),
}


@pytest.mark.parametrize("name", FALLING)
def test_what_does_not_fall(name: str) -> None:
    with pytest.raises(Refused):
        FALLING[name]()


def test_an_equation_has_two_halves() -> None:
    less = assume(at_most(u, v), "0 <= u")
    more = assume(at_most(v, u), "0 <= v")
    found = both(less, more)
    assert found.relation == equal(u, v)
    assert len(found.domain) == len(found.hypotheses) == 2
    for other in (
        less,
        assume(at_most(c, u)),
        assume(below(v, u)),
        assume(equal(v, u)),
    ):
        with pytest.raises(Refused):
            both(less, other)


def test_conditions_about_means_do_not_reach_the_prover() -> None:
    law = Law("P", ("X",))
    mean = E(law, Symbol("X"))
    moved = specialize(real("u <= k", "u <= k", "0 < n"), u=mean / n, k=1)
    assert moved.relation == at_most(mean / n, 1)
    assert at_most(mean / n, 1) in moved.domain
    with pytest.raises(Refused, match="no proof"):
        specialize(real("u <= k", "u <= k"), u=mean / n, k=1)


@pytest.fixture(scope="module")
def characteristic() -> Any:
    return normal_characteristic(standard_normal())


def test_the_normal_characteristic_function(characteristic: Any) -> None:
    """Both parts of M(t + i w) = exp((t + i w)**2/2), from no axiom and for all numbers."""
    t, w, x = map(Symbol, "twx")
    law = standard_normal()
    assert not characteristic.axioms
    assert not characteristic.hypotheses
    assert {str(one) for one in characteristic.domain} <= {"N is a law"}
    real_part = specialize(characteristic, a=0)
    assert real_part.relation == equal(
        E(law, exp(t * x) * cos(w * x)), exp((t**2 - w**2) / 2) * cos(w * t)
    )
    value = exp((t**2 - w**2) / 2) * sin(w * t)
    body = exp(t * x) * sin(w * x)
    other = normal_characteristic_sine(law, characteristic)
    assert other.relation == equal(E(law, body), value)
    for false in (-value, 2 * value, exp((t**2 + w**2) / 2) * sin(w * t)):
        with pytest.raises(Refused, match="no proof"):
            combine(equal(E(law, body), false), other)
