"""The picture of an audit of running code: what the claim allows, and where events were seen."""

from fractions import Fraction
from typing import Any

from rdpacct.auditing.running import CodeVerdict, ObservedEvent
from rdpacct.report.observed_region import AllowedRegion, allowed_region
from rdpacct.report.pictures import (
    INK,
    SERIES,
    SOFT,
    UNIT,
    drawn_axes,
    drawn_legend,
    png_of,
    settings,
    svg_of,
)

COLORS = {"x": SERIES[1], "x_neighbor": SERIES[3]}
MARKS = {"x": "o", "x_neighbor": "s"}
"""How events are drawn by the input on which they are likely, so that they differ without color."""
RARE = 0.05
"""If the most telling event is less likely than this, axes are logarithmic."""
MOST_EVENTS = 24
"""How many events are drawn, the most telling first."""


def is_rare(verdict: CodeVerdict) -> bool:
    """Whether the most telling event is so rare that it needs logarithmic axes."""
    return bool(verdict.events) and _seen(verdict.events[0])[1] < RARE


def observed_svg(verdict: CodeVerdict, name: str, logarithmic: bool) -> str:
    """The picture as an SVG file."""
    return svg_of(observed_figure(verdict, logarithmic), name)


def observed_png(verdict: CodeVerdict, logarithmic: bool) -> bytes:
    """The picture as a bitmap."""
    return png_of(observed_figure(verdict, logarithmic))


def observed_figure(verdict: CodeVerdict, logarithmic: bool) -> Any:
    """The region that the claim allows, and the region of each event beside its frequencies."""
    with settings("picture"):
        figure, axes = drawn_axes(
            "probability of the event on the other input",
            "probability where it is likely",
            2,
        )
        least = _least(verdict) if logarithmic else 0.0
        _allowed(axes, allowed_region(verdict), least)
        for place, seen in reversed(list(enumerate(verdict.events[:MOST_EVENTS]))):
            _event(axes, seen, least, told=place == 0)
        for side in COLORS:
            if any(seen.likely_on == side for seen in verdict.events):
                axes.plot(
                    [], [], MARKS[side], color=COLORS[side], label=f"likely on {side}"
                )
        ends = (least, 1.3) if logarithmic else UNIT
        if logarithmic:
            axes.set_xscale("log")
            axes.set_yscale("log")
        axes.set_xlim(*ends)
        axes.set_ylim(*ends)
        drawn_legend(axes, 2)
        return figure


def _allowed(axes: Any, region: AllowedRegion, least: float) -> None:
    points = [(float(q), float(p)) for q, p in region.boundary()]
    if least:
        points = [(least, float(region.most(Fraction(least)))), *points[1:]]
        points = [point for point in points if point[0] >= least]
    at = [q for q, _ in points]
    most = [p for _, p in points]
    axes.fill_between(at, [least] * len(at), most, color=SERIES[0], alpha=0.15, lw=0)
    axes.plot(at, most, color=SERIES[0], label="limit of the claim")
    axes.plot(
        [least, 1], [least, 1], ":", color=SOFT, linewidth=1, label="no difference"
    )


def _event(axes: Any, seen: ObservedEvent, least: float, told: bool) -> None:
    """The region of an event as a box, and its frequencies as a mark."""
    color = COLORS[seen.likely_on]
    left, right = (max(end, least) for end in seen.q.floats())
    low, high = (max(end, least) for end in seen.p.floats())
    corners = ([left, right, right, left], [low, low, high, high])
    axes.fill(*corners, facecolor=color, alpha=0.12, lw=0)
    axes.fill(*corners, fill=False, edgecolor=color, linewidth=1.6 if told else 0.8)
    q, p = _seen(seen)
    size = 7 if told else 4
    edge = INK if told else color
    axes.plot(
        [max(q, least)],
        [max(p, least)],
        MARKS[seen.likely_on],
        color=color,
        markersize=size,
        markeredgecolor=edge,
    )


def _seen(seen: ObservedEvent) -> tuple[float, float]:
    """The observed frequencies: on the other input, and where the event is likely."""
    return seen.rare_hits / seen.trials, seen.likely_hits / seen.trials


def _least(verdict: CodeVerdict) -> float:
    """Where logarithmic axes begin: below one hit in all trials of the rarest event."""
    shares = [
        max(hits, 0.5) / seen.trials
        for seen in verdict.events[:MOST_EVENTS]
        for hits in (seen.likely_hits, seen.rare_hits)
    ]
    return min([*shares, 0.1]) / 3
