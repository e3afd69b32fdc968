"""Where the theorem book is: inside an installed package, or beside it in a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def folder() -> Path:
    """The folder of the entries and their certificates."""
    inside = PACKAGE / "_theorems"
    if inside.is_dir():
        return inside
    return PACKAGE.parent / "theorems"
