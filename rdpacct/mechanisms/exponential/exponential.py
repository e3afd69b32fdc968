"""The exponential mechanism: choose among finitely many candidates with a preference for high
scores.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real, add, formula
from rdpacct.exact.functions import exp, log, maximum
from rdpacct.exact.number import Number, listed, rational
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.exponential.exponential_transform import ExponentialTransform
from rdpacct.mechanisms.monotone import MaybeMonotone
from rdpacct.mechanisms.sampling import bernoulli_exp
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.bounded_range import BoundedRangePairs, masses
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.group import group_sensitivity
from rdpacct.privacy.loss import PrivacyLoss, positive_order
from rdpacct.privacy.parts import LARGEST_ORDER, LOSS, Atom, Piece
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by

UPPER_ENDS = (Fraction(1, 2), Fraction(9, 16), Fraction(5, 8), Fraction(3, 4))
"""The largest losses, as shares of epsilon, of the pairs that bound many releases from below."""

TRIED = 64
"""For concrete pairs epsilon is divided into this many parts."""


@dataclass(frozen=True)
class Exponential(MaybeMonotone):
    """Candidate i with probability proportional to exp(epsilon score_i/(2 sensitivity)).

    The sensitivity bounds the change of each score between neighbors. Scores are monotone if
    between neighbors they all move the same way; then the weight is exp(epsilon
    score_i/sensitivity). Either way the log ratios of one pair of neighbors lie in an interval of
    length epsilon (bounded range), which is what the answers use.
    """

    epsilon: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.LINF)
    monotone: bool = False
    same_outputs: ClassVar[bool] = True

    @property
    def rate(self) -> Expr:
        """The factor of a score in the exponent of its weight."""
        return self.epsilon / self.sensitivity.value / (1 if self.monotone else 2)

    def for_group(self, size: int) -> "Exponential":
        """The same weights: the range of the losses grows with how far the scores move."""
        grown = super().for_group(size)
        epsilon = group_sensitivity(self.epsilon, size)
        return replace(grown or self, epsilon=epsilon)

    def loss(self) -> PrivacyLoss:
        return worst_law(self.epsilon)

    def profile(self) -> Profile:
        return BoundedRange(self.loss().directions(), self.epsilon)

    @by("exponential/worst-law")
    def directions(self) -> tuple[Direction, ...]:
        """The least law that dominates every pair of bounded range: what composition needs of
        it.
        """
        below = tuple(two_point(self.epsilon, share) for share in UPPER_ENDS)
        with attempt():  # evidence where a sum is asked beside a ramp only
            smaller = rare_large_loss(self.epsilon, self.epsilon)
        return (
            Direction(
                ExponentialTransform(self.epsilon),
                below=below,
                family=BoundedRangePairs(self.epsilon),
                beside_ramp=smaller,
            ),
        )

    def loss_between(
        self, scores: Sequence[Number], others: Sequence[Number]
    ) -> PrivacyLoss:
        """The loss of one pair of score vectors, those of D and of D'."""
        first = _scores(scores)
        second = _scores(others)
        if len(first) != len(second):
            raise InputError(
                f"there are {len(first)} scores against {len(second)}; give one per"
                " candidate in both."
            )
        moved = max(abs(a - b) for a, b in zip(first, second, strict=True))
        if (moved - self.sensitivity.value).bound().certainly_above(0):
            limit = self.sensitivity.value
            raise InputError(
                f"a score moves by {moved}, more than the sensitivity {limit}; give"
                " neighboring scores."
            )
        weights, other_weights = (
            [self.rate * score for score in row] for row in (first, second)
        )
        total, other_total = (add(*map(exp, row)) for row in (weights, other_weights))
        shift = log(other_total / total)
        atoms = (
            Atom(exp(w) / total, exp(v) / other_total, w - v + shift)
            for w, v in zip(weights, other_weights, strict=True)
        )
        return PrivacyLoss(tuple(atoms))

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """Two candidates, of which one gains what the other loses, or nothing if the scores are
        monotone.
        """
        return tuple(
            self.loss_between(*self._two_scores(Fraction(k, TRIED)))
            for k in range(1, TRIED)
        )

    def _two_scores(self, share: Fraction) -> tuple[list[Fraction], list[Fraction]]:
        """The scores of D and D' for which the first candidate has about the loss share epsilon."""
        top = float(self.epsilon.ball(64))
        rate = float(self.rate.ball(64))
        odds = math.expm1((1 - float(share)) * top) / -math.expm1(-float(share) * top)
        moved = Fraction(float(self.sensitivity.value.ball(64))) * (
            1 - Fraction(1, 2**40)
        )
        first = Fraction(math.log(odds) / rate)
        return [first, Fraction(0)], [
            first - moved,
            Fraction(0) if self.monotone else moved,
        ]

    def sample(self, scores: Sequence[Number], rng: Source = None) -> int:
        """The index of the chosen candidate, exactly distributed."""
        exact = _scores(scores)
        source = randomness(rng)
        rate = rational_of(self.rate, "epsilon/sensitivity")
        best = max(exact)
        while True:
            candidate = source.randrange(len(exact))
            if bernoulli_exp(rate * (best - exact[candidate]), source):
                return candidate

    @classmethod
    def examples(cls) -> Iterable["Exponential"]:
        return cls(1), cls("0.1", monotone=True), cls(6, sensitivity=2)


