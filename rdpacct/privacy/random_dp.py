"""Random differential privacy on finite spaces: the exact gamma of a release, by enumeration of all
data.

A release gives, for each data set of ``records`` records, the probabilities of its outputs. Of
records + 1 independent draws from a population, the first ``records`` are a data set; its neighbor
has the last draw in place of the one before it. ``factor`` is exp(alpha); as a rational number it
makes every answer exact.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from typing import Any, NoReturn, TypeAlias

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, add
from rdpacct.exact.functions import minimum
from rdpacct.exact.parameter import rational_of
from rdpacct.privacy.guarantee import RandomDP
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import by

Masses: TypeAlias = Mapping[Any, Fraction]
"""The probabilities of outputs or of records, which may be anything that is hashable."""
Data: TypeAlias = tuple[Any, ...]
Release: TypeAlias = Callable[[Data], Masses]

MAX_DATA = 1_000_000


@by("random-dp/definition")
def hockey_stick(p: Masses, q: Masses, factor: Fraction) -> Fraction:
    """The largest p(S) - factor q(S) over all sets S of outputs."""
    return sum(
        (
            max(mass - factor * q.get(output, 0), Fraction(0))
            for output, mass in p.items()
        ),
        Fraction(0),
    )


@by("random-dp/definition")
def smallest_gamma(
    release: Release,
    population: Masses,
    records: int,
    factor: Fraction,
    eta: Fraction = Fraction(0),
    *,
    both_ways: bool = False,
) -> Fraction:
    """The probability of data for which some event has p(S) > factor q(S) + eta, in the printed
    order or in either.
    """
    total = Fraction(0)
    for data, neighbor, probability in drawn_pairs(population, records):
        mine = release(data)
        other = release(neighbor)
        worst = hockey_stick(mine, other, factor)
        if both_ways:
            worst = max(worst, hockey_stick(other, mine, factor))
        if worst > eta:
            total += probability
    return total


def check_masses(population: Masses) -> None:
    """Refuse numbers that are not probabilities."""
    if sum(population.values()) != 1 or min(population.values(), default=-1) < 0:
        raise InputError(
            "the masses of the population must be at least 0 and sum to 1; give exact"
            " fractions."
        )


def drawn_pairs(
    population: Masses, records: int
) -> Iterator[tuple[Data, Data, Fraction]]:
    """All pairs of neighbors that can be drawn from a finite population, each with its
    probability.
    """
    check_masses(population)
    if len(population) ** (records + 1) > MAX_DATA:
        raise InputError(
            f"there are {len(population)}**{records + 1} data sets to enumerate; give"
            " fewer records."
        )
    for drawn in product(population, repeat=records + 1):
        probability = prod((population[value] for value in drawn), start=Fraction(1))
        yield drawn[:-1], (*drawn[:-2], drawn[-1]), probability


def together(first: Release, second: Release) -> Release:
    """Both outputs, drawn independently of each other."""
    return in_turn(first, lambda _: second)


def in_turn(first: Release, then: Callable[[Any], Release]) -> Release:
    """Both outputs, where the second release is chosen by the output of the first."""

    def release(data: Data) -> Masses:
        return {
            (first_output, second_output): mass * weight
            for first_output, mass in first(data).items()
            for second_output, weight in then(first_output)(data).items()
            if mass * weight
        }

    return release


def processed(release: Release, further: Callable[[Any], Masses]) -> Release:
    """The release that applies a random function, which does not look at the data, to the output of
    another release.
    """

    def outcome(data: Data) -> Masses:
        masses = dict[Any, Fraction]()
        for output, mass in release(data).items():
            for result, weight in further(output).items():
                masses[result] = masses.get(result, Fraction(0)) + mass * weight
        return masses

    return outcome


@by("random-dp/composition")
def compose_random(first: RandomDP, *others: RandomDP) -> RandomDP:
    """Releases that are independent given the data: alphas and gammas add up, 1 - eta
    multiplies.
    """
    return reduce(_pair, others, first)


def _pair(first: RandomDP, second: RandomDP) -> RandomDP:
    return RandomDP(
        first.alpha + second.alpha,
        first.eta + second.eta - first.eta * second.eta,
        gamma=minimum(1, add(first.gamma, second.gamma)),
    )


@by("random-dp/composition")
def repeat_random(guarantee: RandomDP, count: int | Expr) -> RandomDP:
    """``count`` releases that are independent given the data, each with this guarantee."""
    return RandomDP(
        count * guarantee.alpha,
        1 - (1 - guarantee.eta) ** count,
        gamma=minimum(1, count * guarantee.gamma),
    )


@by("random-dp/composition")
def compose_random_adaptively(first: RandomDP, *others: RandomDP) -> NoReturn:
    """RandomDP does not compose adaptively: if the first output chooses the second release, it also
    chooses which data are bad for it.
    """
    raise InputError(
        f"{first} and {len(others)} more do not compose adaptively"
        " (random-dp/composition): which data are bad may not depend on what was"
        " released before; fix the releases in advance, and use random_dp.compose or"
        " fixed=True."
    )


@by("random-dp/relaxation")
def worst_gamma_of(profile: Profile, relation: Relation, claim: RandomDP) -> Bound:
    """The smallest gamma of a release that is known by its losses only: 0 if it is private for all
    data, else undecided.
    """
    if relation is not Relation.REPLACE_ONE:
        raise InputError(
            f"RandomDP is about data sets that differ in one record, not {relation};"
            " state the plan for replace_one."
        )
    delta = profile.delta(rational_of(claim.alpha, "alpha", "an audit"))
    if delta.certainly_at_most(claim.eta.bound()):
        return Bound.exactly(Fraction(0), "private for all data (random-dp/relaxation)")
    raise UndecidedError(
        f"some data sets have delta = {delta} at alpha = {claim.alpha}, and how often"
        " such data are drawn the loss does not tell."
    )
