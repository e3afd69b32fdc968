"""Batches drawn with replacement: against enumeration, mpmath and another accountant."""

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    Gaussian,
    InputError,
    Laplace,
    Norm,
    RandomizedResponse,
    Relation,
    SampledWithoutReplacement,
    SampledWithReplacement,
    Sensitivity,
    delta,
    epsilon,
    profile,
)
from rdpacct.mechanisms.fixed_size.sampled_without_replacement import either_way
from rdpacct.mechanisms.with_replacement.copies import Copies
from rdpacct.mechanisms.with_replacement.copies_apart import _part
from rdpacct.testing import check_laws

REPLACED = Relation.REPLACE_ONE


def draws(sigma: Any, batch: int, of: int, relation: Any = "add_or_remove_one") -> Any:
    inside = Gaussian(sigma).stated_for(REPLACED)
    return SampledWithReplacement(inside, batch, of, relation=relation)


def hockey(first: Any, second: Any, level: Any) -> Any:
    """The hockey-stick divergence of two finite laws."""
    return sum(max(p - level * q, 0) for p, q in zip(first, second, strict=True))


def any_one(data: tuple[int, ...], batch: int, truth: Any) -> tuple[Any, Any]:
    """Randomized response of whether a batch has a 1."""
    batches = list(itertools.product(data, repeat=batch))
    share = mp.mpf(sum(max(one) for one in batches)) / len(batches)
    yes = share * truth + (1 - share) * (1 - truth)
    return yes, 1 - yes


@pytest.mark.parametrize("relation", ["add_or_remove_one", "replace_one"])
def test_answers_of_two_draws_against_all_data(relation: str) -> None:
    """The largest hockey stick over all neighboring data sets of three bits is the delta."""
    inside = RandomizedResponse(1, relation=REPLACED)
    plan = SampledWithReplacement(inside, 2, 3, relation=relation)
    truth = mp.e / (1 + mp.e)
    every = list(itertools.product((0, 1), repeat=3))
    if relation == "replace_one":
        pairs = [
            (one, two)
            for one, two in itertools.product(every, repeat=2)
            if sum(a != b for a, b in zip(one, two, strict=True)) == 1
        ]
    else:
        pairs = [(one, one[:2]) for one in every]
        pairs += [(two, one) for one, two in pairs]
    for level in ("0", "0.1", "0.4"):
        most = max(
            hockey(
                any_one(one, 2, truth), any_one(two, 2, truth), mp.exp(mp.mpf(level))
            )
            for one, two in pairs
        )
        found = delta(plan, level)
        assert mp.almosteq(most, mp.mpf(float(found.upper)), 1e-12, 1e-15)


def binomial(batch: int, of: int, copies: int) -> Any:
    share = mp.mpf(1) / of
    return mp.binomial(batch, copies) * share**copies * (1 - share) ** (batch - copies)


@pytest.mark.parametrize(("batch", "of"), [(3, 7), (20, 50), (300, 1000)])
def test_one_gaussian_batch_is_the_mixture_of_its_copies(batch: int, of: int) -> None:
    """By an integral of mpmath over all numbers of copies, for removing and for adding."""
    plan = draws(2, batch, of)
    with mp.workdps(25):
        level = mp.exp(mp.mpf("0.3"))
        copies = [binomial(batch, of, j) for j in range(min(batch, 30) + 1)]

        weights = [w * mp.exp(-(mp.mpf(j) ** 2) / 8) for j, w in enumerate(copies)]

        def mixed(x: Any) -> Any:
            """The density about j/2 is that about 0 times exp(x j/2 - j**2/8)."""
            return mp.npdf(x) * mp.polyval(weights[::-1], mp.exp(x / 2))

        found = []
        for sign in (1, -1):

            def inside(x: Any, sign: int = sign) -> Any:
                both = mixed(x), mp.npdf(x)
                first, second = both[::sign]
                return first - level * second

            far = sign * mp.mpf(12)
            if inside(far) <= 0:
                found.append(mp.mpf(0))
                continue
            outside, edge = -far, far
            for _ in range(90):
                middle = (outside + edge) / 2
                above = inside(middle) > 0
                outside, edge = (outside, middle) if above else (middle, edge)
            found.append(abs(mp.quad(inside, mp.linspace(edge, edge + far, 8))))
        bound = delta(plan, "0.3")
        assert bound.relative_width < 1e-12
        assert mp.almosteq(max(found), mp.mpf(float(bound.upper)), 1e-12)


