"""The privacy loss of several releases: a sum of independent losses, answered by the engine."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product

from rdpacct.engine.added import AddedLoss, ball_of, squared, total
from rdpacct.engine.answers import HOW_MOMENTS, Answers
from rdpacct.engine.choices import Choices, Exactly, attained_alone, narrower
from rdpacct.engine.coarse import SHARES, least_delta, least_epsilon
from rdpacct.engine.curve import TWO_GRIDS
from rdpacct.engine.draws import exchanged, flat, grounds
from rdpacct.engine.few import Draw, few_releases
from rdpacct.engine.known import (
    NARROW,
    Block,
    Blocks,
    delta_within_known,
    epsilon_within_known,
)
from rdpacct.engine.mass import exact_mass
from rdpacct.engine.terms import SumOfDraws, Terms
from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.bound import Bound, End, worst
from rdpacct.exact.number import Number, near_double, rational
from rdpacct.exact.raw import real
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.gaussian_tradeoff import (
    WIDEST_TRADEOFF,
    gaussian_mu_of_profile,
    needed_mu,
)
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.tradeoff import searched_tradeoff
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by, record, remembered

LARGEST_MU = Fraction(64)
"""The largest mu of a Gaussian trade-off that is looked for."""
MU_LEVELS = tuple(Fraction(k, 2) for k in (0, 1, 2, 4, 8, 16, 32))
"""The epsilons at which a Gaussian trade-off is bounded from below."""


WIDE, NEAR = 1e-3, Fraction(1, 2**40)
"""Where an answer is so wide, moments may narrow it; where delta is so near one, they are the
answer.
"""
MOMENT_BITS = 192
HOW_COARSE = "bounds by moments (engine/lower-chernoff)"
MOST_CASES = 32
"""How many combinations of attained pairs bound a composition from below."""


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

    @classmethod
    def of(cls, draws: Sequence[Draw]) -> "ComposedLoss":
        """The sum of these draws; a draw that is itself a sum stands for its own draws."""
        draws = attained_alone(list(flat(draws)))
        choices = Choices.of(draws, cls.of)
        finite = [
            (direction.transform, count)
            for direction, _, count in draws
            if direction.transform is not None
        ]
        missing = any(direction.transform is None for direction, _, _ in draws)
        few = remembered()(partial(few_releases, draws))
        terms = Terms.of(finite)
        answers = Answers(None if missing else terms, few)
        return cls(
            draws=tuple(draws),
            below=_below(draws),
            answers=answers,
            choices=choices,
            rests_on=grounds(draws),
        )

    def reversed(self) -> "ComposedLoss":
        """The sum of the reversed losses; where a release may be turned round anyway, it stays as
        it is.
        """
        other = [exchanged(draw) for draw in self.draws]
        if all(new is old for new, old in zip(other, self.draws, strict=True)):
            return self
        return ComposedLoss.of(other)

    def direction(self) -> Direction:
        """What stands for this sum in another one: its draws."""
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
        chosen = None if self.choices is None else self.choices.delta(level)
        if chosen is not None and chosen.relative_width <= WIDE:
            return chosen
        return narrower(chosen, self._delta_of_sum(level))

    def _delta_of_sum(self, level: Fraction) -> Bound:
        with attempt() as used:
            least = (
                self._least_delta(level)
                if self.answers.near_one(near_double(level))
                else Fraction(0)
            )
        if 1 - least < NEAR:
            record(used)
            return Bound(least, Fraction(1), HOW_COARSE)
        with precision(self.answers.bits):
            finite = self._finite_mass()
            found, how = self.answers.delta(level, finite)
            bound = Ball(found + (1 - finite), self.answers.bits).bound(how)
        upper = max(min(bound.upper, Fraction(1)), Fraction(0))
        ends = Bound(min(max(bound.lower, Fraction(0)), upper), upper, how)
        if ends.relative_width > WIDE:
            with attempt() as used, precision(self.answers.bits):
                most = Ball(
                    self.answers.most(level) + (1 - finite), self.answers.bits
                ).upper()
            if most < upper:
                upper = max(Fraction(most), ends.lower)
                how = HOW_MOMENTS
                record(used)
            with attempt() as used:
                least = self._least_delta(level)
            if least > ends.lower:
                record(used)
            ends = Bound(min(max(ends.lower, least), upper), upper, how)
        ends = self._between(ends, lambda loss: loss.delta(level))
        if ends.relative_width <= NARROW:
            return ends
        return delta_within_known(ends, self._blocks, level)

    @property
    def _blocks(self) -> Blocks:
        """The releases of each mechanism, or each release if there is one mechanism; none if that
        says nothing new.
        """
        if len(self.draws) == 1:
            [(_, answers, count)] = self.draws
            if count > 1 and not self.below:
                return [(answers(), count)]
            return []
        return [(self._block(draw), 1) for draw in self.draws]

    @staticmethod
    def _block(draw: Draw) -> Block:
        direction, answers, count = draw
        if count > 1 or direction.below:
            return ComposedLoss.of([draw])
        return answers()

    def _least_delta(self, level: Fraction) -> Fraction:
        """A lower bound on delta from moments alone, if the sum is attained."""
        if self.below:
            return Fraction(0)
        bounds = (
            least_delta(self.log_moment(-s, MOMENT_BITS), s, level) for s in SHARES
        )
        ends = [bound.lower() for bound in bounds if bound.finite()]
        return max([Fraction(0), *(Fraction(end) for end in ends if end > 0)])

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        if not 0 <= target < 1:
            raise InputError(
                f"delta is {delta}, but must be at least 0 and below 1; give a"
                " probability such as 1e-6."
            )
        if target == 0:
            largest = self.max_divergence()
            return Bound(
                max(largest.lower, Fraction(0)),
                max(largest.upper, Fraction(0)),
                largest.how,
            )
        chosen = None if self.choices is None else self.choices.epsilon(target)
        if chosen is not None and chosen.relative_width <= WIDE:
            return chosen
        found = self._between(self._epsilon(target), lambda loss: loss.epsilon(target))
        if found.relative_width > NARROW:
            found = epsilon_within_known(found, self._blocks, target)
        return narrower(chosen, found)

    def _between(
        self, above: Bound, question: "Callable[[ComposedLoss], Bound]"
    ) -> Bound:
        """The upper end of this sum, and the lower end of those below it, if this sum is above."""
        if not self.below or (above.how == TWO_GRIDS and self._grids_only):
            return above
        lower = max(question(loss).lower for loss in self.below)
        return Bound(min(lower, above.upper), above.upper, above.how)

    @property
    def _grids_only(self) -> bool:
        """Whether the sum is above for the sake of its grids only, which an answer from two grids
        does without.
        """
        return all(
            direction.transform is not None
            and direction.transform.rounds
            and direction.at_infinity == direction.below[0].at_infinity
            for direction, _, _ in self.draws
            if direction.below
        )

    def _epsilon(self, target: Fraction) -> Bound:
        exactly = exact_mass(self._infinite_masses())
        if exactly is not None and exactly == target:
            return self._at_the_mass()
        with precision(self.answers.bits):
            left = (
                real(target) - (1 - self._finite_mass())
                if exactly is None
                else real(target - exactly)
            )
            if left < 0:
                return Bound.exactly(math.inf, "the mass at infinity exceeds delta")
            if not left > 0:
                return Bound(
                    Fraction(0), math.inf, "the mass at infinity is too close to delta"
                )
            found = self.answers.epsilon(left)
            if found.relative_width <= WIDE or self.answers.terms is None:
                return found
            with attempt() as used_above:
                enough = self.answers.enough(left)
        with attempt() as used_below:
            needed = self._needed(target)
        if enough < found.upper:
            record(used_above)
        if needed > found.lower:
            record(used_below)
        upper = min(found.upper, enough)
        how = found.how if math.isfinite(found.upper) else HOW_MOMENTS
        return Bound(min(max(found.lower, needed), upper), upper, how)

    def _needed(self, target: Fraction) -> Fraction:
        """A lower bound on epsilon from moments alone, if the sum is attained."""
        if self.below:
            return Fraction(0)
        bounds = (
            least_epsilon(self.log_moment(-s, MOMENT_BITS), s, target) for s in SHARES
        )
        return max(
            [Fraction(0), *(Fraction(ball.lower()) for ball in bounds if ball.finite())]
        )

    def _at_the_mass(self) -> Bound:
        """epsilon at the delta that infinite losses alone make: the largest finite loss, no smaller
        one is enough.
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
            largest = Ball(top, self.answers.bits).bound(how)
        return Bound(
            max(largest.lower, Fraction(0)), max(largest.upper, Fraction(0)), how
        )

    def tradeoff(self, rate: Fraction) -> Bound:
        """From the profile; where that is above what a mechanism does, a concrete pair gives the
        upper end.
        """
        found = self._tradeoff(rate)
        if not self.below:
            return found
        upper = min(loss.tradeoff(rate).upper for loss in self.below)
        return Bound(found.lower, max(upper, found.lower), found.how)

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
        """The sum of the squares is enough, as Gaussian pairs dominate; the profile itself may show
        that less is.
        """
        squares = total(
            [(squared(loss().gaussian_mu()), count) for _, loss, count in self.draws],
            "",
        )
        if math.isinf(squares.lower):
            return Bound.exactly(math.inf, "the supports of P and Q differ")
        enough = (
            Ball.of(squares.upper, 192).sqrt().upper()
            if isinstance(squares.upper, Fraction)
            else math.inf
        )
        how = "sum of squares, and points of the profile (composition/dominating-pairs)"
        most = self.max_divergence().upper
        if isinstance(most, Fraction) and 0 < most <= WIDEST_TRADEOFF:
            found = gaussian_mu_of_profile(self.delta, most, min(enough, LARGEST_MU))
            if found.upper <= enough:
                return found
            return Bound(min(found.lower, enough), enough, how)
        furthest = min(enough, LARGEST_MU)
        needed = max(
            needed_mu(self.delta(level).lower, level, furthest) for level in MU_LEVELS
        )
        return Bound(needed, enough, how)

    def tail(self, threshold: Number) -> Bound:
        return self.event_probabilities(threshold)[0]

    @by("engine/event-probabilities")
    def event_probabilities(self, threshold: Number) -> tuple[Bound, Bound]:
        """From three points of the profile, which is convex in g = exp(epsilon) with slope -Q(L >
        epsilon).
        """
        level = rational(threshold, "threshold")
        gap, deltas = self._near(level)
        growth = [Ball.of(level + k * gap, 192).exp() for k in (-1, 0, 1)]
        most = ((deltas[0] - deltas[1]) / (growth[1] - growth[0])).bound()
        least = ((deltas[1] - deltas[2]) / (growth[2] - growth[1])).bound()
        how = "slopes of the profile (engine/event-probabilities)"
        low = max(Fraction(0), Fraction(least.lower))
        high = min(Fraction(1), Fraction(most.upper))
        p = (deltas[1] + growth[1] * Ball.hull(low, high, 192)).bound()
        return Bound(max(p.lower, Fraction(0)), min(p.upper, Fraction(1)), how), Bound(
            low, high, how
        )

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
        """Whether a quick bound shows that delta(epsilon) is at most this delta."""
        with precision(self.answers.bits):
            return self.answers.at_most(
                epsilon, real(delta) - (1 - self._finite_mass())
            )


