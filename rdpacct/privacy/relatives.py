"""Relatives of random differential privacy: distributional privacy, and tails of the loss on
average.

Distributional privacy (Blum, Ligett and Roth 2008) is about two data sets whose records are all
drawn independently from one population, where random differential privacy has one record drawn
anew. Bayesian differential privacy (Triastcyn and Faltings 2020) is about how often the loss
exceeds alpha, over the draws and the output together.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp, minimum
from rdpacct.exact.number import Number, rational, whole
from rdpacct.privacy.group import chained
from rdpacct.privacy.guarantee import RandomDP
from rdpacct.privacy.random_dp import (
    MAX_DATA,
    Data,
    Masses,
    Release,
    check_masses,
    drawn_pairs,
    hockey_stick,
)
from rdpacct.provenance import by


class Distributional(NamedTuple):
    """Two independent data sets of one population have an event with P(S) > exp(alpha) Q(S) + eta,
    in either order, with probability at most beta.
    """

    alpha: Expr
    eta: Expr
    beta: Expr


@by("random-dp/distributional")
def along_chain(
    alpha: Expr, eta: Expr, share: Real, steps: Real
) -> tuple[Expr, Expr, Expr]:
    """What holds of both ends of a chain of data sets, if two in a row are bad for (alpha, eta)
    with probability at most the share.
    """
    grown, slips = chained(alpha, eta, steps)
    return grown, slips, formula(steps) * share


def from_distributional(
    alpha: Number | Expr, beta: Number, eta: Number = 0
) -> RandomDP:
    """What distributional privacy implies for one record drawn again: by way of a third data set,
    two steps.
    """
    known = RandomDP(alpha, eta, gamma=beta)
    grown, slips, share = along_chain(known.alpha, known.eta, known.gamma, 2)
    return RandomDP(grown, minimum(1, slips), gamma=minimum(1, share))


def to_distributional(promise: RandomDP, n: int) -> Distributional:
    """What a promise for one record drawn again implies for n of them, if the release does not
    depend on the order of the records.
    """
    if not isinstance(promise, RandomDP):
        raise InputError(f"the promise is {promise}; give a RandomDP.")
    records = whole(n, "n", 1, 10**9)
    grown, slips, share = along_chain(
        promise.alpha, promise.eta, promise.gamma, records
    )
    return Distributional(grown, minimum(1, slips), minimum(1, share))


def independent_pairs(
    population: Masses, records: int
) -> Iterator[tuple[Data, Data, Fraction]]:
    """All pairs of data sets of a finite population, each with its probability."""
    check_masses(population)
    if len(population) ** (2 * records) > MAX_DATA:
        raise InputError(
            f"there are {len(population)}**{2 * records} pairs of data sets to"
            " enumerate; give fewer records."
        )
    for drawn in product(population, repeat=2 * records):
        probability = prod((population[value] for value in drawn), start=Fraction(1))
        yield drawn[:records], drawn[records:], probability


def smallest_beta(
    release: Release,
    population: Masses,
    records: int,
    factor: Fraction,
    eta: Fraction = Fraction(0),
) -> Fraction:
    """The probability of two independent data sets for which some event has p(S) > factor q(S) +
    eta, in either order.
    """
    total = Fraction(0)
    for data, other, probability in independent_pairs(population, records):
        masses = release(data)
        other_masses = release(other)
        sticks = (
            hockey_stick(masses, other_masses, factor),
            hockey_stick(other_masses, masses, factor),
        )
        if max(sticks) > eta:
            total += probability
    return total


def tail_on_average(
    release: Release, population: Mapping[Any, Number], n: int, alpha: Number | Expr
) -> Bound:
    """The probability, over all draws and the output, that the loss on a data set and its neighbor
    exceeds alpha, by enumeration.
    """
    masses = {
        record: rational(mass, "a mass of the population")
        for record, mass in population.items()
    }
    level = RandomDP(alpha, 0, gamma=0).alpha
    records = whole(n, "n", 1, MAX_DATA)
    certain = possible = Fraction(0)
    for data, neighbor, probability in drawn_pairs(masses, records):
        other = release(neighbor)
        for output, mass in release(data).items():
            excess = (mass - exp(level) * other.get(output, Fraction(0))).bound()
            if not excess.certainly_at_most(0):
                possible += probability * mass
            if excess.certainly_above(0):
                certain += probability * mass
    return Bound(certain, possible, "enumeration of all data and outputs")


def from_tail_on_average(tail: Number, alpha: Number | Expr, eta: Number) -> RandomDP:
    """What a small tail of the loss implies: RandomDP with this alpha, this eta, and its gamma."""
    mean = rational(tail, "the mean tail")
    excess = rational(eta, "eta")
    if not 0 <= mean <= 1 or not 0 < excess <= 1:
        raise InputError(
            f"the mean tail is {tail} and eta is {eta}; give a probability, and an eta"
            " above 0 and at most 1."
        )
    gamma = minimum(1, share_of_tails(mean, excess))
    return RandomDP(alpha, formula(excess), gamma=gamma)


@by("random-dp/tail-on-average")
def share_of_tails(tail: Real, eta: Real) -> Expr:
    """At most the probability of data on which some event exceeds by more than eta, in either
    order: 2 tail/eta.
    """
    return 2 * formula(tail) / formula(eta)
