"""Among pairs of integers at most ``steps`` apart, those at distance ``steps`` are worst for the discrete Laplace noise.

Printed: not in the sources.
Proved: Let n have probability proportional to exp(-r |n|) on the integers. The chance that n <= 0 is 1/(1 + exp(-r)), the
    mass of the largest loss in the shipped law, and the chance of n = 0 is (1 - exp(-r))/(1 + exp(-r)), its weight.
    For the loss r (|n + b| - |n|) of a shift by b and a smaller shift p b, 0 <= p <= 1, E max(0, 1 - exp(eps - L)) is at
    most that of the shift b, for all eps >= 0, whatever the law of the noise. The noise is symmetric, so that
    exchanging the pair only turns the shift around, which settles negative epsilons too.
Idea: |n + b| - |n| is convex in b and 0 at b = 0, so that the loss of the smaller shift is at most p times that of the
    larger one. The masses follow from a shift and a reflection of the integers.
Source: Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms, for the mechanism.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import absolute, exp, maximum, minimum
from rdpacct.mechanisms.discrete_laplace import worst_pair
from rdpacct.proof.kernel import (
    E,
    Fact,
    Lattice,
    Law,
    apart,
    at_most,
    below,
    combine,
    dominated,
    equal,
    expect,
    integrable,
    linear,
    real,
    reindex,
    specialize,
)
from rdpacct.proof.tactics.laplace_pair import farther
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict

x, b, p, r, n, eps = (Symbol(name) for name in ("x", "b", "p", "r", "n", "eps"))
NOISE = Law("N", ("x",))
FAR = r * (absolute(x + b) - absolute(x))
NEAR = r * (absolute(p * (x + b) + (1 - p) * x) - absolute(x))
"""The loss of a shift by p b: x + p b is a mix of x + b and x."""


def delta(loss: Expr) -> Expr:
    """The mean excess of a loss over eps."""
    return E(NOISE, maximum(0, 1 - exp(eps - loss)))


def proof(part: Part) -> Iterator[Step]:  # noqa: ARG001
    """Outcome by outcome."""
    mix = real("abs(p*y + (1 - p)*z) <= p*abs(y) + (1 - p)*abs(z)", "0 <= p", "p <= 1", "r > 0")
    star = combine(at_most(NEAR, p * FAR), (specialize(mix, y=x + b, z=x), r))
    yield star, "the absolute value is convex"
    yield farther(NEAR, FAR, star, NOISE), "so the excess over eps is larger, and its mean"


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    parts=(
        Part(
            "farther",
            "a smaller shift has a smaller delta",
            at_most(delta(NEAR), delta(FAR)),
            proof,
            ("r > 0", "0 <= p", "p <= 1", "eps >= 0"),
        ),
    ),
    rules=(worst_pair,),
)
