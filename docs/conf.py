"""How the documentation becomes a site: ``make site`` builds it, and every warning is an error."""

import re
from pathlib import Path

from sphinx.application import Sphinx

import rdpacct

project = "rdpacct"
release = rdpacct.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"rdpacct {release}"
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
autodoc_typehints = "none"
autodoc_member_order = "bysource"
highlight_language = "none"
suppress_warnings = [
    "myst.header"
]  # pages of the book begin their sections at any level

OUTSIDE = {
    "](../CONTRIBUTING.md)": "](contributing.md)",
    "](../CHANGELOG.md)": "](changes.md)",
}
EXAMPLES = Path(__file__).parents[1] / "examples"


def _inside(app: Sphinx, name: str, source: list[str]) -> None:
    """Links to files beside the pages lead to the pages that include them."""
    for outside, page in OUTSIDE.items():
        source[0] = source[0].replace(outside, page)
    for example in EXAMPLES.glob("*.py"):
        link = f"](../examples/{example.name})"
        source[0] = source[0].replace(link, f"](examples.md#{example.stem})")


def _as_text(
    app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Docstrings are plain text with formulas: stars and bars in them are no markup."""
    for place, line in enumerate(lines):
        parts = line.split("``")
        parts[::2] = [re.sub(r"([*|_])", r"\\\1", part) for part in parts[::2]]
        lines[place] = "``".join(parts)


def setup(app: Sphinx) -> None:
    """Have links and docstrings rewritten as they are read."""
    app.connect("source-read", _inside)
    app.connect("autodoc-process-docstring", _as_text)
