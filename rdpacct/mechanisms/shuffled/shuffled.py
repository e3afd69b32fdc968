"""Shuffled reports: everybody runs the same local randomizer, and the reports are seen in a random
order.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import ZERO
from rdpacct.exact.number import shorten, whole
from rdpacct.exact.parameter import CheckedField
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.inside import as_release
from rdpacct.mechanisms.local.hadamard_response import HadamardResponse
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.randomized_response.randomized_response import (
    RandomizedResponse,
)
from rdpacct.mechanisms.shuffled.clones import Clones, Reports
from rdpacct.mechanisms.shuffled.listed_counts import density, listed_loss
from rdpacct.mechanisms.shuffled.report_counts import EndsProfile, _ReportCounts
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import remembered_property

MOST_PEOPLE = 10**8
MOST_EPSILON = 20
MOST_LISTED = 24
"""Every count of reports is listed for up to this many people."""


class LocalIn(CheckedField[Mechanism | Guarantee, Mechanism]):
    """A field that holds a local randomizer, which says what its shuffled reports are like."""

    written_as: ClassVar[str] = "mechanism"

    def checked(self, given: Mechanism | Guarantee) -> Mechanism:
        given = as_release(given, Relation.REPLACE_ONE)
        if not isinstance(given, Mechanism) or given.shuffled_reports() is None:
            raise InputError(
                f"Shuffled holds {shorten(str(given), 80)}, but shuffles local randomizers"
                " with a pure epsilon; give RandomizedResponse, HadamardResponse or another"
                " local randomizer, or what yours promises, as in PureDP(epsilon=1)."
            )
        epsilon = given.profile().max_divergence().upper
        if epsilon > MOST_EPSILON:
            raise InputError(
                f"the local epsilon is {float(epsilon):g}, more than {MOST_EPSILON};"
                " shuffling does not help there, give the local randomizer itself."
            )
        return given.stated_for(Relation.REPLACE_ONE)


@dataclass(frozen=True)
class Shuffled(Mechanism):
    """The reports of ``people`` persons, each by the same local randomizer from their own value
    alone, in a random order that nobody knows.

    Neighbors differ in the value of one person; how many there are is public.
    """

    inside: ClassVar[Relation] = Relation.REPLACE_ONE
    mechanism: LocalIn = LocalIn()
    people: int = 1

    @property
    def relation(self) -> Relation:
        """Replacing one value, whatever is asked for."""
        return Relation.REPLACE_ONE

    def stated_for(self, relation: Relation) -> Self:  # noqa: ARG002
        return self

    def __post_init__(self) -> None:
        known = whole(self.people, "people", 1, MOST_PEOPLE)
        object.__setattr__(self, "people", known)

    @remembered_property
    def reports(self) -> Reports:
        """The clones of the reports."""
        reports = self.mechanism.shuffled_reports()
        if reports is None:
            raise InputError(f"{self.mechanism} is not a local randomizer.")
        return reports

    def alternatives(self) -> Alternatives:
        """The counts of a data set that occurs below, and those that dominate all above."""
        reports = self.reports
        if reports.above.epsilon == ZERO:
            return Alternatives((Plan.of(),), Plan.of(), all_of_them=False)
        above = _ReportCounts(reports.above, self.people, True)
        below = Plan.of()
        if reports.attained is not None:
            attained = _ReportCounts(reports.attained, self.people, False)
            below = Plan.of(attained)
        return Alternatives(
            (below,),
            Plan.of(above),
            all_of_them=False,
            why_apart="the worst values of the other people are not known; below, they all"
            " have a third value",
        )

    def loss(self) -> PrivacyLoss:
        """The loss of few people of whom all but one have the same value, a third one."""
        attained = self.reports.attained
        if attained is None or self.people > MOST_LISTED or attained.epsilon == ZERO:
            raise UndecidedError(
                f"no single pair of laws is known to be the worst of {self}; ask for"
                " epsilon or delta."
            )
        return listed_loss(attained, self.people)

    def pair(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        if self.people > MOST_LISTED or not self._has_a_third_value:
            return None
        others = (2,) * (self.people - 1)
        return (1, *others), (0, *others)

    @property
    def _has_a_third_value(self) -> bool:
        return self.mechanism.has_sampler and self.reports.attained is not None

    def observed(self, output: Sequence[Any]) -> float:
        """The loss of the counts, which are all that is looked at."""
        attained = self.reports.attained
        if attained is None:
            raise UndecidedError(f"no pair of values of {self} has a known loss.")
        told = [self.mechanism.observed(report) for report in output]
        first = sum(loss > 0 for loss in told)
        second = sum(loss < 0 for loss in told)
        if first == second:
            return 0.0
        rest = self.people - first - second
        return _observed(attained, first, second, rest)

    def attained(self) -> tuple[Loss, ...]:
        """The listed loss of few people."""
        if self.pair() is None:
            return ()
        return (self.loss(),)

    def profile(self) -> Profile:
        """The questions whose answers add up; the plan is asked for epsilon and delta."""
        alternatives = self.alternatives()
        below = [plan.single for plan in alternatives.plans]
        return EndsProfile((), alternatives.above.single, below[0])

    def hypotheses(self) -> tuple[str, ...]:
        return (
            f"{self}: each person reports once, from their own value alone, by the same"
            " randomizer; the order is uniformly random and nobody sees it, nor who sent"
            " which report; the number of people is public.",
            *self.mechanism.hypotheses(),
        )

    def sample(self, value: Sequence[Any], rng: Source = None) -> tuple[Any, ...]:
        """The reports on the values of all people, in a random order."""
        if len(value) != self.people:
            raise InputError(
                f"there are {len(value)} values, but {self.people} people; give one value"
                " for each."
            )
        source = randomness(rng)
        run = self.mechanism.sample
        reports = [run(entry, source) for entry in value]
        for last in range(len(reports) - 1, 0, -1):
            place = source.randrange(last + 1)
            reports[last], reports[place] = reports[place], reports[last]
        return tuple(reports)

    def __str__(self) -> str:
        return f"Shuffled({self.mechanism}, people={self.people})"

    @classmethod
    def examples(cls) -> Iterable["Shuffled"]:
        yield cls(RandomizedResponse(1, answers=4), 3)
        yield cls(HadamardResponse(2, answers=3), 2)


@lru_cache(1024)
def _observed(clones: Clones, first: int, second: int, neutral: int) -> float:
    own = density(clones, first, second, neutral)
    return math.log(float((own / density(clones, second, first, neutral)).ball(64)))
