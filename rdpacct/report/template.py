"""Templates of pages: every text escaped, one style for all, and numbers rounded to their side."""

from collections.abc import Mapping
from importlib import resources
from typing import Any

from rdpacct.exact.bound import End, decimal_down, decimal_up
from rdpacct.report.extras import load

FOLDER, STYLE = "rdpacct.report", "page.css"
DIGITS = 10
"""The digits of an end on a page, rounded outwards."""


def rendered(template: str, pictures: Mapping[str, str], **values: Any) -> str:
    """A page: a template of this folder with values, and with pictures, which are not escaped."""
    jinja = load("jinja2", "report pages are built")
    environment = jinja.Environment(
        autoescape=True,
        undefined=jinja.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    markup = jinja.utils.markupsafe.Markup
    page: str = environment.from_string(_file(template)).render(
        style=markup(_file(STYLE)),
        pictures={name: markup(svg) for name, svg in pictures.items()},
        down=_down,
        up=_up,
        **values,
    )
    return page


def _file(name: str) -> str:
    return resources.files(FOLDER).joinpath(name).read_text("utf-8")


def _down(end: End, digits: int = DIGITS) -> str:
    return decimal_down(end, digits)


def _up(end: End, digits: int = DIGITS) -> str:
    return decimal_up(end, digits)
