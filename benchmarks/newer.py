"""Five newer workloads beside dp-accounting, in one run: ``python benchmarks/newer.py``.

Batches of a fixed size, a tree of 2**12 steps, a thousand noisy maxima, a million shuffled reports,
and a mix of kinds. Times are of the processor: the least of three calls or more, in which laws that
were made ready before are kept, and the first call, which imports and makes them ready. Writing an
answer down is not timed. dp-accounting
has no shuffling, and for a noisy maximum it has the pure epsilon only.
"""

import time
from collections.abc import Callable
from typing import TypeAlias

from dp_accounting import NeighboringRelation, dp_event, pld, rdp

from rdpacct import Bound, Relation, epsilon, read_plan

DELTA = "1e-6"
SECONDS = 0.2
"""How long a workload is repeated, at least."""
REPLACED = NeighboringRelation.REPLACE_ONE
ZEROED = NeighboringRelation.REPLACE_SPECIAL
FIXED = "14063*SampledWithoutReplacement(Gaussian(sigma=2.2), batch=256, of=60000)"
TREE = "TreeAggregation(sigma=10, steps=4096)"
MAXIMA = "1000*ReportNoisyMax(epsilon=0.1)"
FLIPS = "1000*PermuteAndFlip(epsilon=0.1)"
SHUFFLED = "Shuffled(PureDP(epsilon=2), people=1000000)"
MIX = (
    "100*Gaussian(sigma=30) + 100*Laplace(scale=40) + 100*DiscreteLaplace(scale=50)"
    " + 1000*PoissonSampled(Gaussian(sigma=1), rate=1/1024)"
    " + 10*GaussianMixture(sigma=20, sensitivities=[0, 1, 2],"
    " probabilities=[1/4, 1/2, 1/4])"
)


def timed(ask: Callable[[], Bound | float]) -> tuple[str, float, float]:
    """An answer, the least time that it took, and the time of the first call."""
    times: list[float] = []
    answer: Bound | float = 0.0
    while len(times) < 4 or sum(times) < SECONDS:
        start = time.process_time()
        answer = ask()
        times.append(time.process_time() - start)
    return str(answer), min(times[1:]), times[0]


def ours(plan: str, relation: str = "add_or_remove_one") -> Callable[[], Bound | float]:
    """Both ends of the certified epsilon; the text is read once, as the events of the other library
    are made once.
    """
    stated = read_plan(plan, Relation.named(relation))
    return lambda: epsilon(stated, DELTA)


def by_renyi(
    event: dp_event.DpEvent, count: int, relation: NeighboringRelation
) -> Callable[[], Bound | float]:
    """The bound of the other library by Renyi divergences."""

    def ask() -> float:
        accountant = rdp.RdpAccountant(neighboring_relation=relation)
        return float(accountant.compose(event, count).get_epsilon(float(DELTA)))

    return ask


def pure() -> float:
    """A thousand pure promises by privacy loss distributions."""
    one = pld.privacy_loss_distribution.from_privacy_parameters(
        pld.common.DifferentialPrivacyParameters(0.1, 0.0)
    )
    return float(one.self_compose(1000).get_epsilon_for_delta(float(DELTA)))


def mixed() -> float:
    """The mix by privacy loss distributions."""
    accountant = pld.PLDAccountant()
    mixture = dp_event.MixtureOfGaussiansDpEvent(20.0, [0, 1, 2], [0.25, 0.5, 0.25])
    sampled = dp_event.PoissonSampledDpEvent(1 / 1024, dp_event.GaussianDpEvent(1.0))
    accountant.compose(dp_event.GaussianDpEvent(30.0), 100)
    accountant.compose(dp_event.LaplaceDpEvent(40.0), 100)
    accountant.compose(dp_event.DiscreteLaplaceDpEvent(1 / 50, 1), 100)
    accountant.compose(sampled, 1000)
    accountant.compose(mixture, 10)
    return float(accountant.get_epsilon(float(DELTA)))


FIXED_EVENT = dp_event.SampledWithoutReplacementDpEvent(
    60_000, 256, dp_event.GaussianDpEvent(2.2)
)
TREE_EVENT = dp_event.SingleEpochTreeAggregationDpEvent(10.0, 4096)
Ask: TypeAlias = Callable[[], Bound | float]
ROWS: list[tuple[str, Ask, Ask | None]] = [
    (
        "fixed-size DP-SGD, replaced",
        ours(FIXED, "replace_one"),
        by_renyi(FIXED_EVENT, 14_063, REPLACED),
    ),
    ("tree, 2**12 steps", ours(TREE), by_renyi(TREE_EVENT, 1, ZEROED)),
    ("1000 noisy maxima", ours(MAXIMA), pure),
    ("1000 permute-and-flip", ours(FLIPS), pure),
    ("a million shuffled reports", ours(SHUFFLED, "replace_one"), None),
    ("a mix of five kinds", ours(MIX), mixed),
]


def main() -> None:
    """A row for each workload."""
    print("| workload | epsilon | ms | first | dp-accounting | ms | first | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, ask, other in ROWS:
        said, own, first = timed(ask)
        row = f"| {name} | {said} | {1e3 * own:.3g} | {1e3 * first:.3g} |"
        if other is None:
            print(f"{row} none | | | |", flush=True)
            continue
        theirs, taken, before = timed(other)
        row += f" {theirs} | {1e3 * taken:.3g} | {1e3 * before:.3g} |"
        print(f"{row} {taken / own:.3g} |", flush=True)


if __name__ == "__main__":
    main()
