"""The exact samplers, checked by following every path of their randomness, and by chance at
scale.
"""

import heapq
import itertools
import math
import random
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from typing import Any

import pytest

from rdpacct import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FiniteMechanism,
    HadamardResponse,
    InputError,
    MaximallyDivergent,
    OptimizedUnaryEncoding,
    PoissonSampled,
    Promised,
    PureDP,
    RandomizedResponse,
    SubsetSelection,
    SymmetricUnaryEncoding,
)
from rdpacct.mechanisms import sampling


class Fork(Exception):
    """Raised where a sampler asks for a random choice that the script does not hold yet."""

    def __init__(self, weights: Any) -> None:
        self.weights = weights


class Script(random.Random):
    """A source of randomness that replays given choices, then forks; it needs no seed."""

    def __init__(self, choices: Any) -> None:
        self.given = iter(choices)

    def choose(self, weights: Any) -> Any:
        for choice in self.given:
            return choice
        raise Fork(weights)

    def randrange(self, stop: Any) -> Any:  # type: ignore[override]
        return self.choose([1 / stop] * stop)


def all_paths(sample: Any, nodes: Any) -> Any:
    """Output probabilities by following the likeliest paths first: lower bounds, and the mass not
    followed.
    """
    order = itertools.count()
    frontier: list[tuple[float, int, tuple[int, ...]]] = [(-1.0, next(order), ())]
    found: Any = Counter()
    rest = 1.0
    for _ in range(nodes):
        if rest < 1e-6:
            break
        mass, _, choices = heapq.heappop(frontier)
        try:
            found[sample(Script(choices))] += -mass
            rest += mass
        except Fork as fork:
            for choice, weight in enumerate(fork.weights):
                if weight:
                    heapq.heappush(
                        frontier, (mass * weight, next(order), (*choices, choice))
                    )
    return found, rest


