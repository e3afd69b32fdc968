"""Permute-and-flip and the noisy maximum: the law that dominates them, against all small cases."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from rdpacct import (
    Bound,
    Exponential,
    InputError,
    PermuteAndFlip,
    PoissonSampled,
    Profile,
    Promised,
    PureDP,
    ReportNoisyMax,
    audit_code,
    delta,
    epsilon,
)
from rdpacct.exact.formula import formula
from rdpacct.mechanisms import Mechanism
from rdpacct.mechanisms.selection.lazy_noise import LazyLaplace, falling_share, largest
from rdpacct.testing.twins.noisy_max import NoisyMax

EPSILONS = ("0", "1/4", "1/2", "9/10", "1")
Law = Sequence[Any]


def flipped(scores: Sequence[int], rate: Any) -> Law:
    """The law of permute-and-flip, over all orders."""
    chances = [mp.exp(rate * (score - max(scores))) for score in scores]
    law = [mp.mpf(0)] * len(scores)
    for order in itertools.permutations(range(len(scores))):
        reached = mp.mpf(1)
        for i in order:
            law[i] += reached * chances[i]
            reached *= 1 - chances[i]
    return [mass / math.factorial(len(scores)) for mass in law]


def raced(scores: Sequence[int], rate: Any) -> Law:
    """The law of the largest score with exponential noise, by an integral over the winner's."""
    shifted = [rate * (score - max(scores)) for score in scores]

    def wins(i: int) -> Any:
        def density(x: Any) -> Any:
            others = shifted[:i] + shifted[i + 1 :]
            chances = (1 - mp.exp(min(y - x, 0)) for y in others)
            return mp.exp(shifted[i] - x) * math.prod(chances)

        start = max(0, shifted[i])
        return mp.quad(density, [start, start + 2, start + 8, start + 60])

    return [wins(i) for i in range(len(scores))]


def noisy(scores: Sequence[int], rate: Any) -> Law:
    """The law of the noisy maximum, worked out by exact integrals of exponentials."""
    law = NoisyMax(scale=round(1 / rate)).law(scores)
    return [mp.mpf(float(law[i].ball(64))) for i in range(len(scores))]


def stick(first: Law, second: Law, factor: Any) -> Any:
    """The hockey stick of two laws."""
    return sum(max(p - factor * q, 0) for p, q in zip(first, second, strict=True))


def neighbors(scores: Sequence[int], monotone: bool) -> list[list[int]]:
    """All scores that differ by at most 1 each, all the same way if monotone."""
    moves = [
        move
        for move in itertools.product((-1, 0, 1), repeat=len(scores))
        if not monotone or min(move) >= 0 or max(move) <= 0
    ]
    return [
        [score + step for score, step in zip(scores, move, strict=True)]
        for move in moves
    ]


CASES = [(0, 0), (0, 2), (0, 0, 0), (1, 0, 3), (0, 0, 0, 1)]


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("scores", CASES, ids=str)
def test_no_neighbors_of_permute_and_flip_exceed_the_law(
    scores: Sequence[int], monotone: bool
) -> None:
    """All neighbors of some small scores, by all orders of the candidates."""
    mp.mp.dps = 20
    mechanism = PermuteAndFlip(1, monotone=monotone)
    rate = mp.mpf(1) if monotone else mp.mpf(1) / 2
    first = flipped(scores, rate)
    for level in EPSILONS:
        most = float(delta(mechanism, level).upper) + 1e-15
        factor = mp.exp(mp.mpf(float(Fraction(level))))
        for other in neighbors(scores, monotone):
            second = flipped(other, rate)
            assert stick(first, second, factor) <= most
            assert stick(second, first, factor) <= most