def test_the_upper_end_is_the_bound_by_group_profiles() -> None:
    """For replaced records, from the profiles of a shift by so many sensitivities, by mpmath."""
    batch, of = 4, 9
    plan = draws(1, batch, of, "replace_one")
    with mp.workdps(25):
        rate = 1 - (1 - mp.mpf(1) / of) ** batch
        for at in ("0", "0.5", "2"):
            inner = 1 + (mp.exp(mp.mpf(at)) - 1) / rate
            total = mp.mpf(0)
            for j in range(1, batch + 1):
                edge = mp.log(inner) / j + mp.mpf(j) / 2
                curve = mp.ncdf(j - edge) - inner * mp.ncdf(-edge)
                total += binomial(batch, of, j) * curve
            found = delta(plan, at)
            assert mp.almosteq(total, mp.mpf(float(found.upper)), 1e-12)
            assert found.lower <= delta(draws(1, batch, of), at).upper


@pytest.mark.parametrize(
    ("sigma", "before"), [pytest.param(1, 4.79, marks=pytest.mark.slow), (2, 0.92)]
)
def test_many_batches_take_the_lower_of_two_sums(sigma: int, before: float) -> None:
    """One copy and several apart, or each number of copies: what is apart is below it, and above
    batches without replacement, which have one copy only.
    """
    found = epsilon(1000 * draws(sigma, 100, 10000, "replace_one"), "1e-5")
    used = {"sampling/replaced-copies", "sampling/several-records"}
    assert used <= found.rests_on
    assert float(found.upper) < before
    inside = Gaussian(sigma).stated_for(REPLACED)
    fixed = SampledWithoutReplacement(inside, 100, 10000, relation="replace_one")
    assert found.upper > epsilon(1000 * fixed, "1e-5").lower
    assert float(found.upper) < 1.31 * float(found.lower)


@pytest.mark.slow
def test_more_batches_take_a_sum_beside_a_ramp() -> None:
    """The flattened pair for one copy, beside a ramp, is below the folded one."""
    found = epsilon(14_063 * draws("2.2", 256, 60_000, "replace_one"), "1e-5")
    assert "composition/ramp" in found.rests_on
    assert float(found.upper) < 1.11 * float(found.lower)


@pytest.mark.parametrize(
    "level", ["0", *(pytest.param(at, marks=pytest.mark.slow) for at in ("0.2", "1"))]
)
def test_one_copy_and_several_apart_against_mpmath(level: str) -> None:
    """The profile of both cases, side by side, by integrals; moves of half a shift in opposite
    directions are below it, and exceed a removed record at the level 0.
    """
    inside = Gaussian(1).stated_for(REPLACED)
    apart = inside.copies_apart(Copies(4, 30))
    assert apart is not None
    loss = apart.loss(either_way(inside, apart.rate))
    k = mp.exp(mp.mpf(level))
    shares = [binomial(4, 30, j) for j in range(5)]
    part = _part(1.0, [float(share) for share in shares[:3]])
    left = shares[0] * part.numerator / part.denominator
    one = shares[1] + shares[0] - left
    rest = [left, mp.mpf(0), *shares[2:]]

    def removed(x: Any) -> Any:
        drawn = shares[1] * mp.npdf(x, 1)
        return max(drawn + (one - shares[1] - k * one) * mp.npdf(x), 0)

    def opposite(x: Any) -> Any:
        up = sum(share * mp.npdf(x, j) for j, share in enumerate(rest))
        down = sum(share * mp.npdf(x, -j) for j, share in enumerate(rest))
        return max(up - k * down, 0)

    line = [mp.mpf(j) / 4 for j in range(-8, 41)]
    with mp.workdps(15):
        wanted = mp.quad(removed, line, maxdegree=3)
        wanted += mp.quad(opposite, line, maxdegree=3)
    found = float(loss.delta(level).upper)
    assert mp.almosteq(wanted, found, 1e-3)
    halves = sum(
        share * (mp.ncdf(mp.mpf(j) / 2) - k * mp.ncdf(-mp.mpf(j) / 2))
        for j, share in enumerate(shares)
    )
    assert halves <= found
    if level == "0":
        alone = SampledWithReplacement(inside, 4, 30)
        assert halves > float(alone.loss().delta(level).upper)


