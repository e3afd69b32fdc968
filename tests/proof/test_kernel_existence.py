"""That a law with a density that is cut into pieces exists, and what is refused."""

from collections.abc import Callable

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.kernel import (
    Density,
    Exists,
    Fact,
    Law,
    Refused,
    Stretch,
    assume,
    exists,
    real,
)

x, c = Symbol("x"), Symbol("c")
LAPLACE = Density("L", ("x",), (), (Stretch(None, None, exp(-absolute(x)) / 2),))
MASS = (exp(x) / 2, -exp(-x) / 2)
LEFT = (real("abs(x) == -x", "x <= 0"),)
RIGHT = (real("abs(x) == x", "0 <= x"),)
ZERO = formula(0)


def test_a_law_exists_by_the_pieces_of_its_density() -> None:
    shown = exists(LAPLACE, mass=MASS, cuts=(ZERO,), on=(LEFT, RIGHT))
    assert shown.statement == Exists(LAPLACE)
    assert shown.domain == ()
    assert shown.hypotheses == ()


HEAVY = Density("L", ("x",), (), (Stretch(None, None, exp(-absolute(x))),))
ATTEMPTS: dict[str, Callable[[], Fact]] = {
    "a mass of 2": lambda: exists(
        HEAVY, mass=(exp(x), -exp(-x)), cuts=(ZERO,), on=(LEFT, RIGHT)
    ),
    "antiderivatives of something else": lambda: exists(
        LAPLACE, mass=(exp(x), -exp(-x) / 2), cuts=(ZERO,), on=(LEFT, RIGHT)
    ),
    "cuts that may be out of order": lambda: exists(
        LAPLACE,
        mass=(MASS[0], ZERO, MASS[1]),
        cuts=(ZERO, c),
        on=(LEFT, RIGHT, RIGHT),
    ),
    "a cut at the variable": lambda: exists(
        LAPLACE, mass=MASS, cuts=(x,), on=(LEFT, RIGHT)
    ),
    "equations of another piece": lambda: exists(
        LAPLACE, mass=MASS, cuts=(ZERO,), on=(RIGHT, LEFT)
    ),
    "equations of some pieces only": lambda: exists(
        LAPLACE, mass=MASS, cuts=(ZERO,), on=(LEFT,)
    ),
    "an equation that is assumed": lambda: exists(
        LAPLACE, mass=MASS, cuts=(ZERO,), on=((assume("abs(x) == -x"),), RIGHT)
    ),
    "a law without a density": lambda: exists(
        Law("P", ("x",)), point={"x": 0}, cuts=(ZERO,)
    ),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_what_does_not_show_a_law_is_refused(name: str) -> None:
    with pytest.raises(Refused):
        ATTEMPTS[name]()
