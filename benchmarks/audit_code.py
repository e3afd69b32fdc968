"""Audits of running code: how fast they are, what they can see, and how soon.

Run it as ``python benchmarks/audit_code.py``. The first table has the time of 10**7 outputs of
Laplace noise in this process and on two workers. The second has the epsilon that audits of right
Laplace noise say they would have refuted with probability 0.9 (the largest of nine), and how often
audits of noise with exactly that epsilon did. The third has the trials until broken mechanisms are
refuted, beside the smallest number of trials, in steps of a quarter, at which an audit with a fixed
number refutes the same claim in half of its runs.
"""

import math
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from rdpacct import ApproxDP, Guarantee, PureDP, audit_code, calibrate

OUTPUTS = 10**7
STATED, RUNS = 9, 200
GAUSSIAN_RUNS = 100
SIZES = (10**3, 10**4, 10**5, 10**6)
GROSS_RUNS = 21
STEP = 1.25


def laplace(data: float, rng: Any, size: int) -> Any:
    """Laplace noise of scale 1."""
    return data + rng.laplace(size=size)


def scaled(scale: float, data: float, rng: Any, size: int) -> Any:
    """Laplace noise of some scale."""
    return data + rng.laplace(scale=scale, size=size)


def normal(sigma: float, data: float, rng: Any, size: int) -> Any:
    """Normal noise."""
    return data + rng.normal(scale=sigma, size=size)


def leaking(data: float, rng: Any, size: int) -> Any:
    """The input itself, one time in a hundred."""
    return data * (rng.random(size) < 0.01)


def speed() -> None:
    """The time of an audit that uses all its trials."""
    print(f"{'workers':>8} {'outputs':>10} {'seconds':>8}")
    start = time.perf_counter()
    verdict = audit_code(laplace, 0.0, 1.0, PureDP(1), trials=OUTPUTS // 2)
    str(verdict)
    seconds = time.perf_counter() - start
    print(f"{1:>8} {2 * verdict.trials:>10} {seconds:>8.2f}")
    start = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        verdict = audit_code(
            laplace, 0.0, 1.0, PureDP(1), trials=OUTPUTS // 2, executor=pool
        )
        str(verdict)
    seconds = time.perf_counter() - start
    print(f"{2:>8} {2 * verdict.trials:>10} {seconds:>8.2f}")


def power() -> None:
    """What each number of trials can see, as stated and as measured."""
    print(f"{'trials':>10} {'epsilon':>8} {'refuted':>8}")
    for trials in SIZES:
        stated = [
            audit_code(laplace, 0.0, 1.0, PureDP(1), trials=trials, seed=seed).power
            for seed in range(STATED)
        ]
        epsilon = max(
            math.inf if each is None else float(each.upper) for each in stated
        )
        broken = partial(scaled, 1 / epsilon)
        refuted = sum(
            audit_code(broken, 0.0, 1.0, PureDP(1), trials=trials, seed=seed).fails
            for seed in range(STATED, STATED + RUNS)
        )
        print(f"{trials:>10} {epsilon:>8.4f} {refuted:>4}/{RUNS}")
    sigma = float(calibrate("Gaussian(sigma=?)", epsilon=1, delta="1e-3").value.upper)
    broken = partial(normal, 0.9 * sigma)
    claim = ApproxDP(1, "1e-3")
    refuted = sum(
        audit_code(broken, 0.0, 1.0, claim, trials=10**6, seed=seed).fails
        for seed in range(GAUSSIAN_RUNS)
    )
    print("normal noise with 0.9 of its sigma, 10**6 trials:", end=" ")
    print(f"{refuted}/{GAUSSIAN_RUNS} refuted")


BROKEN: dict[str, tuple[Callable[..., Any], Guarantee]] = {
    "no noise at all": (partial(scaled, 1e-9), PureDP(1)),
    "a quarter of the noise": (partial(scaled, 0.25), PureDP(1)),
    "half of the noise": (partial(scaled, 0.5), PureDP(1)),
    "a leak in one of 100": (leaking, PureDP(1)),
    "half of sigma": (partial(normal, 1.287), ApproxDP(1, "1e-3")),
}


def soon() -> None:
    """The trials until a refutation."""
    print(f"{'broken':24} {'sequential':>10} {'fixed':>8}")
    for name, (mechanism, claim) in BROKEN.items():
        used = [
            audit_code(mechanism, 0.0, 1.0, claim, seed=seed).trials
            for seed in range(GROSS_RUNS)
        ]
        print(
            f"{name:24} {statistics.median(used):>10.0f} {_smallest(mechanism, claim):>8}"
        )


def _smallest(mechanism: Callable[..., Any], claim: Guarantee) -> int:
    trials = 16.0
    while True:
        size = math.ceil(trials)
        refuted = sum(
            audit_code(
                mechanism, 0.0, 1.0, claim, trials=size, seed=seed, method="fixed"
            ).fails
            for seed in range(GROSS_RUNS)
        )
        if 2 * refuted > GROSS_RUNS:
            return size
        trials *= STEP


def main() -> None:
    """All tables."""
    speed()
    power()
    soon()


if __name__ == "__main__":
    main()