def test_two_candidates_have_the_law_and_more_than_bounded_range() -> None:
    """At each epsilon other scores; the bounded range of the exponential mechanism is exceeded."""
    mp.mp.dps = 20
    for level in EPSILONS:
        at = mp.mpf(float(Fraction(level)))
        ahead = (1 - at) / 2
        pair = [
            (1 - mp.exp(-ahead) / 2, mp.exp(-ahead) / 2),
            (mp.exp(ahead - 1) / 2, 1 - mp.exp(ahead - 1) / 2),
        ]
        found = delta(PermuteAndFlip(1), level)
        assert abs(stick(pair[0], pair[1], mp.exp(at)) - float(found)) < 1e-15
    first, second = flipped((0, 0), 0.5), flipped((1, -1), 0.5)
    apart = stick(second, first, 1)
    assert apart > float(Exponential(1).profile().delta(0).upper)
    mean = sum(p * mp.log(p / q) for p, q in zip(first, second, strict=True))
    assert mean > 1 / 8
    known = PermuteAndFlip(1).profile().mean()
    assert float(mean) - 1e-12 < float(known.lower) < float(known.upper)


def test_random_orders_with_coins_are_a_race_of_exponential_noise() -> None:
    """The identity of Ding and others, on small cases."""
    mp.mp.dps = 15
    for scores in ((0, 0), (0, 3), (2, 0, 1)):
        both = zip(flipped(scores, 0.5), raced(scores, 0.5), strict=True)
        assert all(abs(one - other) < 1e-9 for one, other in both)


@pytest.mark.parametrize("scores", [(0, 0), (0, 1), (0, 0, 1)], ids=str)
def test_no_neighbors_of_the_noisy_maximum_exceed_the_law(
    scores: Sequence[int],
) -> None:
    """By exact laws of all neighbors; the lower end is one of them."""
    mp.mp.dps = 20
    mechanism = ReportNoisyMax(1)
    first = noisy(scores, 0.5)
    for level in EPSILONS:
        found = delta(mechanism, level)
        factor = mp.exp(mp.mpf(float(Fraction(level))))
        sticks = [
            stick(*pair, factor)
            for other in neighbors(scores, False)
            for second in [noisy(other, 0.5)]
            for pair in ((first, second), (second, first))
        ]
        assert max(sticks) <= float(found.upper) + 1e-14
        assert 0 <= float(found.lower) <= float(found.upper)
    half_the_noise = noisy((1, 0), 1), noisy((0, 1), 1)
    assert stick(*half_the_noise, 1) > float(delta(mechanism, 0).upper)


def test_the_lower_end_is_the_exact_law_of_two_candidates() -> None:
    """Equal scores of which one falls behind by the whole of epsilon, at half the distance."""
    mp.mp.dps = 20
    both = zip(noisy((0, 0), 1), noisy((-1, 1), 1), strict=True)
    pair = list(both)
    stick_at_zero = sum(max(p - q, 0) for p, q in pair)
    loss = ReportNoisyMax(2).two_candidates(formula(0))
    assert abs(float(loss.delta(0)) - stick_at_zero) < 1e-12


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_many_choices_cost_what_laplace_noise_costs(count: int) -> None:
    """The upper end is that of so many Laplace releases, by another accountant too; pure privacy
    alone gives more.
    """
    found = epsilon(count * PermuteAndFlip("1/10"), "1e-6")
    laplace = epsilon(f"{count}*Laplace(scale=10)", "1e-6")
    assert found.upper == laplace.upper
    assert found.lower > laplace.lower * Fraction(9, 10)
    pure = epsilon(count * Promised(PureDP("1/10")), "1e-6")
    assert found.certainly_below(pure)
    accounting = pytest.importorskip("dp_accounting")
    pld = accounting.pld.privacy_loss_distribution.from_laplace_mechanism(
        10, value_discretization_interval=1e-3
    )
    peer = pld.self_compose(count).get_epsilon_for_delta(1e-6)
    assert float(laplace.lower) <= peer < float(laplace.upper) * 1.01 + 0.01


