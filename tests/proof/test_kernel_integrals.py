"""The rule for densities: cuts, indicators, and what it refuses."""

from collections.abc import Callable
from typing import Any

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import (
    cos,
    erfc,
    exp,
    normal_cdf,
    normal_density,
    sin,
    sqrt,
)
from rdpacct.proof.kernel import (
    Density,
    E,
    Law,
    Refused,
    Stretch,
    assume,
    at_most,
    combine,
    conditional,
    dominated,
    equal,
    event,
    integrable,
    integrate,
    real,
)

x, z, A, t, w = map(Symbol, ("x", "z", "A", "t", "w"))
NORMAL: Density = Density(
    "N", ("x",), (), (Stretch(None, None, normal_density(x, 0, 1)),)
)
MASS = -erfc(x / sqrt(2)) / 2
LOW = event(NORMAL, "A", "x <= z")


def test_an_indicator_is_a_number_on_each_side_of_a_cut() -> None:
    found = integrate(LOW, A, (MASS, 0), (MASS, MASS), cuts=(z,))
    assert combine(equal(E(LOW, A), normal_cdf(z)), found)


FLAT = Stretch(formula(0), formula(1), formula(1))
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "an indicator that changes inside a piece": (
        lambda: integrate(LOW, A, (MASS,), (MASS,)),
        "no proof",
    ),
    "an indicator on the wrong side": (
        lambda: integrate(LOW, A, (0, MASS), (MASS, MASS), cuts=(z,)),
        "no proof",
    ),
    "cuts in the wrong order": (
        lambda: integrate(NORMAL, 1, (MASS,) * 3, (MASS,) * 3, cuts=(1, 0)),
        "no proof",
    ),
    "a cut outside the piece": (
        lambda: integrate(
            Density("D", ("x",), (), (FLAT,)), 1, (x, x), (x, x), cuts=(2,)
        ),
        "no proof",
    ),
    "a cut that moves with the variable": (
        lambda: integrate(NORMAL, 1, (MASS, MASS), (MASS, MASS), cuts=(x,)),
        "may not speak of",
    ),
    "a condition on the variable": (
        lambda: integrate(NORMAL, x, (MASS,), (MASS,), "x >= 0"),
        "may not speak of",
    ),
    "a piece that runs backwards, on which anything holds": (
        lambda: integrate(
            Density(
                "D", ("x",), (), (FLAT, Stretch(formula(1), formula(0), formula(1)))
            ),
            x,
            (x**2 / 2, 7 * x),
            (x, 0),
        ),
        "no proof",
    ),
    "a body of both signs": (lambda: _turning(None), "no proof"),
    "a finiteness of something else": (
        lambda: _turning(dominated(real("abs(sin(w*x)) <= 1"), DECAY)),
        "not known",
    ),
    "a finiteness under another law": (
        lambda: _turning(dominated(real("abs(cos(w*x)) <= 1"), NORMAL)),
        "not known",
    ),
    "a relation for a finiteness": (
        lambda: _turning(real("abs(cos(w*x)) <= 1")),
        "says nothing of finiteness",
    ),
    "a wrong sign in an antiderivative": (lambda: _turning(_bounded(), -1), "no proof"),
    "a density of which the body is the mass": (
        lambda: integrate(
            Density("D", ("x",), (), (FLAT,)),
            cos(x),
            (sin(x),),
            (sin(x),),
            finite=_bounded(),
        ),
        "not known",
    ),
    "a limit of a cosine alone": (
        lambda: integrate(
            DECAY, cos(w * x), (sin(w * x),), (-exp(-x),), finite=_bounded()
        ),
        "no proof|not seen",
    ),
    "a domination that does not hold": (
        lambda: dominated(real("abs(2*cos(w*x)) <= 1"), DECAY),
        "no proof",
    ),
    "a domination by what may be infinite": (
        lambda: dominated(real("abs(exp(x)*cos(w*x)) <= exp(x)"), DECAY),
        "not known",
    ),
    "conditioning on what is not there": (
        lambda: conditional(_finite(), "Y"),
        "does not become",
    ),
}


DECAY: Density = Density("D", ("x",), (), (Stretch(formula(0), None, exp(-x)),))


def _bounded() -> Any:
    return dominated(real("abs(cos(w*x)) <= 1"), DECAY)


def _turning(finite: Any, sign: int = 1) -> Any:
    """E cos(w x) under the exponential law."""
    turned = exp(-x) * (w * sin(w * x) - sign * cos(w * x)) / (1 + w**2)
    return integrate(DECAY, cos(w * x), (turned,), (-exp(-x),), finite=finite)


def test_a_body_that_changes_its_sign_needs_to_be_finite() -> None:
    assert combine(equal(E(DECAY, cos(w * x)), 1 / (1 + w**2)), _turning(_bounded()))


def test_a_finiteness_that_was_assumed_stays_a_hypothesis_and_keeps_its_domain() -> (
    None
):
    atom = E(DECAY, cos(w * x))
    found = _turning(integrable(assume(at_most(atom, 7), "1 < w"), atom))
    assert [str(one) for one in found.domain] == ["1 < w", "D is a law"]
    assert len(found.hypotheses) == 1


def test_the_characteristic_function_of_a_laplace_law() -> None:
    """It is the real part of 1/(1 - (t + i w)**2)."""
    law = Density(
        "L",
        ("x",),
        (),
        (Stretch(None, formula(0), exp(x) / 2), Stretch(formula(0), None, exp(-x) / 2)),
    )
    mass = (exp(x) / 2, -exp(-x) / 2)
    inside = ("-1 < t", "t < 1")
    rises = exp((1 + t) * x) / (2 * (1 + t)), -exp((t - 1) * x) / (2 * (1 - t))
    size = integrate(law, exp(t * x), rises, mass, *inside)
    bound = real("abs(exp(t*x)*cos(w*x)) <= exp(t*x)")
    turned = [
        exp(a * x) * (a * cos(w * x) + w * sin(w * x)) / (2 * (a**2 + w**2))
        for a in (1 + t, t - 1)
    ]
    finite = dominated(bound, law, integrable(size, E(law, exp(t * x))))
    found = integrate(
        law, exp(t * x) * cos(w * x), tuple(turned), mass, *inside, finite=finite
    )
    top = 1 - t**2 + w**2
    below_ = 2 * t * w
    assert combine(
        equal(E(law, exp(t * x) * cos(w * x)), top / (top**2 + below_**2)), found
    )
    with pytest.raises(Refused, match="no proof"):
        combine(
            equal(E(law, exp(t * x) * cos(w * x)), top / (top**2 - below_**2)), found
        )


def _finite() -> Any:
    law = Law("P", ("X", "Z"))
    return integrable(assume(equal(E(law, Symbol("X")), 0)), E(law, Symbol("X")))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    make, why = REFUSED[name]
    with pytest.raises(Refused, match=why):
        make()


def test_conditional() -> None:
    assert conditional(_finite(), "Z").integrable.given == ("Z",)
