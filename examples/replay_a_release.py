"""A replay with the same noise finds what is wrong with a step of training, and where."""

from typing import Any

import numpy as np

from rdpacct import audit_noise

EXPECTED = 2
LONGEST = "1.000001"
"""Clipping to length 1 in doubles may leave a little more."""


def clipped_sum(gradients: Any, rng: Any) -> tuple[Any, int]:
    """The noisy sum of a Poisson sample of gradients, each of length at most 1."""
    batch = gradients[rng.random(len(gradients)) < 0.5]
    lengths = np.linalg.norm(batch, axis=1, keepdims=True)
    total = (batch / np.maximum(lengths, 1)).sum(axis=0)
    return total + 2.0 * rng.standard_normal(total.shape), len(batch)


def right(gradients: Any, rng: Any) -> Any:
    return clipped_sum(gradients, rng)[0] / EXPECTED


def by_true_size(gradients: Any, rng: Any) -> Any:
    total, size = clipped_sum(gradients, rng)
    return total / max(size, 1)


def one_draw(gradients: Any, rng: Any) -> Any:
    return gradients.mean(axis=0) + rng.normal(scale=2.0)


def main() -> None:
    gradients = np.array([[3.0, 4.0], [0.1, 0.2], [-5.0, 12.0]])
    for step in (right, by_true_size, one_draw):
        verdict = audit_noise(
            step,
            gradients,
            gradients[:-1],
            sensitivity=LONGEST,
            claim="GaussianDP(mu=0.50001)",
            runs=5,
        )
        print(f"{step.__name__}: {verdict}")


if __name__ == "__main__":
    main()
