"""Names that mean one thing: no two classes of the package have the same name."""

import ast
from collections import Counter
from pathlib import Path

from tests.layers import PACKAGE


def shared_names(folder: Path) -> set[str]:
    """The names of classes that are defined more than once below a folder."""
    names = Counter(
        node.name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    )
    return {name for name, count in names.items() if count > 1}


def test_a_class_has_its_name_alone() -> None:
    """A reader who knows a name from one file is not misled in another."""
    assert shared_names(PACKAGE) == set()


def test_a_second_class_of_a_name_is_found(tmp_path: Path) -> None:
    """The check itself can fail."""
    (tmp_path / "one.py").write_text("class Rule: ...\n")
    (tmp_path / "two.py").write_text("class Rule: ...\nclass Other: ...\n")
    assert shared_names(tmp_path) == {"Rule"}
