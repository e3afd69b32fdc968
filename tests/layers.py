"""The layers of the package: what each imports, by its sources and by docs/architecture.md."""

import ast
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "rdpacct"
PAGE = ROOT / "docs" / "architecture.md"
TRUST = ROOT / "docs" / "trust.md"
ROW = re.compile(r"^\| `([\w/]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
"""A row of the table of layers: its name, what it holds, and what it imports."""
BY_FOLDER = "proof"
"""The layer whose folders have rows of their own: what is trusted there, and what is not."""


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """All imports of a file, anywhere in it; each file is read once."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return tuple(
        node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)
    )


@cache
def imports(path: Path) -> frozenset[str]:
    """The names of all modules that a file imports."""
    names: set[str] = set()
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{path} has a relative import"
            names.add(node.module or "")
    return frozenset(names)


@cache
def modules(path: Path) -> frozenset[str]:
    """The modules of the package that a file imports, also where it takes one from its folder."""
    names: set[str] = set()
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(name for name in names if file_of(name) is not None)


def file_of(module: str) -> Path | None:
    """The file of a module of the package; none if the name is not of one."""
    place = ROOT.joinpath(*module.split("."))
    if module.split(".")[0] != PACKAGE.name:
        return None
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.exists():
            return file
    return None


def reached(files: Iterable[Path]) -> dict[Path, Path | None]:
    """The files of the package that these import, and those that they import in turn, each with
    one that imports it; these themselves with none.
    """
    found: dict[Path, Path | None] = dict.fromkeys(files)
    left = list(found)
    while left:
        file = left.pop()
        for module in sorted(modules(file)):
            below = file_of(module)
            if below is not None and below not in found:
                found[below] = file
                left.append(below)
    return found


def trusted() -> list[Path]:
    """The files that docs/trust.md counts among what is trusted."""
    rows = re.findall(r"^\| (`rdpacct/.*?) \| \d+ \|$", TRUST.read_text(), re.MULTILINE)
    places = [ROOT / name for row in rows for name in re.findall(r"`([^`]*)`", row)]
    return [
        file
        for place in places
        for file in ([place] if place.is_file() else sorted(place.rglob("*.py")))
    ]


def layer(module: str) -> str:
    """The layer of a dotted module name."""
    _, *inside = module.split(".")
    if not inside:
        return "__init__"
    if inside[0] == BY_FOLDER and PACKAGE.joinpath(*inside[:2]).is_dir():
        return "/".join(inside[:2])
    return inside[0]


def layer_of(path: Path) -> str:
    """The layer of a file of the package."""
    inside = path.relative_to(PACKAGE).with_suffix("").parts
    return layer(".".join((PACKAGE.name, *inside)))


def documented() -> dict[str, set[str]]:
    """For each layer of the page, the layers that it may import besides itself."""
    rows = ROW.findall(PAGE.read_text())
    return {name: set(re.findall(r"`([\w/]+)`", below)) for name, _, below in rows}


def imported() -> dict[str, set[str]]:
    """For each layer of the package, the layers that it imports besides itself."""
    used: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        used.setdefault(layer_of(path), set()).update(map(layer, modules(path)))
    del used["__init__"]
    return {name: below - {name} for name, below in used.items()}


def page_with_layers() -> str:
    """The page with the imports of the sources in its table; a layer that is gone has no row."""
    used = imported()
    lines = []
    for line in PAGE.read_text().split("\n"):
        row = ROW.match(line)
        if row is None:
            lines.append(line)
        elif row[1] in used:
            below = ", ".join(f"`{name}`" for name in sorted(used[row[1]]))
            lines.append(f"| `{row[1]}` | {row[2]} | {below or 'nothing'} |")
    return "\n".join(lines)
