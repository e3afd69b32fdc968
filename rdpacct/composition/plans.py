"""The profile of a plan of several releases: the worst over the directions of its mechanisms."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from rdpacct.composition.answers import Found
from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.composition.draws import Draw, OneWay
from rdpacct.composition.ends.known_ends import delta_within_known, epsilon_within_known
from rdpacct.composition.quadrature.tilt import Planner
from rdpacct.composition.terms import Terms
from rdpacct.exact.bound import Bound, End, worst
from rdpacct.exact.number import Number, rational
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.constants import about
from rdpacct.privacy.profile import Profile, least_of
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, passed_on, record, remembered_property
from rdpacct.work import in_turn

if TYPE_CHECKING:
    from rdpacct.composition.sweep import Sweep


def compose(plan: Plan) -> Profile:
    """The privacy of several releases on the same data, adaptively chosen, with parameters fixed in
    advance.
    """
    first, _ = plan.releases[0]
    with attempt() as used:
        loss = first.together(plan.releases)
    if loss is not None:
        return Profile(replace(loss, rests_on=frozenset(used)).directions())
    losses = tuple(composed_losses(plan))
    mechanism, count = plan.releases[0]
    within = mechanism.releases_within(count) if len(plan.releases) == 1 else None
    if within is not None:
        single = compose(Plan.of(mechanism)) if count > 1 else None
        return NarrowedProfile(losses, within, single, count)
    return ComposedProfile(losses)


@dataclass(frozen=True, slots=True)
class ComposedProfile(Profile):
    """The worst of several sums of losses; one that a quick bound shows to be no worse is not
    worked out.
    """

    @property
    def losses_dominate(self) -> bool:
        return True

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        if len(self.losses) == 1:
            epsilon: Bound = passed_on(self.losses[0], "epsilon", target)
            return epsilon
        answers: list[Bound] = []

        def ask(loss: Loss) -> None:
            if not (answers and target > 0 and _shown(loss, answers[0].lower, target)):
                answers.append(loss.epsilon(target))

        in_turn(ask, self.losses)
        return worst(answers)

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        if len(self.losses) == 1:
            delta: Bound = passed_on(self.losses[0], "delta", level)
            return delta
        answers: list[Bound] = []

        def ask(loss: Loss) -> None:
            if not (
                answers
                and answers[0].lower > 0
                and _shown(loss, level, answers[0].lower)
            ):
                answers.append(loss.delta(level))

        in_turn(ask, self.losses)
        return worst(answers)

    def deltas(self, epsilons: Sequence[Fraction]) -> list[Bound]:
        """delta at many points, from nodes that these share."""
        sweeps = self._sweeps()
        return [
            worst([sweep.delta(epsilon) for sweep in sweeps]) for epsilon in epsilons
        ]

    def tradeoffs(self, rates: Sequence[Fraction]) -> list[Bound]:
        """The trade-off at many rates, from points of the profile that these share."""
        by_loss = [sweep.tradeoffs(rates) for sweep in self._sweeps()]
        return [least_of(bounds) for bounds in zip(*by_loss, strict=True)]

    def tails(self, levels: Sequence[Fraction]) -> list[Bound]:
        """The tails at many levels, from nodes that these share."""
        by_loss = [sweep.tails(levels) for sweep in self._sweeps()]
        return [worst(list(bounds)) for bounds in zip(*by_loss, strict=True)]

    def _sweeps(self) -> "list[Sweep]":
        """Every loss, to be asked many questions in a row."""
        from rdpacct.composition.sweep import Sweep

        sums = [loss for loss in self.losses if isinstance(loss, ComposedLoss)]
        if len(sums) < len(self.losses):
            raise TypeError("the losses of a composed profile are sums")
        return [Sweep(loss) for loss in sums]


@dataclass(frozen=True, slots=True)
class NarrowedProfile(ComposedProfile):
    """Releases of which moments are known, and a profile whose answers contain theirs."""

    within: Profile
    one: Profile | None
    """One of the releases, if there are several."""
    count: int

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        found = self._in_both(lambda profile: profile.delta(level))
        if self.one is not None:
            found = delta_within_known(found, [(self.one, self.count)], level)
        return found.recorded()

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        found = self._in_both(lambda profile: profile.epsilon(target))
        if self.one is not None:
            found = epsilon_within_known(found, [(self.one, self.count)], target)
        return found.recorded()

    def deltas(self, epsilons: Sequence[Fraction]) -> list[Bound]:
        return [self.delta(epsilon) for epsilon in epsilons]

    def _in_both(self, ask: Callable[[Profile], Bound]) -> Found:
        """The intersection of what the sums and the profile of the moments answer, each end with
        what it rests on.
        """
        with attempt() as used:
            bound = ask(ComposedProfile(self.losses))
        with attempt() as used_within:
            other = ask(self.within)
        lower = max(bound.lower, other.lower)
        upper = min(bound.upper, other.upper)
        below = used if bound.lower >= other.lower else used_within
        above = used if bound.upper <= other.upper else used_within
        how = bound.how if bound.upper <= other.upper else other.how
        both = Bound(min(lower, upper), upper, how)
        return Found(both, below=frozenset(below), above=frozenset(above))


def _shown(loss: Loss, epsilon: End, delta: End) -> bool:
    """Whether a quick bound shows that a sum has at most this delta at this epsilon; it is recorded
    if it does.
    """
    if not (isinstance(epsilon, Fraction) and isinstance(delta, Fraction)):
        return False
    with attempt() as used:
        shown = loss.certainly_within(epsilon, delta)
    if shown:
        record(used | loss.rests_on)
    return shown


def composed_losses(plan: Plan) -> list[Loss]:
    """The composed losses, one for each direction (removing a record, adding one); all oriented
    mechanisms take the same direction.

    A mechanism that has the same pair in every release takes each of its pairs.
    """
    releases = [_Releases(mechanism, count) for mechanism, count in plan.releases]
    with attempt() as used:
        for of_one in releases:
            used.clear()
            of_one.build(used)
    ways = max(of_one.ways for of_one in releases)
    return [
        ComposedLoss.of(draws)
        for way in range(ways)
        for draws in _combined(releases, way)
    ]


def _combined(releases: "Sequence[_Releases]", way: int) -> Iterable[Sequence[Draw]]:
    """The draws of all releases in one direction: with each pair of those that have the same in
    every release.
    """
    if any(of_one.pairs for of_one in releases):
        return product(*(of_one.with_each_pair(way) for of_one in releases))
    return [[of_one.draw(way) for of_one in releases]]


class _Releases:
    """The releases of one mechanism in a plan: its directions, built once, and what answers the
    questions whose answers add up.
    """

    def __init__(self, mechanism: Mechanism, count: int) -> None:
        self.mechanism = mechanism
        self.count = count
        self.pairs = mechanism.each_way()

    def build(self, used: set[str]) -> None:
        """Build the directions, where theorems are collected in that set; those that do not say
        what they rest on rest on these.
        """
        directions = self.mechanism.directions()
        if used and not all(map(_grounded, directions)):
            directions = tuple(
                each if each.rests_on else replace(each, rests_on=frozenset(used))
                for each in directions
            )
        self.directions = directions
        self.ways = 1 if self.pairs else len(directions)
        """The number of directions; all releases take the same one."""

    def with_each_pair(self, way: int) -> list[Draw]:
        """The draws that stand for the releases in one direction: each of the pairs if all releases
        have the same.
        """
        if not self.pairs:
            return [self.draw(way)]
        return [
            (direction, partial(_same, loss), self.count)
            for direction, loss in zip(self.directions, self.pairs, strict=True)
        ]

    def draw(self, way: int) -> Draw:
        """The draw that stands for the releases in one direction."""
        if len(self.directions) == 1:
            return self.directions[0], self.answering, self.count
        known = OneWay(way, self.answering, self.draw)
        return self.directions[way], known, self.count

    @remembered_property
    def profile(self) -> Profile:
        """The profile of one release, built when it is first asked for."""
        return self.mechanism.profile()

    def answering(self, way: int = 0) -> Loss | Profile:
        """The loss of one direction, or the worst case if a release may have several losses."""
        if self.mechanism.oriented:
            return self.profile.way(way)
        return self.profile.only_loss or self.profile


def _grounded(direction: Direction) -> bool:
    """Whether a direction says which theorems it rests on; otherwise it rests on those that built
    it.
    """
    return bool(direction.rests_on)


def _same(loss: Loss) -> Loss:
    return loss


def _from_above(plan: Plan) -> Plan:
    """The plan with upper bounds in the place of the releases that amount to others."""
    parts = []
    for mechanism, count in plan.releases:
        alternatives = mechanism.alternatives()
        each = Plan.of(mechanism) if alternatives is None else alternatives.above
        parts.append(each * count)
    return Plan.total(parts)


def planned_log_delta(plan: Plan, epsilon: float) -> float:
    """About the logarithm of delta(epsilon) of a plan, by saddle points, to steer a search."""
    worst = -math.inf
    terms = [(m.directions(), count) for m, count in _from_above(plan).releases]
    for way in range(2):
        chosen = [(d[min(way, len(d) - 1)], count) for d, count in terms]
        planner = Planner(
            Terms.of(
                [(d.transform, count) for d, count in chosen if d.transform is not None]
            )
        )
        infinite = -math.expm1(
            sum(
                count * math.log1p(-min(about(d.at_infinity), 1 - 1e-16))
                for d, count in chosen
            )
        )
        worst = max(
            worst,
            planner.saddle_log_delta(epsilon)[0],
            math.log(infinite) if infinite > 0 else -math.inf,
        )
        if not any(m.oriented for m, _ in plan.terms):
            break
    return worst
