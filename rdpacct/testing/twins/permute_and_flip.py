"""Permute-and-flip beside the exponential mechanism, both at epsilon 1."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr, add, formula
from rdpacct.exact.functions import exp
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin

X = (0, 0)
X_NEIGHBOR = (1, -1)


def exponential(scores: Sequence[int], rng: Any, size: int) -> Array:
    """Candidate i with probability proportional to exp(score_i/2)."""
    noise = rng.gumbel(size=(size, len(scores)))
    return (load().divide(scores, 2) + noise).argmax(axis=1)


def exponential_law(scores: Sequence[int]) -> dict[int, Expr]:
    """The exact probabilities of its candidates."""
    weights = [exp(formula(score) / 2) for score in scores]
    return {i: weight / add(*weights) for i, weight in enumerate(weights)}


def permute_and_flip(scores: Sequence[int], rng: Any, size: int) -> Array:
    """The first candidate in a random order whose coin, exp((score - largest)/2), shows heads."""
    np = load()
    order = rng.random((size, len(scores))).argsort(axis=1)
    chances = np.exp(np.subtract(scores, max(scores)) / 2)
    heads = rng.random((size, len(scores))) < chances[order]
    return order[np.arange(size), heads.argmax(axis=1)]


def permute_and_flip_law(scores: Sequence[int]) -> dict[int, Expr]:
    """The exact probabilities of its candidates: the mean over all orders."""
    chances = [exp(formula(score - max(scores)) / 2) for score in scores]
    orders = math.factorial(len(scores))
    law = dict.fromkeys(range(len(scores)), formula(0))
    for order in itertools.permutations(range(len(scores))):
        reached = formula(1)
        for i in order:
            law[i] = law[i] + reached * chances[i] / orders
            reached = reached * (1 - chances[i])
    return law


PERMUTE_AND_FLIP = Twin(
    name="permute-and-flip-zcdp",
    claim="ZCDP(rho=0.125)",
    x=X,
    x_neighbor=X_NEIGHBOR,
    right=exponential,
    broken=permute_and_flip,
    trials=10_000,
    note="The exponential mechanism has rho = epsilon**2/8 by its bounded range, which"
    " permute-and-flip does not have; its rho is up to epsilon**2/2.",
    source="opendp/opendp#2911",
    right_law=on_pair(exponential_law, X, X_NEIGHBOR),
    broken_law=on_pair(permute_and_flip_law, X, X_NEIGHBOR),
)