@pytest.fixture
def forking_coins(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let scripts fork a coin in two. A step that has been checked on its own forks by its law:
    first the plain coins, then those of probability exp(-rate), then the discrete Laplace law
    inside the discrete Gaussian one.
    """
    real = {
        name: getattr(sampling, name)
        for name in ("bernoulli", "bernoulli_exp", "discrete_laplace")
    }

    def bernoulli(probability: Any, rng: random.Random) -> Any:
        if isinstance(rng, Script):
            return bool(rng.choose([float(1 - probability), float(probability)]))
        return real["bernoulli"](probability, rng)

    def bernoulli_exp(rate: Any, rng: random.Random) -> Any:
        if isinstance(rng, Script):
            return bernoulli(math.exp(-rate), rng)
        return real["bernoulli_exp"](rate, rng)

    def discrete_laplace(scale: Any, rng: random.Random) -> Any:
        if isinstance(rng, Script):
            return rng.choose(laplace_weights(scale)) - 40
        return real["discrete_laplace"](scale, rng)

    patches = {
        "bernoulli": bernoulli,
        "bernoulli_exp": bernoulli_exp,
        "discrete_laplace": discrete_laplace,
    }

    def patch(*names: Any) -> None:
        for name in names:
            for module in (
                "sampling",
                "maximally_divergent",
                "randomized_response.randomized_response",
                "local.symmetric_unary_encoding",
                "local.optimized_unary_encoding",
                "local.hadamard_response",
                "local.subset_selection",
                "exponential.exponential",
                "discrete.discrete_gaussian",
            ):
                monkeypatch.setattr(
                    f"rdpacct.mechanisms.{module}.{name}", patches[name], raising=False
                )

    return patch


def steps_below(name: Any) -> Any:
    """The samplers that may fork by their law when this one is checked."""
    if name.startswith("bernoulli"):
        return ["bernoulli"]
    return [
        "bernoulli",
        "bernoulli_exp",
        *(["discrete_laplace"] if "Gaussian" in name else []),
    ]


def gaussian_law(sigma: Any) -> Any:
    """The probabilities of the discrete Gaussian, from its definition."""
    weights = {x: math.exp(-(x**2) / (2 * sigma**2)) for x in range(-400, 401)}
    total = math.fsum(weights.values())
    return lambda x: weights[x] / total


def laplace_law(scale: Any) -> Any:
    """The probabilities of the discrete Laplace law, from its definition."""
    ratio = math.exp(-1 / scale)
    return lambda x: (1 - ratio) / (1 + ratio) * ratio ** abs(x)


@cache
def laplace_weights(scale: Any) -> list[float]:
    """The probabilities from -40 to 40, which a script takes for every draw."""
    law = laplace_law(scale)
    return [law(x) for x in range(-40, 41)]


def response_law(epsilon: Any, answers: Any) -> Any:
    """The probabilities of randomized response for the true answer 0."""
    return lambda x: (
        (math.exp(epsilon) if x == 0 else 1) / (math.exp(epsilon) + answers - 1)
    )


def exponential_law(rate: Any, scores: Any) -> Any:
    """The probabilities of the exponential mechanism, from its definition."""
    weights = [math.exp(rate * score) for score in scores]
    return lambda x: weights[x] / math.fsum(weights)


CASES: dict[str, tuple[Any, Any]] = {
    "bernoulli exp(-1/3)": (
        lambda rng: int(sampling.bernoulli_exp(Fraction(1, 3), rng)),
        lambda x: math.exp(-1 / 3) if x else 1 - math.exp(-1 / 3),
    ),
    "bernoulli exp(-5/2)": (
        lambda rng: int(sampling.bernoulli_exp(Fraction(5, 2), rng)),
        lambda x: math.exp(-5 / 2) if x else 1 - math.exp(-5 / 2),
    ),
    "discrete Laplace 1": (
        partial(DiscreteLaplace(1).sample, 0),
        laplace_law(1),
    ),
    "discrete Laplace 3/2": (
        partial(DiscreteLaplace("3/2").sample, 0),
        laplace_law(1.5),
    ),
    "discrete Gaussian 1": (
        partial(DiscreteGaussian(1).sample, 0),
        gaussian_law(1),
    ),
    "discrete Gaussian 1/2": (
        partial(DiscreteGaussian("1/2").sample, 0),
        gaussian_law(0.5),
    ),
    "response": (partial(RandomizedResponse(1).sample, 0), response_law(1, 2)),
    "response of four": (
        partial(RandomizedResponse("1/2", answers=4).sample, 0),
        response_law(0.5, 4),
    ),
    "exponential": (
        partial(Exponential(2).sample, [0, 1, "1/2"]),
        exponential_law(1, [0, 1, 0.5]),
    ),
    "monotone": (
        partial(Exponential(1, monotone=True).sample, [2, 0]),
        exponential_law(1, [2, 0]),
    ),
    "table": (
        partial(
            FiniteMechanism([["1/2", "1/3", "1/6"], ["1/3", "1/3", "1/3"]]).sample, 0
        ),
        lambda x: (3 - x) / 6,
    ),
    "maximally divergent": (
        partial(MaximallyDivergent(1, neutral="1/3").sample, 0),
        lambda x: 1 / 3 if x == 2 else 2 / 3 * response_law(1, 2)(x),
    ),
    "symmetric bits": (
        partial(SymmetricUnaryEncoding(2).sample, 0),
        lambda x: response_law(1, 2)(1 - x[0]) * response_law(1, 2)(x[1]),
    ),
    "optimized bits": (
        partial(OptimizedUnaryEncoding(1).sample, 0),
        lambda x: 1 / 2 * response_law(1, 2)(x[1]),
    ),
    "Hadamard": (
        partial(HadamardResponse(1).sample, 0),
        lambda x: response_law(1, 2)(x % 2) / 2,
    ),
    "subset": (
        partial(SubsetSelection(1, 3, 2).sample, 0),
        lambda x: (math.e if 0 in x else 1) / (2 * math.e + 1),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_path_adds_up_to_the_law(name: str, forking_coins: Any) -> None:
    """The probabilities of the followed paths bound each output's probability from both sides, most
    of them closely.
    """
    sample, law = CASES[name]
    forking_coins(*steps_below(name))
    found, rest = all_paths(sample, 20_000)
    assert rest < 0.1
    for output, mass in found.items():
        assert mass - 1e-12 <= law(output) <= mass + rest + 1e-12


def test_a_biased_sampler_is_found_by_its_paths(forking_coins: Any) -> None:
    """The path check can fail: the law of a slightly larger scale is excluded."""
    forking_coins(*steps_below("discrete Laplace"))
    found, rest = all_paths(partial(DiscreteLaplace(1).sample, 0), 20_000)
    assert not all(
        mass - 1e-12 <= laplace_law(1.01)(x) <= mass + rest + 1e-12
        for x, mass in found.items()
    )


@pytest.mark.parametrize(
    "name",
    ["discrete Laplace 3/2", "discrete Gaussian 1", "response of four", "exponential"],
)
def test_frequencies_at_scale(name: str) -> None:
    """Frequencies of 20 000 seeded samples stay within a Hoeffding bound of error 1e-6 over all
    outputs.
    """
    sample, law = CASES[name]
    rng = random.Random(20261116)
    count = 20_000
    seen = Counter(sample(rng) for _ in range(count))
    allowed = math.sqrt(math.log(2 * 20 / 1e-6) / (2 * count))
    for output in sorted(seen, key=seen.__getitem__, reverse=True)[:20]:
        assert abs(seen[output] / count - law(output)) < allowed


def test_large_parameters_are_sampled_quickly() -> None:
    """Huge scales and rates do not loop for long."""
    rng = random.Random(1)
    assert abs(DiscreteGaussian(10**6).sample(0, rng)) < 10**7
    assert abs(DiscreteLaplace(10**9).sample(0, rng)) < 10**11
    assert RandomizedResponse(10**6).sample(1, rng) == 1
    assert Exponential(1).sample([0, 10**9], rng) == 1


def test_a_mechanism_without_a_sampler_says_so() -> None:
    """Alone and inside of a sampler, in one sentence."""
    promise = Promised(PureDP(1))
    assert DiscreteLaplace(1).has_sampler
    assert not promise.has_sampler
    with pytest.raises(InputError, match=r"^Promised does not say how it is run; give"):
        promise.sample(0)
    with pytest.raises(InputError, match=r"^Promised does not say how it is run; give"):
        PoissonSampled(promise, "1/2").sample((0, 1), random.Random(1))
