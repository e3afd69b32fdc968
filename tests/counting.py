"""How much a piece of code does, counted: the same on every machine, however busy it is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from rdpacct.work import Budget


@dataclass
class Count:
    """What was counted so far."""

    number: int = 0


@contextmanager
def counted_calls() -> Iterator[Count]:
    """The calls of functions, those of the interpreter's own among them."""
    count = Count()

    def called(_frame: FrameType, event: str, _about: Any) -> None:
        if event in ("call", "c_call"):
            count.number += 1

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield count
    finally:
        sys.setprofile(before)


@contextmanager
def counted_work() -> Iterator[Count]:
    """The units of work that all questions together take, about a microsecond each."""
    count = Count()
    spend = Budget.spend

    def counting(budget: Budget, units: int) -> None:
        spend(budget, units)
        count.number += units

    Budget.spend = counting  # type: ignore[assignment]
    try:
        yield count
    finally:
        Budget.spend = spend  # type: ignore[method-assign]
