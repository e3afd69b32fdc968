"""Estimators that one record moves by a bounded amount, against 40 digits, and quantiles of pairs
by definition.
"""

import math
import random
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest

from rdpacct.exact.formula import formula
from rdpacct.releases import Pairs, RandomSensitivityRelease, Steady
from rdpacct.releases.random_sensitivity import SLACK
from rdpacct.sensitivity.estimators import Location, Mean, RidgeSlope
from rdpacct.sensitivity.pair_quantile import (
    QuantileRule,
    all_pairs_rule,
    disjoint_rule,
    outside,
    raised,
)


def test_random_data_move_no_estimator_farther_than_h() -> None:
    """n |g(X) - g(X')| <= h <= most, against minimizers in 40 digits, at the ends of the ranges
    too.
    """
    rng = np.random.default_rng(11)
    with mpmath.workdps(40):
        for _ in range(60):
            low = rng.choice([-3.0, 0.0, 1e6])
            width = rng.choice([1e-3, 1.0, 50.0])
            bend = rng.choice([0.01, 1.0, 30.0])
            ridge = rng.choice([0.01, 1.0])
            n = int(rng.integers(1, 6))
            line = low + width * rng.choice([0.0, 1.0, float(rng.random()), 0.5], n + 1)
            line = line.clip(low, low + width)
            plane = np.column_stack(
                [
                    (2 * rng.random(n + 1) - 1).round(int(rng.integers(0, 3)))
                    for _ in "xy"
                ]
            )
            plane *= (width, bend)
            check(
                Mean(low, low + width),
                line,
                lambda x: mpmath.fsum(map(mpmath.mpf, x)) / len(x),
            )
            location = Location(low, low + width, bend, ridge)
            check(location, line, lambda x, one=location: located(one, x))
            slope = RidgeSlope(width, bend, ridge)
            check(slope, plane, lambda x, one=slope: sloped(one, x))
            assert abs(sloped(slope, plane)) <= slope.reach * (1 + 1e-12)


def check(estimator: Any, records: Any, exact: Any) -> None:
    one = records[:-1]
    two = np.vstack([records[:-2], records[-1:]]) if records.ndim == 2 else None
    if two is None:
        two = np.append(records[:-2], records[-1])
    g = exact(one)
    other = exact(two)
    found = [estimator.value(estimator.data(each)) for each in (one, two)]
    assert abs(found[0] - g) <= estimator.tolerance
    assert abs(found[1] - other) <= estimator.tolerance
    h = float(estimator.pair(records[-2:-1], records[-1:])[0])
    assert len(one) * abs(g - other) <= h <= estimator.most
    scale = (h / len(one) + 2 * estimator.tolerance) * (1 + float(SLACK) / 4)
    assert abs(Fraction(found[0]) - Fraction(found[1])) <= Fraction(scale)


def located(location: Any, records: Any) -> Any:
    """The root of the gradient, by halving in 40 digits."""
    low = mpmath.mpf(-1e7)
    high = mpmath.mpf(1e7)
    ridge = mpmath.mpf(location.ridge)
    bend = mpmath.mpf(location.bend)
    for _ in range(120):
        middle = (low + high) / 2
        pull = sum(
            (max(-bend, min(bend, mpmath.mpf(float(x)) - middle)) for x in records),
            mpmath.mpf(0),
        ) / len(records)
        low, high = (middle, high) if ridge * middle < pull else (low, middle)
    return low


def sloped(slope: Any, records: Any) -> Any:
    """The closed form in 40 digits."""
    rows = [(mpmath.mpf(float(x)), mpmath.mpf(float(y))) for x, y in records]
    return sum(x * y for x, y in rows) / (
        sum(x * x for x, _ in rows) + len(rows) * mpmath.mpf(slope.ridge)
    )


def test_the_largest_move_of_the_slope_is_attained_by_h() -> None:
    for x_most, y_most, ridge in product(
        (0.1, 1.0, 3.0), (0.5, 2.0), (0.01, 1.0, 20.0)
    ):
        slope = RidgeSlope(x_most, y_most, ridge)
        turn = min(x_most, math.sqrt(ridge))
        one = np.array([[x_most, y_most]])
        two = np.array([[turn, -y_most]])
        assert float(slope.pair(one, two)[0]) == pytest.approx(slope.most, rel=1e-12)
        x, y = np.meshgrid(np.linspace(-x_most, x_most, 21), [-y_most, y_most])
        grid = np.column_stack([x.ravel(), y.ravel()])
        one, two = np.triu_indices(len(grid))
        assert slope.pair(grid[one], grid[two]).max() <= slope.most


