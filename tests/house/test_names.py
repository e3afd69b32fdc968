"""Names that mean one thing: no two classes of the package have the same name, and no alias of a
type has that of a class or of another type.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.layers import PACKAGE

STANDS_ALONE = ("check", "budget", "audit")
"""The checkers in proof/, each of which is read on its own, and has words of its own."""


def shared_names(folder: Path) -> set[str]:
    """The names of classes that are defined more than once below a folder."""
    names = Counter(
        node.name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    )
    return {name for name, count in names.items() if count > 1}


def shared_aliases(folder: Path) -> set[str]:
    """The names of aliases of types that stand for several types below a folder, or are those of
    classes.
    """
    meanings = dict[str, set[str]]()
    classes = set[str]()
    for path in folder.rglob("*.py"):
        if path.parent.name in STANDS_ALONE and path.parent.parent.name == "proof":
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                classes.add(node.name)
        for name, meaning in aliases(path):
            meanings.setdefault(name, set()).add(meaning)
    return {
        name
        for name, several in meanings.items()
        if len(several) > 1 or name in classes
    }


def aliases(path: Path) -> Iterator[tuple[str, str]]:
    """The aliases of types in a file, with what each stands for; variables of types are none."""
    for node in ast.parse(path.read_text()).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if (
            isinstance(node, ast.AnnAssign)
            and ast.unparse(node.annotation) == "TypeAlias"
        ):
            target = node.target
        if not isinstance(target, ast.Name) or target.id.isupper():
            continue
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if target.id[0].isupper() and value is not None:
            meaning = ast.unparse(value)
            if not meaning.startswith(("TypeVar(", "ParamSpec(")):
                yield target.id, meaning


KNOWN = {
    *("Counts", "Dot", "Events", "Moves", "Rows", "Sums", "Tilted"),
    *("Asked", "Draw", "Masses", "Point"),
    "Terms",
}
"""Those that are left: in the first two rows, local aliases of mechanisms and composition; the
last is a word that entries of the book use.
"""


def test_a_class_has_its_name_alone() -> None:
    """A reader who knows a name from one file is not misled in another."""
    assert shared_names(PACKAGE) == set()


def test_an_alias_has_its_name_alone() -> None:
    """Also the short name of a type; one that is the same everywhere misleads nobody."""
    assert shared_aliases(PACKAGE) == KNOWN


def test_a_second_class_of_a_name_is_found(tmp_path: Path) -> None:
    """The check itself can fail."""
    (tmp_path / "one.py").write_text("class Rule: ...\n")
    (tmp_path / "two.py").write_text("class Rule: ...\nclass Other: ...\n")
    assert shared_names(tmp_path) == {"Rule"}


def test_a_second_meaning_of_an_alias_is_found(tmp_path: Path) -> None:
    """Of another type, or of a class; not the same one twice, and no variable."""
    (tmp_path / "one.py").write_text(
        "class Law: ...\nPair = tuple[int, int]\nKey = str\nT = TypeVar('T')\n"
    )
    (tmp_path / "two.py").write_text(
        "Law: TypeAlias = dict\nPair = list[int]\nKey = str\nMOST = 3\n"
    )
    assert shared_aliases(tmp_path) == {"Law", "Pair"}
