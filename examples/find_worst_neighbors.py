"""A search finds two small data sets on which a histogram is not as private as it says."""

import random
from collections import Counter
from typing import Any

from rdpacct import Norm, Relation, Sensitivity, largest_move, worst_noise

COLORS = ("red", "green", "blue")


def draw(rng: random.Random) -> list[str]:
    """A data set of up to eight colors."""
    return [rng.choice(COLORS) for _ in range(rng.randint(1, 8))]


def counts(data: list[str]) -> list[int]:
    """How often each color occurs."""
    found = Counter(data)
    return [found[color] for color in COLORS]


def release(data: list[str], rng: Any) -> list[float]:
    """Noisy counts, for a sensitivity of 1."""
    noise = rng.laplace(scale=1.0, size=len(COLORS))
    return [count + z for count, z in zip(counts(data), noise, strict=True)]


def main() -> None:
    for relation in (Relation.ADD_OR_REMOVE_ONE, Relation.REPLACE_ONE):
        print(f"{relation}: {largest_move(counts, draw, relation)}")
        declared = Sensitivity(1, norm=Norm.L1, relation=relation)
        found = worst_noise(
            release,
            draw,
            relation,
            sensitivity=declared,
            claim="PureDP(epsilon=1)",
        )
        print(found)


if __name__ == "__main__":
    main()