def _scores(given: Sequence[Number]) -> list[Fraction]:
    scores = listed(given)
    if isinstance(scores, str) or not scores:
        raise InputError(
            f"the scores are {scores!r}; give a list with a number for each candidate."
        )
    return [rational(score, "score") for score in scores]


@dataclass(frozen=True, slots=True)
class BoundedRange(Profile):
    """The worst case over all pairs with log ratios in an interval of length epsilon.

    The worst pair has two outcomes and depends on the question, so that no single loss answers all
    of them; the losses here are the least law that dominates every pair, which is exact for delta
    and for testing.
    """

    range: Expr

    def mean(self) -> Bound:
        return self._limited(mean(self.range).bound("closed form"))

    def renyi(self, order: Number) -> Bound:
        if order == math.inf:
            return self.max_divergence()
        alpha = positive_order(order)
        if alpha == 1:
            return self.mean()
        if alpha > LARGEST_ORDER:
            low = self.renyi(LARGEST_ORDER)
            high = self.max_divergence()
            return Bound(low.lower, high.upper, "between a large order and infinity")
        return self._limited(renyi(self.range, alpha).bound("closed form"))

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        if rational(xi, "xi") != 0:
            raise UndecidedError(
                "the smallest rho of a bounded range is known for xi = 0 only."
            )
        return rho(self.range).bound("closed form")

    def centered_cdp(self) -> tuple[Bound, Bound]:
        return self.mean(), tau(self.range).bound("closed form")


@by("exponential/beside-ramp")
def rare_large_loss(largest: Expr, length: Expr) -> Direction:
    """The pair that dominates, beside a ramp, all whose losses are at most this large and lie in an
    interval of this length: the largest loss, and one other, with the largest spread of q/p.
    """
    low = exp(-largest)
    width = spread(exp(-length))
    mass = rare_mass(low, width)
    losses = largest, -log(other_ratio(low, width))
    return Direction(AtomsTransform((mass, 1 - mass), losses))


@by("exponential/beside-ramp")
def spread(least: Expr) -> Expr:
    """The largest variance of q/p, if the largest of these is at most 1/least times the least."""
    return (1 - least) ** 2 / (4 * least)


@by("exponential/beside-ramp")
def other_ratio(low: Expr, variance: Expr) -> Expr:
    """The larger ratio of the pair with the ratio ``low`` and this variance."""
    return 1 + variance / (1 - low)


@by("exponential/beside-ramp")
def rare_mass(low: Expr, variance: Expr) -> Expr:
    """The mass of the ratio ``low`` in that pair."""
    return variance / (variance + (1 - low) ** 2)


@by("exponential/choice")
def two_point(epsilon: Expr, share: Fraction) -> Direction:
    """The pair with losses t and t - epsilon, for t = share epsilon."""
    high = share * epsilon
    up, down = masses(exp(-epsilon), exp(-high))
    return Direction(AtomsTransform((up, down), (high, high - epsilon)))


def _event(threshold: Fraction) -> str:  # noqa: ARG001
    return "one of the candidates whose scores rise is chosen, for the worst scores"


@by("exponential/worst-law")
def worst_law(epsilon: Expr) -> PrivacyLoss:
    """The least law that dominates every pair with log ratios in an interval of length epsilon."""
    density = exp((LOSS - epsilon) / 2) / (2 - 2 * exp(-epsilon))
    return PrivacyLoss(
        (Piece(density, -epsilon, epsilon),),
        symmetric=True,
        event=_event,
        forms=Forms(
            delta=partial(delta, epsilon),
            log_moment=partial(log_moment, epsilon),
            transform=ExponentialTransform(epsilon),
        ),
    )


@by("exponential/delta")
def delta(epsilon: Real, at: Real) -> Expr:
    """The largest delta at another epsilon >= 0."""
    return maximum(0, 1 - exp((formula(at) - epsilon) / 2)) ** 2 / (
        1 - exp(-formula(epsilon))
    )


@by("exponential/worst-law")
def log_moment(epsilon: Real, rate: Real) -> Expr:
    """log E exp(rate L) of the dominating law, for rate other than -1/2."""
    epsilon = formula(epsilon)
    rate = formula(rate)
    return log(
        (exp(rate * epsilon) - exp(-(1 + rate) * epsilon))
        / ((1 + 2 * rate) * (1 - exp(-epsilon)))
    )


@by("exponential/renyi")
def mean(epsilon: Real) -> Expr:
    """The largest mean loss."""
    epsilon = formula(epsilon)
    return log((exp(epsilon) - 1) / epsilon) - 1 + epsilon / (exp(epsilon) - 1)


@by("exponential/renyi")
def renyi(epsilon: Real, order: Real) -> Expr:
    """The largest Renyi divergence of an order other than 1."""
    epsilon = formula(epsilon)
    rate = formula(order) - 1
    high = 1 - exp(-(rate + 1) * epsilon)
    low = exp(-epsilon) * (1 - exp(-rate * epsilon))
    odds = rate * high / ((rate + 1) * low)
    return log(odds) + log(high / ((rate + 1) * (1 - exp(-epsilon)))) / rate


@by("exponential/zcdp")
def rho(epsilon: Real) -> Expr:
    """The smallest zCDP parameter: the largest mean loss."""
    return mean(epsilon)


@by("cdp/hoeffding")
def tau(epsilon: Real) -> Expr:
    """The largest subgaussian parameter of a centered loss."""
    return formula(epsilon) / 2
