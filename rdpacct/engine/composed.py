"""The privacy loss of several releases: a sum of independent losses, answered by the engine."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial, reduce
from itertools import product

from rdpacct.by import by
from rdpacct.engine.coarse import SHARES, least_delta, least_epsilon
from rdpacct.engine.curve import TWO_GRIDS, Answers
from rdpacct.engine.few import Draw, few_releases
from rdpacct.engine.known import Block, Blocks, delta_within_known, epsilon_within_known
from rdpacct.engine.terms import Terms
from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball, Raw, precision, refine
from rdpacct.exact.bound import Bound, End, plus, worst
from rdpacct.exact.formula import ZERO, Rational
from rdpacct.exact.number import Number, near_double, rational
from rdpacct.exact.raw import real
from rdpacct.privacy.gaussian_tradeoff import gaussian_delta
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.loss import PrivacyLoss, positive_order
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import value

LARGEST_MU = Fraction(64)
"""The largest mu of a Gaussian trade-off that is looked for."""
MU_LEVELS = tuple(Fraction(k, 2) for k in (0, 1, 2, 4, 8, 16, 32))
"""The epsilons at which a Gaussian trade-off is bounded from below."""
RATES = (-2, -1, Fraction(-1, 2), Fraction(1, 8), Fraction(1, 2), 1, 2, 4, 16)
"""The rates at which a subgaussian parameter is bounded from below."""


WIDE, NEAR = 1e-3, Fraction(1, 2**40)
"""Where an answer is so wide, moments may narrow it; where delta is so near one, they are the answer."""
MOMENT_BITS = 192
HOW_COARSE = "bounds by moments (engine/lower-chernoff)"
MOST_CASES = 32
"""How many combinations of attained pairs bound a composition from below."""


@dataclass(frozen=True, slots=True)
class ComposedLoss(PrivacyLoss):
    """The sum of independent losses, each drawn a number of times.

    If some of them are above what a mechanism does, the lower ends of answers come from the sums ``below``.
    """

    draws: tuple[Draw, ...] = ()
    below: "tuple[ComposedLoss, ...]" = ()
    answers: Answers = field(default_factory=Answers, compare=False)

    @classmethod
    def of(cls, draws: Sequence[Draw]) -> "ComposedLoss":
        """The sum of these draws."""
        finite = [(direction.transform, count) for direction, _, count in draws if direction.transform is not None]
        missing = any(direction.transform is None for direction, _, _ in draws)
        few = cache(partial(few_releases, draws))
        terms = Terms.of(finite)
        return cls((), draws=tuple(draws), below=_below(draws), answers=Answers(None if missing else terms, few))

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        least = self._least_delta(level) if self.answers.near_one(near_double(level)) else Fraction(0)
        if 1 - least < NEAR:
            return Bound(least, Fraction(1), HOW_COARSE)
        with precision(self.answers.bits):
            finite = self._finite_mass()
            found, how = self.answers.delta(level, finite)
            bound = Ball(found + (1 - finite), self.answers.bits).bound(how)
        upper = max(min(bound.upper, Fraction(1)), Fraction(0))
        ends = Bound(min(max(bound.lower, Fraction(0)), upper), upper, how)
        if ends.relative_width > WIDE:
            with precision(self.answers.bits):
                most = Ball(self.answers.most(level) + (1 - finite), self.answers.bits).upper()
            if most < upper:
                upper, how = max(Fraction(most), ends.lower), HOW_COARSE
            ends = Bound(min(max(ends.lower, self._least_delta(level)), upper), upper, how)
        ends = self._between(ends, lambda loss: loss.delta(level))
        return delta_within_known(ends, self._blocks, level)

    @property
    def _blocks(self) -> Blocks:
        """The releases of each mechanism, or each release if there is one mechanism; none if that says nothing new."""
        if len(self.draws) == 1:
            [(_, answers, count)] = self.draws
            return [(answers(), count)] if count > 1 and not self.below else []
        return [(self._block(draw), 1) for draw in self.draws]

    @staticmethod
    def _block(draw: Draw) -> Block:
        direction, answers, count = draw
        return ComposedLoss.of([draw]) if count > 1 or direction.below else answers()

    def _least_delta(self, level: Fraction) -> Fraction:
        """A lower bound on delta from moments alone, if the sum is attained."""
        if self.below:
            return Fraction(0)
        bounds = (least_delta(self.log_moment(-s, MOMENT_BITS), s, level) for s in SHARES)
        ends = [bound.lower() for bound in bounds if bound.finite()]
        return max([Fraction(0), *(Fraction(end) for end in ends if end > 0)])

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        if not 0 <= target < 1:
            raise InputError(f"delta is {delta}, but must be at least 0 and below 1; give a probability such as 1e-6.")
        if target == 0:
            largest = self.max_divergence()
            return Bound(max(largest.lower, Fraction(0)), max(largest.upper, Fraction(0)), largest.how)
        found = self._between(self._epsilon(target), lambda loss: loss.epsilon(target))
        return epsilon_within_known(found, self._blocks, target)

    def _between(self, above: Bound, question: "Callable[[ComposedLoss], Bound]") -> Bound:
        """The upper end of this sum, and the lower end of those below it, if this sum is above."""
        if not self.below or (above.how == TWO_GRIDS and self._grids_only):
            return above
        lower = max(question(loss).lower for loss in self.below)
        return Bound(min(lower, above.upper), above.upper, above.how)

    @property
    def _grids_only(self) -> bool:
        """Whether the sum is above for the sake of its grids only, which an answer from two grids does without."""
        return all(
            isinstance(direction.transform, GridTransform)
            and direction.transform.given is None
            and direction.at_infinity == direction.below[0].at_infinity
            for direction, _, _ in self.draws
            if direction.below
        )

    def _epsilon(self, target: Fraction) -> Bound:
        with precision(self.answers.bits):
            finite = self._finite_mass()
            left = real(target) - (1 - finite)
            if left < 0:
                return Bound.exactly(math.inf, "the mass at infinity exceeds delta")
            if not left > 0:
                return Bound(Fraction(0), self._top_or_infinity(target), "the mass at infinity is close to delta")
            found = self.answers.epsilon(left)
            if found.relative_width <= WIDE or self.answers.terms is None:
                return found
            enough = self.answers.enough(left)
        needed = [] if self.below else [least_epsilon(self.log_moment(-s, MOMENT_BITS), s, target) for s in SHARES]
        lower = max([found.lower, *(Fraction(ball.lower()) for ball in needed if ball.finite())])
        upper = min(found.upper, enough)
        return Bound(min(lower, upper), upper, found.how if math.isfinite(found.upper) else HOW_COARSE)

    def _top_or_infinity(self, target: Fraction) -> Fraction | float:
        """At least the largest finite loss, if it is certain that the mass at infinity is not above the target."""
        masses = [(direction.at_infinity, count) for direction, _, count in self.draws if direction.at_infinity != ZERO]
        exact = [(1 - mass.value) ** count for mass, count in masses if isinstance(mass, Rational)]
        if len(exact) < len(masses) or 1 - math.prod(exact) > target:
            return math.inf
        top = self.answers.terms.top() if self.answers.terms is not None else real(0)
        return math.inf if top is None else max(Ball(top, self.answers.bits).upper(), Fraction(0))

    @by("composition/mass-at-infinity")
    def _finite_mass(self) -> Raw:
        """The probability that no loss is infinite: the product of those of each draw."""
        share = real(1)
        for direction, _, count in self.draws:
            if direction.at_infinity != ZERO:
                share = share * (1 - value(direction.at_infinity)) ** count
        return share

    @by("composition/mean")
    def mean(self) -> Bound:
        """The means of independent losses add up."""
        return _total([(loss().mean(), count) for _, loss, count in self.draws], "sum of the means")

    @by("composition/renyi")
    def renyi(self, order: Number | float) -> Bound:
        """The Renyi divergences of independent pairs add up, at every order."""
        if order != math.inf:
            order = positive_order(order)
        return _total([(loss().renyi(order), count) for _, loss, count in self.draws], "sum of the divergences")

    def max_divergence(self) -> Bound:
        return _total([(loss().max_divergence(), count) for _, loss, count in self.draws], "sum of the largest losses")

    def log_moment(self, rate: Fraction, bits: int) -> Ball:
        if rate == 0 and all(direction.at_infinity == ZERO for direction, _, _ in self.draws):
            return Ball.of(0, bits)
        total = Ball.of(0, bits)
        for _, answers, count in self.draws:
            found = answers()
            logs = [loss.log_moment(rate, bits) for loss in (found.losses if isinstance(found, Profile) else (found,))]
            total = total + count * reduce(lambda x, y: x.larger(y), logs)
        return total

    def moment(self, rate: Number) -> Bound:
        exact = rational(rate, "rate")
        return refine(lambda bits: self.log_moment(exact, bits).exp(), limit=768).bound("product of the moments")

    @by("composition/zcdp")
    def zcdp_rho(self, xi: Number) -> Bound:
        """The sum of the rhos is enough; the mean, or the divergence of any order over the order, is needed."""
        offset = rational(xi, "xi")
        enough = _total([(loss().zcdp_rho(0), count) for _, loss, count in self.draws], "sum of the rhos")
        if math.isinf(enough.lower):
            return enough
        needed = [plus(self.renyi(order).lower, -offset) / order for order in (1, 2, 8)]
        return Bound(
            max(Fraction(0), *needed),
            plus(enough.upper, max(Fraction(0), -offset)),
            "sum of the rhos (composition/zcdp)",
        )

    def centered_cdp(self) -> tuple[Bound, Bound]:
        mean = self.mean()
        squares = [(_squared(loss().centered_cdp()[1]), count) for _, loss, count in self.draws]
        return mean, self._tau(mean, _total(squares, ""), RATES)

    def one_sided_tau(self) -> Bound:
        mean = self.mean()
        squares = [(_squared(loss().one_sided_tau()), count) for _, loss, count in self.draws]
        return self._tau(mean, _total(squares, ""), tuple(rate for rate in RATES if rate > 0))

    @by("composition/subgaussian")
    def _tau(self, mean: Bound, enough: Bound, rates: tuple[int | Fraction, ...]) -> Bound:
        """The squares of the parameters add up to enough; the transform at any rate shows what is needed."""
        if math.isinf(enough.upper):
            return Bound(Fraction(0), math.inf, "no bound on a part")
        needed = Fraction(0)
        # of several losses the one with the largest moment need not be the one with the largest mean
        for rate in rates if all(isinstance(answers(), PrivacyLoss) for _, answers, _ in self.draws) else ():
            excess = self.log_moment(Fraction(rate), 192) - rate * Ball.hull(
                Fraction(mean.lower), Fraction(mean.upper), 192
            )
            if excess.certainly_positive():
                needed = max(needed, Fraction((2 * excess / Fraction(rate) ** 2).sqrt().lower()))
        return Bound(
            needed, Ball.of(Fraction(enough.upper), 192).sqrt().upper(), "sum of squares (composition/subgaussian)"
        )

    def gaussian_mu(self) -> Bound:
        """The sum of the squares is enough, as for Gaussian pairs, which dominate; points of the profile need some."""
        squares = [(_squared(loss().gaussian_mu()), count) for _, loss, count in self.draws]
        total = _total(squares, "").upper
        enough = Ball.of(total, 192).sqrt().upper() if isinstance(total, Fraction) else math.inf
        most = min(enough, LARGEST_MU)
        needed = max(_needed_mu(self.delta(level).lower, level, most) for level in MU_LEVELS)
        return Bound(needed, enough, "sum of squares, and points of the profile (composition/dominating-pairs)")

    def tail(self, threshold: Number) -> Bound:
        return self.event_probabilities(threshold)[0]

    @by("engine/event-probabilities")
    def event_probabilities(self, threshold: Number) -> tuple[Bound, Bound]:
        """From three points of the profile, which is convex in g = exp(epsilon) with slope -Q(L > epsilon)."""
        level = rational(threshold, "threshold")
        gap = Fraction(1, 2**20)
        deltas = [
            Ball.hull(Fraction(d.lower), Fraction(d.upper), 192)
            for d in map(self.delta, (level - gap, level, level + gap))
        ]
        growth = [Ball.of(level + k * gap, 192).exp() for k in (-1, 0, 1)]
        most = ((deltas[0] - deltas[1]) / (growth[1] - growth[0])).bound()
        least = ((deltas[1] - deltas[2]) / (growth[2] - growth[1])).bound()
        how = "slopes of the profile (engine/event-probabilities)"
        low, high = max(Fraction(0), Fraction(least.lower)), min(Fraction(1), Fraction(most.upper))
        p = (deltas[1] + growth[1] * Ball.hull(low, high, 192)).bound()
        return Bound(max(p.lower, Fraction(0)), min(p.upper, Fraction(1)), how), Bound(low, high, how)

    def certainly_within(self, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether a quick bound shows that delta(epsilon) is at most this delta."""
        with precision(self.answers.bits):
            return self.answers.at_most(epsilon, real(delta) - (1 - self._finite_mass()))


