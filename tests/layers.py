"""The layers of the package: what each imports, by its sources and by docs/architecture.md."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "rdpacct"
PAGE = ROOT / "docs" / "architecture.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
"""A row of the table of layers: its name, what it holds, and what it imports."""


@cache
def imports(path: Path) -> frozenset[str]:
    """The names of all modules that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            names.add(node.module or "")
    return frozenset(names)


def layer(module: str) -> str:
    """The layer of a dotted module name."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def documented() -> dict[str, set[str]]:
    """For each layer of the page, the layers that it may import besides itself."""
    rows = ROW.findall(PAGE.read_text())
    return {name: set(re.findall(r"`(\w+)`", below)) for name, _, below in rows}


def imported() -> dict[str, set[str]]:
    """For each layer of the package, the layers that it imports besides itself."""
    used: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        inside = (name for name in imports(path) if name.split(".")[0] == "rdpacct")
        used.setdefault(own, set()).update(layer(name) for name in inside)
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
