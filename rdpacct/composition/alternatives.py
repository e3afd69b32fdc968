"""Plans with releases that amount to one of several others: the worst of these, or between two
ends.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice, product

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound, worst
from rdpacct.exact.number import Number
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile
from rdpacct.provenance import attempt, by, record

MOST_CASES = 24
"""How many combinations of alternatives of a plan with several releases are looked at."""
MOST_PARTS = 64
"""How many combinations of different parts in parallel a plan may have."""


@dataclass(frozen=True, slots=True)
class AmongPlans(Profile):
    """The worst of several profiles, each of which can happen; a profile above all bounds what else
    can happen.
    """

    below: tuple[Profile, ...] = ()
    above: Profile | None = None
    all_of_them: bool = False
    """Nothing but the profiles below can happen, but for choices that differ from one release to
    the next.

    These do not matter where the answers of releases add up.
    """
    or_above: Profile | None = None
    """Another profile that is above all of them; the lower of the two answers counts."""

    def one_way(self, number: int) -> "AmongPlans":
        above, other = (
            None if profile is None else profile.one_way(number)
            for profile in (self.above, self.or_above)
        )
        below = tuple(profile.one_way(number) for profile in self.below)
        return replace(self, below=below, above=above, or_above=other)

    def delta(self, epsilon: Number) -> Bound:
        return self._asked(lambda profile: profile.delta(epsilon))

    def epsilon(self, delta: Number) -> Bound:
        return self._asked(lambda profile: profile.epsilon(delta))

    def mean(self) -> Bound:
        return self._added(lambda profile: profile.mean())

    def renyi(self, order: Number) -> Bound:
        return self._added(lambda profile: profile.renyi(order))

    def max_divergence(self) -> Bound:
        return self._added(lambda profile: profile.max_divergence())

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        return self._asked(lambda profile: profile.zcdp_rho(xi))

    def centered_cdp(self) -> tuple[Bound, Bound]:
        return self.mean(), self._about_means(lambda profile: profile.centered_cdp()[1])

    def one_sided_tau(self) -> Bound:
        return self._about_means(lambda profile: profile.one_sided_tau())

    def _about_means(self, question: Callable[[Profile], Bound]) -> Bound:
        """A law that dominates says nothing of losses about the mean of another."""
        return replace(self, or_above=None)._asked(question)

    def gaussian_mu(self) -> Bound:
        return self._asked(lambda profile: profile.gaussian_mu())

    def tradeoff(self, false_positives: Number) -> Bound:
        below = [profile.tradeoff(false_positives) for profile in self.below]
        least = min(below, key=lambda bound: bound.upper)
        lower = min(bound.lower for bound in below)
        if self.above is not None:
            above = self.above.tradeoff(false_positives).lower
            if self.or_above is not None:
                above = max(above, self.or_above.tradeoff(false_positives).lower)
            lower = min(lower, above)
        return Bound(lower, least.upper, least.how).safe_below()

    def occurring(self) -> tuple[Loss, ...]:
        return tuple(loss for profile in self.below for loss in profile.occurring())

    def worst_at(self, epsilon: Number) -> Loss:
        worst_profile = max(
            self.below, key=lambda profile: profile.delta(epsilon).upper
        )
        return worst_profile.worst_at(epsilon)

    def _added(self, question: Callable[[Profile], Bound]) -> Bound:
        if self.all_of_them:
            return worst([question(profile) for profile in self.below])
        return self._asked(question)

    @by("composition/dominating-pairs")
    def _asked(self, question: Callable[[Profile], Bound]) -> Bound:
        """Vectors with smaller entries are dominated coordinate by coordinate, and so are their
        products.
        """
        attained = worst([question(profile) for profile in self.below])
        if self.above is None:
            return attained
        above = self._least_above(question)
        upper = max(above.upper, attained.lower)
        return Bound(
            attained.lower, upper, f"{above.how}; below, by cases that can happen"
        )

    def _least_above(self, question: Callable[[Profile], Bound]) -> Bound:
        """The lowest of the answers of the profiles that are above."""
        answers = []
        for profile in (self.above, self.or_above):
            if profile is not None:
                with attempt() as used:
                    answers.append((question(profile), used))
        least, used = min(answers, key=lambda answer: answer[0].upper)
        record(used)
        return least


def of_each_record(plan: Plan) -> tuple[Plan, ...]:
    """The plans that a plan with parts in parallel amounts to, one for each choice of the parts
    that a record is in; the plan itself if it has no parts.
    """
    parts = [_of_the_record(mechanism, count) for mechanism, count in plan.releases]
    if not any(parts):
        return (plan,)
    options = [
        plans or (Plan.of(mechanism) * count,)
        for plans, (mechanism, count) in zip(parts, plan.releases, strict=True)
    ]
    if math.prod(map(len, options)) > MOST_PARTS:
        raise InputError(
            f"the plan has more than {MOST_PARTS} combinations of parts with different"
            " releases; give equal releases to more parts, or list fewer parts."
        )
    cases = {Plan.total(case) for case in product(*options)}
    inside = {case for total in cases for case in of_each_record(total)}
    return tuple(sorted(inside, key=str))


def _of_the_record(mechanism: Mechanism, count: int) -> tuple[Plan, ...]:
    """The plans of the parts, each as often as it is run; none if there are no parts."""
    alternatives = mechanism.alternatives()
    if alternatives is None or not alternatives.of_the_record:
        return ()
    return tuple(each * count for each in alternatives.plans)


@by("composition/parallel")
def worst_part(parts: tuple[Profile, ...]) -> Profile:
    """The worst of the profiles that a record can have, by the part that it is in."""
    return parts[0] if len(parts) == 1 else AmongPlans((), parts, all_of_them=True)


def among_plans(plan: Plan, profile: Callable[[Plan], Profile]) -> Profile:
    """The profile of a plan in which some releases amount to others."""
    if any(_of_the_record(mechanism, 1) for mechanism, _ in plan.releases):
        return worst_part(tuple(map(profile, of_each_record(plan))))
    releases = [
        (mechanism.alternatives(), mechanism, count)
        for mechanism, count in plan.releases
    ]
    options = [
        [each * count for each in alternatives.plans]
        if alternatives
        else [Plan.of(mechanism) * count]
        for alternatives, mechanism, count in releases
    ]
    cases = [Plan.total(case) for case in islice(product(*options), MOST_CASES + 1)]
    every = len(cases) <= MOST_CASES
    below = tuple(profile(case) for case in cases)
    complete = every and all(
        alternatives is None or alternatives.all_of_them
        for alternatives, _, _ in releases
    )
    if complete and (len(cases) == 1 or plan.single):
        if len(cases) == 1:
            return below[0]
        return AmongPlans((), below)
    above = Plan.total(
        [
            alternatives.above * count if alternatives else Plan.of(mechanism) * count
            for alternatives, mechanism, count in releases
        ]
    )
    other = _or_above(plan)
    or_above = None if other in (None, above) else profile(other)
    return AmongPlans((), below, profile(above), complete, or_above)


def _or_above(plan: Plan) -> Plan | None:
    """The other plan that is above, if some release has one."""
    parts = []
    known = False
    for mechanism, count in plan.releases:
        alternatives = mechanism.alternatives()
        part = Plan.of(mechanism)
        if alternatives is not None:
            known = known or alternatives.or_above is not None
            part = alternatives.or_above or alternatives.above
        parts.append(part * count)
    return Plan.total(parts) if known else None
