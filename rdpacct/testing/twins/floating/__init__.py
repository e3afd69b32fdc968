"""Broken twins of floating-point arithmetic: code that is private in real numbers, and not in
doubles.

Each file has one pair; they are found there, and listed nowhere. Never use a broken one on private
data.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

from rdpacct.testing.twins.floating.floating_twin import FloatingTwin

__all__ = ["FLOATING_TWINS", "FloatingTwin"]

FLOATING_TWINS: tuple[FloatingTwin, ...]
"""All pairs of all files, in the order of their names."""


def __getattr__(name: str) -> Any:
    if name != "FLOATING_TWINS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = tuple(sorted(_found(), key=lambda twin: twin.name))
    return globals()[name]


def _found() -> Iterator[FloatingTwin]:
    for file in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{file.name}")
        for value in vars(module).values():
            if isinstance(value, FloatingTwin):
                yield value
