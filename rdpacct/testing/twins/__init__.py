"""Broken twins: mechanisms beside versions of them that look alike and are not private.

Each file has the twins of one kind; they are found there, and listed nowhere. Never use a broken
one on private data.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

from rdpacct.testing.twins.twin import Twin

__all__ = ["TWINS", "Twin"]

TWINS: tuple[Twin, ...]
"""All twins of all files, in the order of their names."""


def __getattr__(name: str) -> Any:
    if name != "TWINS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = tuple(sorted(_found(), key=lambda twin: twin.name))
    return globals()[name]


def _found() -> Iterator[Twin]:
    for file in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{file.name}")
        yield from (value for value in vars(module).values() if isinstance(value, Twin))
