"""Gaussian releases together act as one: the squares of the shifts add up.

Printed: not in the sources
Proved: The loss of two independent Gaussian releases with shifts a and b has, at every real rate,
    the moment of one release with shift sqrt(a**2 + b**2); k releases with shift mu act as one with
    sqrt(k) mu, by induction. So mean, tau, rho and all Renyi divergences agree. That the laws
    agree, and with them every delta, is the classical fact that independent normal variables add up
    to a normal one; it is the one axiom here. Releases that are chosen adaptively are covered as
    long as each shift is fixed in advance: given the past, each loss has the same law.
Idea: Moments of independent losses multiply, and t (1 + t) mu**2/2 is additive in mu**2.
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
    E,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    axiom,
    combine,
    equal,
    given_by,
    independent_of,
    induct,
    linear,
)
from rdpacct.proof.tactics import normal
from rdpacct.proof.tactics.subgaussian import finite, placed
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

t, mu, a, b, x, y, k, eps = (
    Symbol(name) for name in ("t", "mu", "a", "b", "x", "y", "k", "eps")
)
ONE = normal.standard_normal("N1", "x")
TWO = normal.standard_normal("N2", "y")
SLACK = Bound(Fraction(-1, 10**12), Fraction(1, 10**12))
BOTH = independent_of(ONE, TWO)
LOSS = normal.loss(a, x) + normal.loss(b, y)
TOGETHER = compose_gaussian_shifts([(a, 1), (b, 1)])
AXIOM = (
    "independent normal variables add up to a normal variable (Feller 1971, volume II)"
)


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


def every_delta(part: Statement) -> Iterator[Step]:
    """The two noises add up to one."""
    yield lemma("gaussian/composition", "two"), "the moments agree at every rate"
    one = lemma("gaussian/delta", "hockey-stick")
    yield one, "the delta of one release"
    same = axiom(
        AXIOM, equal(STICK, normal.mean_of(one)), equal(mu**2, a**2 + b**2), "mu > 0"
    )
    yield same, "a x + b y has the law of mu times one noise"
    sum_ = combine(equal(STICK, gaussian_delta(mu, eps)), same, one)
    found = given_by(sum_, normal.is_law(normal.standard_normal()))
    yield placed(found, *part.given, mu=TOGETHER), "so it is the delta of the two"


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
