"""Every answer of every mechanism, against the same quantity computed in mpmath from its two output
laws.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from rdpacct import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FiniteMechanism,
    Gaussian,
    Laplace,
    MaximallyDivergent,
    RandomizedResponse,
)
from tests.privacy.test_against_mpmath import (
    DIGITS,
    assert_encloses,
    assert_encloses_probability,
    number,
)
from tests.privacy.test_against_mpmath_pairs import GaussianPair, LaplacePair
from tests.privacy.test_against_mpmath_rows import (
    BoundedRangePairs,
    Case,
    Rows,
    gaussian_on_integers,
    maximally_divergent,
    random_rows,
    responses,
    two_sided_geometric,
)

EPSILONS = ("0", "1/100", "1/3", "1", "5/2", "7")
DELTAS = ("1e-2", "1e-6", "1e-18", "1e-100")
ORDERS = ("1/2", "3/2", "2", "10")
THRESHOLDS = ("-1", "0", "1/100", "1/3", "1/2", "1", "3")


def table(seed: Any, outputs: Any, zeros: Any) -> Any:
    """A finite mechanism of random rows."""
    rows = random_rows(seed, outputs, zeros)
    return Case(FiniteMechanism(rows), Rows.of, tuple(map(tuple, rows)))


SIGMA_DISTANCES: list[tuple[Any, ...]] = [("0.1", 1), (1, 1), (50, 1), (20, "7/2")]
GAUSSIAN = [
    Case(Gaussian(sigma, sensitivity=distance), GaussianPair, (sigma, distance))
    for sigma, distance in SIGMA_DISTANCES
]
SCALE_DISTANCES: list[tuple[Any, ...]] = [("0.1", 1), (1, 1), (100, 1), (3, "7/2")]
LAPLACE = [
    Case(Laplace(scale, sensitivity=distance), LaplacePair, (scale, distance))
    for scale, distance in SCALE_DISTANCES
]
RESPONSE_CASES: list[tuple[Any, ...]] = [
    ("0.01", 2),
    (1, 2),
    (12, 2),
    (3, 5),
    ("1/2", 300),
]
RESPONSES = [
    Case(RandomizedResponse(epsilon, answers), responses, (epsilon, answers))
    for epsilon, answers in RESPONSE_CASES
]
STEP_CASES: list[tuple[Any, ...]] = [(1, 1), ("0.2", 1), (20, 1), ("0.3", 2), (5, 7)]
DISCRETE_LAPLACE = [
    Case(DiscreteLaplace(scale, sensitivity=steps), two_sided_geometric, (scale, steps))
    for scale, steps in STEP_CASES
]
DISCRETE_GAUSSIAN = [
    Case(
        DiscreteGaussian(sigma, sensitivity=steps), gaussian_on_integers, (sigma, steps)
    )
    for sigma in ("0.3", 1, "7/2", 30)
    for steps in (1, 3)
]
SEED_OUTPUTSS: list[tuple[Any, ...]] = [(1, 3), (2, 4), (3, 9)]
TABLES = [
    table(seed, outputs, zeros)
    for seed, outputs in SEED_OUTPUTSS
    for zeros in (False, True)
]
EPSILON_NEUTRALS: list[tuple[Any, ...]] = [(1, 0), ("0.4", "1/3"), (5, "0.9")]
DIVERGENT = [
    Case(MaximallyDivergent(epsilon, neutral), maximally_divergent, (epsilon, neutral))
    for epsilon, neutral in EPSILON_NEUTRALS
]
EPSILON_MONOTONES: list[tuple[Any, ...]] = [("0.05", False), (1, True), (8, False)]
EXPONENTIAL = [
    Case(
        Exponential(epsilon, sensitivity=2, monotone=monotone),
        BoundedRangePairs,
        (epsilon,),
    )
    for epsilon, monotone in EPSILON_MONOTONES
]
SINGLE = [
    *GAUSSIAN,
    *LAPLACE,
    *RESPONSES,
    *DISCRETE_LAPLACE,
    *DISCRETE_GAUSSIAN,
    *TABLES,
    *DIVERGENT,
]
ALL = [*SINGLE, *EXPONENTIAL]


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


def asked(case: Any) -> Any:
    """What answers for a case: its loss, or its profile where no single loss answers everything."""
    if case in EXPONENTIAL:
        return case.mechanism.profile()
    return case.mechanism.loss()


def within_reach(case: Any, levels: Any) -> Any:
    """The levels at which a reference that was cut off has all its digits."""
    if case not in DISCRETE_GAUSSIAN:
        return levels
    sigma, steps = map(Fraction, case.arguments)
    return [level for level in levels if Fraction(level) <= 32 * steps / sigma]


@pytest.mark.parametrize("case", ALL, ids=str)
def test_delta(case: Any) -> None:
    """delta(epsilon) is the mass by which P exceeds exp(epsilon) Q."""
    for epsilon in within_reach(case, EPSILONS):
        assert_encloses_probability(
            asked(case).delta(epsilon), case.law().delta(epsilon), mpf(2) ** -19_000
        )


@pytest.mark.parametrize("case", ALL, ids=str)
def test_epsilon(case: Any) -> None:
    """epsilon(delta) is where P exceeds exp(epsilon) Q by delta, also for a tiny delta."""
    unbounded = case in GAUSSIAN or case in DISCRETE_GAUSSIAN
    for delta in (*DELTAS, *(["1e-300"] if unbounded else [])):
        assert_encloses(asked(case).epsilon(delta), case.law().epsilon(delta))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_mean_and_largest_loss(case: Any) -> None:
    """The mean is the expectation of the loss under P, and the largest loss is the largest log
    ratio.
    """
    assert_encloses(asked(case).mean(), case.law().mean())
    assert_encloses(asked(case).max_divergence(), case.law().highest())


@pytest.mark.parametrize("case", ALL, ids=str)
@pytest.mark.parametrize("order", ORDERS)
def test_renyi(case: Any, order: str) -> None:
    """The Renyi divergence is log of the sum or integral of p**order q**(1 - order), over order -
    1.
    """
    assert_encloses(asked(case).renyi(order), case.law().renyi(order))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_tail(case: Any) -> None:
    """P(L > threshold) counts the losses strictly above the threshold."""
    for threshold in within_reach(case, THRESHOLDS):
        reference = case.law().tail(Fraction(threshold))
        assert_encloses_probability(
            case.mechanism.loss().tail(threshold), reference, mpf(10) ** -445
        )


@pytest.mark.parametrize(
    "case",
    [*RESPONSES, *DISCRETE_LAPLACE, *DIVERGENT, *DISCRETE_GAUSSIAN[2:4]],
    ids=str,
)
def test_event_probabilities_at_a_loss_that_occurs(case: Any) -> None:
    """At a threshold that is itself a loss, the outcomes of that loss are left out, under P and
    under Q.
    """
    losses = sorted({loss for _, _, loss in case.law().outcomes})
    for level in losses[:: max(1, len(losses) // 5)][:5]:
        under_p, under_q = case.mechanism.loss().event_probabilities(level)
        above = [(p, q) for p, q, loss in case.law().outcomes if loss > level]
        assert_encloses(under_p, mp.fsum(p for p, _ in above))
        assert_encloses(under_q, mp.fsum(q for _, q in above))


@pytest.mark.parametrize("case", TABLES, ids=str)
def test_the_exchanged_pair(case: Any) -> None:
    """The reversed loss is that of the exchanged rows, and the profile answers for the worse of the
    two.
    """
    first, second = case.arguments
    forward = case.law()
    backward = Rows.of(second, first)
    for epsilon in EPSILONS:
        assert_encloses(
            case.mechanism.loss().reversed().delta(epsilon), backward.delta(epsilon)
        )
        assert_encloses(
            case.mechanism.profile().delta(epsilon),
            max(forward.delta(epsilon), backward.delta(epsilon)),
        )
    for order in ORDERS:
        assert_encloses(
            case.mechanism.loss().reversed().renyi(order), backward.renyi(order)
        )
    for delta in DELTAS:
        worse = max(forward.epsilon(delta), backward.epsilon(delta))
        assert_encloses(case.mechanism.profile().epsilon(delta), worse)


def test_disjoint_supports() -> None:
    """Rows without a common output are told apart for certain: every divergence is infinite and
    every delta is 1.
    """
    loss = FiniteMechanism([[1, 0], [0, 1]]).loss()
    law = Rows.of([1, 0], [0, 1])
    for bound, reference in [
        (loss.delta("5/2"), law.delta("5/2")),
        (loss.epsilon("1e-2"), law.epsilon("1e-2")),
        (loss.mean(), law.mean()),
        (loss.renyi(2), law.renyi(2)),
        (loss.max_divergence(), law.highest()),
        (loss.tail(100), law.tail(100)),
    ]:
        assert_encloses(bound, reference)


def test_the_profile_of_three_inputs() -> None:
    """A table of three inputs answers for the worst of its six ordered pairs."""
    rows = random_rows(7, 5, False, rows=3)
    pairs = [Rows.of(rows[i], rows[j]) for i in range(3) for j in range(3) if i != j]
    profile = FiniteMechanism(rows).profile()
    assert_encloses(profile.mean(), max(pair.mean() for pair in pairs))
    assert_encloses(profile.delta("1/5"), max(pair.delta("1/5") for pair in pairs))
    assert_encloses(
        profile.epsilon("1e-3"), max(pair.epsilon("1e-3") for pair in pairs)
    )
    assert_encloses(profile.renyi("3/2"), max(pair.renyi("3/2") for pair in pairs))
    assert_encloses(profile.max_divergence(), max(pair.highest() for pair in pairs))


DERIVED = [
    GAUSSIAN[1],
    GAUSSIAN[3],
    LAPLACE[0],
    LAPLACE[1],
    RESPONSES[1],
    RESPONSES[3],
    DISCRETE_GAUSSIAN[2],
]


@pytest.mark.parametrize("case", DERIVED, ids=str)
def test_the_parts_alone_give_the_same_answers(case: Any) -> None:
    """Without its closed forms a loss answers the same, from its atoms and densities."""
    loss = case.mechanism.loss().derived()
    law = case.law()
    for epsilon in ("0", "1/3"):
        assert_encloses(loss.delta(epsilon), law.delta(epsilon))
    for delta in ("1e-2", "1e-18"):
        assert_encloses(loss.epsilon(delta), law.epsilon(delta))
    for order in ("1/2", "10"):
        assert_encloses(loss.renyi(order), law.renyi(order))
    assert_encloses(loss.mean(), law.mean())


@pytest.mark.parametrize("case", EXPONENTIAL, ids=str)
def test_the_dominating_law_of_the_exponential_mechanism(case: Any) -> None:
    """The density of the dominating law gives the worst delta and epsilon over all pairs of bounded
    range.
    """
    loss = case.mechanism.loss().derived()
    law = case.law()
    for epsilon in ("0", "1/100", "1/3"):
        assert_encloses(loss.delta(epsilon), law.delta(epsilon))
    assert_encloses(loss.epsilon("1e-6"), law.epsilon("1e-6"))


@pytest.mark.parametrize("rate", ["-3", "-1", "-1/3", "2", "6"])
@pytest.mark.parametrize(
    "case",
    [LAPLACE[1], RESPONSES[3], DISCRETE_LAPLACE[4], DISCRETE_GAUSSIAN[4]],
    ids=str,
)
def test_moment(case: Any, rate: str) -> None:
    """E exp(rate L) is the Renyi divergence of order 1 + rate put back, also for negative rates."""
    reference = (
        mp.exp(number(rate) * case.law().renyi(1 + Fraction(rate)))
        if rate != "-1"
        else mpf(1)
    )
    assert_encloses(case.mechanism.loss().moment(rate), reference)


@pytest.mark.parametrize("sigma", ["0.3", "2", "10000"])
@pytest.mark.parametrize("share", ["1e-320", "1e-400", "1e-3000"])
def test_gaussian_epsilon_below_all_doubles(sigma: str, share: str) -> None:
    """Deltas that a double does not hold, and those that it holds with few digits."""
    found = Gaussian(sigma=sigma).profile().epsilon(share)
    assert found.relative_width < 1e-12
    with mp.workdps(60):
        mu = 1 / mpf(sigma)

        def left(end: Any) -> Any:
            level = mpf(Fraction(end).numerator) / Fraction(end).denominator
            low, high = level / mu - mu / 2, level / mu + mu / 2
            both = [mp.erfc(x / mp.sqrt(2)) / 2 for x in (low, high)]
            return both[0] - mp.exp(level) * both[1] - mpf(share)

        assert left(found.lower) >= 0 >= left(found.upper)
