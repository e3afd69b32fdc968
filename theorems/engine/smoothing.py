"""Two smoothed quadratures, one above the profile and one below it.

Printed: not in the sources
Proved: Let g(eps) = E[F (1 - exp(eps - L))_+] be the finite part of the profile. (1) For an
    independent Gaussian loss G = h X + h**2/2, g(eps) <= E[F (1 - exp(eps - L - G))_+]: the upper
    sum, whose kernel has the transform of G, is above the profile. (2) E[F (1 - exp(eps - L))
    Phi((L - eps)/h)] <= g(eps), at every eps: the lower sum, whose kernel is the transform of this
    test, is below the profile, apart from its aliases. These can be negative, but each is at most
    that of the profile. (3) So the lower sum less the bounds of engine/aliases is at most delta, as
    the shipped enclosure says.
Idea: Dropping the noise is post-processing, and rejecting with probability Phi((L - eps)/h) is a
    test.
Source: This package.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from rdpacct.composition.smooth import SmoothLine, smoothed
from rdpacct.composition.terms import Terms
from rdpacct.composition.tilt import Place
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp, maximum, normal_cdf
from rdpacct.exact.raw import real as ball
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.proof.entries import module
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
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
    linear,
    marginal,
    real,
    specialize,
)
from rdpacct.proof.kernel.terms import relations
from rdpacct.proof.tactics.normal import exponential_moment, standard_normal
from rdpacct.proof.tactics.subgaussian import placed
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem
from rdpacct.testing.instances import masses

L, F, A, eps, h, x, v, s, a, b, f, low, high, delta = (
    Symbol(name)
    for name in (
        "L",
        "F",
        "A",
        "eps",
        "h",
        "x",
        "v",
        "s",
        "a",
        "b",
        "f",
        "low",
        "high",
        "delta",
    )
)
PLAIN = Law("P", ("L", "F"), relations("0 <= F <= 1"))
P = event(PLAIN, "A", "eps < L")
NORMAL = standard_normal()
BOTH = independent_of(P, NORMAL)
NOISE = h * x + h**2 / 2
"""The loss of a Gaussian release of shift h."""
PROFILE = F * maximum(0, 1 - exp(eps - L))
RAISED = F * maximum(0, 1 - exp(eps - L - NOISE))


def bounded(law: Law, level: Expr) -> Fact:
    """F (1 - exp(level))_+ is integrable: it lies in [0, 1]."""
    claims = ("F*max(0, 1 - exp(v)) <= 1", "0 <= F*max(0, 1 - exp(v))")
    upper, lower = (specialize(real(claim, "0 <= F <= 1"), v=level) for claim in claims)
    return dominated(upper, law, lower=lower)


def above(part: Statement) -> Iterator[Step]:
    """The test {L > eps} is the best one without the noise, and one of many with it."""
    ratio = exp(-NOISE)
    moment = exponential_moment(NORMAL, -h)
    unit = linear(
        NORMAL,
        ratio,
        {exp(-h * x): exp(-(h**2) / 2)},
        integrable(moment, E(NORMAL, exp(-h * x))),
    )
    one = combine(equal(E(NORMAL, ratio), 1), unit, (moment, exp(-(h**2) / 2)))
    yield one, "the ratio of the noise has mean 1"
    on = F * A
    part_ = F * A * exp(eps - L)
    finite = []
    for body in (on, part_):
        upper, lower = (
            cases(P, claim) for claim in (at_most(body, 1), at_most(0, body))
        )
        finite.append(dominated(upper, P, lower=lower))
    here = cases(P, equal(PROFILE, on - part_))
    split = linear(P, on - part_, {on: 1, part_: -1}, *finite)
    own = expect(here, P, integrable(split, E(P, on - part_)))
    yield own, "without the noise: the test {L > eps}"
    whole = independent(
        BOTH, part_, ratio, finite[1], integrable(one, E(NORMAL, ratio))
    )
    alone = marginal(BOTH, P, on, finite[0])
    gain = F * A - part_ * ratio
    both = integrable(alone, E(BOTH, on)), integrable(whole, E(BOTH, part_ * ratio))
    other = linear(BOTH, gain, {on: 1, part_ * ratio: -1}, *both)
    yield other, "with the noise, this test gains as much"
    test = specialize(
        real("A*v <= max(0, v)", "0 <= A", "A <= 1"), v=1 - exp(eps - L - NOISE)
    )
    allowed = given_by(test, cases(P, "0 <= A"), cases(P, "A <= 1"))
    pointwise = combine(at_most(gain, RAISED), (allowed, F), given=("0 <= F",))
    raised = bounded(BOTH, eps - L - NOISE)
    mean = expect(pointwise, BOTH, integrable(other, E(BOTH, gain)), raised)
    yield mean, "no test gains more than delta"
    uses = (own, split, mean, other, alone, whole, (one, E(P, part_)))
    yield combine(part.claim, *uses), "so that the noise can only raise it"


def below(part: Statement) -> Iterator[Step]:
    """A probability times a gain is at most its positive part."""
    share = normal_cdf((L - eps) / h)
    test = real("p*v <= max(0, v)", "0 <= p", "p <= 1", *part.given)
    moved = specialize(test, v=1 - exp(eps - L), p=share)
    ends = (at_most(0, normal_cdf(v)), at_most(normal_cdf(v), 1))
    certain = [placed(real(end), *part.given, v=(L - eps) / h) for end in ends]
    allowed = given_by(moved, *certain)
    pointwise = combine(at_most(SMOOTHED, PROFILE), (allowed, F), given=("0 <= F",))
    yield pointwise, "rejecting with a probability is a test"
    finite = bounded(PLAIN, eps - L)
    mean = expect(
        pointwise, PLAIN, integrable(part.assuming["sum"], E(PLAIN, SMOOTHED)), finite
    )
    yield mean, "on the average"
    yield combine(part.claim, mean, part.assuming["sum"]), "the lower sum"


SMOOTHED = F * (1 - exp(eps - L)) * normal_cdf((L - eps) / h)


def enclosed(part: Statement) -> Iterator[Step]:
    """The lower sum less the aliases of the profile."""
    whole, *others = (part.assuming[name] for name in ("sum", "test", "below", "above"))
    yield (
        combine(part.claim, (whole, 1), *others),
        "every test function is below the profile, and so are its aliases",
    )


def random_atoms(seed: int) -> int:
    """Random finite losses, drawn up to three times: the enclosure by random smoothings, against
    exact sums.
    """
    rng = random.Random(seed)
    tried = 0
    with precision(120):
        for _ in range(12):
            size = rng.randint(2, 3)
            count = rng.randint(1, 3)
            share = masses(rng, size)
            losses = [Fraction(rng.randint(-15, 20), 10) for _ in range(size)]
            atoms = AtomsTransform(
                tuple(map(formula, share)), tuple(map(formula, losses))
            )
            place = Place(
                rng.uniform(0.3, 4), rng.uniform(5, 9), rng.uniform(3, 20), 30.0
            )
            level = Fraction(rng.randint(-10, 40), 10)
            line = smoothed(
                Terms.of([(atoms, count)]),
                place,
                rng.uniform(0.01, 0.4),
                rng.randint(8, 200),
                frozenset(),
            )
            exact = ball(0)
            for picks in product(range(size), repeat=count):
                mass = prod((share[i] for i in picks), start=Fraction(1))
                exact += ball(mass) * (
                    1 - (ball(level) - ball(sum(losses[i] for i in picks))).exp()
                ).max(ball(0))
            if not line.enclosure(ball(level)).overlaps(exact):
                raise Refused(
                    f"{count} draws of {losses} with masses {share} have delta {exact}"
                    f" at {level}: {place}."
                )
            tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "above",
            "the profile is at most that of the loss and an independent Gaussian loss"
            " of shift h",
            at_most(E(P, PROFILE), E(BOTH, RAISED)),
            above,
        ),
        Statement(
            "below",
            "the mean of the lower test function is at most the profile, at any eps",
            at_most(s, E(PLAIN, PROFILE)),
            below,
            ("0 < h",),
            {"sum": assume(equal(E(PLAIN, SMOOTHED), s))},
        ),
        Statement(
            "enclosure",
            "the lower sum s less the bounds a and b on the aliases of the profile is"
            " at most delta",
            at_most(s - a - b, delta),
            enclosed,
            (),
            {
                "sum": assume(equal(s, f + low + high)),
                "test": assume(at_most(f, delta)),
                "below": assume(at_most(low, a)),
                "above": assume(at_most(high, b)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the lower test function, and so each of its aliases, is not negative",
            at_most(0, (1 - exp(-v)) * normal_cdf(v)),
        ),
    ),
    attacks=(
        Attack("random finite losses, drawn up to three times, in balls", random_atoms),
    ),
    in_words=(
        (
            "the upper sum is engine/quadrature for the loss with the noise, whose"
            " transform is in engine/smooth-kernels"
        ),
        (
            "the lower sum is the same for the lower test function, by Poisson summation"
            " as in engine/periodic-sum: its transform is that of engine/smooth-kernels,"
            " and summable by engine/smooth-truncation"
        ),
        (
            "its aliases at eps + j W are at most those of the profile, by `below`, and"
            " these by engine/aliases"
        ),
    ),
    axioms_in_words=(module("engine/periodic-sum").POISSON,),
    rules=(SmoothLine.enclosure,),
)
