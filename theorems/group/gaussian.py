"""Gaussian differential privacy of groups.

Printed: not in the sources.
Proved: Write the probability that a test rejects on the j-th data set of a chain of neighbors as Phi(z_j). If each step
    obeys z_{j+1} <= z_j + mu, which is GaussianDP(mu), then z_k <= z_0 + k mu, which is GaussianDP(k mu). (A
    probability 0 stays 0 along the chain, and 1 is no restriction.)
Idea: Induction along the chain. The best test of N(mu, 1) against N(0, 1) at the level Phi(z) is a threshold and
    rejects with probability Phi(z + mu) (Neyman and Pearson).
Source: Dong, Roth and Su, Gaussian differential privacy, Theorem 3.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from rdpacct.calculus.transform import group_gaussian
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import exp, normal_cdf
from rdpacct.mechanisms.finite import FiniteMechanism
from rdpacct.privacy.guarantee import GaussianDP
from rdpacct.proof.kernel import (
    E,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    combine,
    equal,
    induct,
    specialize,
    under,
)
from rdpacct.proof.tactics.normal import lies_above, probability, standard_normal
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict

k, mu, c, x, A = map(Symbol, ("k", "mu", "c", "x", "A"))
Z = Quantity("z", (k,))
"""Phi(z(k)) is the probability that a test rejects on the k-th data set of a chain."""
NEIGHBORS = assume(at_most(Z.at(k=k + 1), Z + mu), every="k")
CLAIM = at_most(Z, Z.at(k=0) + k * mu)
ABOVE = lies_above(standard_normal(), "A", c)
SHIFT = k * mu


def chain(part: Part) -> Iterator[Step]:
    """One neighbor more adds mu."""
    one = part.assuming["neighbors"]
    before = assume(CLAIM, *part.given)
    step = combine(at_most(Z.at(k=k + 1), Z.at(k=0) + (k + 1) * mu), one, before)
    yield step, "one neighbor more"
    yield induct(specialize(one, k=0), step, "k"), "from one on"


GENERAL = Part(
    "chain", "mu is multiplied by the length of the chain", CLAIM, chain, (Whole("k", 1),), {"neighbors": NEIGHBORS}
)


def shipped(part: Part) -> Iterator[Step]:
    """The rule at size 3."""
    *_, (general, _) = chain(GENERAL)
    yield under(combine(part.claim, specialize(general, k=3))), "the general statement at k = 3"


def shifts(part: Part) -> Iterator[Step]:
    """The threshold test under shifted normal laws."""
    yield combine(part.claim, probability(ABOVE, c, shift=SHIFT)), "the mass of a shifted normal law above c"


def attack(seed: int) -> int:
    """Chains of three binary laws: the certified mu of the ends against the rule, from those of the steps."""
    rng = Random(seed)
    for _ in range(25):
        rows = [(Fraction(weight, 40), 1 - Fraction(weight, 40)) for weight in (rng.randint(8, 32) for _ in range(3))]
        mechanism = FiniteMechanism(rows)
        steps = [mechanism.loss_between(*pair).gaussian_mu().upper for pair in ((0, 1), (1, 0), (1, 2), (2, 1))]
        promise = group_gaussian(GaussianDP(Fraction(max(steps))), 2)
        for ends in ((0, 2), (2, 0)):
            if promise.mu.bound().certainly_below(mechanism.loss_between(*ends).gaussian_mu().lower):
                raise Refused(f"the laws {rows} are further apart than {promise}.")
    return 25


THEOREM = Theorem(
    verdict=Verdict.PROVED,
    parts=(
        GENERAL,
        Part(
            "the rule at size 3",
            "what the package computes, for three neighbors",
            at_most(Z.at(k=3), Z.at(k=0) + group_gaussian(GaussianDP(mu), 3).mu),
            shipped,
            assuming={"neighbors": NEIGHBORS},
        ),
    ),
    sharp=(
        Part(
            "attained",
            "on N(0, 1), N(mu, 1), ..., N(k mu, 1) the test x > c has z = -c, mu - c, ..., k mu - c",
            equal(E(ABOVE, A * exp(SHIFT * x - SHIFT**2 / 2)), normal_cdf(SHIFT - c)),
            shifts,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the root of the size is enough, as it is for composition: the test x > 0 on four shifts of mu",
            at_most(normal_cdf(4 * mu), normal_cdf(2 * mu)),
            ("mu > 0",),
        ),
    ),
    attacks=(Attack("chains of three binary laws", attack),),
    rules=(group_gaussian,),
)