def test_the_ends_hold_what_random_strategies_reach() -> None:
    """Records on the line, of which one is replaced, and all others alike: half-lines never exceed
    the upper end, and some reach the lower one.
    """
    batch, of = 3, 6
    plan = draws(1, batch, of, "replace_one")
    found = delta(plan, "0.4")
    rng = random.Random(5)
    copies = [float(binomial(batch, of, j)) for j in range(batch + 1)]
    largest = 0.0
    for number in range(800):
        first = rng.choice((0.0, 1.0, rng.uniform(-1, 1)))
        second = rng.uniform(max(-1, first - 1), min(1, first + 1))
        if number % 2:
            first, second = 1.0, 0.0
        edge = rng.uniform(-4, 5)
        masses = [
            sum(
                w * math.erfc((edge - j * move) / math.sqrt(2)) / 2
                for j, w in enumerate(copies)
            )
            for move in (first, second)
        ]
        for p, q in (masses, masses[::-1]):
            largest = max(largest, p - math.exp(0.4) * q)
            largest = max(largest, (1 - p) - math.exp(0.4) * (1 - q))
    assert largest <= float(found.upper)
    assert largest >= float(found.lower) * 0.999


@pytest.mark.parametrize(
    ("sigma", "batch", "of", "steps"), [(2, 10, 100, 60), (4, 50, 1000, 200)]
)
def test_many_batches_against_a_mixture_of_another_library(
    sigma: int, batch: int, of: int, steps: int
) -> None:
    """The pessimistic value of dp-accounting for its mixture of Gaussians, with the binomial
    probabilities of the copies, is just above.
    """
    module = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    shares = [float(binomial(batch, of, j)) for j in range(12)]
    shares[0] += 1 - sum(shares)
    moves = list(map(float, range(12)))
    law = module.from_mixture_gaussian_mechanism(
        float(sigma), moves, shares, value_discretization_interval=1e-3
    )
    theirs = Fraction(law.self_compose(steps).get_epsilon_for_delta(1e-5))
    ours = epsilon(steps * draws(sigma, batch, of), "1e-5")
    assert ours.relative_width < 1e-8
    assert ours.lower <= theirs <= ours.upper * (1 + Fraction(1, 10**3))


@pytest.mark.parametrize("order", [2, 8, 32])
@pytest.mark.parametrize(("sigma", "batch", "of"), [("2", 10, 100), ("5", 256, 60_000)])
def test_batches_without_replacement_against_divergences_of_another_library(
    sigma: str, batch: int, of: int, order: int
) -> None:
    """The bound of dp-accounting (Wang, Balle and Kasiviswanathan 2019) is above the divergence of
    one release, by up to a factor of 5 at these orders.
    """
    module = pytest.importorskip("dp_accounting.rdp.rdp_privacy_accountant")
    bound = module._compute_rdp_sample_wor_gaussian
    theirs = bound(batch / of, float(sigma), [order])[0]
    inside = Gaussian(sigma).stated_for(REPLACED)
    plan = SampledWithoutReplacement(inside, batch, of, relation=REPLACED)
    ours = profile(plan).renyi(order)
    assert float(ours.upper) <= theirs <= 5 * float(ours.upper)


