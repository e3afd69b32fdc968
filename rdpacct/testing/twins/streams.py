"""Noisy sums over a stream of steps, where one draw of noise serves for many of them."""

from collections.abc import Sequence
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.testing.twins.twin import Twin

TREE = "TreeAggregation(sigma=1, steps=4)"
TWICE = "TreeAggregation(sigma=1, steps=4, participations=2)"
NOTHING = (0, 0, 0, 0)


def noisy_tree(stream: Sequence[int], rng: Any, size: int) -> Array:
    """The sums of 1, 2 and 4 steps, each with noise of standard deviation 1."""
    pairs = (stream[0] + stream[1], stream[2] + stream[3])
    nodes = load().array([*stream, *pairs, sum(stream)])
    return nodes + rng.normal(size=(size, 7))


def tree_of_clipped_steps(stream: Sequence[int], rng: Any, size: int) -> Array:
    """The record is left out after it has taken part once."""
    taken = next((step for step, move in enumerate(stream) if move), 0)
    once = [move if step == taken else 0 for step, move in enumerate(stream)]
    return noisy_tree(once, rng, size)


def along_the_path(nodes: Any) -> float:
    """The nodes over the first two steps, as many times as the record is below them."""
    return float(nodes[0] + nodes[1] + 2 * nodes[4] + 2 * nodes[6])


TAKES_PART_TWICE = Twin(
    name="tree-second-epoch",
    claim=TREE,
    x=(1, 1, 0, 0),
    x_neighbor=NOTHING,
    right=tree_of_clipped_steps,
    broken=noisy_tree,
    trials=1_000,
    note="A record takes part in two steps of one tree, and is accounted as if it took part in"
    " one: a second epoch of DP-FTRL without a restart.",
    source="Kairouz, McMahan, Song, Thakkar, Thakurta, Xu: Practical and private (deep) learning"
    " without sampling or shuffling (2021), appendix D",
    right_law=lambda: TREE,
    broken_law=lambda: TWICE,
    score=along_the_path,
)


BANDS = "SampledBands(sigma=1, steps=2, coefficients=[1, 1], rate=1/2)"
ALL_SAMPLED = (
    "GaussianMixture(sigma=1, sensitivities=[0, 2/sqrt(5), 3/sqrt(5), sqrt(5)],"
    " probabilities=[1/4, 1/4, 1/4, 1/4])"
)


def sampled_in_its_turn(record: int, rng: Any, size: int) -> Array:
    """The record is in the first of two groups, and sampled in the first step only."""
    first = record * (rng.random(size) < 1 / 2)
    return load().stack([first, first], axis=1) + rng.normal(size=(size, 2))


def sampled_in_each_step(record: int, rng: Any, size: int) -> Array:
    """Both steps sample from all records, and the second row has both of them."""
    first, second = record * (rng.random((2, size)) < 1 / 2)
    return load().stack([first, first + second], axis=1) + rng.normal(size=(size, 2))


def first_and_twice_second(rows: Any) -> float:
    """The rows, along the move of a record that is sampled twice."""
    return float(rows[0] + 2 * rows[1])


NO_GROUPS = Twin(
    name="bands-without-groups",
    claim=BANDS,
    x=1,
    x_neighbor=0,
    right=sampled_in_its_turn,
    broken=sampled_in_each_step,
    trials=20_000,
    note="Correlated noise of two bands is accounted as amplified by cyclic samples of two"
    " groups, but each step samples from all records, so that two samples of a record share a"
    " row.",
    source="Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu: (Amplified) banded"
    " matrix factorization (2023)",
    right_law=lambda: BANDS,
    broken_law=lambda: ALL_SAMPLED,
    score=first_and_twice_second,
)
