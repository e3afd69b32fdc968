"""The privacy loss of several releases: a sum of independent losses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rdpacct.composition.added import AddedLoss, ball_of
from rdpacct.composition.answers import HOW_MOMENTS, Answers, Found
from rdpacct.composition.beside_ramp import BesideRamp
from rdpacct.composition.blocks import blocks_of
from rdpacct.composition.choices import Choices, Exactly, narrower
from rdpacct.composition.coarse import (
    largest_by_moments,
    least_delta,
    least_epsilon,
)
from rdpacct.composition.draws import (
    are_plain,
    draws_below,
    draws_instead,
    exchanged,
    flat,
    grounds,
    has_choices,
    has_families,
    has_ramps,
)
from rdpacct.composition.few import Draw, FewReleases
from rdpacct.composition.gaussian_sum import gaussian_mu_of_sum
from rdpacct.composition.known import (
    NARROW,
    delta_within_known,
    epsilon_within_divergences,
    epsilon_within_known,
)
from rdpacct.composition.last_choice import attained_alone
from rdpacct.composition.slopes import event_probabilities
from rdpacct.composition.terms import SumOfDraws, Terms
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO
from rdpacct.exact.number import Number, below_one, near_double, rational
from rdpacct.exact.raw import real
from rdpacct.privacy.ends import at_least_zero
from rdpacct.privacy.infinite_mass import exact_mass
from rdpacct.privacy.tradeoff import searched_tradeoff
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, record
from rdpacct.work import Exhausted, in_turn, share, used_up

WIDE, NEAR = 1e-3, Fraction(1, 2**40)
"""An answer that is relatively wider than the first may be narrowed by moments; for a delta nearer
to one than the second, moments answer alone.
"""
HOW_COARSE = "bounds by moments (engine/lower-chernoff)"
METHODS, MOMENTS = 0.8, 0.1
"""The parts of the remaining work for the methods of one sum, and for bounds by moments; the rest
is for blocks.
"""
INSTEAD = 0.5
"""The part of the remaining work for another sum that is above."""
CHOICES = 0.8
"""The part of the remaining work for releases with choices, beside the sum that is above them."""


@dataclass(frozen=True, slots=True)
class ComposedLoss(AddedLoss):
    """The sum of independent losses, each drawn a number of times.

    If some of them are above what a mechanism does, the lower ends of answers come from the sums
    ``below``.
    """

    below: "tuple[ComposedLoss, ...]" = ()
    answers: Answers = field(default_factory=Answers, compare=False)
    choices: Choices | Exactly | None = field(default=None, compare=False)
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
        return ComposedLoss.of(other)

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
        chosen = self._chosen(lambda choices: choices.delta(level))
        if chosen is not None and chosen.relative_width <= WIDE:
            return chosen
        of_sum = self._delta_of_sum(level)
        return of_sum if chosen is None else narrower(chosen, of_sum)

    def _chosen(self, question: "Callable[[Choices | Exactly], Bound]") -> Bound | None:
        """The answer of the releases with choices; None if there are none, or that takes too much
        work.
        """
        if self.choices is None:
            return None
        try:
            with share(CHOICES), attempt() as used:
                answer = question(self.choices)
        except Exhausted:
            return None
        record(used)
        return answer

    def _delta_of_sum(self, level: Fraction) -> Bound:
        with attempt() as used, share(MOMENTS):
            least = (
                self._least_delta(level)
                if self.answers.near_one(near_double(level))
                else Fraction(0)
            )
        if 1 - least < NEAR:
            record(used)
            return Bound(least, Fraction(1), HOW_COARSE)
        with share(METHODS), precision(self.answers.bits):
            finite = self._finite_mass()
            answer = self.answers.delta(level, finite)
            ends = self.with_infinite(answer.ball, answer.how)
        how = answer.how
        attained = answer.attained
        upper = ends.upper
        if ends.relative_width > WIDE:
            with attempt() as used, precision(self.answers.bits):
                most = Ball(
                    self.answers.most(level) + (1 - finite), self.answers.bits
                ).upper()
            if most < upper:
                upper = max(Fraction(most), ends.lower)
                how = HOW_MOMENTS
                attained = False
                record(used)
            with attempt() as used, share(MOMENTS):
                least = self._least_delta(level)
            if least > ends.lower:
                record(used)
            ends = Bound(min(max(ends.lower, least), upper), upper, how)
        ends = self._between(Found(ends, attained), lambda loss: loss.delta(level))
        ends = self._or_instead(ends, lambda loss: loss.delta(level))
        if self.beside_ramp is not None and ends.relative_width > WIDE:
            with precision(self.answers.bits):
                infinite = 1 - self._finite_mass()
            ends = self.beside_ramp.delta(ends, level, infinite)
        if ends.relative_width <= NARROW or used_up():
            return ends
        return delta_within_known(ends, blocks_of(self.draws, ComposedLoss.of), level)

    @property
    def is_plain(self) -> bool:
        """Whether the sum of the finite losses is all that there is to ask: no choices, and no
        losses below.
        """
        return self.choices is None and not self.below and self.answers.has_nodes

    def with_infinite(self, part: RealBall, how: str) -> Bound:
        """delta, from the part of it that finite losses make."""
        infinite = 1 - self._finite_mass()
        bound = Ball(part + infinite, self.answers.bits).bound()
        upper = max(min(bound.upper, Fraction(1)), Fraction(0))
        return Bound(min(max(bound.lower, Fraction(0)), upper), upper, how)

    def _least_delta(self, level: Fraction) -> Fraction:
        """A lower bound on delta from moments alone, if the sum is attained."""
        if self.below:
            return Fraction(0)
        return largest_by_moments(
            self.log_moment, lambda log, share: least_delta(log, share, level)
        )

    def epsilon(self, delta: Number) -> Bound:
        target = below_one(delta, "delta")
        if not target:
            return at_least_zero(self.max_divergence())
        chosen = self._chosen(lambda choices: choices.epsilon(target))
        if chosen is not None and chosen.relative_width <= WIDE:
            return chosen
        bound = self._between(self._epsilon(target), lambda loss: loss.epsilon(target))
        bound = self._or_instead(bound, lambda loss: loss.epsilon(target))
        if self.beside_ramp is not None and bound.relative_width > WIDE:
            with precision(self.answers.bits):
                infinite = 1 - self._finite_mass()
            bound = self.beside_ramp.epsilon(bound, target, infinite)
        if bound.relative_width <= NARROW and chosen is None:
            return bound
        if not used_up():
            bound = epsilon_within_known(
                bound, blocks_of(self.draws, ComposedLoss.of), target
            )
        if chosen is not None:
            bound = narrower(chosen, bound)
        if has_families(self.draws) and bound.relative_width > WIDE:
            return epsilon_within_divergences(bound, self.renyi, target)
        return bound

    def _between(
        self, answer: Found, question: "Callable[[ComposedLoss], Bound]"
    ) -> Bound:
        """The upper end of this sum, and the lower end of those below it, if this sum is above."""
        above = answer.bound
        if not self.below or (answer.attained and self._grids_only):
            return above
        if used_up():
            return Bound(min(Fraction(0), above.upper), above.upper, above.how)
        lower = max(bound.lower for bound in in_turn(question, self.below))
        return Bound(min(lower, above.upper), above.upper, above.how)

    def _or_instead(
        self, bound: Bound, question: "Callable[[ComposedLoss], Bound]"
    ) -> Bound:
        """The upper end of the other sum, if that is lower."""
        other = self.instead
        if other is None or bound.relative_width <= WIDE or used_up():
            return bound
        with attempt() as used, share(INSTEAD):
            answer = question(other)
        if answer.upper >= bound.upper:
            return bound
        record(used | other.rests_on)
        return Bound(bound.lower, max(answer.upper, bound.lower), answer.how)

    @property
    def _grids_only(self) -> bool:
        """True if only the rounding to grids makes this sum an upper bound; an answer taken from
        both grids needs no correction.
        """
        return all(
            _only_rounded(direction)
            for direction, _, _ in self.draws
            if direction.below
        )

    def _epsilon(self, target: Fraction) -> Found:
        exactly: Fraction | None = target
        if self.infinite:
            infinite = exact_mass(self.infinite)
            exactly = None if infinite is None else target - infinite
        if exactly == 0:
            return Found(self._at_the_mass())
        with precision(self.answers.bits):
            left = (
                real(target) - (1 - self._finite_mass())
                if exactly is None
                else real(exactly)
            )
            if left < 0:
                how = "the mass at infinity exceeds delta"
                return Found(Bound.exactly(math.inf, how))
            if not left > 0:
                how = "the mass at infinity is too close to delta"
                return Found(Bound(Fraction(0), math.inf, how))
            with share(METHODS):
                answer = self.answers.epsilon(left)
            bound = answer.bound
            if bound.relative_width <= WIDE or self.answers.terms is None:
                return answer
            with attempt() as used_above:
                enough = self.answers.enough(left)
        with attempt() as used_below, share(MOMENTS):
            needed = self._needed(target)
        if enough < bound.upper:
            record(used_above)
        if needed > bound.lower:
            record(used_below)
        upper = min(bound.upper, enough)
        lower = min(max(bound.lower, needed), upper)
        if not math.isfinite(bound.upper):
            return Found(Bound(lower, upper, HOW_MOMENTS))
        return Found(Bound(lower, upper, bound.how), answer.attained)

    def _needed(self, target: Fraction) -> Fraction:
        """A lower bound on epsilon from moments alone, if the sum is attained."""
        if self.below:
            return Fraction(0)
        return largest_by_moments(
            self.log_moment,
            lambda log, share: least_epsilon(log, share, Ball.of(1 - target, log.bits)),
        )

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
        if not self.below:
            return self._tradeoff(rate).safe_below()
        with share(METHODS):
            profile_bound = self._tradeoff(rate)
        upper = min(
            bound.upper
            for bound in in_turn(lambda loss: loss.tradeoff(rate), self.below)
        )
        return Bound(
            profile_bound.lower, max(upper, profile_bound.lower), profile_bound.how
        ).safe_below()

    def _tradeoff(self, rate: Fraction) -> Bound:
        if rate == 1:
            return Bound.exactly(Fraction(0), "a test that always says yes")
        if rate == 0:
            return self.never_infinite()
        return searched_tradeoff(self.missed, rate)

    def never_infinite(self) -> Bound:
        with precision(self.answers.bits):
            return Ball(self._finite_mass(), self.answers.bits).bound(
                "the mass at infinity (tradeoff/from-profile)"
            )

    def missed(self, epsilon: Fraction) -> Ball:
        return 1 - ball_of(self.delta(epsilon))

    def gaussian_mu(self) -> Bound:
        return gaussian_mu_of_sum(self.draws, self.delta, self.max_divergence)

    def tail(self, threshold: Number) -> Bound:
        return self.event_probabilities(threshold)[0]

    def event_probabilities(self, threshold: Number) -> tuple[Bound, Bound]:
        """From three points of the profile, which is convex in g = exp(epsilon) with slope -Q(L
        > epsilon).
        """
        level = rational(threshold, "threshold")
        gap, deltas = self._near(level)
        return event_probabilities(level, gap, deltas)

    def _near(self, level: Fraction) -> tuple[Fraction, list[Ball]]:
        """A small distance, and the profile at the point before a level, at it, and after it.

        The sharper the profile is known, the closer the points are: an error of it counts once over
        the distance.
        """
        if (
            self.below
            or self.answers.terms is None
            or self.answers.terms.last_tilt is not None
        ):
            gap = Fraction(1, 2**20)
            bounds = [self.delta(level + k * gap) for k in (-1, 0, 1)]
            return gap, [ball_of(bound) for bound in bounds]
        with precision(self.answers.bits):
            infinite = 1 - self._finite_mass()
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
                    epsilon, real(delta) - (1 - self._finite_mass())
                )
        except Exhausted:
            return False


def _only_rounded(direction: Direction) -> bool:
    """Whether only the rounding to a grid makes a direction an upper bound of the one below it."""
    law = direction.transform
    below = direction.below[0]
    if law is None or below.transform is None:
        return False
    same = direction.at_infinity == below.at_infinity
    return same and len(direction.below) == 1 and law.rounds_as(below.transform)
