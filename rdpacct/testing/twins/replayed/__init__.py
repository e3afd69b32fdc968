"""Broken twins that a replay tells apart: code whose noise is not what is declared of it.

Each file has one pair; they are found there, and listed nowhere. Never use a broken one on private
data.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin

__all__ = ["REPLAYED_TWINS", "ReplayedTwin"]

REPLAYED_TWINS: tuple[ReplayedTwin, ...]
"""All pairs of all files, in the order of their names."""


def __getattr__(name: str) -> Any:
    if name != "REPLAYED_TWINS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = tuple(sorted(_found(), key=lambda twin: twin.name))
    return globals()[name]


def _found() -> Iterator[ReplayedTwin]:
    for file in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{file.name}")
        for value in vars(module).values():
            if isinstance(value, ReplayedTwin):
                yield value
