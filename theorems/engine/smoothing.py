"""Two smoothed quadratures, one above the profile and one below it.

Printed: not in the sources
Proved: later
Source: This package.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.engine.smooth import SmoothLine, kernels, smoothed
from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp, maximum, normal_cdf
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Law,
    Piece,
    Refused,
    assume,
    at_most,
    cases,
    combine,
    dominated,
    equal,
    event,
    expect,
    given_by,
    independent,
    independent_of,
    integrable,
    integrate,
    linear,
    marginal,
    real,
    specialize,
)
from rdpacct.proof.kernel.terms import relations
from rdpacct.proof.tactics.shipped import formulas
from rdpacct.proof.tactics.normal import exponential_moment, standard_normal
from rdpacct.proof.tactics.subgaussian import placed
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict

L, F, A, eps, h, x, v, w, z, s, m = (Symbol(name) for name in ("L", "F", "A", "eps", "h", "x", "v", "w", "z", "s", "m"))
PLAIN = Law("P", ("L", "F"), relations("0 <= F <= 1"))
P = event(PLAIN, "A", "eps < L")
NORMAL = standard_normal()
BOTH = independent_of(P, NORMAL)
NOISE = h * x + h**2 / 2
"""The loss of a Gaussian release of shift h."""
PROFILE = F * maximum(0, 1 - exp(eps - L))
RAISED = F * maximum(0, 1 - exp(eps - L - NOISE))


def above(part: Part) -> Iterator[Step]:
    """The test {L > eps} is the best one without the noise, and one of many with it."""
    ratio = exp(-NOISE)
    moment = exponential_moment(NORMAL, -h)
    unit = linear(NORMAL, ratio, {exp(-h * x): exp(-(h**2) / 2)}, integrable(moment, E(NORMAL, exp(-h * x))))
    one = combine(equal(E(NORMAL, ratio), 1), unit, (moment, exp(-(h**2) / 2)))
    yield one, "the ratio of the noise has mean 1"
    on, part_ = F * A, F * A * exp(eps - L)
    finite = []
    for body in (on, part_):
        upper, lower = (cases(P, claim) for claim in (at_most(body, 1), at_most(0, body)))
        finite.append(dominated(upper, P, lower=lower))
    here = cases(P, equal(PROFILE, on - part_))
    split = linear(P, on - part_, {on: 1, part_: -1}, *finite)
    own = expect(here, P, integrable(split, E(P, on - part_)))
    yield own, "without the noise: the test {L > eps}"
    whole = independent(BOTH, part_, ratio, finite[1], integrable(one, E(NORMAL, ratio)))
    alone = marginal(BOTH, P, on, finite[0])
    gain = F * A - part_ * ratio
    other = linear(BOTH, gain, {on: 1, part_ * ratio: -1}, integrable(alone, E(BOTH, on)), integrable(whole, E(BOTH, part_ * ratio)))
    yield other, "with the noise, this test gains as much"
    test = specialize(real("A*v <= max(0, v)", "0 <= A", "A <= 1"), v=1 - exp(eps - L - NOISE))
    allowed = given_by(test, cases(P, "0 <= A"), cases(P, "A <= 1"))
    pointwise = combine(at_most(gain, RAISED), (allowed, F), given=("0 <= F",))
    bounds = [specialize(real(claim, "0 <= F <= 1"), v=eps - L - NOISE) for claim in ("F*max(0, 1 - exp(v)) <= 1", "0 <= F*max(0, 1 - exp(v))")]
    raised = dominated(bounds[0], BOTH, lower=bounds[1])
    mean = expect(pointwise, BOTH, integrable(other, E(BOTH, gain)), raised)
    yield mean, "no test gains more than delta"
    yield combine(part.claim, own, split, mean, other, alone, whole, (one, E(P, part_))), "so that the noise can only raise it"


def below(part: Part) -> Iterator[Step]:
    """A probability times a gain is at most its positive part."""
    share = normal_cdf((L - eps) / h)
    test = real("p*v <= max(0, v)", "0 <= p", "p <= 1", *part.given)
    moved = specialize(test, v=1 - exp(eps - L), p=share)
    ends = (at_most(0, normal_cdf(v)), at_most(normal_cdf(v), 1))
    certain = [placed(real(end), *part.given, v=(L - eps) / h) for end in ends]
    allowed = given_by(moved, *certain)
    pointwise = combine(at_most(SMOOTHED, PROFILE), (allowed, F), given=("0 <= F",))
    yield pointwise, "rejecting with a probability is a test"
    bounds = [specialize(real(claim, "0 <= F <= 1"), v=eps - L) for claim in ("F*max(0, 1 - exp(v)) <= 1", "0 <= F*max(0, 1 - exp(v))")]
    finite = dominated(bounds[0], PLAIN, lower=bounds[1])
    mean = expect(pointwise, PLAIN, integrable(part.assuming["sum"], E(PLAIN, SMOOTHED)), finite)
    yield mean, "on the average"
    yield combine(part.claim, mean, part.assuming["sum"]), "the lower sum"


SMOOTHED = F * (1 - exp(eps - L)) * normal_cdf((L - eps) / h)
UPPER, LOWER = (kernel.value for kernel in kernels(*formulas(z, h)))
SIDE = independent_of(PLAIN, NORMAL)


def upper_kernel(part: Part) -> Iterator[Step]:
    """The moments of independent losses multiply."""
    moment = exponential_moment(NORMAL, z * h)
    scaled = linear(NORMAL, exp(z * NOISE), {exp(z * h * x): exp(z * h**2 / 2)}, integrable(moment, E(NORMAL, exp(z * h * x))))
    yield scaled, "the transform of the noise"
    size = part.assuming["moment"]
    both = independent(SIDE, F * exp(z * L), exp(z * NOISE), integrable(size, E(PLAIN, F * exp(z * L))), integrable(scaled, E(NORMAL, exp(z * NOISE))))
    yield both, "independent"
    first = E(PLAIN, F * exp(z * L))
    there = expect(real(equal(F * exp(z * L) * exp(z * NOISE), F * exp(z * (L + NOISE)))), SIDE, integrable(both, both.relation.left))
    value = combine(equal(E(SIDE, F * exp(z * (L + NOISE))), first * exp(h**2 * (z**2 + z) / 2)), there, both, (scaled, first), (moment, first * exp(z * h**2 / 2)), size)
    yield value, "the transform of the sum"


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    parts=(
        Part("above", "", at_most(E(P, PROFILE), E(BOTH, RAISED)), above),
        Part("below", "", at_most(s, E(PLAIN, PROFILE)), below, ("0 < h",), {"sum": assume(equal(E(PLAIN, SMOOTHED), s))}),
    ),
)