def test_few_draws_are_nearly_without_replacement() -> None:
    """One draw is one of a batch of one; more draws are worse, if the rates of a record are the
    same.
    """
    inside = Gaussian(2).stated_for(REPLACED)
    one = SampledWithReplacement(inside, 1, 20)
    same = SampledWithoutReplacement(inside, 1, 20)
    with_it, without = epsilon(100 * one, "1e-5"), epsilon(100 * same, "1e-5")
    assert with_it.overlaps(without)
    assert with_it.relative_width < 1e-8
    several = epsilon(100 * SampledWithReplacement(inside, 10, 200), "1e-5")
    batch = epsilon(100 * SampledWithoutReplacement(inside, 10, 200), "1e-5")
    assert several.certainly_above(batch)


def test_copies_add_up_and_what_is_not_followed_is_rare() -> None:
    for batch, of in ((1, 2), (5, 3), (256, 60_000), (10**9, 10**10), (1000, 1000)):
        copies = Copies(batch, of)
        total = sum((one for one in copies.shares(copies.rest)), start=copies.rest)
        assert abs(Fraction(total.bound().upper) - 1) < Fraction(1, 10**18)
        assert copies.rest.bound().upper <= Fraction(1, 10**12)
        assert all(one.bound().lower >= 0 for one in copies.shares(copies.rest))


def test_the_sampler_draws_copies_as_often_as_it_should() -> None:
    plan = SampledWithReplacement(RandomizedResponse(40, relation=REPLACED), 2, 4)
    rng = random.Random(3)
    seen = [plan.sample((0, 1, 1), rng) for _ in range(4000)]
    assert abs(sum(seen) / 4000 - 7 / 16) < 0.03


@pytest.mark.parametrize(
    ("build", "match"),
    [
        (lambda: draws(1, 1, 1), "at least 2"),
        (lambda: draws(1, 10**6, 10), "more than 64 copies"),
        (lambda: draws(1, 0, 10), "batch size"),
        (
            lambda: SampledWithReplacement(Gaussian(1), 2, 10),
            "state it for replace_one",
        ),
        (lambda: draws(1, 2, 10).sample((1, 2)), "give 3 values"),
    ],
)
def test_bad_input_gets_a_sentence(build: Any, match: str) -> None:
    with pytest.raises(InputError, match=match):
        build()


def test_other_mechanisms_lie_between_two_ends() -> None:
    """A Laplace release: the lower end is a query that does not count copies."""
    sensitivity = Sensitivity(1, norm=Norm.L1, relation=REPLACED)
    plan = SampledWithReplacement(Laplace(1, sensitivity), 2, 10)
    one = epsilon(plan, "1e-3")
    inside = f"PoissonSampled(Laplace(scale=1), rate={1 - Fraction(81, 100)})"
    assert abs(float(one.lower) - float(epsilon(inside, "1e-3").lower)) < 1e-12
    assert float(one.upper) > 1.1 * float(one.lower)


@pytest.mark.slow
@pytest.mark.parametrize("relation", ["add_or_remove_one", "replace_one"])
def test_what_is_between_two_ends_obeys_the_laws(relation: str) -> None:
    """Those that are no examples, since their ends are apart."""
    check_laws(draws(1, 2, 6, relation))
    inside = Laplace(2).stated_for(REPLACED)
    check_laws(SampledWithReplacement(inside, 2, 10, relation=relation))


@pytest.mark.slow
def test_several_other_releases_lie_between_two_ends() -> None:
    """The lower end of a sum is that of what can happen, and not of what dominates."""
    sensitivity = Sensitivity(1, norm=Norm.L1, relation=REPLACED)
    plan = SampledWithReplacement(Laplace(1, sensitivity), 2, 10)
    inside = f"PoissonSampled(Laplace(scale=1), rate={1 - Fraction(81, 100)})"
    two = epsilon(2 * plan, "1e-3")
    known = epsilon(f"2*{inside}", "1e-3")
    assert abs(float(two.lower) - float(known.lower)) < 1e-6
    assert float(two.upper) > 1.1 * float(two.lower)
