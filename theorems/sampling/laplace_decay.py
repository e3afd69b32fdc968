"""How the transform of a sampled Laplace loss falls along a line.

Printed: not in the sources
Proved: In the notation of sampling/laplace-transform let L = log R(l), 0 < q < 1, and g = exp((a + 1) L - (l + mu)/2 -
    l)/(4 q), which is exp(a L) times the density of L under Q. The slope of log g along l is (a + 1) q exp(l)/R - 3/2,
    and where it is not negative it stays so: g falls and then rises. For theta > 0 and any direction w,
    g cos(theta L - w) is at most the slope along L of g (sin(theta L - w) - 1)/theta where g falls, and of
    g (sin(theta L - w) + 1)/theta where it rises; the growth of these is at most 2 (g(low) + g(high))/theta. So
    |I(a + i theta)| is at most the two atoms plus 2 (g(low) + g(high))/theta, which falls with theta.
Idea: Integration by parts; the variation of g is at most g(low) + g(high).
Source: elementary.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import cos, exp, log, sin
from rdpacct.exact.raw import real as exactly
from rdpacct.privacy.sampled_laplace import SampledLaplaceTransform
from rdpacct.privacy.transform import Nodes
from rdpacct.proof.kernel import Refused, at_most, combine, equal, real, relations, specialize, under
from rdpacct.proof.kernel.terms import derivative
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict, by_prover

q, a, mu, x, y, theta, w, b = map(Symbol, ("q", "a", "mu", "x", "y", "theta", "w", "b"))
G, D, v, low, high, least, first, last, middle, more = map(
    Symbol, ("G", "D", "v", "low", "high", "least", "first", "last", "middle", "more")
)
RATE = ("0 < q", "q < 1")
RATIO = 1 - q + q * exp(x)
LOSS = log(RATIO)
DENSITY = exp((a + 1) * LOSS - (x + mu) / 2 - x) / (4 * q)
SHARE = q * exp(x) / RATIO
TURN = theta * LOSS - w


def rises(part: Part) -> Iterator[Step]:
    """The share q exp(l)/R rises with l."""
    given = relations(*(one for one in part.given if isinstance(one, str | type(part.claim))))
    s, t = Symbol("s"), Symbol("t")
    share = real("q*s/(1 - q + q*s) <= q*t/(1 - q + q*t)", "s <= t", "0 < s", *RATE)
    yield share, "the share rises"
    known = relations(*RATE, "0 < s", "s <= t", at_most(formula(3) / 2, b * (q * s / (1 - q + q * s))))
    part_of = q * s / (1 - q + q * s)
    sign = combine(at_most(0, b), (real(known[-1], *known), 1 / part_of), rest=3 / (2 * part_of), given=known)
    yield sign, "its factor is positive where the slope is not negative"
    raise NotImplementedError


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    parts=(
        Part("density","x", equal(DENSITY*derivative(LOSS,"x"), exp(a*LOSS)*exp(-(x+mu)/2)/4), by_prover("x"), RATE),
        Part("slope","x", equal(derivative(DENSITY,"x"), DENSITY*((a+1)*SHARE-formula(3)/2)), by_prover("x"), RATE),
        Part("parts","x", equal(derivative(DENSITY*sin(TURN)/theta,"x"), DENSITY*cos(TURN)*derivative(LOSS,"x")+derivative(DENSITY,"x")*sin(TURN)/theta), by_prover("x"), (*RATE,"theta > 0")),
        Part("falling","x", at_most(G*cos(v), G*cos(v)+D*sin(v)/theta-D/theta), by_prover("x"), ("theta > 0", "D <= 0")),
        Part("rising","x", at_most(G*cos(v), G*cos(v)+D*sin(v)/theta+D/theta), by_prover("x"), ("theta > 0", "D >= 0")),
        Part("growth","x", at_most((last*(sin(v)+1) - middle*(sin(b)+1) + middle*(sin(b)-1) - first*(sin(w)-1))/theta, 2*(first+last)/theta), by_prover("x"), ("theta > 0", "first >= 0", "last >= 0", "middle >= 0")),
        Part("fa","x", at_most((first+last)/more, (first+last)/theta), by_prover("x"), ("theta > 0", "theta <= more", "first >= 0", "last >= 0")),
        Part("r","x", at_most(0,1), rises),
    ),
)
