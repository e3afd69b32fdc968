"""Poisson samples with a cap: a mechanism on at most that many of the sampled records."""

import random
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.binomial_tails import tails
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ONE, ZERO, Expr, formula
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import (
    both_directions,
    either_way,
    folded_direction,
    one_way,
)
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.inside import Inside, WholeIn, assumed_inside
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled
from rdpacct.mechanisms.sampling import bernoulli
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.between import BetweenPairs, dominating
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.privacy.weighted import directions_side_by_side, side_by_side
from rdpacct.provenance import by

BITS = 192
"""The precision of the probability that a sample is cut."""


@dataclass(frozen=True)
class TruncatedPoissonSampled(Mechanism):
    """A mechanism on a sample that has each of at most ``of`` records with probability ``rate``,
    independently, and of which a random choice of ``cap`` is kept if it has more.

    The mechanism is stated for samples, which have a record or do not have it.
    """

    inside: ClassVar[Relation] = Relation.ADD_OR_REMOVE_ONE
    mechanism: Inside = Inside(Relation.ADD_OR_REMOVE_ONE)
    rate: Parameter = Parameter(
        most=1, remedy="give the share of the records, as in rate=256/60000"
    )
    of: WholeIn = WholeIn("the number of records")
    cap: WholeIn = WholeIn("the cap")
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if self.mechanism.for_group(2) is None:
            raise InputError(
                f"no theorem of this package gives {shorten(str(self.mechanism), 80)} for"
                " two records, one of which takes the place of the other in a sample that"
                " is cut; give a Gaussian or a Laplace mechanism, or PoissonSampled."
            )
        self.not_cut.loss()

    @property
    def not_cut(self) -> PoissonSampled:
        """The mechanism if no sample is cut; it refuses what no theorem covers."""
        return PoissonSampled(self.mechanism, self.rate, relation=self.relation)

    @property
    def oriented(self) -> bool:
        """Whether one of the data sets has the record and the other has none."""
        return self.relation is not Relation.REPLACE_ONE

    @cached_property
    def chance(self) -> Expr:
        """At least the probability that the other records alone fill the sample."""
        return filled(self.of - 1, self.rate, self.cap)

    @property
    def never_cut(self) -> bool:
        """Whether a sample that is cut tells no more of the record than one that is not."""
        same_size = self.relation is not Relation.ADD_OR_REMOVE_ONE
        return self.chance == ZERO or (self.rate == ONE and same_size)

    def loss(self) -> Loss:
        """The loss of a Poisson sample, and that of a sample that is cut, side by side."""
        if self.never_cut:
            return self.not_cut.loss()
        return cut_loss(self.not_cut, self.chance)

    def profile(self) -> Profile:
        losses = self.loss().directions()
        if self.never_cut:
            return self.not_cut.profile()
        return BetweenPairs(losses, self.attained())

    def directions(self) -> tuple[Direction, ...]:
        """Directions above the release, with those that can happen below, in the same order."""
        if self.never_cut:
            return self.not_cut.directions()
        above = cut_directions(self.not_cut, self.chance)
        if above is None:
            above = [loss.direction() for loss in self.loss().directions()]
        below = self.attained()
        if not self.oriented:
            return (dominating(above[0], below),)
        ways = zip(above, below, strict=True)
        return tuple(dominating(way, (end,)) for way, end in ways)

    def attained(self) -> tuple[Loss, ...]:
        """All other records add nothing, and the record is left out of all samples that are cut; or
        there is no other record.
        """
        if self.never_cut:
            return self.not_cut.attained()
        if self.rate == ONE:
            return self.not_cut.attained() * 2
        rarely = kept_rate(self.rate, self.chance)
        fewer = PoissonSampled(self.mechanism, rarely, relation=self.relation)
        return fewer.attained()

    def hypotheses(self) -> tuple[str, ...]:
        drawn = (
            f"{self}: each of at most {self.of} records is in the sample with probability"
            f" {self.rate}, independently of all others and anew for each release; of a"
            f" sample with more than {self.cap} a random choice of {self.cap} is kept;"
            " and nothing but the release tells which were drawn."
        )
        return drawn, *assumed_inside(self.mechanism)

    def about_noise(self) -> tuple[str, ...]:
        return self.mechanism.about_noise()

    def certified(self) -> tuple[str, dict[str, Any]]:
        raise InputError(
            f"certificates of budgets know no {type(self).__name__}; ask for epsilon"
            " without a certificate."
        )

    def sample(self, value: tuple[float, float, float], rng: Source = None) -> Any:
        """The noisy value of a query, given its values on samples with the record that neighbors
        differ in, without it, and with it in the place of another one; for data that have the
        record, or a null record.
        """
        source = randomness(rng)
        if not (isinstance(value, tuple | list) and len(value) == 3):
            raise InputError(
                f"the value is {shorten(repr(value))}; give three values of the query, with"
                " the record, without it, and with it in the place of another one."
            )
        chosen = value[self._kept(source)]
        return self.mechanism.sample(chosen, source)

    def _kept(self, source: random.Random) -> int:
        """0 if the record is in a sample that is not cut, 2 if it is in one that is, 1 if it is in
        none.
        """
        rate = rational_of(self.rate, "rate")
        drawn = bernoulli(rate, source)
        others = sum(bernoulli(rate, source) for _ in range(self.of - 1))
        if not drawn:
            return 1
        if others < self.cap:
            return 0
        return 2 if source.randrange(others + 1) < self.cap else 1

    def __str__(self) -> str:
        return (
            f"TruncatedPoissonSampled({self.mechanism}, rate={self.rate}, of={self.of},"
            f" cap={self.cap})"
        )

    @classmethod
    def examples(cls) -> Iterable["TruncatedPoissonSampled"]:
        yield cls(Gaussian(1), "0.1", 50, 40)
        yield cls(Gaussian(2), "0.1", 20, 20)


