"""Noise with tails like a power on the scale of a smooth sensitivity: the loss is bounded."""

import random
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, worst
from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import cosh, exp, log, maximum, sqrt
from rdpacct.exact.number import Number, below_one, rational
from rdpacct.exact.parameter import Parameter
from rdpacct.exact.root import bracket
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.smooth.circle import Circle
from rdpacct.mechanisms.smooth.smooth_noise import AtTheCorners, SmoothNoise
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import RelationIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by

BITS = 160
MOST_SQUARES = 12
_TOO_FLAT = (
    "the largest loss of the power noise is out of reach; give a smaller beta or a"
    " power farther from 1."
)


@dataclass(frozen=True)
class SmoothPower(SmoothNoise):
    """f(D) + (S(D)/alpha) Z with Z of density proportional to 1/(1 + |z|**power), power > 1.

    S is a beta-smooth bound on the local sensitivity. For power 2, Cauchy noise, one pair of
    neighbors is worst for every question; for another power only the largest loss is known exactly.
    """

    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    power: Parameter = Parameter(least=1, above_least=True)
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    @by("smooth/power-loss")
    def loss(self) -> PrivacyLoss:
        """The loss of the worst pair of noise of power 2."""
        if self.power != formula(2):
            raise UndecidedError(
                "the worst pair of power noise is known for power 2 only; ask for"
                " epsilon at delta 0."
            )
        return PrivacyLoss(
            (Circle(cauchy_epsilon(self.alpha, self.beta)),),
            symmetric=True,
            event=_event,
        )

    def profile(self) -> Profile:
        if self.power == formula(2):
            return Profile((self.loss(),))
        return OnlyPure((), pure_epsilon(self.alpha, self.beta, self.power))

    def directions(self) -> tuple[Direction, ...]:
        if self.power == formula(2):
            return (self.loss().direction(),)
        largest = formula(
            Fraction(pure_epsilon(self.alpha, self.beta, self.power).upper)
        )
        nothing = worst_pair(ZERO, ZERO).direction()
        return (replace(worst_pair(largest, ZERO).direction(), below=(nothing,)),)

    def draw(self, rng: random.Random) -> float:
        power = float(self.power.ball(64))
        odds = rng.gammavariate(1 / power, 1) / rng.gammavariate(1 - 1 / power, 1)
        return float(rng.choice((-1, 1)) * odds ** (1 / power))

    @classmethod
    def examples(cls) -> Iterable["SmoothPower"]:
        return cls(1, "0.1", 2), cls(1, "0.2", 4), cls("0.5", "0.1", "3/2")


@dataclass(frozen=True, slots=True)
class OnlyPure(AtTheCorners):
    """Neighbors of which only the largest loss is known; delta is at most that of randomized
    response.
    """

    largest: Bound

    def max_divergence(self) -> Bound:
        return self.largest

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        most = formula(Fraction(self.largest.upper))
        most_delta = maximum(0, (exp(most) - exp(level)) / (exp(most) + 1)).bound()
        how = "between 0 and that of randomized response with the largest loss"
        return Bound(
            Fraction(0),
            most_delta.upper if level < self.largest.upper else Fraction(0),
            how,
        )

    def epsilon(self, delta: Number) -> Bound:
        target = below_one(delta, "delta")
        most = formula(Fraction(self.largest.upper))
        if target == 0:
            return self.largest
        most_epsilon = log(maximum(1, exp(most) - target * (exp(most) + 1))).bound()
        return Bound(
            Fraction(0),
            most_epsilon.upper,
            "between 0 and that of randomized response with the largest loss",
        )

    def tradeoff(self, false_positives: Number) -> Bound:
        raise UndecidedError(
            f"the best test at {false_positives} is known for power 2 only; ask for"
            " epsilon."
        )

    def worst_at(self, epsilon: Number) -> PrivacyLoss:
        raise UndecidedError(
            f"the worst pair at {epsilon} is known for power 2 only; ask for epsilon at"
            " delta 0."
        )


def _event(threshold: Fraction) -> str:
    return f"the privacy loss of the worst pair exceeds {threshold}"


@by("smooth/power-loss")
def cauchy_epsilon(alpha: Real, beta: Real) -> Expr:
    """The largest loss for power 2; a change of scale alone, by this much in logarithm, is worst
    for every question.
    """
    alpha = formula(alpha)
    beta = formula(beta)
    size = maximum(1 + alpha**2 / 2, cosh(beta) + alpha**2 * exp(-beta) / 2)
    return log(size + sqrt(size**2 - 1))


@by("smooth/power-loss")
def pure_epsilon(alpha: Expr, beta: Expr, power: Expr) -> Bound:
    """The largest loss over all shifts, scales and outputs, both orders: it is at one of three
    corners.
    """
    bounds = [
        largest_log_ratio(alpha, formula(1), power),
        _moved(largest_log_ratio(alpha * exp(-beta), exp(-beta), power), beta),
        _moved(largest_log_ratio(alpha, exp(beta), power), -beta),
    ]
    return worst(bounds)


@by("smooth/power-loss")
def largest_log_ratio(shift: Expr, slope: Expr, power: Expr) -> Bound:
    """The largest log (1 + (shift + slope y)**power) - log (1 + y**power) over y >= 0, for shift >
    0.

    It is the logarithm of both sides of 1 + share**(1-power) shift**power = (1-share)**(1-power)
    slope**power.
    """

    def sides(share: Fraction, bits: int) -> tuple[Ball, Ball]:
        near = log(1 + exp((1 - power) * log(share) + power * log(shift)))
        far = (1 - power) * log(1 - share) + power * log(slope)
        return near.ball(bits), far.ball(bits)

    def gap(share: Fraction, bits: int) -> Ball:
        near, far = sides(share, bits)
        return near - far

    low, high = bracket(gap, *_ends(gap))
    most, least = sides(low, BITS)
    other_least, other_most = sides(high, BITS)
    lower = max(least.lower(), other_least.lower())
    return Bound(
        lower, max(lower, min(most.upper(), other_most.upper())), "certified bracket"
    )


def _ends(gap: Callable[[Fraction, int], Ball]) -> tuple[Fraction, Fraction]:
    """Shares between which the gap, which falls from infinity at 0 to minus infinity at 1,
    certainly has its root.
    """
    low = high = Fraction(1, 4)
    for _ in range(MOST_SQUARES):
        if gap(low, BITS).certainly_positive():
            break
        low = low**2
    else:
        raise UndecidedError(_TOO_FLAT)
    for _ in range(MOST_SQUARES):
        if gap(1 - high, BITS).certainly_negative():
            return low, 1 - high
        high = high**2
    raise UndecidedError(_TOO_FLAT)


def _moved(bound: Bound, by_much: Expr) -> Bound:
    other = by_much.bound()
    return Bound(bound.lower + other.lower, bound.upper + other.upper, bound.how)
