"""The column of lines in the table of what is trusted, in ``docs/trust.md``."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TRUST = ROOT / "docs" / "trust.md"
ROW = re.compile(r"^\| (.*`rdpacct/.*) \| \d+ \|$", re.MULTILINE)
"""A row of the table: the files and folders that it names, and how many lines they have."""
NAMED = re.compile(r"`(rdpacct/[^`]+)`")
ROUNDED = 100
"""Counts are rounded up to multiples of this, so that small changes leave the page alone."""


def page_with_line_counts() -> str:
    """The page with the number of lines that each row of its table has today."""
    return ROW.sub(_counted, TRUST.read_text())


def _counted(row: re.Match[str]) -> str:
    """A row with the number of lines of all that it names."""
    lines = sum(_length(ROOT / name) for name in NAMED.findall(row[1]))
    return f"| {row[1]} | {-(-lines // ROUNDED) * ROUNDED} |"


def _length(path: Path) -> int:
    """The number of lines of a file, or of all files of a folder."""
    files = path.rglob("*.py") if path.is_dir() else [path]
    return sum(len(file.read_text().splitlines()) for file in files)
