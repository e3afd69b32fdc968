"""Where the printed eta of smooth Laplace noise fails: the first failing alpha for some beta,
certified, and a picture.

Run it with the name of a file, as in ``python examples/smooth_laplace_frontier.py frontier.png``,
to draw the frontier with matplotlib, if that is installed.
"""

import importlib.util
import sys
from fractions import Fraction

from rdpacct.functions import log
from rdpacct.sensitivity import (
    exact_eta,
    first_failing_alpha,
    largest_beta,
    printed_eta,
)

BETAS = ("1.25", "1.26", "1.3", "1.4", "1.5", "1.8", "2", "2.5", "3", "4", "5", "8")


def main() -> None:
    print(
        "eta = exp(-alpha/(2 beta)) holds for all alpha if and only if beta <="
        f" {largest_beta()}"
    )
    print(
        "  beta  the first alpha at which it fails              exact/printed at twice"
        " that alpha"
    )
    for beta in BETAS:
        frontier = first_failing_alpha(beta)
        if frontier is None:
            print(f"{beta:>6}  none")
            continue
        twice = 2 * frontier.upper
        factor = float((exact_eta(twice, beta) / printed_eta(twice, beta)).bound())
        print(f"{beta:>6}  {frontier!s:<45}  {factor:.4f}")
    print(picture())
    files = [name for name in sys.argv[1:] if name.endswith((".png", ".pdf", ".svg"))]
    if files and importlib.util.find_spec("matplotlib"):
        draw(files[0])
    elif files:
        print("matplotlib is not installed; nothing was drawn")


def picture() -> str:
    """The plane of beta (across, 0.1 to 6) and alpha (powers of 2): # where the printed eta
    certainly fails.
    """
    lines = []
    for power in range(10, -5, -1):
        alpha = Fraction(2) ** power
        marks = ("#" if fails(alpha, Fraction(i, 10)) else "." for i in range(1, 61))
        lines.append(f"{float(alpha):>9} {''.join(marks)}")
    return "\n".join(lines)


def fails(alpha: Fraction, beta: Fraction) -> bool:
    """The exact eta is certainly above the printed one."""
    return (
        (log(exact_eta(alpha, beta)) - log(printed_eta(alpha, beta)))
        .ball(128)
        .certainly_positive()
    )


def draw(path: str) -> None:
    """The frontier in the plane of beta and alpha: the printed eta fails above it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    root = float(largest_beta())
    betas = [Fraction(126, 100) + Fraction(i * i, 1000) for i in range(80)]
    alphas = [
        float(frontier)
        for beta in betas
        if (frontier := first_failing_alpha(beta)) is not None
    ]
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    axes.plot([float(beta) for beta in betas], alphas, color="black")
    axes.fill_between(
        [float(beta) for beta in betas],
        alphas,
        [1e6] * len(alphas),
        alpha=0.2,
        label="printed eta fails",
    )
    axes.axvline(root, linestyle="--", color="gray", label=f"beta0 = {root:.5f}")
    axes.set(yscale="log", xlim=(0, 7), ylim=(1e-2, 1e4), xlabel="beta", ylabel="alpha")
    axes.set_title("eta = exp(-alpha/(2 beta)): where it is a valid eta")
    axes.legend()
    figure.savefig(path)
    print(f"drawn to {path}")


if __name__ == "__main__":
    main()
