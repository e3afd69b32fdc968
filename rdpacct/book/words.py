"""The words of the book: all that its entries are written with, under one name each.

An entry has one import, ``from rdpacct.book.words import ...``. The stub beside this file says
where each word lives; one that several homes have has its home in front (``gaussian_mean``). A word
is imported when it is first asked for, so that an entry loads what it needs and no more.
"""

from typing import Any

from rdpacct.book.vocabulary import at_home, homes


def __getattr__(name: str) -> Any:
    if name.startswith("__") or name not in homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = at_home(homes()[name])
    globals()[name] = value
    return value
