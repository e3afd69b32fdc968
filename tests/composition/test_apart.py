"""Sampled releases whose two laws are far apart, those of Laplace against integrals in mpmath."""

from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from rdpacct import Laplace, PoissonSampled, RandomizedResponse, delta, epsilon
from rdpacct.curves import epsilon_delta_curve
from rdpacct.questions import profile


class Sampled:
    """One release in mpmath: the law of its loss, and its closed profile."""

    def __init__(self, scale: Any, rate: Any, removing: bool) -> None:
        self.mu = 1 / mp.mpf(scale)
        self.q = mp.mpf(rate)
        self.removing = removing

    def loss(self, x: Any) -> Any:
        """At the loss x of the release itself."""
        found = mp.log(1 - self.q + self.q * mp.exp(x))
        return found if self.removing else -found

    def place(self, loss: Any) -> Any:
        """The x with this loss, if there is one between -mu and mu."""
        grown = mp.exp(loss if self.removing else -loss) - 1 + self.q
        if grown <= 0:
            return None
        found = mp.log(grown / self.q)
        return found if -self.mu < found < self.mu else None

    def weights(self, x: Any) -> tuple[Any, Any, Any]:
        """The density at x, and the masses at -mu and mu."""
        without = (
            mp.exp(-(x + self.mu) / 2) / 4,
            mp.mpf(1) / 2,
            mp.exp(-self.mu) / 2,
        )
        if not self.removing:
            return without
        present = (mp.exp((x - self.mu) / 2) / 4, without[2], without[1])
        return tuple(
            (1 - self.q) * one + self.q * two
            for one, two in zip(without, present, strict=True)
        )

    def delta(self, level: Any) -> Any:
        """Of one release: that of the Laplace release at another point."""
        growth = mp.exp(level)
        share, inner = self.q, (growth - 1 + self.q) / self.q
        if not self.removing:
            share = 1 - growth * (1 - self.q)
            inner = growth * self.q / share if share > 0 else 0
        if share <= 0:
            return mp.mpf(0)
        if inner <= 0:
            return 1 - growth
        return share * max(0, 1 - inner, 1 - mp.exp((mp.log(inner) - self.mu) / 2))

    def before(self, other: Any, level: Any) -> Any:
        """Of this release and another one."""
        ends = (self.loss(-self.mu), self.loss(self.mu))
        cuts = [
            self.place(level - end) for end in map(other.loss, (-other.mu, other.mu))
        ]
        cuts += [self.place(level - mp.log(1 - other.q))] if other.removing else []
        inside = sorted(
            {-self.mu, self.mu, -self.mu + 80, mp.mpf(0), self.mu - 80}
            | {cut for cut in cuts if cut is not None}
            | {cut - 60 for cut in cuts if cut is not None and cut - 60 > -self.mu}
            | {cut + 60 for cut in cuts if cut is not None and cut + 60 < self.mu}
        )
        found = mp.quad(
            lambda x: self.weights(x)[0] * other.delta(level - self.loss(x)), inside
        )
        _, low, high = self.weights(mp.mpf(0))
        return (
            found
            + low * other.delta(level - ends[0])
            + high * other.delta(level - ends[1])
        )


def two_draws(scales: Any, rates: Any, level: Any) -> Any:
    """delta of two releases, the worse way round."""
    with mp.workdps(60):
        found = []
        for removing in (True, False):
            one, two = (
                Sampled(scale, rate, removing)
                for scale, rate in zip(scales, rates, strict=True)
            )
            found.append(one.before(two, mp.mpf(level)))
        return max(found)


@pytest.mark.parametrize(
    ("scales", "rates", "levels"),
    [
        (("0.001", "0.001"), ("0.1", "0.1"), ("0.05", "1", "900", "996", "1990")),
        (("0.01", "0.01"), ("0.3", "0.3"), ("0.5", "90", "150", "196")),
        (("0.002", "0.005"), ("0.01", "0.4"), ("0.1", "400", "650")),
    ],
)
def test_two_draws_far_apart(scales: Any, rates: Any, levels: Any) -> None:
    """Failed before: [0.1, 0.2] at a scale of 0.001."""
    one, two = (
        PoissonSampled(Laplace(scale), rate)
        for scale, rate in zip(scales, rates, strict=True)
    )
    for level in levels:
        found = delta(one + two, level)
        truth = two_draws(scales, rates, level)
        assert found.relative_width < 1e-9
        assert found.lower * (1 - mp.mpf(10) ** -12) <= truth
        assert truth <= found.upper * (1 + mp.mpf(10) ** -12)


def test_many_draws_far_apart() -> None:
    """A record that was drawn is known; also beside a release on a lattice."""
    release = PoissonSampled(Laplace("0.001"), "0.1")
    assert float(delta(10 * release, 1)) == pytest.approx(1 - 0.9**10, rel=1e-9)
    assert float(delta(1000 * release, 50)) == pytest.approx(1, rel=1e-9)
    with_answer = delta(2 * release + RandomizedResponse(1), 1)
    heads = mp.e / (1 + mp.e)
    # without the record both losses are log 0.9, and neither answer exceeds epsilon = 1
    truth = 1 - 0.9**2 * (1 - heads * max(0, 1 - mp.exp(1 - 2 * mp.log(0.9) - 1)))
    assert float(with_answer) == pytest.approx(float(truth), rel=1e-9)


def test_epsilon_far_apart() -> None:
    """delta at the epsilon of a delta is that delta."""
    release = PoissonSampled(Laplace("0.001"), "0.1")
    for target in ("0.1", "1e-3", "1e-9"):
        found = epsilon(2 * release, target)
        assert found.relative_width < 1e-9
        level = mp.mpf(found.upper.numerator) / found.upper.denominator  # type: ignore[union-attr]
        truth = two_draws(("0.001",) * 2, ("0.1",) * 2, level)
        assert float(truth) == pytest.approx(float(target), rel=1e-8)


def test_a_case_whose_size_is_lost_to_rounding_has_a_slope() -> None:
    """Its logarithm is far above that of all others, and left the range of doubles."""
    plan = (
        "10*MaximallyDivergent(epsilon=1, neutral=0.5) +"
        " 2*PoissonSampled(Gaussian(sigma=1e-9), rate=0.1)"
    )
    bound = epsilon(plan, Fraction(1, 10**10))
    assert Fraction(10**17) < bound.lower <= bound.upper < Fraction(10**19)
    curve = epsilon_delta_curve(plan, points=3)
    assert all(0 <= each.lower <= each.upper <= 1 for each in curve.bounds)


def test_slopes_far_below_zero_hold_no_more_than_all() -> None:
    """exp(epsilon) is so small there that the slopes alone say nothing about Q."""
    plan = (
        "PoissonSampled(Gaussian(sigma=1e-3), rate=0.1) +"
        " FiniteMechanism(rows=[[3/4, 1/4], [1/4, 3/4]])"
    )
    low, high = profile(plan).tails([Fraction(-101_000), Fraction(101_000)])
    assert low.lower > 1 - Fraction(1, 10**9)
    assert low.upper == 1
    assert high.lower < Fraction(1, 10) < high.upper + Fraction(1, 10**9)
