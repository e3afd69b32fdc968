"""Where the words of the book live, by the stub ``words.pyi``: the table that type checkers read,
and that ``words.py`` reads.
"""

import ast
import importlib
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("words.pyi")

Home = tuple[str, str]
"""A module, and a name in it; the name is empty for the module itself."""


@cache
def homes() -> dict[str, Home]:
    """Where each word lives, by the imports of the stub."""
    return homes_in(TABLE.read_text(encoding="utf-8"))


def homes_in(text: str) -> dict[str, Home]:
    """The homes that a stub says; a leading underscore is not part of a word."""
    known = dict[str, Home]()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                word = (alias.asname or alias.name).removeprefix("_")
                known[word] = home_of(node, alias)
    return known


def home_of(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> Home:
    """Where an import finds a name."""
    if isinstance(node, ast.Import):
        return alias.name, ""
    return node.module or "", alias.name


def at_home(home: Home) -> Any:
    """What lives there; a module of a package may have to be loaded first."""
    module, name = home
    loaded = importlib.import_module(module)
    if not name:
        return loaded
    if not hasattr(loaded, name):
        return importlib.import_module(f"{module}.{name}")
    return getattr(loaded, name)
