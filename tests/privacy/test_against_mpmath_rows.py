"""References with countable outputs: two rows of probabilities, added up from their definitions.

The tests in this file compare the references with known sums; the package does not occur.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from mpmath import mp, mpf

from tests.privacy.test_against_mpmath import DIGITS, largest, normal_quantile, number


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


class Rows:
    """Two rows of probabilities: outcomes (p, q, loss), where the loss is exact if it was given
    exactly.

    Infinitely many outcomes of unbounded losses are cut off where they no longer matter.
    """

    def __init__(self, outcomes: Any, unbounded: bool = False) -> None:
        self.unbounded = unbounded
        seen = [(p, q, loss) for p, q, loss in outcomes if p > 0]
        self.outcomes = sorted(
            seen, key=lambda outcome: self._size(outcome[2]), reverse=True
        )
        self.at_infinity = mp.fsum(p for p, q, _ in seen if q == 0)

    @classmethod
    def of(cls, first: Any, second: Any) -> Any:
        """The rows of two lists of fractions."""
        pairs = zip(map(number, first), map(number, second), strict=True)
        return cls([(p, q, mp.log(p / q) if p and q else mp.inf) for p, q in pairs])

    @staticmethod
    def _size(loss: Any) -> Any:
        if isinstance(loss, Fraction):
            return number(loss)
        return loss

    def _losses(self) -> Any:
        return [(p, self._size(loss)) for p, _, loss in self.outcomes]

    def delta(self, epsilon: Any) -> Any:
        factor = mp.exp(number(epsilon))
        return mp.fsum(p - factor * q for p, q in self.above(epsilon))

    def epsilon(self, delta: Any) -> Any:
        """The largest log((P(S) - delta)/Q(S)) over the events S of the largest losses."""
        target = number(delta)
        p_total = mpf(0)
        q_total = mpf(0)
        best = mpf(0)
        for p, q, _ in self.outcomes:
            p_total = p_total + p
            q_total = q_total + q
            if p_total > target:
                best = (
                    mp.inf if q_total == 0 else max(best, (p_total - target) / q_total)
                )
            if mp.isinf(best):
                return best
        return mp.log(best) if best > 1 else mpf(0)

    def above(self, threshold: Any) -> Any:
        """The probabilities of the outcomes whose loss exceeds the threshold."""
        exact = Fraction(threshold)
        size = number(threshold)
        return [
            (p, q)
            for p, q, loss in self.outcomes
            if loss > (exact if isinstance(loss, Fraction) else size)
        ]

    def tail(self, threshold: Any) -> Any:
        return mp.fsum(p for p, _ in self.above(threshold))

    def mean(self) -> Any:
        if self.at_infinity:
            return mp.inf
        return mp.fsum(p * loss for p, loss in self._losses())

    def variance(self) -> Any:
        mean = self.mean()
        return mp.fsum(p * (loss - mean) ** 2 for p, loss in self._losses())

    def log_moment(self, rate: Any) -> Any:
        return mp.log(
            mp.fsum(
                p * mp.exp(rate * loss)
                for p, loss in self._losses()
                if not mp.isinf(loss)
            )
        )

    def renyi(self, order: Any) -> Any:
        rate = number(order) - 1
        if rate > 0 and self.at_infinity:
            return mp.inf
        return self.log_moment(rate) / rate

    def highest(self) -> Any:
        if self.unbounded:
            return mp.inf
        return self._size(self.outcomes[0][2])

    def width(self) -> Any:
        return self.highest() - self._size(self.outcomes[-1][2])

    def gaussian_mu(self) -> Any:
        """The largest mu of a test for the largest losses; the complements keep the digits of small
        errors.
        """
        p_total = mpf(0)
        q_total = mpf(0)
        best = mpf(0)
        for p, q, _ in self.outcomes[:-1]:
            p_total = p_total + p
            q_total = q_total + q
            best = max(best, normal_quantile(p_total) - normal_quantile(q_total))
        return best


class BoundedRangePairs:
    """All pairs whose log ratios differ by at most a range: extremal are two outcomes, of log odds
    u and u - range.
    """

    def __init__(self, length: Any) -> None:
        self.length = number(length)

    def pair(self, u: Any) -> Any:
        """The probabilities of the first outcome under P and under Q, and of the second."""
        return [1 / (1 + mp.exp(-u)), 1 / (1 + mp.exp(self.length - u))], [
            1 / (1 + mp.exp(u)),
            1 / (1 + mp.exp(u - self.length)),
        ]

    def rows(self, u: Any) -> Any:
        """The pair with these log odds."""
        (p, q), (other_p, other_q) = self.pair(u)
        return Rows(
            [(p, q, mp.log(p / q)), (other_p, other_q, mp.log(other_p / other_q))]
        )

    def worst(self, question: Any, far: int = 40) -> Any:
        """The largest answer over the log odds."""
        points = [self.length / 2 + mpf(far) * k / 80 for k in range(-80, 81)]
        return largest(lambda u: question(*self.pair(u)), points)

    def delta(self, epsilon: Any) -> Any:
        if number(epsilon) >= self.length:
            return mpf(0)
        factor = mp.exp(number(epsilon))
        return self.worst(lambda first, _: first[0] - factor * first[1])

    def epsilon(self, delta: Any) -> Any:
        target = number(delta)
        ratio = self.worst(
            lambda first, _: (
                (first[0] - target) / first[1] if first[0] > target else mpf(0)
            ),
            far=400,
        )
        return mp.log(ratio) if ratio > 1 else mpf(0)

    def tail(self, threshold: Any) -> Any:
        """The probability under P of the worst event of delta(threshold): where its derivative in u
        vanishes.
        """
        if abs(number(threshold)) >= self.length:
            return mpf(0 if threshold > 0 else 1)

        def slope(u: Any) -> Any:
            (p, q), (other_p, other_q) = self.pair(u)
            return (
                mp.log(p)
                + mp.log(other_p)
                - mp.log(q)
                - mp.log(other_q)
                - number(threshold)
            )

        return self.pair(mp.findroot(slope, self.length / 2))[0][0]

    def mean(self) -> Any:
        return self.worst(
            lambda *outcomes: mp.fsum(p * mp.log(p / q) for p, q in outcomes)
        )

    def renyi(self, order: Any) -> Any:
        a = number(order)
        return self.worst(
            lambda *outcomes: (
                mp.log(mp.fsum(p**a * q ** (1 - a) for p, q in outcomes)) / (a - 1)
            )
        )

    def highest(self) -> Any:
        return self.length

    def gaussian_mu(self) -> Any:
        return self.worst(
            lambda first, _: normal_quantile(first[0]) - normal_quantile(first[1]),
            far=20,
        )


def responses(epsilon: Any, answers: Any) -> Any:
    """The rows of randomized response, for two of its answers."""
    exact = Fraction(epsilon)
    likely = mp.exp(number(epsilon))
    total = likely + answers - 1
    rest = (answers - 2) / total
    return Rows(
        [
            (likely / total, 1 / total, exact),
            (1 / total, likely / total, -exact),
            (rest, rest, Fraction(0)),
        ]
    )


def maximally_divergent(epsilon: Any, neutral: Any) -> Any:
    """The rows of a maximally divergent pair."""
    exact = Fraction(epsilon)
    rest = 1 - number(neutral)
    likely, rare = (rest / (1 + mp.exp(sign * number(epsilon))) for sign in (-1, 1))
    middle = number(neutral)
    return Rows(
        [(likely, rare, exact), (rare, likely, -exact), (middle, middle, Fraction(0))]
    )


def two_sided_geometric(scale: Any, steps: Any) -> Any:
    """Weights exp(-|x|/scale) about 0 and about steps, for all integers of weight above exp(-220),
    added by loss.
    """
    rate = Fraction(1) / Fraction(scale)
    far = math.ceil(220 * Fraction(scale))
    weights = [mp.exp(-number(rate) * k) for k in range(far + steps + 1)]
    total = weights[0] + 2 * mp.fsum(weights[1:])
    masses: dict[Any, Any] = {}
    for x in range(-far, far + steps + 1):
        loss = (abs(x - steps) - abs(x)) * rate
        p, q = masses.get(loss, (mpf(0), mpf(0)))
        masses[loss] = p + weights[abs(x)] / total, q + weights[abs(x - steps)] / total
    return Rows([(p, q, loss) for loss, (p, q) in masses.items()])


def gaussian_on_integers(sigma: Any, steps: Any) -> Any:
    """Weights exp(-x**2/(2 sigma**2)) about 0 and about -steps, for all integers of weight above
    exp(-1000).
    """
    variance = Fraction(sigma) ** 2
    far = math.ceil(45 * Fraction(sigma)) + 12 * steps + 10
    weights = [mp.exp(-number(k**2 / variance) / 2) for k in range(far + steps + 1)]
    total = weights[0] + 2 * mp.fsum(weights[1:])
    outcomes = (
        (
            weights[abs(x)] / total,
            weights[abs(x + steps)] / total,
            steps * (2 * x + steps) / (2 * variance),
        )
        for x in range(-far, far + 1)
    )
    return Rows(outcomes, unbounded=True)


def random_rows(seed: Any, outputs: Any, zeros: Any, rows: int = 2) -> Any:
    """Rows of small fractions; with zeros, some outputs are impossible for some inputs."""
    rng = random.Random(seed)
    table = []
    for i in range(rows):
        weights = [rng.randrange(1, 100) ** rng.choice((1, 2)) for _ in range(outputs)]
        if zeros:
            weights[(seed + i) % outputs] = 0
        table.append([Fraction(weight, sum(weights)) for weight in weights])
    return table


@dataclass(frozen=True)
class Case:
    """A mechanism, and how to make its reference."""

    mechanism: object
    make: object
    arguments: tuple[Any, ...]

    def __str__(self) -> Any:
        return str(self.mechanism)[:60]

    def law(self) -> Any:
        """The reference, made once."""
        return made(self.make, self.arguments)


@cache
def made(make: Any, arguments: Any) -> Any:
    """A reference, with all its digits."""
    with mp.workdps(DIGITS):
        return make(*arguments)


@pytest.mark.parametrize("sigma", ["0.3", "1", "7/2", "30"])
def test_the_gaussian_on_integers_is_a_theta_function(sigma: str) -> None:
    """The probability of the integer nearest to the center is one over a theta function, and all
    add up to one.
    """
    law = gaussian_on_integers(sigma, 3)
    variance = number(sigma) ** 2
    theta = mp.jtheta(3, 0, mp.exp(-1 / (2 * variance)))
    assert abs(max(p for p, _, _ in law.outcomes) * theta - 1) < mpf(10) ** -50
    assert abs(mp.fsum(p for p, _, _ in law.outcomes) - 1) < mpf(10) ** -50


@pytest.mark.parametrize(("scale", "steps"), [("0.2", 1), ("1", 1), ("5", 7)])
def test_the_two_sided_geometric_has_known_outer_masses(scale: str, steps: int) -> None:
    """The outputs at or below both centers have mass 1/(1 + exp(-1/scale)) on the nearer one, and
    all add up to one.
    """
    law = two_sided_geometric(scale, steps)
    p, q, loss = law.outcomes[0]
    assert loss == steps / Fraction(scale)
    assert abs(p * (1 + mp.exp(-1 / number(scale))) - 1) < mpf(10) ** -50
    assert abs(q * mp.exp(number(loss)) / p - 1) < mpf(10) ** -50
    assert abs(mp.fsum(p for p, _, _ in law.outcomes) - 1) < mpf(10) ** -50


@pytest.mark.parametrize("delta", ["1e-2", "1e-18"])
def test_epsilon_of_rows_inverts_their_delta(delta: str) -> None:
    """The epsilon from the events of the largest losses is where the summed excess is delta."""
    for law in (
        responses("2", 5),
        two_sided_geometric("5", 7),
        gaussian_on_integers("7/2", 3),
    ):
        epsilon = law.epsilon(delta)
        excess = mp.fsum(
            max(mpf(0), p - mp.exp(epsilon) * q) for p, q, _ in law.outcomes
        )
        assert abs(excess / number(delta) - 1) < mpf(10) ** -38
