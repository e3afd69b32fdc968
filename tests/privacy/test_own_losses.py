"""Losses of any kind compose: a user's own parts and densities, tables, and laws with several
pairs.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rdpacct import (
    FiniteMechanism,
    Gaussian,
    Laplace,
    PoissonSampled,
    RandomizedResponse,
    delta,
    epsilon,
    profile,
)
from rdpacct.composition.methods import TWO_GRIDS
from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.formula import ZERO
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.dominating import connect_the_dots, dominating_table
from rdpacct.privacy.grid import Cells, span
from rdpacct.privacy.grid_transform import GridTransform, grid_direction
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Part
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Nodes

LEVELS = (Fraction(0), Fraction(1, 10), Fraction(1), Fraction(3))


@dataclass(frozen=True)
class _Own(Mechanism):
    """A mechanism without closed forms: only the parts of another one are known."""

    base: Mechanism
    way: int = 0
    relation: Relation = Relation.ADD_OR_REMOVE_ONE

    def loss(self) -> PrivacyLoss:
        loss: Any = self.base.profile().losses[self.way]
        return PrivacyLoss(loss.parts, loss.at_infinity, loss.unseen, loss.symmetric)


@dataclass(frozen=True)
class _Opaque(Part):
    """A part that answers the required questions and no other."""

    base: Part

    def range(self) -> Any:
        return self.base.range()

    def moment(self, rate: Any, bits: Any) -> Any:
        return self.base.moment(rate, bits)

    def mean(self, bits: Any) -> Any:
        return self.base.mean(bits)

    def central_moments(self, orders: Any, center: Any, bits: Any) -> Any:
        return self.base.central_moments(orders, center, bits)

    def tail(self, threshold: Any, bits: Any) -> Any:
        return self.base.tail(threshold, bits)

    def excess(self, threshold: Any, bits: Any) -> Any:
        return self.base.excess(threshold, bits)

    def reversed(self) -> Any:
        return _Opaque(self.base.reversed())


@dataclass(frozen=True)
class _OwnSampled(Mechanism):
    """A sampled Gaussian release of which only the tails are known, one way round."""

    relation: Relation = Relation.ADD_OR_REMOVE_ONE
    oriented = True

    def loss(self) -> PrivacyLoss:
        loss: Any = PoissonSampled(Gaussian(1), "0.1").loss()
        [part] = loss.parts
        return PrivacyLoss((_Opaque(part),))


@pytest.mark.parametrize(
    ("count", "width"),
    [(2, 1e-7), (5, 1e-6), (1000, 7e-7)],
)
def test_a_density_without_a_transform_composes(count: int, width: float) -> None:
    """Few releases by two sums on grids, many by two quadratures on lattices, which are as wide as
    the grids; both hold the closed forms' answer.
    """
    own = count * _Own(Laplace(3))
    known = count * Laplace(3)
    exact = epsilon(known, "1e-6")
    found = epsilon(own, "1e-6")
    assert found.overlaps(exact)
    assert found.lower <= exact.upper
    assert found.relative_width < width
    assert (found.how == TWO_GRIDS) == (count < 10)
    at_one = delta(own, 1)
    assert at_one.overlaps(delta(known, 1))
    assert at_one.relative_width < width


def test_a_part_that_is_known_by_its_tails_composes() -> None:
    """An unbounded loss with no closed form, both ways round, beside Gaussian and Laplace
    releases.
    """
    for rest in ([], [3 * Gaussian(3)]):
        own, known = (
            sum(rest, start=2 * mechanism)
            for mechanism in (_OwnSampled(), PoissonSampled(Gaussian(1), "0.1"))
        )
        for level in (Fraction(1),):
            exact = delta(known, level)
            found = delta(own, level)
            assert found.overlaps(exact), (level, rest)
            assert found.upper <= exact.upper + Fraction(1, 100)


def test_the_two_laws_on_a_grid_are_above_and_below() -> None:
    """At every point the profile lies between them, and their transforms bound the moments."""
    losses: tuple[Any, ...] = (
        Laplace(1).loss(),
        PoissonSampled(Laplace(1), "0.2").loss(),
        PoissonSampled(Gaussian(1), "0.3").loss(),
    )
    for loss in losses:
        above = grid_direction(loss.parts, ZERO)
        below = grid_direction(loss.parts, ZERO).below[0]
        assert isinstance(above.transform, GridTransform)
        assert isinstance(below.transform, GridTransform)
        for level in (Fraction(-1, 3), *LEVELS, Fraction(123, 1000)):
            exact = loss.delta(level)
            high = _profile(above.transform.law, level)
            low = _profile(below.transform.law, level)
            extra = Fraction(above.at_infinity.ball(128).upper())
            assert Fraction(high.upper()) + extra >= exact.lower
            assert Fraction(low.lower()) <= exact.upper
            assert Fraction((high - low).upper()) < Fraction(1, 200)
        with precision(128):
            nodes = Nodes(real(Fraction(1, 2)), real(1), 3)
            top = above.transform.at(nodes)[0].real
            bottom = below.transform.at(nodes)[0].real
            moment = Ball(top, 128).union(Ball(bottom, 128))
        assert moment.bound().overlaps(loss.moment(Fraction(1, 2)))


def _profile(law: Any, level: Any) -> Any:
    """delta of masses on a grid."""
    with precision(256):
        growth = real(level).exp()
        total = real(0)
        for k, mass in enumerate(law.masses):
            at = real(law.origin + law.step * k)
            total = total + mass * (1 - growth * (-at).exp()).max(real(0))
        return Ball(total, 256)


def test_a_coarse_grid_costs_width_and_never_validity() -> None:
    """From one cell to a hundred: whatever the grid, the law above is above and the law below is
    below.
    """
    loss: Any = PoissonSampled(Laplace(1), "0.2").loss()
    parts = [part for part in loss.parts if not isinstance(part, Atom)]
    low, high = span(parts)
    for count in (1, 2, 3, 10, 100):
        cells = Cells.of(parts, low, (high - low) / count, count)
        for level in (Fraction(-1, 20), Fraction(0), Fraction(1, 20), Fraction(1, 5)):
            exact = sum(
                (part.excess(level, 128) for part in parts), start=Ball.of(0, 128)
            )
            with precision(256):
                above = cells.above()
                below = cells.below()
            assert not (_profile(above, level) - exact).certainly_negative()
            assert not (_profile(below, level) - exact).certainly_positive()


def _hockey(pairs: Sequence[tuple[Fraction, Fraction]], g: Fraction) -> Fraction:
    return sum((max(p - g * q, Fraction(0)) for p, q in pairs), start=Fraction(0))


def _tables(rng: random.Random, inputs: Any, outputs: Any) -> Any:
    rows = []
    for _ in range(inputs):
        weights = [rng.randint(0, 6) for _ in range(outputs)]
        weights[rng.randrange(outputs)] += 1
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


def test_the_least_pair_above_a_table_is_exact() -> None:
    """Its profile is the largest over all pairs of inputs, at random ratios; fewer dots lie
    above.
    """
    rng = random.Random(5)
    for _ in range(100):
        rows = _tables(rng, rng.randint(2, 3), rng.randint(2, 5))
        tables = [
            list(zip(a, b, strict=True))
            for i, a in enumerate(rows)
            for b in rows[:i] + rows[i + 1 :]
        ]
        atoms, infinite = dominating_table(tables)
        for _ in range(12):
            g = Fraction(rng.randint(0, 300), rng.randint(1, 100))
            assert _hockey(atoms, g) + infinite == max(
                _hockey(pairs, g) for pairs in tables
            )
    dots = [(Fraction(1, 2), Fraction(2, 3)), (Fraction(2), Fraction(1, 4))]
    assert sum(p for p, _ in connect_the_dots(dots)) + Fraction(1, 4) == 1


def test_releases_of_a_table_may_have_different_inputs() -> None:
    """Two releases: the answer is the best adaptive choice of pairs, at both ends; the same pair
    twice has less.
    """
    rng = random.Random(7)
    for _ in range(6):
        rows = _tables(rng, 2, 3)
        pairs = [
            list(zip(a, b, strict=True))
            for a, b in ((rows[0], rows[1]), (rows[1], rows[0]))
        ]
        for level in LEVELS:
            bound = delta(2 * FiniteMechanism(rows), level)
            worst = _adaptive(pairs, level)
            assert worst.bound().overlaps(bound)
            assert bound.relative_width < 1e-12
            same = max((_fixed(one, level) for one in pairs), key=float)
            assert same.bound().overlaps(
                delta(2 * FiniteMechanism(rows, same_inputs=True), level)
            )


def _adaptive(pairs: Any, level: Any) -> Any:
    """The exact delta of two releases, the second pair chosen after the first output."""
    best = Ball.of(0, 192)
    for first in pairs:
        total = Ball.of(0, 192)
        for p, q in first:
            choices = [
                sum(
                    (
                        (p * a - Ball.of(level, 192).exp() * (q * b)).positive_part()
                        for a, b in second
                    ),
                    Ball.of(0, 192),
                )
                for second in pairs
            ]
            total = total + max(choices, key=float)
        best = best.larger(total)
    return best


def _fixed(pairs: Any, level: Any) -> Any:
    growth = Ball.of(level, 192).exp()
    rows = (
        (Ball.of(p * a, 192) - growth * (q * b)).positive_part()
        for (p, q), (a, b) in product(pairs, pairs)
    )
    return sum(rows, start=Ball.of(0, 192))


def test_a_table_with_many_pairs_composes() -> None:
    """Twelve inputs have 132 pairs; three such tables used to be refused."""
    rng = random.Random(3)
    tables = [
        FiniteMechanism(
            [
                [Fraction(k + 1, 10), Fraction(9 - k, 10)]
                for k in rng.sample(range(9), 6)
            ]
        )
    ] * 2
    other = FiniteMechanism(
        [[Fraction(k + 2, 14), Fraction(12 - k, 14)] for k in range(11)]
    )
    plan = 2 * tables[0] + other + RandomizedResponse(1)
    bound = delta(plan, 1)
    assert 0 < bound.lower <= bound.upper < 1
    assert bound.relative_width < 1e-6


def test_a_symmetric_table_is_exact() -> None:
    """Randomized response as a table has the answers of randomized response."""
    table = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    assert table.directions()[0].below == ()
    bound = delta(30 * table, 3)
    assert bound.relative_width < 1e-12
    weights = [math.comb(30, k) * 3 ** (30 - k) / 4**30 for k in range(31)]
    exact = sum(
        w * max(0, 1 - math.exp(3 - math.log(3) * (30 - 2 * k)))
        for k, w in enumerate(weights)
    )
    assert float(bound) == pytest.approx(exact, rel=1e-9)


def test_an_asymmetric_loss_may_turn_round_in_each_release() -> None:
    """A mechanism with two directions that is not oriented: the upper end covers mixed
    directions.
    """
    own = _Own(FiniteMechanism([["0.7", "0.2", "0.1"], ["0.3", "0.3", "0.4"]]))
    table = FiniteMechanism([["0.7", "0.2", "0.1"], ["0.3", "0.3", "0.4"]])
    for level in LEVELS[:3]:
        mine = delta(2 * own, level)
        exact = delta(2 * table, level)
        assert mine.overlaps(exact)
        assert mine.upper >= exact.lower


@pytest.mark.parametrize(
    "text",
    [
        "2*PoissonSampled(Laplace(scale=1), rate=0.1)",
        "3*Laplace(scale=1) + RandomizedResponse(epsilon=1)",
    ],
)
def test_two_grids_agree_with_the_other_methods(text: str) -> None:
    """The same plan by grids and by whatever else answers it."""
    losses: Any = profile(text).losses
    for loss in losses:
        grids = loss.answers.few()
        for level in (0.0, 0.05, 0.2):
            with precision(128):
                found = grids.enclosure(real(level))
            assert Ball(found, 128).bound().overlaps(loss.delta(Fraction(level)))
