"""The page of all files of the package, each with what it is about: ``docs/files.md``."""

import ast
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = ROOT / "docs" / "files.md"
HEAD = """# File by file

This page is made from the first sentences of the files by `make docs`.
[The house](architecture.md) says how they work together.
"""


def files_page() -> str:
    """A table for each folder, and a row for each file that says something."""
    paths = (ROOT / "rdpacct").rglob("*.py")
    ordered = sorted(paths, key=lambda path: (path.parent.parts, path.name))
    lines = [HEAD]
    for folder, inside in groupby(ordered, key=lambda path: path.parent):
        rows = [(path.name, _about(path)) for path in inside]
        lines += [f"## `{folder.relative_to(ROOT).as_posix()}`", ""]
        lines += ["| File | What it is about |", "| --- | --- |"]
        lines += [f"| `{name}` | {about} |" for name, about in rows if about]
        lines.append("")
    return "\n".join(lines)


def _about(path: Path) -> str:
    """The first sentence of a module."""
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    sentence = " ".join(text.split("\n\n")[0].split()).split(". ")[0]
    return sentence.rstrip(".").replace("|", "\\|")
