"""The table of the broken twins in ``docs/broken-twins.md``: ``python -m tests.twins_page`` writes
it.
"""

from pathlib import Path

from rdpacct.testing import TWINS, Twin
from rdpacct.testing.twins.truth import truly

PAGE = Path(__file__).parents[1] / "docs" / "broken-twins.md"
RULE = "| --- | --- | --- | --- | --- | --- |"


def row(twin: Twin) -> str:
    """The row of a twin, with what its broken version certainly has."""
    cells = (
        f"`{twin.name}`",
        f"`{twin.claim}`",
        truly(twin),
        f"{twin.trials:,}",
        twin.note,
        twin.source,
    )
    return f"| {' | '.join(cells)} |"


def page_with_twins() -> str:
    """The page with a row for each twin."""
    before, after = PAGE.read_text().split(f"{RULE}\n")
    rest = after[after.index("\n## ") :]
    rows = "\n".join(row(twin) for twin in TWINS)
    return f"{before}{RULE}\n{rows}\n{rest}"


if __name__ == "__main__":
    PAGE.write_text(page_with_twins())
