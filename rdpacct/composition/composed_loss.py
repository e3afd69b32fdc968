"""The privacy loss of several releases: a sum of independent losses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rdpacct.composition.added_loss import AddedLoss, ball_of
from rdpacct.composition.answers import Answers, Found
from rdpacct.composition.closer_ends import (
    FOR_DELTA,
    FOR_EPSILON,
    MOMENTS,
    WIDE,
    AskedSum,
    Rows,
    best_choices,
    least_delta_by_moments,
    with_closer_ends,
)
from rdpacct.composition.draws import (
    Draw,
    are_plain,
    draws_below,
    draws_instead,
    exchanged,
    flat,
    grounds,
    has_choices,
    has_ramps,
)
from rdpacct.composition.ends.beside_ramp import BesideRamp
from rdpacct.composition.ends.known_ends import NARROW
from rdpacct.composition.grids.few_releases import FewReleases
from rdpacct.composition.slopes import GAP, event_probabilities, intersections
from rdpacct.composition.terms import SumOfDraws, Terms
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO
from rdpacct.exact.number import Number, below_one, near_double, rational
from rdpacct.exact.raw import real
from rdpacct.privacy.ends import at_least_zero
from rdpacct.privacy.infinite_mass import exact_mass
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by, record
from rdpacct.work import Exhausted, in_turn, share, used_up

if TYPE_CHECKING:
    from rdpacct.composition.choices.choices import Choices, Composed, Exactly

NEAR = Fraction(1, 2**40)
"""For a delta nearer to one than this, moments answer alone."""
HOW_COARSE = "bounds by moments (engine/lower-chernoff)"
METHODS = 0.8
"""The part of the remaining work for the methods of one sum; the rest is for closer ends."""


@dataclass(frozen=True, slots=True)
class ComposedLoss(AddedLoss):
    """The sum of independent losses, each drawn a number of times.

    If some of them are above what a mechanism does, the lower ends of answers come from the sums
    ``below``.
    """

    below: "tuple[ComposedLoss, ...]" = ()
    answers: Answers = field(default_factory=Answers, compare=False)
    choices: "Choices | Exactly | None" = field(default=None, compare=False)
    """Releases that let an adversary choose, if the sum is only above what they do together."""
    instead: "ComposedLoss | None" = field(default=None, compare=False)
    """Another sum that is above what the releases do, if there is one."""
    beside_ramp: BesideRamp | None = field(default=None, compare=False)
    """A smaller sum that is above what the releases do beside a ramp, if there is one."""

    @classmethod
    def of(cls, draws: Sequence[Draw]) -> "ComposedLoss":
        """The sum of these draws; a draw that is itself a sum stands for its own draws."""
        draws = list(flat(draws))
        if are_plain(draws):
            return cls._sum(draws)
        choices = None
        if has_choices(draws):
            from rdpacct.composition.choices.choices import Choices
            from rdpacct.composition.choices.last_choice import attained_alone

            choices = Choices.of(draws, cls.of)
            draws = attained_alone(draws)
        others = draws_instead(draws)
        return replace(
            cls._sum(draws),
            below=tuple(map(cls.of, draws_below(draws))),
            choices=choices,
            instead=cls.of(others) if others else None,
            beside_ramp=BesideRamp.of(draws) if has_ramps(draws) else None,
        )

    @classmethod
    def _sum(cls, draws: "list[Draw]") -> "ComposedLoss":
        """The sum of the losses alone."""
        finite = []
        infinite = []
        for direction, _, count in draws:
            if direction.transform is not None:
                finite.append((direction.transform, count))
            if direction.at_infinity is not ZERO and direction.at_infinity != ZERO:
                infinite.append((direction.at_infinity, count))
        terms = Terms.of(finite) if len(finite) == len(draws) else None
        return cls(
            draws=tuple(draws),
            infinite=tuple(infinite),
            answers=Answers(terms, FewReleases(draws)),
            rests_on=grounds(draws),
        )

    def reversed(self) -> "ComposedLoss":
        """The sum of the reversed losses; where a release may be turned round anyway, it stays
        as it is.
        """
        other = [exchanged(draw) for draw in self.draws]
        if all(new is old for new, old in zip(other, self.draws, strict=True)):
            return self
        added = self.rests_on - grounds(self.draws)
        return ComposedLoss.of(other).resting_also_on(added)

    def direction(self) -> Direction:
        """A direction that stands for this sum in another one, by its draws."""
        finite = [(direction.transform, count) for direction, _, count in self.draws]
        known = tuple(
            (transform, count) for transform, count in finite if transform is not None
        )
        transform = SumOfDraws(known) if len(known) == len(finite) else None
        return Direction(
            transform, self.at_infinity, draws=self.draws, rests_on=self.rests_on
        )

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        return self._answer(
            level, lambda other: other.delta(level), self._delta, FOR_DELTA
        )

    def _answer(
        self,
        at: Fraction,
        ask: "Callable[[Composed], Bound]",
        by_methods: Callable[[Fraction], Found],
        rows: Rows,
    ) -> Bound:
        """What releases with choices answer, if that is narrow; else the methods, with closer
        ends.
        """
        chosen = None
        if self.choices is not None:
            chosen = best_choices(self.choices, ask)
            if chosen is not None and chosen.bound.relative_width <= WIDE:
                return chosen.recorded()
        with attempt() as used:
            found = by_methods(at)
        if chosen is None and not self.below and found.bound.relative_width <= NARROW:
            record(used)
            return found.bound  # no row applies, as to most answers
        asked = AskedSum(self, at, ask, chosen)
        return with_closer_ends(asked, found.resting_on(used), rows)

    def _delta(self, level: Fraction) -> Found:
        """What the methods answer, or moments where delta is near one."""
        least = self._near_one(level)
        if least is not None:
            return Found(Bound(least, Fraction(1), HOW_COARSE))
        with share(METHODS), precision(self.answers.bits):
            finite = self.finite_mass()
            answer = self.answers.delta(level, finite)
            ends = self.with_infinite(answer.ball, answer.how)
        return Found(ends, answer.attained)

    def _near_one(self, level: Fraction) -> Fraction | None:
        """A lower bound on a delta that is so near one that moments alone answer; None for
        another.
        """
        with attempt() as used, share(MOMENTS):
            if not self.answers.near_one(near_double(level)):
                return None
            least = least_delta_by_moments(self, level)
        if 1 - least >= NEAR:
            return None
        record(used)
        return least

    @property
    def is_plain(self) -> bool:
        """Whether the sum of the finite losses is all that there is to ask: no choices, and no
        losses below.
        """
        return self.choices is None and not self.below and self.answers.has_nodes

    def with_infinite(self, part: RealBall, how: str) -> Bound:
        """delta, from the part of it that finite losses make."""
        infinite = 1 - self.finite_mass()
        bound = Ball(part + infinite, self.answers.bits).bound()
        upper = max(min(bound.upper, Fraction(1)), Fraction(0))
        return Bound(min(max(bound.lower, Fraction(0)), upper), upper, how)

    def epsilon(self, delta: Number) -> Bound:
        target = below_one(delta, "delta")
        if not target:
            return at_least_zero(self.max_divergence())
        return self._answer(
            target, lambda other: other.epsilon(target), self._epsilon, FOR_EPSILON
        )

    def _epsilon(self, target: Fraction) -> Found:
        """What the methods answer, where infinite losses leave them a part of delta."""
        with precision(self.answers.bits):
            left = self.finite_part(target)
            if left > 0:
                with share(METHODS):
                    return self.answers.epsilon(left)
        if left == 0:
            return Found(self._at_the_mass())
        if left < 0:
            how = "the mass at infinity exceeds delta"
            return Found(Bound.exactly(math.inf, how))
        how = "the mass at infinity is too close to delta"
        return Found(Bound(Fraction(0), math.inf, how))

    def finite_part(self, target: Fraction) -> RealBall:
        """What infinite losses leave of a delta, at the current precision."""
        if not self.infinite:
            return real(target)
        infinite = exact_mass(self.infinite)
        if infinite is None:
            return real(target) - (1 - self.finite_mass())
        return real(target - infinite)

    def _at_the_mass(self) -> Bound:
        """epsilon at the delta that infinite losses alone make: the largest finite loss, below
        which no epsilon is enough.
        """
        how = "the largest finite loss (composition/mass-at-infinity)"
        if self.answers.terms is None:
            return Bound.exactly(Fraction(0), how)
        if self.answers.terms.last_tilt is not None:
            return Bound(
                Fraction(0), math.inf, "only moments of the finite losses are known"
            )
        with precision(self.answers.bits):
            top = self.answers.terms.top()
            if top is None:
                return Bound.exactly(
                    math.inf,
                    "the mass at infinity leaves nothing of delta, and losses are"
                    " unbounded",
                )
            return at_least_zero(Ball(top, self.answers.bits).bound(how))

    def tradeoff(self, rate: Fraction) -> Bound:
        """From the profile; where that is above what a mechanism does, a concrete pair gives the
        upper end.
        """
        rate = rational(rate, "the false positive rate")
        if not self.below:
            return self._tradeoff(rate).safe_below()
        with share(METHODS):
            profile_bound = self._tradeoff(rate)
        with attempt():
            tests = in_turn(lambda loss: loss.tradeoff(rate), self.below)
            best = min(tests, key=lambda bound: bound.upper)
        record(best.rests_on)
        return Bound(
            profile_bound.lower,
            max(best.upper, profile_bound.lower),
            profile_bound.how,
        ).safe_below()

    def _tradeoff(self, rate: Fraction) -> Bound:
        if rate == 1:
            return Bound.exactly(Fraction(0), "a test that always says yes")
        if rate == 0:
            return self.never_infinite()
        from rdpacct.privacy.tradeoff import searched_tradeoff

        return searched_tradeoff(self.missed, rate)

    @by("tradeoff/from-profile")
    def never_infinite(self) -> Bound:
        with precision(self.answers.bits):
            return Ball(self.finite_mass(), self.answers.bits).bound(
                "the mass at infinity (tradeoff/from-profile)"
            )

    def missed(self, epsilon: Fraction) -> Ball:
        return 1 - ball_of(self.delta(epsilon))

    def gaussian_mu(self) -> Bound:
        from rdpacct.composition.gaussian_sum import gaussian_mu_of_sum

        return gaussian_mu_of_sum(self.draws, self.delta, self.max_divergence)

    def tail(self, threshold: Number) -> Bound:
        return self.event_probabilities(threshold)[0]

    def event_probabilities(self, threshold: Number) -> tuple[Bound, Bound]:
        """From three points of the profile, which is convex in g = exp(epsilon) with slope -Q(L
        > epsilon).
        """
        level = rational(threshold, "threshold")
        if not self._has_sharp_values:
            return self._by_deltas(level)
        with attempt() as used:
            sharp = event_probabilities(level, *self._near(level))
        if sharp[0].relative_width <= WIDE or used_up():
            record(used)
            return sharp
        with attempt() as used_by_deltas:
            by_deltas = self._by_deltas(level)
        closer = intersections(sharp, by_deltas)
        record(used if closer != by_deltas else ())
        record(used_by_deltas if closer != sharp else ())
        return closer

    @property
    def _has_sharp_values(self) -> bool:
        """Whether values of the profile are worth taking more sharply than an answer."""
        terms = self.answers.terms
        return not self.below and terms is not None and terms.last_tilt is None

    def _by_deltas(self, level: Fraction) -> tuple[Bound, Bound]:
        """The probabilities of a loss above a level, from answers for delta."""
        deltas = [self.delta(level + k * GAP) for k in (-1, 0, 1)]
        return event_probabilities(level, GAP, [ball_of(delta) for delta in deltas])

    def _near(self, level: Fraction) -> tuple[Fraction, list[Ball]]:
        """A small distance, and the profile at the point before a level, at it, and after it.

        The sharper the profile is known, the closer the points are: an error of it counts once over
        the distance.
        """
        least = self._near_one(level)
        if least is not None:
            near = Ball.hull(least, Fraction(1), 192)
            return Fraction(1), [near, near, Ball.hull(Fraction(0), Fraction(1), 192)]
        with precision(self.answers.bits):
            infinite = 1 - self.finite_mass()
            profile = self.answers.sharply(level)
            sharp = min(max(profile(level).rel_accuracy_bits(), 24), 60)
            gap = Fraction(1, 2 ** (sharp // 2))
            return gap, [
                Ball(profile(level + k * gap) + infinite, 192) for k in (-1, 0, 1)
            ]

    def certainly_within(self, epsilon: Fraction, delta: Fraction) -> bool:
        try:
            with precision(self.answers.bits):
                return self.answers.at_most(
                    epsilon, real(delta) - (1 - self.finite_mass())
                )
        except Exhausted:
            return False
