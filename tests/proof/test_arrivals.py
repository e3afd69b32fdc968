"""Sums of exponential variables: the bound on small sums holds, and a sequence with a density is
seen to stay in its support, or refused.
"""

from math import exp, factorial

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp as exponential
from rdpacct.proof.evaluate import Known, World
from rdpacct.proof.finite_laws import is_sequence
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    Density,
    Refused,
    Stretch,
    chain,
    exists,
    relations,
)

N, z, k = (Symbol(name) for name in ("N", "z", "k"))
SIZE = Density(
    "Exp",
    ("z",),
    relations("0 <= z"),
    (Stretch(formula(0), None, exponential(-z)),),
)
KNOWN = Known([exists(SIZE, mass=(-exponential(-z),))])


@pytest.mark.parametrize("d", range(1, 12))
def test_small_sums_are_rare(d: int) -> None:
    """d P(N <= r) <= r for the sum of d exponential variables, by the closed form."""
    for tenths in range(1, 10 * d):
        r = tenths / 10
        tail = sum(exp(-r) * r**j / factorial(j) for j in range(d))
        assert d * (1 - tail) <= r


def test_a_sequence_that_grows_stays_positive() -> None:
    law = chain("P", {"N": (0, N + z)}, SIZE, k, relations("0 <= N"))
    is_sequence(World(example({"k": 1}), KNOWN), law, {"k": formula(1)})


@pytest.mark.parametrize(
    ("start", "update", "support"),
    [
        (0, N - z, "0 <= N"),
        (-1, N + z, "0 <= N"),
        (0, N + z, "N <= 3"),
        (0, N + z, "N <= z"),
    ],
)
def test_a_sequence_that_may_leave_its_support_is_refused(
    start: int, update: Symbol, support: str
) -> None:
    law = chain("P", {"N": (start, update)}, SIZE, k, relations(support))
    with pytest.raises(Refused):
        is_sequence(World(example({"k": 1}), KNOWN), law, {"k": formula(1)})
