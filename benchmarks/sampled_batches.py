"""DP-SGD under each way of drawing batches, beside dp-accounting, in one run: `python
benchmarks/sampled_batches.py`.

The peer answers for Poisson samples by privacy loss distributions, which are pessimistic, and for
batches without replacement by a bound on Renyi divergences. Times are of the processor, in seconds.
"""

import time
from collections.abc import Callable

import dp_accounting
from dp_accounting import pld, rdp

from rdpacct import epsilon

STEPS, BATCH, EXAMPLES, DELTA = 14_063, 256, 60_000, "1e-5"
POISSON = f"{STEPS}*PoissonSampled(Gaussian(sigma=1.1), rate={BATCH}/{EXAMPLES})"
BATCHES = f"(Gaussian(sigma=2.2), batch={BATCH}, of={EXAMPLES})"
FIXED = f"{STEPS}*SampledWithoutReplacement{BATCHES}"
DRAWN = f"{STEPS}*SampledWithReplacement{BATCHES}"
REPLACED = dp_accounting.NeighboringRelation.REPLACE_ONE


def timed(question: Callable[[], float]) -> tuple[float, float]:
    """An answer, and how long it took."""
    start = time.process_time()
    answer = question()
    return answer, time.process_time() - start


def theirs_poisson(relation: dp_accounting.NeighboringRelation) -> float:
    accountant = pld.PLDAccountant(relation)
    release = dp_accounting.GaussianDpEvent(1.1)
    event = dp_accounting.PoissonSampledDpEvent(BATCH / EXAMPLES, release)
    accountant.compose(event, STEPS)
    return float(accountant.get_epsilon(float(DELTA)))


def theirs_fixed() -> float:
    accountant = rdp.RdpAccountant(neighboring_relation=REPLACED)
    release = dp_accounting.GaussianDpEvent(2.2)
    event = dp_accounting.SampledWithoutReplacementDpEvent(EXAMPLES, BATCH, release)
    accountant.compose(event, STEPS)
    return float(accountant.get_epsilon(float(DELTA)))


def main() -> None:
    added = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
    rows: list[tuple[str, str, str, Callable[[], float] | None]] = [
        ("Poisson", POISSON, "add_or_remove_one", lambda: theirs_poisson(added)),
        ("Poisson", POISSON, "replace_one", lambda: theirs_poisson(REPLACED)),
        ("without replacement", FIXED, "add_or_remove_one", None),
        ("without replacement", FIXED, "replace_one", theirs_fixed),
        ("with replacement", DRAWN, "add_or_remove_one", None),
        ("with replacement", DRAWN, "replace_one", None),
    ]
    for name, plan, relation, peer in rows:
        start = time.process_time()
        ours = epsilon(plan, DELTA, relation=relation)
        spent = time.process_time() - start
        ends = f"{float(ours.lower):.6f} to {float(ours.upper):.6f}"
        line = f"{name}, {relation}: {ends} in {spent:.2f} s"
        if peer is not None:
            answer, seconds = timed(peer)
            line += f"; dp-accounting {answer:.6f} in {seconds:.2f} s"
        print(line)


if __name__ == "__main__":
    main()
