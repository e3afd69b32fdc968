"""The median of skewed data, released with noise on the global and on the smooth scale: the error
as the data grow.

Run it with the name of a file, as in ``python examples/private_median.py median.png``, to draw the
errors with matplotlib, if that is installed.
"""

import importlib.util
import math
import random
import statistics
import sys
import warnings

from rdpacct import (
    Median,
    SmoothGaussian,
    SmoothLaplace,
    SmoothNoise,
    SmoothPower,
    SmoothRelease,
    StudyOnlyWarning,
)

EPSILON = 1
DELTA = "1e-6"
TOP = 1_000_000.0
"""Incomes are declared to be between 0 and this."""
SIZES = (101, 301, 1_001, 3_001, 10_001, 30_001)
RUNS = 25


def cauchy(alpha: object, beta: object) -> SmoothNoise:
    """Cauchy noise, which is PureDP."""
    return SmoothPower(alpha, beta, power=2)  # type: ignore[arg-type]


def main() -> None:
    query = Median(lower=0, upper=TOP)
    releases = {
        "smooth Laplace": SmoothRelease.calibrated(
            query, EPSILON, DELTA, SmoothLaplace
        ),
        "smooth normal": SmoothRelease.calibrated(
            query, EPSILON, DELTA, SmoothGaussian
        ),
        "smooth Cauchy": SmoothRelease.calibrated(query, EPSILON, 0, cauchy),
    }
    for name, release in releases.items():
        print(f"{name}: {release.guarantee()}")
    print(
        f"global Laplace: PureDP(epsilon={EPSILON}), noise of scale {TOP:,.0f} whatever"
        " the data are"
    )
    print(
        f"\nmedian error of {RUNS} releases of the median of log-normal incomes, which"
        " is near 30,000 (global: exactly)"
    )
    print(
        f"{'records':>8} {'global Laplace':>15}"
        + "".join(f"{name:>16}" for name in releases)
    )
    rows = []
    for size in SIZES:
        data = incomes(size)
        errors = [
            TOP / EPSILON * math.log(2),
            *(error(release, data) for release in releases.values()),
        ]
        rows.append(errors)
        print(
            f"{size:>8} "
            + "".join(
                f"{one:>{15 if k == 0 else 16},.0f}" for k, one in enumerate(errors)
            )
        )
    files = [name for name in sys.argv[1:] if name.endswith((".png", ".pdf", ".svg"))]
    if files and importlib.util.find_spec("matplotlib"):
        draw(files[0], ["global Laplace", *releases], rows)
    elif files:
        print("matplotlib is not installed; nothing was drawn")


def incomes(size: int) -> list[float]:
    """Skewed data: most incomes are moderate, and a few are large."""
    rng = random.Random(size)
    return [min(rng.lognormvariate(10.3, 0.8), TOP) for _ in range(size)]


def error(release: SmoothRelease, data: list[float]) -> float:
    """The median distance between the released and the true median."""
    rng = random.Random(7)
    truth = statistics.median(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        return statistics.median(
            abs(release.release(data, rng).value - truth) for _ in range(RUNS)
        )


def draw(path: str, names: list[str], rows: list[list[float]]) -> None:
    """The errors against the number of records, both in powers of ten."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    for k, name in enumerate(names):
        axes.loglog(SIZES, [row[k] for row in rows], marker="o", label=name)
    axes.set_xlabel("records")
    axes.set_ylabel("median error")
    axes.legend()
    figure.savefig(path)
    print(f"drawn to {path}")


if __name__ == "__main__":
    main()
