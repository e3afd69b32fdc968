"""How the time of the exact smooth sensitivity of the median grows with the number of records.

python benchmarks/smooth_sensitivity.py
"""

import math
import time
from collections.abc import Callable

import numpy as np

from rdpacct.sensitivity import Median

SIZES = [1000 * 2**power + 1 for power in range(11)]
Generator = np.random.Generator
SHAPES: dict[str, Callable[[Generator, int], np.ndarray]] = {
    "uniform": lambda rng, n: rng.random(n),
    "skewed (lognormal)": lambda rng, n: np.minimum(rng.lognormal(-3, 2, n), 1),
    "constant": lambda rng, n: np.full(n, 0.5),  # noqa: ARG005
    "ten distinct": lambda rng, n: rng.integers(0, 10, n) / 10,
    "exponential": lambda rng, n: np.exp(-np.linspace(0, 700, n)),  # noqa: ARG005
    "two clusters": (
        lambda rng, n: np.where(np.arange(n) < n // 2, 0.1, 0.9) + rng.random(n) / 100
    ),
}


def seconds(data: np.ndarray, beta: str) -> float:
    """The shortest of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        Median(0, 1).smooth(data, beta)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """A table for each rate: seconds, and how the longest of each size grows against n log n."""
    rng = np.random.default_rng(0)
    for beta in ("0.1", "0.0001"):
        print(
            f"\n| records, beta {beta} | {' | '.join(SHAPES)} | ns per n log2 n,"
            " longest |"
        )
        print(f"| --- |{' --- |' * (len(SHAPES) + 1)}")
        for size in SIZES:
            times = [seconds(make(rng, size), beta) for make in SHAPES.values()]
            shown = " | ".join(f"{one:.4f}" for one in times)
            print(
                f"| {size} | {shown} |"
                f" {1e9 * max(times) / (size * math.log2(size)):.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
