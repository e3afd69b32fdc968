"""What only some neighbors do: lower ends of both directions, losses of no worst pair, and samples
that hold every record.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import (
    ApproxFilter,
    DiscreteLaplace,
    Gaussian,
    InputError,
    Laplace,
    PartitionSelection,
    Plan,
    PoissonSampled,
    RandomAllocation,
    RandomizedResponse,
    Relation,
    ReportNoisyMax,
    SampledWithoutReplacement,
    SampledWithReplacement,
    Thresholded,
    TruncatedLaplace,
    TruncatedPoissonSampled,
    UndecidedError,
    delta,
)
from rdpacct.plan import read_plan
from rdpacct.questions import Questions, Way

Outcomes = Sequence[tuple[float, float]]
NEARLY = 1e-9


def stick(pair: Outcomes, epsilon: float) -> float:
    """delta of a pair of laws with these outcomes."""
    return math.fsum(max(p - math.exp(epsilon) * q, 0.0) for p, q in pair)


def together(*pairs: Outcomes) -> Outcomes:
    """Independent releases of these pairs."""
    found = [(1.0, 1.0)]
    for pair in pairs:
        found = [(p * a, q * b) for p, q in found for a, b in pair]
    return found


def turned(pair: Outcomes) -> Outcomes:
    return [(q, p) for p, q in pair]


def sampled_response(epsilon: float, rate: float) -> Outcomes:
    """A response to a bit of a sampled record, which is removed."""
    kept = math.exp(epsilon) / (1 + math.exp(epsilon))
    pair = [(kept, 1 - kept), (1 - kept, kept)]
    return [((1 - rate) * q + rate * p, q) for p, q in pair]


def shown(epsilon: float, mass: float) -> list[Outcomes]:
    """One user less, for each number of users: shown or hidden."""
    chances = [0.0]
    while len(chances) < 60:
        last = chances[-1]
        hidden = 1 - math.exp(-epsilon) * (1 - last - mass)
        chances.append(min(math.exp(epsilon) * last + mass, hidden, 1.0))
    return [
        [(many, few), (1 - many, 1 - few)] for few, many in itertools.pairwise(chances)
    ]


def best_category(
    first: Outcomes, categories: Sequence[Outcomes], epsilon: float
) -> float:
    """The largest delta where the category is chosen with the outcome of the other releases."""
    return math.fsum(
        max(stick(together([(p, q)], pair), epsilon) for pair in categories)
        for p, q in first
    )


@pytest.mark.parametrize("limits", [("1", "0.01"), ("0.5", "0.05"), ("2", "0.001")])
@pytest.mark.parametrize("count", [1, 3])
def test_a_category_gains_a_user_where_a_sample_does(
    limits: tuple[str, str], count: int
) -> None:
    """The best choice of a category after the samples, with the user removed or added in all."""
    categories = shown(*map(float, limits))
    other = sampled_response(2, 0.3)
    plan = PartitionSelection(*limits) + count * PoissonSampled(
        RandomizedResponse(2), "0.3"
    )
    for epsilon in ("0.1", "0.5", "1.5", "3"):
        first = together(*[other] * count)
        ways = (first, categories), (turned(first), [*map(turned, categories)])
        known = max(best_category(*way, float(epsilon)) for way in ways)
        assert abs(float(delta(plan, epsilon)) - known) < NEARLY


def test_a_new_category_is_new_to_one_side_only() -> None:
    """Where the record is added, nothing that only the first data set has can be released."""
    noisy = Thresholded(Laplace(1), 3)
    removing, adding = (Questions(Plan.of(noisy), way) for way in Way)
    at_most = float(noisy.delta.bound())
    assert removing.at_infinity().lower == pytest.approx(at_most)
    assert removing.delta(Fraction(5)).lower == pytest.approx(at_most)
    assert adding.at_infinity().lower == 0
    assert adding.delta(Fraction(5)).lower == 0
    replaced = noisy.stated_for(Relation.REPLACE_ONE)
    assert delta(replaced, 5).lower == pytest.approx(at_most)


def test_a_cut_sample_has_its_own_lower_end_each_way() -> None:
    """Asked for adding a record, the lower end is not that of removing it."""
    plan = Plan.of(TruncatedPoissonSampled(Laplace(1), "1/3", 20, 8))
    removing, adding = (Questions(plan, way).delta(Fraction(1, 10)) for way in Way)
    assert adding.lower < removing.lower
    assert adding.lower < adding.upper


@pytest.mark.parametrize(
    "mechanism",
    [
        TruncatedPoissonSampled(TruncatedLaplace(1, 2), "1/3", 20, 4),
        SampledWithReplacement(
            TruncatedLaplace(1, 2).stated_for(Relation.REPLACE_ONE), 3, 6
        ),
    ],
    ids=str,
)
def test_infinite_losses_are_between_ends_too(mechanism: Any) -> None:
    """Those of the pair that dominates are above those of data sets that there are."""
    asked = Questions(Plan.of(mechanism))
    infinite = asked.at_infinity()
    assert 0 < infinite.lower < 0.9 * infinite.upper
    assert asked.delta(Fraction(10**19)).lower <= infinite.lower
    tests = asked.tradeoff(Fraction(0))
    assert tests.upper == 1 - infinite.lower
    assert tests.lower == 1 - infinite.upper
    twice = Questions(2 * mechanism).at_infinity()
    assert infinite.lower < twice.lower < twice.upper


def test_draws_that_are_not_followed_show_no_infinite_loss() -> None:
    """Gaussian noise has none, however many copies of a record a batch has."""
    inside = RandomizedResponse(1, relation=Relation.REPLACE_ONE)
    plan = Plan.of(SampledWithReplacement(inside, 100, 1000))
    assert Questions(plan).at_infinity().lower == 0
    assert Questions(plan).tradeoff(Fraction(0)).upper == 1


def test_no_worst_pair_has_no_exact_tail() -> None:
    """Two candidates with Laplace noise: their own tail is within what is said of the worst."""
    noisy = ReportNoisyMax(1)
    for level in (Fraction(-1, 2), Fraction(0), Fraction(1, 4)):
        found = Questions(Plan.of(noisy)).tail(level)
        assert found.lower < found.upper
        assert found.lower >= noisy.profile().delta(level).lower
        pairs = [loss for loss in noisy.attained() if loss.delta(level).lower > 0]
        best = max(loss.delta(level).lower for loss in pairs)
        [pair, *_] = [loss for loss in pairs if loss.delta(level).lower == best]
        assert found.overlaps(pair.tail(level))


def noise(center: int, reach: int = 60) -> list[float]:
    weights = [math.exp(-abs(x - center)) for x in range(-reach, reach + 1)]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def cut_law(values: Sequence[int], cap: int) -> list[float]:
    """Discrete Laplace noise of scale 1 on the sum of a random choice of so many values."""
    chosen = list(itertools.combinations(values, min(cap, len(values))))
    rows = [noise(sum(choice)) for choice in chosen]
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("of", [2, 3])
@pytest.mark.parametrize("relation", list(Relation), ids=str)
def test_a_sample_of_all_records_is_cut(of: int, relation: Relation) -> None:
    """At rate 1 a record takes the place of another one, which moves the sum twice as far."""
    for cap in range(1, of + 1):
        mechanism = TruncatedPoissonSampled(
            DiscreteLaplace(1), 1, of, cap, relation=relation
        )
        for epsilon in ("0", "0.5", "1.5"):
            found = delta(mechanism, epsilon)
            known = 0.0
            for values in itertools.product((-1, 0, 1), repeat=of):
                rest = values[1:]
                fewer = {
                    Relation.ADD_OR_REMOVE_ONE: rest,
                    Relation.ZERO_OUT: (0, *rest),
                    Relation.REPLACE_ONE: (-values[0], *rest),
                }[relation]
                pair = list(zip(cut_law(values, cap), cut_law(fewer, cap), strict=True))
                ways = pair, turned(pair)
                known = max(known, *(stick(one, float(epsilon)) for one in ways))
            assert found.upper >= known - NEARLY


def test_samples_of_none_and_of_all_compose() -> None:
    nothing = TruncatedPoissonSampled(DiscreteLaplace(1), 0, 3, 1)
    assert delta(5 * nothing, 0).upper == 0
    every = TruncatedPoissonSampled(DiscreteLaplace(1), 1, 3, 1)
    found = delta(2 * every, 1)
    assert found.upper == delta(2 * DiscreteLaplace(1, sensitivity=2), 1).upper
    assert found.lower == delta(2 * DiscreteLaplace(1), 1).lower


def test_a_batch_of_all_records_has_no_smaller_neighbor() -> None:
    inside = DiscreteLaplace(1).stated_for(Relation.REPLACE_ONE)
    with pytest.raises(InputError, match="one record less has no such batch"):
        SampledWithoutReplacement(inside, 3, 3)
    whole = SampledWithoutReplacement(inside, 3, 3, relation=Relation.REPLACE_ONE)
    assert delta(whole, "0.5").upper == delta(inside, "0.5").upper


@pytest.mark.parametrize(
    "text",
    [
        "RandomAllocation(Gaussian(sigma=2), steps=4, times=2)",
        pytest.param(
            "Laplace(scale=3) + RandomAllocation(Gaussian(sigma=2), steps=10)",
            marks=pytest.mark.slow,
        ),
        "DiscreteGaussian(sigma=4, dimension=3, sensitivity=2)",
    ],
)
def test_one_direction_of_several_plans_is_at_most_both(text: str) -> None:
    """None of them crashes, and the worse way is the answer to both."""
    plan = read_plan(text)
    level = Fraction(1, 2)
    both = Questions(plan).delta(level)
    ways = [Questions(plan, way).delta(level) for way in Way]
    assert max(way.upper for way in ways) == both.upper
    assert max(way.lower for way in ways) <= both.upper


def test_an_allocation_has_no_price_without_a_delta() -> None:
    """Its mass at infinity is asked for by way, and it has no losses of its own."""
    held = ApproxFilter(100, "0.5")
    with pytest.raises((InputError, UndecidedError)):
        held.spend(RandomAllocation(Gaussian(1), 2))
    assert held.spend(RandomAllocation(Gaussian(1), 2), "1e-3")
