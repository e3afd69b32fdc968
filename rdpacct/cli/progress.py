"""Progress of long work: a bar on the error output if that is a terminal, and nothing elsewhere.

The bar is drawn by tqdm, which is optional: without it the work is done in silence.
"""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

Tell: TypeAlias = Callable[[int, str], None]
"""Told how much of the work is done, and what is being done."""


@contextmanager
def bar(total: int, shown: bool = True) -> Iterator[Tell]:
    """A bar of a number of steps, which is cleared at the end; hidden if it is not to be shown."""
    if not (shown and is_drawn()):
        yield _silent
        return
    from tqdm import tqdm

    with tqdm(total=total, file=sys.stderr, leave=False, dynamic_ncols=True) as drawn:

        def tell(done: int, what: str = "") -> None:
            drawn.set_postfix_str(what, refresh=False)
            drawn.n = done
            drawn.refresh()

        yield tell


def is_drawn() -> bool:
    """Whether there is a terminal to draw on, and something to draw with."""
    return sys.stderr.isatty() and importlib.util.find_spec("tqdm") is not None


def _silent(done: int, what: str = "") -> None:
    """Says nothing."""
