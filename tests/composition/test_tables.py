"""Tables of many columns or rows: every answer against sums in doubles that know nothing of ours.

How long an answer may take is bounded by its counted work, of about a microsecond a unit.
"""

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from rdpacct import (
    ZCDP,
    Bound,
    FiniteMechanism,
    GaussianDP,
    Laplace,
    MeanCDP,
    audit,
    delta,
    epsilon,
)
from rdpacct.work import question

SIZES = [
    (2, 1000),
    (10, 20),
    pytest.param((2, 4000), marks=pytest.mark.slow),
    pytest.param((20, 20), marks=pytest.mark.slow),
]
MOST_WORK = 5_000_000
CELLS = 20_000
"""Of a midpoint rule."""


@cache
def drawn_table(rows: int, columns: int) -> tuple[tuple[Fraction, ...], ...]:
    """Rows of random whole numbers, each over its sum."""
    rng = random.Random(1)
    table = []
    for _ in range(rows):
        weights = [rng.randint(1, 1000) for _ in range(columns)]
        table.append(tuple(Fraction(weight, sum(weights)) for weight in weights))
    return tuple(table)


class Pair:
    """Two rows in doubles, by falling p/q, with the sums of the first of them."""

    def __init__(self, one: tuple[Fraction, ...], two: tuple[Fraction, ...]) -> None:
        p, q = np.array(one, float), np.array(two, float)
        order = np.argsort(q / p)
        self.p, self.q = p[order], q[order]
        self.inverse = self.q / self.p
        self.losses = -np.log(self.inverse)
        self.sums_p = np.concatenate([[0.0], np.cumsum(self.p)])
        self.sums_q = np.concatenate([[0.0], np.cumsum(self.q)])

    def delta(self, g: Any) -> Any:
        """Of one release at exp(epsilon) = g."""
        k = np.searchsorted(self.inverse, 1 / g)
        return self.sums_p[k] - g * self.sums_q[k]

    def log_moment(self, t: float) -> float:
        """log E exp(t (L - E L))."""
        losses = t * (self.losses - self.p @ self.losses)
        top = losses.max()
        return float(top) + math.log(self.p @ np.exp(losses - top))


class Truth:
    """A table in doubles."""

    def __init__(self, rows: tuple[tuple[Fraction, ...], ...]) -> None:
        self.pairs = [Pair(one, two) for one, two in permutations(rows, 2)]

    def one(self, g: Any) -> Any:
        """The largest delta of one release."""
        return np.max([pair.delta(g) for pair in self.pairs], axis=0)

    def two(self, g: float) -> float:
        """Of two releases, the second pair chosen after the first output."""
        return float(max(pair.p @ self.one(g * pair.inverse) for pair in self.pairs))

    def two_of_the_same(self, g: float) -> float:
        """Of two releases of one pair."""
        return float(max(pair.p @ pair.delta(g * pair.inverse) for pair in self.pairs))

    def beside_laplace(self, g: float, shift: float) -> float:
        """The mean over the loss of a Laplace release, by the midpoint rule."""
        step = 2 * shift / CELLS
        losses = step * (np.arange(CELLS) + 0.5) - shift
        between = self.one(g * np.exp(-losses)) @ np.exp((losses - shift) / 2) / 4
        first, last = self.one(g * np.exp(np.array([-shift, shift])))
        return float(step * between + first / 2 + math.exp(-shift) * last / 2)

    def rho(self) -> float:
        """The smallest rho of zCDP."""
        return max(
            peak(
                lambda t: (pair.log_moment(t) / t + pair.p @ pair.losses) / (1 + t)  # noqa: B023
            )
            for pair in self.pairs
        )

    def tau(self) -> float:
        """The smallest subgaussian parameter about the means."""
        return max(
            math.sqrt(peak(lambda t: 2 * pair.log_moment(side * t) / t**2))  # noqa: B023
            for pair in self.pairs
            for side in (1, -1)
        )

    def mu(self) -> float:
        """The smallest mu of GaussianDP: the worst corner of a test curve."""
        quantile = NormalDist().inv_cdf
        return max(
            quantile(p) - quantile(q)
            for pair in self.pairs
            for p, q in zip(pair.sums_p[1:-1], pair.sums_q[1:-1], strict=True)
        )


def peak(f: Callable[[float], float]) -> float:
    """The largest value: a search between the neighbors of the best of some points."""
    points = [10 ** (k / 4 - 2) for k in range(21)]
    best = max(range(21), key=lambda k: f(points[k]))
    a, b = points[max(best - 1, 0)], points[min(best + 1, 20)]
    for _ in range(40):
        c, d = a + (b - a) * 0.382, a + (b - a) * 0.618
        if f(c) < f(d):
            a = c
        else:
            b = d
    return max(f(a), f(points[best]))


