"""Audits of running code: how fast they are, what they can see, and how soon.

Run it as ``python benchmarks/audit_code.py``. The first table has the time of 10**7 outputs of
Laplace noise in this process and on two workers. The second is about power: the epsilons that nine
audits of right Laplace noise say they would have refuted with probability 0.9; how often their bets
do refute counts of exactly that violation of their events; and how often new audits, which choose
their own events, refute noise with the median and with the largest of the nine. The third has the
trials until grossly broken twins are refuted, beside the smallest number of trials, in steps of a
quarter, at which an audit with a fixed number refutes the same claim in most of its runs: what an
oracle would choose.
"""

import math
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from rdpacct import ApproxDP, CodeVerdict, PureDP, audit_code, calibrate
from rdpacct.auditing.running.audit_code import TRIALS
from rdpacct.auditing.running.certificate import BetEvidence
from rdpacct.testing import TWINS, Twin
from rdpacct.testing.twins.truth import excess, is_gross

OUTPUTS = 10**7
STATED, RUNS = 9, 200
COUNTS = 1000
GAUSSIAN_RUNS = 100
SIZES = (10**3, 10**4, 10**5, 10**6)
GROSS_RUNS = 20
FIXED_RUNS = 5
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
    print(f"{'trials':>10} {'median':>8} {'largest':>8}", end=" ")
    print(f"{'their bets':>11} {'new, median':>12} {'new, largest':>12}")
    for trials in SIZES:
        verdicts = [
            audit_code(laplace, 0.0, 1.0, PureDP(1), trials=trials, seed=seed)
            for seed in range(STATED)
        ]
        stated = [float(verdict.power.upper) for verdict in verdicts if verdict.power]
        assert len(stated) == STATED
        bets = sum(map(refuted_again, verdicts))
        middle = refuted_by_new(statistics.median(stated), trials)
        largest = refuted_by_new(max(stated), trials)
        print(
            f"{trials:>10} {statistics.median(stated):>8.4f} {max(stated):>8.4f}",
            end=" ",
        )
        print(f"{bets:>6}/{STATED * COUNTS} {middle:>8}/{RUNS} {largest:>8}/{RUNS}")
    tenth()


def refuted_again(verdict: CodeVerdict) -> int:
    """How often the bets refute, of many counts of the violation that they say they see."""
    assert isinstance(verdict.evidence, BetEvidence)
    answer = verdict.evidence.power_answer()
    assert answer is not None
    return answer.refuted(np.random.default_rng(verdict.trials), COUNTS)


def refuted_by_new(epsilon: float, trials: int) -> int:
    """How many new audits refute noise of an epsilon."""
    broken = partial(scaled, 1 / epsilon)
    return sum(
        audit_code(broken, 0.0, 1.0, PureDP(1), trials=trials, seed=seed).fails
        for seed in range(STATED, STATED + RUNS)
    )


def tenth() -> None:
    """How often normal noise with a tenth less than its sigma is refuted."""
    sigma = float(calibrate("Gaussian(sigma=?)", epsilon=1, delta="1e-3").value.upper)
    broken = partial(normal, 0.9 * sigma)
    claim = ApproxDP(1, "1e-3")
    refuted = sum(
        audit_code(broken, 0.0, 1.0, claim, trials=10**6, seed=seed).fails
        for seed in range(GAUSSIAN_RUNS)
    )
    print("normal noise with 0.9 of its sigma, 10**6 trials:", end=" ")
    print(f"{refuted}/{GAUSSIAN_RUNS} refuted")


def soon() -> None:
    """The trials until each grossly broken twin is refuted, by bets and by a fixed number."""
    print(f"{'twin':32} {'excess':>7} {'median':>7} {'most':>7} {'oracle':>7}")
    for twin in filter(is_gross, TWINS):
        used = [audited(twin, seed).trials for seed in range(GROSS_RUNS)]
        print(
            f"{twin.name:32} {float(excess(twin)):>7.2f}"
            f" {statistics.median(used):>7.0f} {max(used):>7} {_smallest(twin):>7}"
        )


def audited(
    twin: Twin, seed: int, trials: int = TRIALS, method: str = "sequential"
) -> CodeVerdict:
    """The verdict on the broken version of a twin."""
    return audit_code(
        *(twin.broken, twin.x, twin.x_neighbor, twin.claim),
        trials=trials,
        seed=seed,
        method=method,
        score=twin.score,
    )


def _smallest(twin: Twin) -> int:
    """The smallest number, in steps of a quarter, at which most fixed audits refute the claim."""
    trials = 16.0
    while True:
        size = math.ceil(trials)
        refuted = sum(
            audited(twin, seed, size, "fixed").fails for seed in range(FIXED_RUNS)
        )
        if 2 * refuted > FIXED_RUNS:
            return size
        trials *= STEP


def main() -> None:
    """All tables."""
    speed()
    power()
    soon()


if __name__ == "__main__":
    main()
