"""The page of a report: a template with every text escaped, and pictures inside."""

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError, NotInstalledError
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import decimal_text, shorten
from rdpacct.report import words
from rdpacct.report.attacks import PRIORS
from rdpacct.report.contents import PrivacyReport
from rdpacct.report.data import data_of
from rdpacct.report.losses import LossLine
from rdpacct.report.pictures import (
    Drawn,
    epsilon_delta_figure,
    losses_figure,
    svg_of,
    tradeoff_figure,
)
from rdpacct.report.svg import inlined
from rdpacct.report.template import rendered

TEMPLATE = "page.html.j2"
WEB = re.compile(r"https?://|[^:]*\Z")
"""Addresses that a page may link to: of the web, or relative ones."""
ROWS = 21
"""About how many rows the table behind a picture has."""


def page_of(report: PrivacyReport, book: str = "") -> str:
    """The page as HTML."""
    book_page = _book_page(book)
    return rendered(
        TEMPLATE,
        _pictures(report),
        report=report,
        data=data_of(report),
        words=words,
        priors=PRIORS,
        exactly=decimal_text,
        is_infinite=_is_infinite,
        some=_some,
        book_page=book_page,
    )


def _book_page(book: str) -> Callable[[str], str]:
    """The address of the page of a theorem; empty if there is no book."""
    if not book:
        return lambda _: ""
    if not WEB.match(book):
        raise InputError(
            f"the address of the book is '{shorten(book)}'; give a folder beside the"
            " page, such as book, or an address that begins with https://."
        )
    from rdpacct.book.pages.entry import page_name

    return lambda theorem: f"{book.rstrip('/')}/{page_name(theorem)}"


def _is_infinite(bound: Bound) -> bool:
    return math.isinf(bound.upper)


def _some(points: Sequence[Any]) -> list[tuple[int, Any]]:
    """Some of the points, evenly, the first and the last among them, each with its place."""
    step = max(1, (len(points) - 1) // (ROWS - 1))
    places = sorted({*range(0, len(points), step), len(points) - 1})
    return [(place, points[place]) for place in places]


def _pictures(report: PrivacyReport) -> dict[str, str]:
    """The pictures by name, as elements of the page; none if there is nothing to draw with."""
    try:
        return _all_pictures(report)
    except NotInstalledError:
        return {}


def _all_pictures(report: PrivacyReport) -> dict[str, str]:
    mark = (Fraction(report.delta.bound().upper), report.epsilon)
    drawn = {
        "profile": (
            epsilon_delta_figure(report.profile, mark),
            "Delta against epsilon",
            "A falling curve on a logarithmic axis, with both ends of each enclosure;"
            " the table below has its numbers.",
        ),
    }
    if report.tests is not None:
        drawn["tests"] = (
            tradeoff_figure(report.tests),
            "True positives against false positives of the best test",
            "A rising curve above the diagonal of guessing, with both ends of each"
            " enclosure; the table below has its numbers.",
        )
    if report.losses:
        drawn["losses"] = (
            losses_figure([_drawn(line) for line in report.losses]),
            "Probability of a larger privacy loss",
            "A falling curve for the whole plan, and one for each release; the table"
            " below has the numbers of the plan.",
        )
    return {
        name: inlined(svg_of(figure, name), name, title, description)
        for name, (figure, title, description) in drawn.items()
    }


def _drawn(line: LossLine) -> Drawn:
    return Drawn(line.name, line.at, line.bounds)
