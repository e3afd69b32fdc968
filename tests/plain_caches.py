"""The caches of the package that keep a value without its theorems, watched from outside.

Such a cache loses what ran while its value was worked out: whoever reads the value again does not
name it. The tests find these by a set of their own around each of them.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from types import ModuleType
from typing import Any

import pytest

from rdpacct.exact.cached import cached_property, lazy_property
from rdpacct.provenance import attempt, record

LRU = type(lru_cache(maxsize=1)(lambda: None))
"""The kind of what ``lru_cache`` and ``cache`` of functools make."""
Lost = dict[str, set[str]]
"""The theorems that each cache loses, by the name of the function whose values it keeps."""


def modules() -> list[ModuleType]:
    """The modules of the package that are loaded."""
    names = [name for name in sys.modules if name.split(".")[0] == "rdpacct"]
    return [sys.modules[name] for name in names]


def forget_all() -> None:
    """Empty every cache that outlives an object, as if the process had just begun."""
    for module in modules():
        for value in list(vars(module).values()):
            forget = getattr(value, "forget", None) or getattr(
                value, "cache_clear", None
            )
            if callable(forget) and getattr(value, "__wrapped__", None):
                forget()


@contextmanager
def watched_caches() -> Iterator[Lost]:
    """What plain caches lose of what runs here."""
    lost: Lost = {}
    with pytest.MonkeyPatch.context() as patched:
        for kind in (lazy_property, cached_property):
            patched.setattr(kind, "__get__", _watched_property(kind.__get__, lost))
        watched: dict[Any, Callable[..., Any]] = {}
        for module in modules():
            for holder in (module, *_classes_of(module)):
                for name, value in list(vars(holder).items()):
                    if isinstance(value, LRU):
                        known = watched.get(value) or _watched_function(value, lost)
                        patched.setattr(holder, name, watched.setdefault(value, known))
        yield lost


def _classes_of(module: ModuleType) -> list[type]:
    values = vars(module).values()
    return [
        value
        for value in values
        if isinstance(value, type) and value.__module__ == module.__name__
    ]


def _watched_property(get: Callable[..., Any], lost: Lost) -> Callable[..., Any]:
    def watched(self: Any, instance: Any, owner: Any) -> Any:
        if instance is None:
            return self
        name = f"{self.compute.__module__}.{self.compute.__qualname__}"
        return _apart(name, lost, lambda: get(self, instance, owner))

    return watched


def _watched_function(known: Any, lost: Lost) -> Callable[..., Any]:
    name = f"{known.__module__}.{known.__qualname__}"

    @wraps(known)
    def watched(*args: Any, **kwargs: Any) -> Any:
        return _apart(name, lost, lambda: known(*args, **kwargs))

    return watched


def _apart(name: str, lost: Lost, compute: Callable[[], Any]) -> Any:
    """The value, with its theorems collected in a set of their own first."""
    with attempt() as own:
        value = compute()
    if own:
        lost.setdefault(name, set()).update(own)
        record(own)
    return value