@by("sampling/truncated")
def kept_rate(rate: Expr, chance: Expr) -> Expr:
    """The probability at least that the record is in a sample that is not cut."""
    return rate * (1 - chance)


@by("sampling/truncated")
def cut_loss(sampled: PoissonSampled, chance: Expr) -> PrivacyLoss:
    """The pairs of samples that are not cut and of those that are, side by side."""
    plain = _of_parts(sampled)
    two = two_records(sampled)
    if sampled.rate == ONE:
        return _of_parts(two)
    if sampled.relation is Relation.ADD_OR_REMOVE_ONE:
        cut = one_way(two, sampled.rate)
    else:
        cut = either_way(two, sampled.rate)
    cases = [(1 - chance, plain), (chance, cut)]
    return side_by_side(cases, symmetric=not sampled.oriented)


@by("sampling/truncated")
def cut_directions(sampled: PoissonSampled, chance: Expr) -> list[Direction] | None:
    """The directions of the pairs side by side; None if one of them is not known."""
    two = two_records(sampled)
    plain = sampled.directions()
    if sampled.rate == ONE:
        return list(two.directions()) * len(plain)
    cut = both_directions(two, sampled.rate)
    if sampled.relation is not Relation.ADD_OR_REMOVE_ONE:
        cut = (folded_direction(two, sampled.rate, cut),) * len(plain)
    ways = zip(plain, cut, strict=True)
    directions = [
        directions_side_by_side([(1 - chance, one), (chance, other)])
        for one, other in ways
    ]
    return (
        [direction for direction in directions if direction is not None]
        if all(directions)
        else None
    )


def _of_parts(mechanism: Mechanism) -> PrivacyLoss:
    loss = mechanism.loss()
    if not isinstance(loss, PrivacyLoss):
        raise InputError(
            f"{shorten(str(mechanism), 80)} has no loss of its own on a sample; give a"
            " Gaussian or a Laplace mechanism."
        )
    return loss


def two_records(sampled: PoissonSampled) -> Mechanism:
    """The mechanism on samples in which one record takes the place of another, or of a null record:
    one is removed, and one added.
    """
    mechanism = sampled.mechanism.for_group(2)
    if mechanism is None:
        raise InputError(f"no theorem gives {sampled.mechanism} for two records.")
    return mechanism


def filled(others: int, rate: Expr, cap: int) -> Expr:
    """At least the probability that the sampled others fill the cap, as an exact number."""
    if others < cap or rate == ZERO:
        return ZERO
    if rate == ONE:
        return ONE
    p = rate.ball(BITS)
    tail = tails(cap, others, p, Ball.of(1, BITS) - p)[0]
    return formula(min(Fraction(tail.upper()), Fraction(1)))
