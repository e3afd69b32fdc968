"""Gaussian releases together act as one: the squares of the shifts add up.

Printed: not in the sources
Proved: The loss of two independent Gaussian releases with shifts a and b has, at every real rate,
    the moment of one release with shift sqrt(a**2 + b**2); k releases with shift mu act as one with
    sqrt(k) mu, by induction. So mean, tau, rho and all Renyi divergences agree. Two releases have
    the delta of the one, at every real eps, for a > 0 and any real b; and one more release after
    any past whose delta is, at every eps, at most that of one has at most that of the two. Releases
    that are chosen adaptively are covered as long as each shift is fixed in advance: given the
    past, each loss has the same law.
Idea: Moments of independent losses multiply, and t (1 + t) mu**2/2 is additive in mu**2. For delta:
    with c = sqrt(a**2 + b**2) and (c z - b y)/a in the place of the first noise x, its law becomes
    a density to that of z, whose mean over y is 1; so the means over y and z may be exchanged.
Source: Dong, Roth and Su (2022), Corollary 3.3; Feller (1971), An Introduction to Probability
    Theory II.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp, maximum, normal_density, sqrt
from rdpacct.exact.integral import integrate
from rdpacct.mechanisms.gaussian.gaussian import log_moment
from rdpacct.privacy.compose import compose_gaussian_shifts
from rdpacct.privacy.gaussian_tradeoff import gaussian_delta
from rdpacct.proof.entries import lemma
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Law,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    combine,
    equal,
    given_by,
    independent_of,
    induct,
    linear,
    specialize,
    under,
)
from rdpacct.proof.tactics import normal, normal_sum
from rdpacct.proof.tactics.subgaussian import finite
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

t, mu, a, b, x, y, k, q, eps = (
    Symbol(name) for name in ("t", "mu", "a", "b", "x", "y", "k", "q", "eps")
)
ONE = normal_sum.ONE
TWO = normal_sum.TWO
SLACK = Bound(Fraction(-1, 10**12), Fraction(1, 10**12))
BOTH = independent_of(ONE, TWO)
LOSS = normal.loss(a, x) + normal.loss(b, y)
TOGETHER = compose_gaussian_shifts([(a, 1), (b, 1)])


def moment(number: Real) -> Expr:
    """The moment of so many releases with the shift mu."""
    return Quantity("M", (formula(number),))


def composed(number: Real) -> Expr:
    """What the shipped rule makes of it."""
    return exp(log_moment(compose_gaussian_shifts([(mu, number)]), t))


def two(part: Statement) -> Iterator[Step]:
    """The moments of the two noises multiply."""
    noise = normal.product_mean(
        BOTH,
        normal.exponential_moment(ONE, t * a),
        normal.exponential_moment(TWO, t * b),
    )
    yield noise, "the moments of independent noises multiply"
    shifted = linear(
        BOTH,
        exp(t * LOSS),
        {normal.mean_of(noise).body: exp(t * (a**2 + b**2) / 2)},
        finite(noise),
    )
    yield combine(part.claim, shifted, noise), "the squares add up"


def many(part: Statement) -> Iterator[Step]:
    """Induction on the number of releases."""
    base = combine(equal(moment(0), composed(0)), part.assuming["nothing"])
    yield base, "no release"
    before = assume(part.claim, Whole("k", 0))
    step = combine(
        equal(moment(k + 1), composed(k + 1)),
        part.assuming["release"],
        (before, exp(log_moment(mu, t))),
    )
    yield step, "one more release"
    yield induct(base, step, "k"), "by induction"


STICK = E(BOTH, maximum(0, 1 - exp(eps - LOSS)))
PAST = Law("P", ("L",))
L = PAST.symbol("L")
REST = eps - normal.loss(b, y)
"""What is left of the level after the second loss."""
MORE = E(independent_of(PAST, TWO), maximum(0, 1 - exp(REST - L)))


def every_delta(part: Statement) -> Iterator[Step]:
    """The two noises add up to one."""
    gap = q - LOSS
    first = normal_sum.first_delta(gap.at(q=normal_sum.LEVEL))
    yield (
        first,
        "the delta of the first release, at what the second leaves of the level",
    )
    yield from _one_more(part, ONE, first, gap, ONE, TWO, normal_sum.SUM)


def one_more(part: Statement) -> Iterator[Step]:
    """The same for any first loss with the delta of a normal one."""
    gap = REST.at(eps=q) - L
    level = normal_sum.LEVEL - normal.loss(b, y)
    first = under(specialize(part.assuming["past"], eps=level), *part.given)
    yield first, "the delta of the past, at what the new release leaves of the level"
    yield from _one_more(part, PAST, first, gap, TWO, normal_sum.SUM)


def _one_more(
    part: Statement, past: Law, first: Fact, gap: Expr, *laws: Density
) -> Iterator[Step]:
    yield normal_sum.given_second(), "it is a mean over the sum, with a density ratio"
    yield normal_sum.given_sum(), "whose mean over the second noise is 1"
    found = normal_sum.hockey_stick(past, first, gap.at(q=normal_sum.LEVEL))
    yield found, "so the sum acts as sqrt(a**2 + b**2) times one noise"
    one = lemma("gaussian/delta", "hockey-stick")
    yield one, "the delta of one release"
    sum_ = normal_sum.at_level(found, one, gap)
    there = given_by(sum_, *map(normal.is_law, laws))
    yield combine(part.claim, there), "is that of the sum"


def gaps(seed: int) -> int:
    """Random shifts and epsilons: delta of two releases by an integral over the first, against the
    closed form.
    """
    rng = random.Random(seed)
    for _ in range(3):
        first, second, level = (Fraction(rng.randint(5, 20), 10) for _ in range(3))
        given = gaussian_delta(second, level - normal.loss(first, x)) * normal_density(
            x, 0, 1
        )
        total = integrate(given, "x", formula(-9), formula(9), 60)
        if (
            not (total - gaussian_delta(sqrt(first**2 + second**2), level).ball(60))
            .bound()
            .overlaps(SLACK)
        ):
            raise Refused(f"shifts {first} and {second} do not act as one at {level}.")
    return 3


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "in `many` the moment of one more release is a hypothesis; given the past"
            " each loss has the same law, so that adaptive choices with fixed shifts"
            " are covered"
        ),
    ),
    parts=(
        Statement(
            "two",
            "two releases have the moments of one",
            equal(E(BOTH, exp(t * LOSS)), exp(log_moment(TOGETHER, t))),
            two,
        ),
        Statement(
            "many",
            "k releases with the shift mu have the moments of one; M(k) is their"
            " moment",
            equal(moment(k), composed(k)),
            many,
            (Whole("k", 0),),
            {
                "nothing": assume(equal(moment(0), 1)),
                "release": assume(
                    equal(moment(k + 1), moment(k) * exp(log_moment(mu, t))),
                    Whole("k", 0),
                    every="k",
                ),
            },
        ),
        Statement(
            "delta",
            "two releases have the delta of one, at every eps",
            equal(STICK, gaussian_delta(TOGETHER, eps)),
            every_delta,
            ("a > 0",),
        ),
        Statement(
            "one-more",
            "one more release, if those before have at most the delta of one; L is their"
            " loss",
            at_most(MORE, gaussian_delta(TOGETHER, eps)),
            one_more,
            ("a > 0",),
            {
                "past": assume(
                    at_most(
                        E(PAST, maximum(0, 1 - exp(eps - L))), gaussian_delta(a, eps)
                    ),
                    every="eps",
                )
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "one release with the sum of the shifts is no worse",
            at_most(log_moment(a + b, t), log_moment(TOGETHER, t)),
            ("a > 0", "b > 0", "t > 0"),
        ),
        Falsehood(
            "the larger shift decides",
            at_most(log_moment(TOGETHER, t), log_moment(maximum(a, b), t)),
            ("a > 0", "b > 0", "t > 0"),
        ),
    ),
    attacks=(
        Attack("delta of two releases by integration over the first, in balls", gaps),
    ),
    rules=(compose_gaussian_shifts,),
)