@dataclass(frozen=True, slots=True)
class ComposedProfile(Profile):
    """The worst of several sums of losses; one that a quick bound shows to be no worse is not worked out."""

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        found = [self.losses[0].epsilon(target)]
        for loss in self.losses[1:]:
            least = found[0].lower
            quick = target > 0 and isinstance(loss, ComposedLoss) and isinstance(least, Fraction)
            if not (quick and loss.certainly_within(least, target)):  # type: ignore[attr-defined]
                found.append(loss.epsilon(target))
        return worst(found)

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        found = [self.losses[0].delta(level)]
        for loss in self.losses[1:]:
            least = found[0].lower
            quick = isinstance(loss, ComposedLoss) and isinstance(least, Fraction) and least > 0
            if not (quick and loss.certainly_within(level, least)):  # type: ignore[attr-defined]
                found.append(loss.delta(level))
        return worst(found)


def _below(draws: Sequence[Draw]) -> tuple[ComposedLoss, ...]:
    """The sums with what is below in place of what is above: every combination of it, or of the first ones."""
    if not any(direction.below for direction, _, _ in draws):
        return ()
    options = [direction.below or (direction,) for direction, _, _ in draws]
    while math.prod(map(len, options)) > MOST_CASES:
        options = [
            found[: (len(found) + 1) // 2] if len(found) == max(map(len, options)) else found for found in options
        ]
    return tuple(
        ComposedLoss.of([(one, loss, count) for one, (_, loss, count) in zip(chosen, draws, strict=True)])
        for chosen in product(*options)
    )


def _needed_mu(delta: End, level: Fraction, most: End) -> Fraction:
    """A mu at which a Gaussian pair certainly has less than this delta, so that a larger one is needed."""
    low, high = Fraction(0), Fraction(most)
    for _ in range(40):
        middle = Fraction(float(low + high) / 2)
        if not low < middle < high:
            break
        short = gaussian_delta(middle, level).ball(128).upper() < delta
        low, high = (middle, high) if short else (low, middle)
    return low


def _squared(bound: Bound) -> Bound:
    return Bound(bound.lower * bound.lower, bound.upper * bound.upper, bound.how)


def _total(bounds: list[tuple[Bound, int]], how: str) -> Bound:
    """The sum of bounds on numbers of at least 0, each so many times."""
    lower = plus(*(count * max(Fraction(0), bound.lower) for bound, count in bounds))
    upper = plus(*(count * bound.upper for bound, count in bounds))
    return Bound(lower, upper, how)