@dataclass(frozen=True, slots=True)
class ComposedProfile(Profile):
    """The worst of several sums of losses; one that a quick bound shows to be no worse is not
    worked out.
    """

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        found = [self.losses[0].epsilon(target)]
        for loss in self.losses[1:]:
            least = found[0].lower
            if not (target > 0 and _shown(loss, least, target)):
                found.append(loss.epsilon(target))
        return worst(found)

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        found = [self.losses[0].delta(level)]
        for loss in self.losses[1:]:
            least = found[0].lower
            if not (least > 0 and _shown(loss, level, least)):
                found.append(loss.delta(level))
        return worst(found)


def _shown(loss: Loss, epsilon: End, delta: End) -> bool:
    """Whether a quick bound shows that a sum has at most this delta at this epsilon; it counts if
    it does.
    """
    if not (
        isinstance(loss, ComposedLoss)
        and isinstance(epsilon, Fraction)
        and isinstance(delta, Fraction)
    ):
        return False
    with attempt() as used:
        shown = loss.certainly_within(epsilon, delta)
    if shown:
        record(used | loss.rests_on)
    return shown


def _below(draws: Sequence[Draw]) -> tuple[ComposedLoss, ...]:
    """The sums with what is below in place of what is above: every combination of it, or of the
    first ones.
    """
    if not any(direction.below for direction, _, _ in draws):
        return ()
    options = [direction.below or (direction,) for direction, _, _ in draws]
    while math.prod(map(len, options)) > MOST_CASES:
        options = [
            (
                found[: (len(found) + 1) // 2]
                if len(found) == max(map(len, options))
                else found
            )
            for found in options
        ]
    return tuple(
        ComposedLoss.of(
            [
                (one, loss, count)
                for one, (_, loss, count) in zip(chosen, draws, strict=True)
            ]
        )
        for chosen in product(*options)
    )