def exact_raised(values: Any, bound: Any, rule: Any, beta: Any) -> Any:
    """The definition: j up to the last rank, with the bound beyond the values."""
    ordered = [*sorted(values), bound]
    found = mpmath.mpf(0)
    j = 0
    while True:
        place = min(rule.rank + j * rule.stride, len(ordered))
        found = max(found, mpmath.exp(-mpmath.mpf(beta) * j) * ordered[place - 1])
        if place == len(ordered):
            return found
        j += 1


def test_the_raised_quantile_is_its_definition() -> None:
    rng = random.Random(5)
    for _ in range(2000):
        size = rng.randint(1, 30)
        beta = rng.choice((0.003, 0.1, 2.0))
        bound = rng.choice((1.0, 1e9))
        values = [rng.choice((0.0, 0.001, rng.random())) * bound for _ in range(size)]
        rule = QuantileRule(
            size, rng.randint(1, size + 1), rng.randint(1, size), formula(1)
        )
        expected = float(exact_raised(values, bound, rule, beta))
        assert raised([*sorted(values), bound], rule, beta) == pytest.approx(
            max(expected, bound * 2.0**-60), rel=1e-12
        )


def test_ranks_are_the_lowest_that_gamma_allows() -> None:
    for records, parts in product(range(2, 12), range(13)):
        wanted = Fraction(parts, 12)
        for rules, all_values in (
            (disjoint_rule, records // 2),
            (all_pairs_rule, records * (records - 1) // 2),
        ):
            rule = rules(records, wanted)
            assert rule.values == all_values
            assert 1 <= rule.rank <= all_values + 1
            assert rule.bad.bound().upper <= max(wanted, Fraction(0))
            assert not rule.constant or rule.bad.bound().upper == 0
        m = records // 2
        assert m * (wanted - disjoint_rule(records, wanted).bad.bound().upper) < 1


def test_a_steady_law_pays_for_the_moves() -> None:
    """h = exp(U/2) with U uniform, of slope 1/2: the plain quantile moves by exp(beta) as rarely as
    promised.
    """
    rng = np.random.default_rng(8)
    n = 40
    steady = Steady("0.5", "0.2")
    release = RandomSensitivityRelease(Mean(0, 10), 1, "0.1", "0.1", steady=steady)
    rule = disjoint_rule(n, Fraction(1, 10))
    paid = Fraction(release.guarantee(n).gamma.bound().upper) - rule.bad.bound().upper
    assert paid >= Fraction(1, 2) / (Fraction(1, 10) * 20)
    assert outside(Fraction(1, 5), Fraction(1), rule).bound().upper < Fraction(1, 10**9)
    assert (
        outside(Fraction(0), Fraction(99, 100), disjoint_rule(n, Fraction(1, 20)))
        .bound()
        .upper
        == 1
    )
    values = np.exp(rng.random((20_000, 21)) / 2)
    first, second = (
        np.sort(each, axis=1)[:, rule.rank - 1]
        for each in (values[:, :20], values[:, 1:])
    )
    moved = float((abs(np.log(first / second)) > 0.1).mean())
    assert 0 < moved < paid


def test_a_scale_of_many_equal_records_is_not_zero() -> None:
    """exp(-beta j) has no double for a large j: the scale would be 0 on one side of a neighbor."""
    release = RandomSensitivityRelease.of(
        np.mean, lambda a, b: abs(a - b), 1.0, alpha=1, beta=1, gamma="0.9"
    )
    data = np.zeros(4000)
    other = data.copy()
    other[-1] = 1.0
    one, two = (release.scale(each).for_study() for each in (data, other))
    assert 0 < one <= two <= one * math.exp(1 + float(SLACK))


def test_a_huge_beta_raises_nothing_and_has_a_scale() -> None:
    release = RandomSensitivityRelease(Mean(0, 1), 1, "1e400", "0.5")
    assert release.scale([0.0, 0.5, 0.25, 0.25]).for_study() == pytest.approx(0.25 / 4)


def test_all_pairs_are_all_pairs() -> None:
    data = np.random.default_rng(4).normal(0, 1, (9, 2)).clip(-3, 3)
    release = RandomSensitivityRelease(
        RidgeSlope(3, 3, 1.0), 1, 1, "0.5", pairs=Pairs.ALL
    )
    one, two = np.triu_indices(9, 1)
    expected = np.sort(release.estimator.pair(data[one], data[two]))
    assert (release._values(data) == expected).all()


def test_all_pairs_do_not_look_at_the_order_of_the_records() -> None:
    data = np.random.default_rng(3).exponential(1.0, 40).clip(0, 10)
    release = RandomSensitivityRelease(Mean(0, 10), 1, 2, "0.5", pairs=Pairs.ALL)
    assert release.scale(data).for_study() == release.scale(np.sort(data)).for_study()
    disjoint = RandomSensitivityRelease(Mean(0, 10), 1, 2, "0.5")
    assert disjoint.scale(data).for_study() != disjoint.scale(np.sort(data)).for_study()
