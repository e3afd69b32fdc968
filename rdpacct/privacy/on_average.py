"""On-average KL privacy: the mean divergence of the outputs on drawn data, and the random
differential privacy that follows from it.

The data are those of random differential privacy: of n + 1 independent draws the first n are one
data set, and its neighbor has the last draw in place of the one before it.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, Real, add, formula
from rdpacct.exact.functions import log, minimum
from rdpacct.exact.number import Number, rational, whole
from rdpacct.privacy.guarantee import RandomDP
from rdpacct.privacy.random_dp import Masses, Release, drawn_pairs
from rdpacct.provenance import by


def on_average_kl(release: Release, population: Mapping[Any, Number], n: int) -> Bound:
    """The mean over all draws of the Kullback-Leibler divergence of the outputs on a data set from
    those on its neighbor, by enumeration.

    The release is a function from a data set to the exact probabilities of its outputs.
    """
    masses = {
        record: rational(mass, "a mass of the population")
        for record, mass in population.items()
    }
    records = whole(n, "n", 1, 10**6)
    terms = list[Expr]()
    for data, neighbor, probability in drawn_pairs(masses, records):
        divergence = kullback_leibler(release(data), release(neighbor))
        if probability and divergence is None:
            return Bound.exactly(math.inf, "some outputs show the data")
        if probability and divergence is not None:
            terms.append(probability * divergence)
    return add(*terms).bound("enumeration of all data")


def kullback_leibler(p: Masses, q: Masses) -> Expr | None:
    """The divergence of p from q, or None if it is infinite."""
    terms = [ZERO]
    for output, mass in p.items():
        other = Fraction(q.get(output, 0))
        if not mass:
            continue
        if not other:
            return None
        terms.append(mass * log(Fraction(mass) / other))
    return add(*terms)


def from_on_average_kl(kl: Number, eta: Number) -> RandomDP:
    """What on-average KL privacy implies: RandomDP with alpha = 0, this eta, and its gamma."""
    mean = rational(kl, "the mean divergence")
    excess = rational(eta, "eta")
    if mean < 0 or not 0 < excess <= 1:
        raise InputError(
            f"the mean divergence is {kl} and eta is {eta}; give a divergence of at"
            " least 0 and an eta above 0 and at most 1."
        )
    gamma = minimum(1, bad_share(mean, excess))
    return RandomDP(alpha=0, eta=formula(excess), gamma=gamma)


@by("random-dp/on-average-kl")
def bad_share(kl: Real, eta: Real) -> Expr:
    """At most the probability of data on which the outputs are farther apart than eta in total
    variation: kl/(2 eta**2).
    """
    return formula(kl) / (2 * formula(eta) ** 2)
