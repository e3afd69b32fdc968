"""The questions that can be asked of a plan, for the worse direction of a pair or for one of the
two.

Each answer is monotone in the number at which it is asked. So a formula such as log(3) is answered
by the two answers at the ends of its enclosure, and an extremely large number by the answer at the
largest number that is worked with.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound, worst
from rdpacct.exact.formula import ONE, ZERO, Expr, Rational, Real, formula
from rdpacct.exact.functions import exp, maximum
from rdpacct.exact.number import Number, shorten
from rdpacct.exact.parameter import number_in
from rdpacct.mechanisms.from_profile import checked_profile
from rdpacct.mechanisms.grouped import for_group, group_size, has_group_rule
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.plan import read_plan
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.guarantee import Guarantee, RenyiDP
from rdpacct.privacy.infinite_mass import finite_share
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import (
    Asked,
    adapted_property,
    attempt,
    builder,
    by,
    passed_on,
    record,
)

FAR, FAR_FOR_SUMS, FURTHEST = Fraction(10**6), Fraction(10**4), Fraction(10**18)
"""Beyond the first two epsilons (of one release, of a sum) one moment may answer; beyond the last,
the answer there is a bound.
"""
TINY = Fraction(1, 2**20_000)
"""Smaller deltas are not told apart from 0."""


def epsilon(
    plan: Plan | Mechanism | Guarantee | str,
    delta: Number | Expr,
    *,
    relation: Relation | str | None = None,
    group: int = 1,
) -> Bound:
    """The smallest epsilon >= 0 of a plan at this delta; infinite if there is none.

    The numbers of a text are stated for the ``relation``; neighbors are ``group`` steps of it
    apart.
    """
    stated = _stated(plan, relation)
    level = number_in(delta, "delta")
    return group_epsilon(stated, group_size(group), level)


def delta(
    plan: Plan | Mechanism | Guarantee | str,
    epsilon: Number | Expr,
    *,
    relation: Relation | str | None = None,
    group: int = 1,
) -> Bound:
    """The smallest delta of a plan at this epsilon, which may be negative.

    The numbers of a text are stated for the ``relation``; neighbors are ``group`` steps of it
    apart.
    """
    stated = _stated(plan, relation).for_group(group)
    return Questions(stated).delta(number_in(epsilon, "epsilon"))


def group_epsilon(plan: Plan, size: int, delta: Real) -> Bound:
    """The smallest epsilon at this delta for neighbors that differ in up to this many records.

    If no theorem gives every release for groups, the upper end is what a chain of neighbors gives,
    and the lower end that of one record.
    """
    if size == 1 or has_group_rule(plan):
        return Questions(for_group(plan, size)).epsilon(delta)
    from rdpacct.groups import chained_epsilon

    asked = Questions(plan)
    least = Fraction(formula(delta).bound().lower)
    return chained_epsilon(plan, size, least, asked.epsilon(delta), asked.delta)


def profile(plan: Plan | Mechanism | Guarantee | str) -> Profile:
    """The privacy profile of a plan: that of its mechanism if the plan is one release, else of all
    releases together.
    """
    return _profile(plan_of(plan))


@builder
def _profile(plan: Plan) -> Profile:
    record(plan.rests_on)
    plan.check_relation()
    if any(mechanism.alternatives() for mechanism, _ in plan.releases):
        from rdpacct.composition.alternatives import among_plans

        return among_plans(plan, profile)
    if any(mechanism.of_plans for mechanism, _ in plan.releases):
        from rdpacct.composition.plans_inside import knowing_runs

        plan = knowing_runs(plan, profile)
    if plan.single is not None and not plan.single.by_moments:
        return checked_profile(plan.single.profile(), type(plan.single).__name__)
    if not plan.terms:
        return Profile((PrivacyLoss((Atom(ONE, ONE, ZERO),), symmetric=True),))
    from rdpacct.composition.plans import compose  # one release alone needs none of it

    return compose(plan)


def _cases(plan: Plan) -> tuple[Plan, ...]:
    """The plans that a plan amounts to, one for each choice of the parts that a record is in."""
    if not any(mechanism.alternatives() for mechanism, _ in plan.releases):
        return (plan,)
    from rdpacct.composition.alternatives import of_each_record

    return of_each_record(plan)


def plan_of(plan: Plan | Mechanism | Guarantee | str) -> Plan:
    """A plan, from itself, from its one mechanism or promise, or from its text."""
    if isinstance(plan, Guarantee):
        return Plan.of() + plan
    if isinstance(plan, Mechanism):
        return Plan.of(plan)
    if isinstance(plan, str):
        return read_plan(plan)
    if not isinstance(plan, Plan):
        raise InputError(
            f"the plan is {shorten(repr(plan))}; give a mechanism, a plan or the text of"
            " one."
        )
    return plan


def _stated(
    plan: Plan | Mechanism | Guarantee | str, relation: Relation | str | None
) -> Plan:
    """A plan whose numbers are stated for this relation; those of a text are what is said here."""
    if relation is None:
        return plan_of(plan)
    asked = relation if isinstance(relation, Relation) else Relation.named(relation)
    if isinstance(plan, str):
        return read_plan(plan, asked)
    if isinstance(plan, Guarantee):
        return replace(Plan.of(), if_empty=asked) + plan
    stated = plan_of(plan)
    if stated.relation is not asked:
        raise InputError(
            f"the plan is stated for {stated.relation}, not for {asked}; give its"
            f" sensitivities for {asked}, with stated_for or in each mechanism."
        )
    return stated


class Way(Enum):
    """One direction of a pair of neighbors: P has the record and Q does not, or the reverse."""

    REMOVE = "remove"
    """The record is in the data of P, and removed in those of Q."""
    ADD = "add"
    """The record is in the data of Q only."""

    @classmethod
    def named(cls, text: str) -> "Way":
        """The direction of that name, in either case."""
        for way in cls:
            if text.strip().lower() == way.value:
                return way
        raise InputError(
            f"the direction '{shorten(text)}' is not known; give add or remove."
        )

    @property
    def other(self) -> "Way":
        """The direction of the exchanged pair."""
        return Way.ADD if self is Way.REMOVE else Way.REMOVE


QUESTIONS = (
    *("delta", "epsilon", "tail", "tradeoff", "renyi"),
    *("mean", "zcdp_rho", "gaussian_mu", "at_infinity"),
)
"""What a plan can be asked."""


@dataclass(frozen=True)
class Questions(Asked, questions=QUESTIONS):
    """The questions about a plan, for the worse of both directions or for one of them."""

    plan: Plan
    way: Way | None = None

    @property
    def rests_on(self) -> frozenset[str]:
        """The theorems by which the plan was restated, which every answer rests on too."""
        return self.plan.rests_on

    @adapted_property
    def profile(self) -> Profile:
        """The profile that answers: that of the plan, or its part for one direction."""
        whole = profile(self.plan)
        if self.way is None:
            return whole
        self._check_ways()
        return whole.one_way(_place(self.way))

    def _check_ways(self) -> None:
        if self.plan.relation is Relation.REPLACE_ONE:
            raise InputError(
                f"the plan is stated for {self.plan.relation}, which neither adds nor"
                " removes a record; leave out --direction."
            )
        if _cases(self.plan) != (self.plan,):
            raise InputError(
                "the plan has parts in parallel, of which one direction alone is not"
                " worked out; leave out --direction."
            )
        for mechanism, _ in self.plan.terms:
            if not mechanism.oriented and len(mechanism.profile().losses) != 1:
                raise InputError(
                    f"{shorten(str(mechanism), 120)} does not say which of its laws has"
                    " the record, so that it has no direction; leave out --direction."
                )

    def delta(self, epsilon: Real) -> Bound:
        """The smallest delta at an epsilon, which may be negative."""
        return _between(formula(epsilon), self._delta)

    def _delta(self, epsilon: Fraction) -> Bound:
        if epsilon < 0:
            other = self if self.way is None else replace(self, way=self.way.other)
            other_way = other._delta(-epsilon)
            ends = [
                exchanged(-epsilon, Fraction(end)).bound()
                for end in (other_way.lower, other_way.upper)
            ]
            return _probability(
                ends[0].lower,
                ends[1].upper,
                f"{other_way.how}, exchanged (profile/exchange)",
            )
        far = epsilon > (FAR_FOR_SUMS if self.plan.single is None else FAR)
        if far:
            shown = self._shown_beyond(epsilon)
            if shown is not None:
                return shown
        if epsilon > FURTHEST:
            return self._beyond(self.profile.delta(FURTHEST))
        return self.profile.delta(epsilon)

    def _shown_beyond(self, epsilon: Fraction) -> Bound | None:
        """What the largest loss or the second moment shows about delta at a far epsilon; each
        is recorded if it answers.
        """
        with attempt() as used:
            largest = self.profile.max_divergence()
        if largest.certainly_at_most(epsilon):
            record(used)
            return Bound.exactly(Fraction(0), "no loss exceeds epsilon")
        if self.is_tiny_beyond(epsilon):
            how = "the Renyi divergence of order 2 (conversion/renyi-to-approx)"
            return Bound(Fraction(0), TINY, how)
        return None

    def is_tiny_beyond(self, epsilon: Fraction) -> bool:
        """Whether the second moment shows that delta is tiny at a far epsilon; it is recorded if
        it does.
        """
        with attempt() as used:
            shown = self._has_small_moment(epsilon)
        if shown:
            record(used)
        return shown

    def _has_small_moment(self, epsilon: Fraction) -> bool:
        try:
            divergence = self.profile.renyi(2).upper
        except UndecidedError:
            return False
        if not isinstance(divergence, Fraction):
            return False
        from rdpacct.privacy.convert import renyi_to_approx

        enough = renyi_to_approx(RenyiDP(2, formula(divergence)), formula(TINY)).epsilon
        return enough.bound().certainly_at_most(epsilon)

    def epsilon(self, delta: Real) -> Bound:
        """The smallest epsilon >= 0 at a delta; infinite if there is none."""
        return _between(formula(delta), self._epsilon)

    def _epsilon(self, delta: Fraction) -> Bound:
        if not 0 <= delta.numerator <= delta.denominator:
            raise InputError(
                f"delta is {shorten(str(formula(delta)))}, but must be at least 0 and"
                " at most 1; give a probability such as 1e-6."
            )
        if delta == 1:
            return Bound.exactly(Fraction(0), "delta = 1 allows everything")
        epsilon: Bound = passed_on(self.profile, "epsilon", delta)
        return epsilon

    def tail(self, threshold: Real) -> Bound:
        """The probability that the privacy loss of the worst pair exceeds a threshold, an infinite
        loss included.
        """
        return _between(formula(threshold), self._tail)

    def _tail(self, threshold: Fraction) -> Bound:
        level = max(min(threshold, FURTHEST), -FURTHEST)
        self._check_pairs()
        if not self.profile.curve_is_attained:
            from rdpacct.composition.known_tail import tail_of_curve

            return tail_of_curve(self._delta, level)
        worst_tail = worst([loss.tail(level) for loss in self.profile.losses])
        if threshold > FURTHEST:
            return self._beyond(worst_tail)
        if threshold < -FURTHEST:
            return _probability(worst_tail.lower, 1, worst_tail.how)
        return worst_tail

    def tails(self, levels: Sequence[Fraction]) -> list[Bound]:
        """The same at each of many thresholds, as sharply as a curve needs; they share work where
        they can.
        """
        self._check_pairs()
        if not self.profile.curve_is_attained:
            return [self._tail(level) for level in levels]
        return self.profile.tails(levels)

    def _check_pairs(self) -> None:
        if not self.profile.losses:
            raise UndecidedError(
                "no single pair of neighbors is known to be the worst; ask for delta or"
                " epsilon."
            )

    def tradeoff(self, false_positives: Real) -> Bound:
        """The smallest false negative rate of a test with at most this false positive rate."""
        return _between(formula(false_positives), self._tradeoff).safe_below()

    def _tradeoff(self, rate: Fraction) -> Bound:
        if not 0 <= rate <= 1:
            raise InputError(
                f"the false positive rate is {shorten(str(formula(rate)))}, but must be"
                " at least 0 and at most 1; give a probability such as 0.05."
            )
        if rate == 1:
            return Bound.exactly(Fraction(0), "a test that always says yes")
        if rate == 0:
            return without_alarms(self.at_infinity())
        return self.profile.tradeoff(rate)

    def deltas(self, epsilons: Sequence[Fraction]) -> list[Bound]:
        """The smallest delta at each of many epsilons, which share work where they can."""
        if all(0 <= epsilon <= FAR_FOR_SUMS for epsilon in epsilons):
            return self.profile.deltas(epsilons)
        return [self.delta(epsilon) for epsilon in epsilons]

    def tradeoffs(self, rates: Sequence[Fraction]) -> list[Bound]:
        """The smallest false negative rate at each of many false positive rates, which share work
        where they can.
        """
        inside = [rate for rate in rates if 0 < rate < 1]
        answers = dict(zip(inside, self.profile.tradeoffs(inside), strict=True))
        return [answers.get(rate) or self.tradeoff(rate) for rate in rates]

    def renyi(self, order: Real | float) -> Bound:
        """The largest Renyi divergence of an order; order 1 is the mean loss, order infinity the
        largest loss.
        """
        if isinstance(order, float):
            return self.profile.max_divergence()
        return _between(formula(order), self.profile.renyi)

    def mean(self) -> Bound:
        """The largest mean loss, which is the Kullback-Leibler divergence."""
        return self.profile.mean()

    def zcdp_rho(self, xi: Real) -> Bound:
        """The smallest rho of ZCDP(rho, xi)."""
        return _between(formula(xi), self.profile.zcdp_rho)

    def gaussian_mu(self) -> Bound:
        """The smallest mu of GaussianDP(mu), which is the same in both directions of a pair."""
        return profile(self.plan).gaussian_mu()

    def at_infinity(self) -> Bound:
        """The probability of an infinite loss: the delta that no epsilon goes below."""
        ways = (self.way,) if self.way is not None else tuple(Way)
        ends = []
        for case in _cases(self.plan):
            for way in ways:
                pairs = [(_infinite(m, way), count) for m, count in case.terms]
                ends.append(_any_infinite(pairs))
        lower, upper = (worst(list(bounds)) for bounds in zip(*ends, strict=True))
        return Bound(lower.lower, upper.upper, "the mass at infinity")

    def _beyond(self, near: Bound) -> Bound:
        """An answer that falls towards the mass at infinity, at a number beyond the one where it is
        known.
        """
        least = Fraction(self.at_infinity().lower)
        return _probability(
            least,
            max(near.upper, least),
            f"{near.how}, at {float(FURTHEST):.0e} and beyond",
        )


@by("tradeoff/from-profile")
def without_alarms(infinite: Bound) -> Bound:
    """The false negatives of the best test that never raises a false alarm, from the mass of the
    infinite losses.
    """
    how = f"{infinite.how} (tradeoff/from-profile)"
    return Bound(1 - infinite.upper, 1 - infinite.lower, how)


@by("profile/exchange")
def exchanged(epsilon: Real, delta: Real) -> Expr:
    """delta at -epsilon, from the delta of the exchanged pair at epsilon."""
    return 1 - exp(-formula(epsilon)) * (1 - formula(delta))


def _any_infinite(releases: "Sequence[tuple[tuple[Expr, Expr], int]]") -> list[Bound]:
    """The probability that some loss of these releases is infinite, at least and at most."""
    return [
        (1 - finite_share([(ends[side], count) for ends, count in releases])).bound()
        for side in (0, 1)
    ]


def _infinite(mechanism: Mechanism, way: Way) -> tuple[Expr, Expr]:
    """The probability of an infinite loss of one release, in one direction or in the worst: of
    neighbors that there are, and at most.
    """
    profile = mechanism.profile()
    if mechanism.oriented and profile.losses:
        profile = profile.one_way(_place(way))
    known = profile.infinite_mass()
    if known is not None:
        return known
    if not profile.losses and math.isinf(profile.max_divergence().upper):
        raise UndecidedError(
            f"the mass at infinity of {mechanism} is not known; ask for delta or"
            " epsilon."
        )
    return _most_infinite(profile.occurring()), _most_infinite(profile.losses)


def _most_infinite(losses: "Sequence[Loss]") -> Expr:
    largest = ZERO
    for loss in losses:
        largest = maximum(largest, loss.at_infinity)
    return largest


def _place(way: Way) -> int:
    """Where a direction stands in the losses of an oriented plan: removing first."""
    return 0 if way is Way.REMOVE else 1


def _between(value: Expr, question: Callable[[Fraction], Bound]) -> Bound:
    """The answer to a monotone question at a number, or between those at the ends of its
    enclosure.
    """
    if isinstance(value, Rational):
        return question(value.value)
    ends = value.bound(accuracy=128)
    answers = [question(Fraction(end)) for end in (ends.lower, ends.upper)]
    return Bound(
        min(answer.lower for answer in answers),
        max(answer.upper for answer in answers),
        answers[0].how,
    )


def _probability(lower: Fraction | float, upper: Fraction | float, how: str) -> Bound:
    least = min(max(Fraction(lower), Fraction(0)), Fraction(1))
    return Bound(least, max(least, Fraction(min(upper, 1))), how)
