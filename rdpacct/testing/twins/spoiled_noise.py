"""Laplace noise of the right scale that is spoiled afterwards."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr
from rdpacct.testing.laplace_race import NoisyValue, chance_below
from rdpacct.testing.pair_law import on_pair, pair_law
from rdpacct.testing.twins.added_noise import laplace
from rdpacct.testing.twins.twin import Twin

CLIP = 2
RUNS = 5
SEED = 20_250_101


def clipped_output(value: int, rng: Any, size: int) -> Array:
    """Clipped to a range after the noise is added, which is post-processing."""
    return laplace(value, rng, size).clip(-CLIP, CLIP)


def clipped_noise(value: int, rng: Any, size: int) -> Array:
    """The noise is clipped, so that outputs reach as far as the value lets them."""
    return value + rng.laplace(size=size).clip(-CLIP, CLIP)


def reach(value: int) -> Mapping[str, Expr | int]:
    """The exact probability that an output with clipped noise lies above 2, for 0 or 1."""
    if not value:
        return {"not above": 1}
    below = chance_below(NoisyValue(Fraction(value), Fraction(1)), Fraction(CLIP))
    return {"above": 1 - below, "not above": below}


CLIPPED = Twin(
    name="laplace-clipped-noise",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=clipped_output,
    broken=clipped_noise,
    trials=1_000,
    note="Large noise is clipped before it is added, and an output above 2 can come from 1 only.",
    source="world-federation-of-advertisers/cross-media-measurement#4333",
    right_law=lambda: "Laplace(scale=1)",
    broken_law=on_pair(reach, 0, 1),
)


def fresh_noise(value: int, rng: Any) -> float:
    """One output."""
    return float(value + rng.laplace())


def noise_of_a_fixed_seed(value: int, rng: Any) -> float:  # noqa: ARG001
    """One output, with a generator of its own that starts anew in every run."""
    return float(value + load().random.default_rng(SEED).laplace())


FIXED_SEED = Twin(
    name="laplace-fixed-seed",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=fresh_noise,
    broken=noise_of_a_fixed_seed,
    trials=200,
    note="The generator has a fixed seed, so that the noise is the same in every run.",
    source="Garfinkel, Leclerc: Randomness concerns when deploying differential privacy (2020)",
    right_law=lambda: "Laplace(scale=1)",
    broken_law=lambda: pair_law({"0 with that noise": 1}, {"1 with that noise": 1}),
)


def best_run(value: int, rng: Any, size: int) -> Array:
    """The largest of five noisy outputs."""
    return value + rng.laplace(size=(size, RUNS)).max(axis=1)


def best_run_law(value: int) -> dict[str, Expr]:
    """The exact probability that all five are below 0."""
    below = chance_below(NoisyValue(Fraction(value), Fraction(1)), Fraction(0)) ** RUNS
    return {"below": below, "above": 1 - below}


BEST_RUN = Twin(
    name="best-of-five-runs",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=laplace,
    broken=best_run,
    trials=1_000,
    note="The best of five runs is released at the epsilon of one, as when parameters are tuned"
    " and only the last run is counted.",
    source="aidotse/LeakPro#438; Papernot, Steinke: Hyperparameter tuning (2022)",
    right_law=lambda: "Laplace(scale=1)",
    broken_law=on_pair(best_run_law, 0, 1),
)
