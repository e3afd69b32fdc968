"""Gaussian differential privacy of groups.

Printed: not in the sources.
Proved: No test of N(mu, 1) against N(0, 1), mu > 0, at the level Phi(z) rejects with a probability
    above Phi(z + mu). So GaussianDP(mu) says that the probabilities Phi(z_j) with which any test
    rejects along a chain of neighbors obey z_{j+1} <= z_j + mu; then z_k <= z_0 + k mu, which is
    GaussianDP(k mu). (A probability 0 stays 0 along the chain, and 1 is no restriction.) The size
    and power of the threshold test, hypotheses of the first part, are in `sharp`.
Idea: Neyman and Pearson: (R - K)(f - A) <= 0 for the ratio R, a test f and the indicator A of R >
    K. Then induction.
Source: Dong, Roth and Su, Gaussian differential privacy, Theorem 3.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import exp, normal_cdf
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.privacy.group import group_gaussian
from rdpacct.privacy.guarantee import GaussianDP
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    E,
    Law,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    below,
    cases,
    combine,
    dominated,
    equal,
    event,
    expect,
    induct,
    integrable,
    linear,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.normal import lies_above, probability, standard_normal
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

k, mu, c, x, A = map(Symbol, ("k", "mu", "c", "x", "A"))
Z = Quantity("z", (k,))
"""Phi(z(k)) is the probability that a test rejects on the k-th data set of a chain."""
NEIGHBORS = assume(at_most(Z.at(k=k + 1), Z + mu), every="k")
CLAIM = at_most(Z, Z.at(k=0) + k * mu)
ABOVE = lies_above(standard_normal(), "A", c)
SHIFT = k * mu


R, f, K = map(Symbol, ("R", "f", "K"))
TEST = Law("N", ("R", "f"), relations("R >= 0", "0 <= f <= 1"))
"""The ratio of N(mu, 1) to N(0, 1), and what a test does, under N(0, 1)."""
BEST = event(TEST, "A", below(K, R))
"""The event that the ratio exceeds K = exp(mu c - mu**2/2), which is x > c."""


def best_test(part: Statement) -> Iterator[Step]:
    """(R - K)(f - A) is nowhere positive."""
    level, size, power, mass = (
        part.assuming[name]
        for name in ("level", "size of the best", "power of the best", "mass")
    )
    given = tuple(one for one in part.given if isinstance(one, str))
    line = cases(BEST, at_most(R * f, R * A + K * f - K * A), *given)
    yield line, "Neyman and Pearson"
    finite = dominated(
        real("R*f <= R", "R >= 0", "0 <= f <= 1"),
        BEST,
        integrable(mass, E(BEST, R)),
        lower=real("0 <= R*f", "R >= 0", "0 <= f <= 1"),
    )
    known = [integrable(fact, fact.relation.left) for fact in (power, level, size)]
    sum_ = linear(BEST, line.relation.right, {R * A: 1, f: K, A: -K}, *known)
    over = expect(line, BEST, finite, integrable(sum_, E(BEST, line.relation.right)))
    yield (
        combine(part.claim, over, sum_, power, (level, K), size),
        "at a level that is no larger",
    )


def chain(part: Statement) -> Iterator[Step]:
    """One neighbor more adds mu."""
    one = part.assuming["neighbors"]
    before = assume(CLAIM, *part.given)
    step = combine(at_most(Z.at(k=k + 1), Z.at(k=0) + (k + 1) * mu), one, before)
    yield step, "one neighbor more"
    yield induct(specialize(one, k=0), step, "k"), "from one on"


GENERAL = Statement(
    "chain",
    "mu is multiplied by the length of the chain",
    CLAIM,
    chain,
    (Whole("k", 1),),
    {"neighbors": NEIGHBORS},
)


def shipped(part: Statement) -> Iterator[Step]:
    """The rule at size 3."""
    *_, (general, _) = chain(GENERAL)
    yield (
        under(combine(part.claim, specialize(general, k=3))),
        "the general statement at k = 3",
    )


def shifts(part: Statement) -> Iterator[Step]:
    """The threshold test under shifted normal laws."""
    yield (
        combine(part.claim, probability(ABOVE, c, shift=SHIFT)),
        "the mass of a shifted normal law above c",
    )


def attack(seed: int) -> int:
    """Chains of three binary laws: the certified mu of the ends against the rule, from those of the
    steps.
    """
    rng = Random(seed)
    for _ in range(25):
        rows = [
            (Fraction(weight, 40), 1 - Fraction(weight, 40))
            for weight in (rng.randint(8, 32) for _ in range(3))
        ]
        mechanism = FiniteMechanism(rows)
        steps = [
            mechanism.loss_between(*pair).gaussian_mu().upper
            for pair in ((0, 1), (1, 0), (1, 2), (2, 1))
        ]
        promise = group_gaussian(GaussianDP(Fraction(max(steps))), 2)
        for ends in ((0, 2), (2, 0)):
            if promise.mu.bound().certainly_below(
                mechanism.loss_between(*ends).gaussian_mu().lower
            ):
                raise Refused(f"the laws {rows} are further apart than {promise}.")
    return 25


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=("a test of probability 0 or 1 has no finite z and is no restriction",),
    parts=(
        Statement(
            "one step",
            "no test of N(mu, 1) against N(0, 1) at the level Phi(-c) rejects with a"
            " probability above Phi(mu - c)",
            at_most(E(BEST, R * f), normal_cdf(mu - c)),
            best_test,
            ("K >= 0",),
            {
                "mass": assume(equal(E(BEST, R), 1)),
                "level": assume(at_most(E(BEST, f), normal_cdf(-c))),
                "size of the best": assume(equal(E(BEST, A), normal_cdf(-c))),
                "power of the best": assume(equal(E(BEST, R * A), normal_cdf(mu - c))),
            },
            witness=example(
                {"c": 0, "mu": 1, "K": 1},
                {
                    "N": [
                        (("erfc(-1/sqrt(2))", 0), "1/2"),
                        (("2 - erfc(-1/sqrt(2))", 0), "1/2"),
                    ]
                },
            ),
        ),
        GENERAL,
        Statement(
            "the rule at size 3",
            "what the package computes, for three neighbors",
            at_most(Z.at(k=3), Z.at(k=0) + group_gaussian(GaussianDP(mu), 3).mu),
            shipped,
            assuming={"neighbors": NEIGHBORS},
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "on N(0, 1), N(mu, 1), ..., N(k mu, 1) the test x > c has z = -c, mu - c,"
            " ..., k mu - c",
            equal(E(ABOVE, A * exp(SHIFT * x - SHIFT**2 / 2)), normal_cdf(SHIFT - c)),
            shifts,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the root of the size is enough, as it is for composition: the test x > 0"
            " on four shifts of mu",
            at_most(normal_cdf(4 * mu), normal_cdf(2 * mu)),
            ("mu > 0",),
        ),
    ),
    attacks=(Attack("chains of three binary laws", attack),),
    rules=(group_gaussian,),
)
