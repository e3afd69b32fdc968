"""How long a sparse histogram takes: a release of a million rows and a hundred thousand cells, and
its worst gamma.

Run it as ``python benchmarks/sparse_histogram.py``. Each row is the median of seven runs in one
process.
"""

import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial

from rdpacct import DiscreteSparseHistogram, SparseHistogram
from rdpacct.arrays import generator
from rdpacct.mechanisms import StudyOnlyWarning
from rdpacct.mechanisms.histogram.lone_draws import worst_gamma, worst_mass

RUNS = 7
SIZES = ((10**5, 10**4), (10**6, 10**5), (10**7, 10**5))


def median_seconds(job: Callable[[], object]) -> float:
    """The median time of a job."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def anew(n: int, k: int) -> None:
    """The worst gamma, without what is remembered."""
    worst_gamma.cache_clear()  # type: ignore[attr-defined]
    worst_mass.cache_clear()
    worst_gamma(n, k)


def main() -> None:
    warnings.simplefilter("ignore", StudyOnlyWarning)
    print(
        f"{'rows':>10} {'cells':>8} {'Laplace':>10} {'integers':>10} {'all cells':>10}"
        f" {'worst gamma':>12}   seconds"
    )
    for n, k in SIZES:
        data = generator(1).integers(k, size=n)
        mechanisms = (
            SparseHistogram(n, k, 1),
            DiscreteSparseHistogram(n, k, 1),
            DiscreteSparseHistogram(n, k, 1, 0),
        )
        for mechanism in mechanisms:
            mechanism.guarantee()
        times = [
            median_seconds(partial(mechanism.release, data, 1))
            for mechanism in mechanisms
        ]
        gamma = median_seconds(partial(anew, n, k))
        print(
            f"{n:>10} {k:>8} {times[0]:10.3f} {times[1]:10.3f} {times[2]:10.3f}"
            f" {gamma:12.3f}"
        )


if __name__ == "__main__":
    main()
