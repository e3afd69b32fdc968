"""Independent draws from a strategy, and the smallest example like one that was drawn.

What hypothesis tries in a test is a search: each example depends on those before. Here every draw
is made from fresh random bytes, so that draws are independent and have one law, which is whatever
the strategy makes of such bytes.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.database import InMemoryExampleDatabase

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.testing.strategies.installed import SearchStrategy

BYTES = 8192
MOST_TRIES = 100
"""How many draws may come to nothing, one after the other, because a filter refuses them."""
QUIET = settings(
    database=None,
    deadline=None,
    derandomize=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.reuse, Phase.shrink),
    report_multiple_bugs=False,
    print_blob=False,
)


@dataclass(frozen=True)
class StrategyDraw:
    """A value that a strategy made of random bytes, and these."""

    value: Any
    bytes_: bytes


def draw_once(strategy: SearchStrategy[Any], seed: int) -> StrategyDraw:
    """One draw; the same for the same seed, and independent of that for another."""
    source = random.Random(seed)
    values = list[Any]()

    @QUIET
    @given(strategy)
    def keep(value: Any) -> None:
        values.append(value)

    for _ in range(MOST_TRIES):
        bytes_ = source.randbytes(BYTES)
        if keep.hypothesis.fuzz_one_input(bytes_) is not None:  # type: ignore[attr-defined]
            return StrategyDraw(values[-1], bytes_)
    raise InputError(
        f"{shorten(repr(strategy))} refused {MOST_TRIES} draws; give a strategy whose"
        " filters let more pass."
    )


class StillBroken(Exception):
    """A value that has the property for which a smaller one is sought."""


def shrunk(
    strategy: SearchStrategy[Any], drawn: StrategyDraw, broken: Callable[[Any], bool]
) -> Any:
    """The smallest value found from a draw on which ``broken`` is still true.

    ``broken`` must answer the same whenever it is asked the same.
    """
    broken_values = [drawn.value]

    @settings(QUIET, database=InMemoryExampleDatabase())
    @given(strategy)
    def seek(value: Any) -> None:
        if broken(value):
            broken_values.append(value)
            raise StillBroken

    with suppress(StillBroken):  # which keeps the bytes for the call below
        seek.hypothesis.fuzz_one_input(drawn.bytes_)  # type: ignore[attr-defined]
    with suppress(StillBroken):
        seek()
    return broken_values[-1]
