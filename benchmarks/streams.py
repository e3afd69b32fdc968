"""Trees of 2**12 steps, beside dp-accounting, in one run: ``python benchmarks/streams.py``.

Both are asked for epsilon at delta 1e-6, with all work done anew each time; dp-accounting has the
Renyi divergences of a tree only, whose epsilon is above the exact one. The other strategies are
timed alone, as no other accountant here has them.
"""

import time
from collections.abc import Callable

STEPS = 2**12
SIGMA = 10
REPEATS = 20
ALONE = (
    f"TreeAggregation(sigma=10, steps={STEPS}, participations=16, separation=256)",
    f"SquareRootMechanism(sigma=10, steps={STEPS}, bands=64, participations=64,"
    " separation=64)",
    f"SquareRootMechanism(sigma=10, steps={STEPS})",
    f"SampledBands(sigma=10, steps={STEPS}, coefficients=[1, 1/2, 3/8, 5/16], rate=0.01)",
)


def ours(plan: str) -> str:
    """Both ends of the certified epsilon."""
    import rdpacct

    low, high = rdpacct.epsilon(plan, "1e-6").floats()
    return f"[{low:.12g}, {high:.12g}]"


def theirs() -> str:
    """The epsilon of dp-accounting, by its own orders."""
    import dp_accounting
    from dp_accounting.rdp import RdpAccountant

    relation = dp_accounting.NeighboringRelation.REPLACE_SPECIAL
    accountant = RdpAccountant(neighboring_relation=relation)
    event = dp_accounting.SingleEpochTreeAggregationDpEvent(float(SIGMA), STEPS)
    accountant.compose(event)
    return f"{accountant.get_epsilon(1e-6):.12g}"


def timed(name: str, ask: Callable[[], str], repeats: int) -> None:
    """The answer, and the least time of several runs after a first one."""
    answer = ask()
    best = min(_seconds(ask) for _ in range(repeats))
    print(f"{1000 * best:10.3f} ms  {answer}  {name}")


def _seconds(ask: Callable[[], str]) -> float:
    started = time.perf_counter()
    ask()
    return time.perf_counter() - started


def main() -> None:
    tree = f"TreeAggregation(sigma={SIGMA}, steps={STEPS})"
    timed(f"rdpacct: {tree}", lambda: ours(tree), REPEATS)
    timed("dp-accounting, Renyi: the same tree", theirs, REPEATS)
    for plan in ALONE:
        timed(f"rdpacct: {plan}", lambda plan=plan: ours(plan), 3)  # type: ignore[misc]


if __name__ == "__main__":
    main()
