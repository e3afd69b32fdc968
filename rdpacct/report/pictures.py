"""Curves as pictures: axes with units, both ends of each enclosure, legends that cover nothing.

A picture is drawn in a few fixed colors, which a page replaces by its own. The same curve always
gives the same bytes.
"""

import io
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.curves import CertifiedCurve, CurveKind, caught
from rdpacct.exact.bound import Bound
from rdpacct.report.extras import load

INK, SOFT, LINE = "#1b1f24", "#59626d", "#d5dae0"
SERIES = ("#0b62a8", "#b3530b", "#2f7d32", "#7a3fa0", "#a02c52", "#00747a")
"""The colors of texts, of what is beside the point, of the grid, and of the curves in turn."""
STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
"""The line of each curve in turn, so that they differ without color."""
SIZE, LEGEND_LINE = (4.8, 3.5), 0.21
"""Width and height in inches, and how much higher a picture is for each line of its legend."""
SMALLEST = 1e-300
"""Ends below are left out of logarithmic axes."""
UNIT = (-0.02, 1.02)
"""The ends of an axis of probabilities, with room for a line at 0 and at 1."""
LONGEST = 48
"""How many characters of a name a legend shows."""
RESOLUTION = 200
"""The dots of a bitmap to the inch."""


@dataclass(frozen=True)
class Drawn:
    """A line of a picture: its name, its points, and both ends at each."""

    name: str
    at: Sequence[Fraction]
    bounds: Sequence[Bound]


def curve_svg(curve: CertifiedCurve) -> str:
    """A curve as an SVG file."""
    return svg_of(figure_of(curve), str(curve.kind.value))


def curve_png(curve: CertifiedCurve) -> bytes:
    """A curve as a bitmap."""
    return png_of(figure_of(curve))


def png_of(figure: Any) -> bytes:
    """A figure as a bitmap, the same each time."""
    with settings("picture"):
        file = io.BytesIO()
        figure.savefig(
            file,
            format="png",
            dpi=RESOLUTION,
            facecolor="white",
            metadata={"Software": None},
        )
        return file.getvalue()


def svg_of(figure: Any, salt: str) -> str:
    """A figure as the text of an SVG file, the same each time."""
    with settings(salt), warnings.catch_warnings():
        # names may have letters that the font for measuring lacks; a browser has others
        warnings.simplefilter("ignore", UserWarning)
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
        return file.getvalue()


def figure_of(curve: CertifiedCurve, mark: tuple[Fraction, Bound] | None = None) -> Any:
    """The picture of a curve; a mark is a delta and its epsilon."""
    if curve.kind is CurveKind.TRADEOFF:
        return tradeoff_figure(curve)
    return epsilon_delta_figure(curve, mark)


def epsilon_delta_figure(
    curve: CertifiedCurve, mark: tuple[Fraction, Bound] | None = None
) -> Any:
    """delta against epsilon, with both ends, and the delta that was asked for."""
    with settings("picture"):
        figure, axes = drawn_axes(
            "epsilon (nats of privacy loss)", "delta (probability)"
        )
        axes.set_yscale("log")
        _band(axes, Drawn("delta", curve.at, curve.bounds), 0, positive=True)
        if mark is not None and not math.isinf(mark[1].upper):
            delta, epsilon = mark
            at = float(epsilon.upper)
            axes.axhline(float(delta), color=SOFT, linewidth=1, linestyle=":")
            axes.plot([at], [float(delta)], "o", color=SERIES[1], label="the budget")
        axes.set_xlim(0, float(curve.at[-1]))
        axes.set_ylim(top=1.5)
        drawn_legend(axes, 3)
        return figure


def tradeoff_figure(curve: CertifiedCurve) -> Any:
    """True positives against false positives of the best test, beside guessing."""
    with settings("picture"):
        figure, axes = drawn_axes("false positive rate", "true positive rate")
        bounds = [caught(bound) for bound in curve.bounds]
        _band(axes, Drawn("rate", curve.at, bounds), 0)
        axes.plot(
            [0, 1], [0, 1], color=SOFT, linewidth=1, linestyle=":", label="guessing"
        )
        axes.set_xlim(*UNIT)
        axes.set_ylim(*UNIT)
        drawn_legend(axes, 3)
        return figure


def losses_figure(lines: Sequence[Drawn]) -> Any:
    """The probability that the privacy loss exceeds each value, for a plan and its releases."""
    with settings("picture"):
        drawn = lines[: len(SERIES)]
        figure, axes = drawn_axes(
            "privacy loss (nats)", "probability of a larger loss", len(drawn)
        )
        for place, line in enumerate(drawn):
            _band(axes, line, place, both=False)
        axes.set_ylim(*UNIT)
        drawn_legend(axes, 1)
        return figure


def sides_figure(variable: str, lines: Sequence[Drawn]) -> Any:
    """The two sides of an inequality against its variable."""
    with settings("picture"):
        figure, axes = drawn_axes(variable, "value of each side", len(lines))
        for place, line in enumerate(lines):
            _band(axes, line, place, both=False)
        drawn_legend(axes, 1)
        return figure


def drawn_axes(x: str, y: str, rows: int = 1) -> tuple[Any, Any]:
    """A figure with named axes, and room for this many lines of a legend."""
    width, height = SIZE
    figure = load("matplotlib.figure", "pictures are drawn").Figure(
        figsize=(width, height + LEGEND_LINE * (rows - 1)), layout="constrained"
    )
    axes = figure.add_subplot()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color=LINE, linewidth=0.8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _band(
    axes: Any, line: Drawn, place: int, positive: bool = False, both: bool = True
) -> None:
    """The ends of a line, and what is between them."""
    at = [float(x) for x in line.at]
    ends = [bound.floats() for bound in line.bounds]
    lower = [_shown(low, positive) for low, _ in ends]
    upper = [_shown(high, positive) for _, high in ends]
    color = SERIES[place]
    axes.fill_between(at, lower, upper, color=color, alpha=0.25, linewidth=0)
    name = "upper end" if both else label(line.name)
    axes.plot(at, upper, color=color, linestyle=STYLES[place], label=name)
    if both:
        axes.plot(
            at, lower, color=SERIES[1], linewidth=0.9, dashes=(5, 5), label="lower end"
        )
    else:
        axes.plot(at, lower, color=color, linestyle=STYLES[place], linewidth=0.9)


def _shown(value: float, positive: bool) -> float:
    if positive and value < SMALLEST:
        return math.nan
    return value


def drawn_legend(axes: Any, columns: int) -> None:
    """The legend above the axes, where it covers nothing; its texts are not formulas."""
    legend = axes.figure.legend(
        loc="outside upper left", ncols=columns, frameon=False, handlelength=2.2
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def label(name: str) -> str:
    """A name that people gave, as one line of a legend."""
    shown = "".join(each if each.isprintable() else " " for each in name)
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST - 3]}..."
    return f" {shown}" if shown.startswith("_") else shown


def settings(salt: str) -> Any:
    """The settings of every picture: texts stay texts, and nothing depends on the day or a seed."""
    matplotlib = load("matplotlib", "pictures are drawn")
    return matplotlib.rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": f"rdpacct {salt}",
            "font.size": 11,
            "font.family": "sans-serif",
            "text.color": INK,
            "axes.edgecolor": SOFT,
            "axes.labelcolor": INK,
            "axes.axisbelow": True,
            "xtick.color": INK,
            "ytick.color": INK,
            "lines.linewidth": 2.4,
            "path.simplify": True,
        }
    )
