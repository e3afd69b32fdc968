"""Laplace noise takes no value with a positive probability."""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Law,
    Stretch,
    at_most,
    closed,
    combine,
    equal,
    event,
    exists,
    integrate,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.kernel.laws import Event
from rdpacct.proof.tactics.naming import symbols
from rdpacct.proof.theorem import Statement, Step
from rdpacct.proof.witness import Witness

A, a, t, x, zero = symbols("A a t x zero")
LAPLACE = Density("L", ("x",), (), (Stretch(None, None, exp(-absolute(x)) / 2),))
BELOW, NEAR = (event(LAPLACE, "A", at_most(x, -depth)) for depth in (a + t, a))
ZERO = Law("Z", ("zero",), relations("0 <= zero <= 1"))
"""Whether a cell with one record, so with noise, is released as exactly 0: the noise is -a with a =
alpha/2.
"""


def lowest(law: Event, point: Expr, *given: str | Condition) -> Fact:
    """The probability that standard Laplace noise is at most -point."""
    left = real(equal(absolute(x), -x), at_most(x, -point), *given)
    middle = real(equal(absolute(x), -x), at_most(-point, x), "x <= 0")
    right = real("abs(x) == x", "x >= 0")
    mass = exp(x) / 2, exp(x) / 2, -exp(-x) / 2
    on = (left,), (middle,), (right,)
    return integrate(
        law, A, (exp(x) / 2, 0, 0), mass, *given, cuts=(-point, formula(0)), on=on
    )


def no_zero() -> Witness:
    """No output is exactly 0; the noise is between -a - t and -a with a positive probability."""
    sides = (real("abs(x) == -x", "x <= 0"),), (real("abs(x) == x", "x >= 0"),)
    mass = exp(x) / 2, -exp(-x) / 2
    near = lowest(NEAR, a, "a > 0", "t > 0")
    below_ = lowest(BELOW, a + t, "a > 0", "t > 0")
    gap = real("0 <= exp(-a)/2 - exp(-a - t)/2", "a > 0", "t > 0")
    between = combine(
        at_most(0, E(NEAR, A) - E(BELOW, A)), (near, -1), (below_, 1), gap
    )
    laplace = exists(LAPLACE, mass=mass, cuts=(formula(0),), on=sides)
    here = under(specialize(between, a=1), "t > 0")
    return Witness(example({"a": 1}, {"Z": [(0, 1)]}), (laplace, here))


def never_zero(part: Statement) -> Iterator[Step]:
    """The noise is between -a - t and -a with a probability below t, for every t > 0."""
    near = lowest(NEAR, a, "a > 0", "t > 0")
    below_ = lowest(BELOW, a + t, "a > 0", "t > 0")
    yield near, "the noise is at most -a"
    gap = real("exp(-a)/2 - exp(-a - t)/2 <= t", "a > 0", "t > 0")
    small = combine(
        at_most(E(ZERO, zero), t), part.assuming["between"], near, (below_, -1), gap
    )
    yield small, "the noise is between -a - t and -a"
    slack = specialize(combine(at_most(E(ZERO, zero), 0 + t), small), t=Symbol("slack"))
    yield closed(slack, "slack"), "so it is -a with probability 0"