def frequencies(mechanism: Any, scores: Sequence[int], count: int) -> list[float]:
    rng = random.Random(11)
    drawn = Counter(mechanism.sample(scores, rng) for _ in range(count))
    return [drawn[i] / count for i in range(len(scores))]


@pytest.mark.parametrize(
    ("mechanism", "law"), [(PermuteAndFlip(1), flipped), (ReportNoisyMax(1), noisy)]
)
def test_samples_follow_the_exact_law(mechanism: Any, law: Any) -> None:
    """Within five standard deviations; the law of other scores is told apart."""
    count = 4000
    shares = frequencies(mechanism, (0, 2, 1), count)
    exact = [float(p) for p in law((0, 2, 1), 0.5)]
    for share, p in zip(shares, exact, strict=True):
        assert abs(share - p) < 5 * math.sqrt(p / count)
    wrong = [float(p) for p in law((0, 4, 2), 0.5)]
    gaps = [abs(share - p) for share, p in zip(shares, wrong, strict=True)]
    assert max(gaps) > 5 * math.sqrt(1 / count)


def test_lazy_noise_has_its_law() -> None:
    """The mean and the spread of shares of density exp(-x), and the sign of a difference."""
    rng = random.Random(5)
    shares = []
    for _ in range(3000):
        share = falling_share(rng)
        share.refine()
        shares.append(share.low / 2**share.bits)
    mean = (1 - 2 / math.e) / (1 - 1 / math.e)
    assert abs(sum(shares) / 3000 - mean) < 0.02
    ahead = sum(
        largest([LazyLaplace(Fraction(c), Fraction(1), rng) for c in (1, 0)]) == 0
        for _ in range(3000)
    )
    assert abs(ahead / 3000 - (1 - 3 / (4 * math.e))) < 0.035


def test_running_code_keeps_its_claim() -> None:
    """The samplers are audited as code; half of the noise is refuted."""
    for mechanism in (PermuteAndFlip(1), ReportNoisyMax(1)):
        kept = audit_code(
            mechanism.sample, (0, 0), (1, -1), "PureDP(epsilon=1)", trials=1000
        )
        assert kept.undecided
    broken = audit_code(
        PermuteAndFlip(4).sample, (0, 0), (1, -1), "PureDP(epsilon=1)", trials=2000
    )
    assert broken.fails


def test_what_cannot_be_used_is_refused() -> None:
    """Scores that are none, rates that are no rationals, and flags that are no booleans."""
    for cls in (PermuteAndFlip, ReportNoisyMax):
        wrong: Mechanism
        with pytest.raises(InputError, match="above 0"):
            cls(0)
        with pytest.raises(InputError, match="monotone"):
            cls(1, monotone="yes")  # type: ignore[arg-type]
        for scores in ([], "ab", [1, "x"], [float("nan")]):
            with pytest.raises(InputError):
                cls(1).sample(scores)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="PoissonSampled"):
            PoissonSampled(cls(1), "0.1")
        assert cls(1).for_group(3) == cls(3, sensitivity=3)
        wrong = cls(1, monotone=True)
        told = wrong.uncovered([Fraction(0)] * 2, [Fraction(1), Fraction(-1)])
        assert "monotone" in told


def answers(profile: Profile) -> list[Bound]:
    """What a profile says of one number each."""
    return [
        profile.mean(),
        profile.renyi(2),
        profile.max_divergence(),
        profile.zcdp_rho(),
        profile.centered_cdp()[1],
        profile.gaussian_mu(),
    ]


@pytest.mark.slow
def test_every_question_has_ends_in_order() -> None:
    """Of the profile: lower ends from pairs, upper ends from the law; a larger epsilon has larger
    ones.
    """
    for cls in (PermuteAndFlip, ReportNoisyMax):
        small, large = cls("1/2").profile(), cls(2).profile()
        for less, more in zip(answers(small), answers(large), strict=True):
            assert less.upper < more.upper
            assert less.lower < more.lower
        assert small.tradeoff("0.1").lower > large.tradeoff("0.1").lower