@contextmanager
def little_work() -> Iterator[None]:
    """An answer takes at most so much work, and none of it is refused."""
    with question() as budget:
        yield
    assert budget.spent <= MOST_WORK
    assert not budget.cut


def agrees(bound: Bound, truth: float, accuracy: float = 1e-8) -> None:
    """The truth in doubles is inside, and the ends are closer than doubles tell."""
    assert bound.relative_width < 1e-9
    assert float(bound) == pytest.approx(truth, rel=accuracy)


@pytest.fixture(params=SIZES, ids=str)
def rows(request: pytest.FixtureRequest) -> tuple[tuple[Fraction, ...], ...]:
    """A table."""
    return drawn_table(*request.param)


def test_epsilon_of_a_table(rows: tuple[tuple[Fraction, ...], ...]) -> None:
    """Once 14 s."""
    with little_work():
        found = epsilon(FiniteMechanism(rows), "1e-3")
    assert found.relative_width < 1e-9
    assert Truth(rows).one(math.exp(float(found))) == pytest.approx(1e-3, rel=1e-8)


def test_two_releases_of_a_table(rows: tuple[tuple[Fraction, ...], ...]) -> None:
    """Once percents wide, as the pair may change from release to release."""
    with little_work():
        found = delta(2 * FiniteMechanism(rows), "0.5")
    agrees(found, Truth(rows).two(math.exp(0.5)))


def test_two_releases_of_the_same_inputs(
    rows: tuple[tuple[Fraction, ...], ...],
) -> None:
    """Failed for thousands of columns, which were 5e-4 wide."""
    plan = 2 * FiniteMechanism(rows, same_inputs=True)
    with little_work():
        found = delta(plan, "0.5")
    agrees(found, Truth(rows).two_of_the_same(math.exp(0.5)))
    with little_work():
        level = epsilon(plan, "1e-3")
    truth = Truth(rows).two_of_the_same(math.exp(float(level)))
    assert level.relative_width < 1e-9
    assert truth == pytest.approx(1e-3, rel=1e-8)


def test_a_table_beside_laplace_noise(rows: tuple[tuple[Fraction, ...], ...]) -> None:
    """Once percents wide; the inputs are chosen after the other output."""
    with little_work():
        found = delta(FiniteMechanism(rows) + Laplace(2), "0.5")
    agrees(found, Truth(rows).beside_laplace(math.exp(0.5), 0.5))


@pytest.mark.parametrize(
    "size",
    [
        (2, 1000),
        *(
            pytest.param(size, marks=pytest.mark.slow)
            for size in ((10, 20), (2, 4000), (20, 20))
        ),
    ],
    ids=str,
)
def test_audits_of_a_table(size: tuple[int, int]) -> None:
    """Once a minute and more; claims a thousandth off the truth on both sides."""
    rows = drawn_table(*size)
    truth = Truth(rows)
    mechanism = FiniteMechanism(rows)
    rho, tau, mu = truth.rho(), truth.tau(), truth.mu()
    mean = max(pair.p @ pair.losses for pair in truth.pairs)
    above, below = Fraction(1001, 1000), Fraction(999, 1000)
    for claim, holds in (
        (ZCDP(Fraction(rho) * above), True),
        (ZCDP(Fraction(rho) * below), False),
        (GaussianDP(Fraction(mu) * above), True),
        (GaussianDP(Fraction(mu) * below), False),
        (MeanCDP(Fraction(mean) * above, Fraction(tau) * above), True),
        (MeanCDP(Fraction(mean) * above, Fraction(tau) * below), False),
    ):
        with little_work():
            verdict = audit(mechanism, claim)
        assert verdict.holds is holds, claim


def test_a_pair_is_kept_unless_another_one_dominates_it() -> None:
    """Doubles only say where exact numbers need not be compared."""
    from rdpacct.privacy.tradeoff_points import curve, dominates, merged, not_dominated

    tables = [
        merged(list(zip(one, two, strict=True)))
        for one, two in permutations(drawn_table(10, 20), 2)
    ]
    kept = not_dominated(tables)
    curves = [curve(table) for table in kept]
    for table in tables:
        own = curve(table)
        assert table in kept or any(dominates(other, own) for other in curves)
    for one, two in pairwise(curves):
        assert not dominates(one, two)
