"""The sparse histogram against the histogram with noise in every cell: how the error grows with n,
k and sparsity.

Run it with the name of a file, as in ``python examples/sparse_histogram.py errors.png``, to draw
the errors with matplotlib, if that is installed.
"""

import importlib.util
import sys

import numpy as np

from rdpacct import DiscreteSparseHistogram, RandomDP

ALPHA = "1"
RELEASES = 20
CASES = [
    (n, k, r) for n in (2000, 20_000, 200_000) for k in (100, 1000) for r in (5, 50)
]
"""Records, cells, and how many of the cells have records."""


def main() -> None:
    print(
        "L1 error of a histogram at alpha = 1, mean of 20 releases; gamma is the worst"
        " one over all populations"
    )
    print(
        f"{'n':>7} {'k':>5} {'occupied':>8} {'gamma':>9} {'all cells':>10}"
        f" {'sparse':>10} {'bound at 5 %':>13}"
    )
    rows = [(n, k, r, *errors(n, k, r)) for n, k, r in CASES]
    for n, k, r, everywhere, sparse in rows:
        mechanism = DiscreteSparseHistogram(n, k, ALPHA)
        promised = mechanism.guarantee()
        assert isinstance(promised, RandomDP)
        gamma = float(promised.gamma.bound())
        bound = float(mechanism.error_quantile(r, "0.05"))
        print(
            f"{n:>7} {k:>5} {r:>8} {gamma:9.2g} {everywhere:10.5f} {sparse:10.5f}"
            f" {bound:13.5f}"
        )
    files = [name for name in sys.argv[1:] if name.endswith((".png", ".pdf", ".svg"))]
    if files and importlib.util.find_spec("matplotlib"):
        draw(files[0], rows)
    elif files:
        print("matplotlib is not installed; nothing was drawn")


def errors(n: int, k: int, occupied: int) -> tuple[float, float]:
    """The mean errors with noise in every cell and in occupied cells only, on data drawn once."""
    rng = np.random.default_rng(20261116)
    shares = rng.dirichlet(np.ones(occupied) * 5)
    data = np.concatenate(
        [np.arange(occupied), rng.choice(occupied, size=n - occupied, p=shares)]
    )
    truth = np.bincount(data, minlength=k) / n
    found = []
    for gamma in (0, None):
        mechanism = DiscreteSparseHistogram(n, k, ALPHA, gamma)
        runs = [
            np.abs(mechanism.release(data, rng).histogram - truth).sum()
            for _ in range(RELEASES)
        ]
        found.append(float(np.mean(runs)))
    return found[0], found[1]


def draw(path: str, rows: list[tuple[int, int, int, float, float]]) -> None:
    """The errors against n, for each number of cells and of occupied cells."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for k, r in sorted({(k, r) for _, k, r, _, _ in rows}):
        points = [row for row in rows if row[1:3] == (k, r)]
        lines = axes.plot(
            [row[0] for row in points],
            [row[3] for row in points],
            "--",
            label=f"{k} cells, all noisy",
        )
        color = lines[0].get_color()
        axes.plot(
            [row[0] for row in points],
            [row[4] for row in points],
            color=color,
            label=f"{r} of {k} occupied",
        )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="records",
        ylabel="L1 error",
        title="alpha = 1",
    )
    axes.legend(fontsize=7)
    figure.savefig(path)
    print(f"drawn to {path}")


if __name__ == "__main__":
    main()
