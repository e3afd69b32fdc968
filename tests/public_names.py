"""What ``rdpacct/__init__.pyi`` says to type checkers, made from the public names."""

from pathlib import Path

import rdpacct
from rdpacct.mechanisms import ours

STUB = Path(rdpacct.__file__).with_suffix(".pyi")
WIDTH = 88
CONSTANTS = (
    "__version__: str",
    "MODULES: tuple[str, ...]",
    "HOMES: dict[str, tuple[str, ...]]",
)


def homes() -> dict[str, str]:
    """The module of each public name that is not a module itself."""
    listed = {
        name: f"rdpacct.{module}"
        for module, names in rdpacct.HOMES.items()
        for name in names
    }
    return listed | {name: cls.__module__ for name, cls in ours().items()}


def stub() -> str:
    """The text of the stub."""
    modules = sorted(module for module in rdpacct.MODULES if "." not in module)
    by_home = {"rdpacct": modules}
    for name, home in sorted(homes().items(), key=lambda entry: _rank(entry[0])):
        by_home.setdefault(home, []).append(name)
    imports = [_import(home, by_home[home]) for home in sorted(by_home)]
    names = sorted([*modules, *homes()], key=_rank)
    return "\n".join(
        [*imports, "", *CONSTANTS, "", "__all__ = [", *map(_quoted, names), "]", ""]
    )


def _import(home: str, names: list[str]) -> str:
    line = f"from {home} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join(
        [f"from {home} import (", *(f"    {name}," for name in names), ")"]
    )


def _quoted(name: str) -> str:
    return f'    "{name}",'


def _rank(name: str) -> tuple[int, str]:
    """Constants first, then classes, then functions, as the linter sorts names."""
    if name.isupper():
        return 0, name
    return (1, name) if name[0].isupper() else (2, name)
