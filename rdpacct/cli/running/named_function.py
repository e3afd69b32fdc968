"""A function of the user, named as MODULE:FUNCTION, which every process imports for itself."""

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.remedies import did_you_mean

FORM = "give MODULE:FUNCTION, such as release:noisy_count"
CALLS = "give function(data, rng) or function(data, rng, size)"


@dataclass(frozen=True)
class NamedFunction:
    """A function by the names of its module and of itself; it is sent to other processes so, even
    if it is a lambda or a closure.
    """

    module: str
    name: str

    @property
    def function(self) -> Callable[..., Any]:
        """The function itself, imported once in each process."""
        function: Callable[..., Any] = imported(self.module, self.name)
        return function

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.function)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.function(*given, **named)

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"


@contextmanager
def modules_here() -> Iterator[None]:
    """Modules of the current folder can be imported, by processes that start meanwhile too."""
    before = list(sys.path)
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        sys.path[:] = before


def named_function(text: str) -> NamedFunction:
    """The function of that name, imported from the current folder or an installed package, and
    known to take data and a generator.
    """
    module, colon, name = text.strip().partition(":")
    shown = shorten(text)
    if not colon:
        raise InputError(
            f"the function '{shown}' has no module before a colon; {FORM}."
        )
    if module.endswith(".py") or "/" in module:
        stem = shorten(Path(module).stem)
        raise InputError(
            f"'{shorten(module)}' is a file and not a module; change to its folder and"
            f" give {stem}:{shorten(name) or 'FUNCTION'}."
        )
    for words in (module, name):
        if not all(word.isidentifier() for word in words.split(".")):
            raise InputError(f"the function '{shown}' is not a name of Python; {FORM}.")
    function = imported(module, name)
    _check_kind(function, shown)
    _check_call(function, shown)
    return NamedFunction(module, name)


@lru_cache(maxsize=32)
def imported(module: str, name: str) -> Any:
    """What a module calls by a name, with dots for parts of it."""
    loaded = _module(module)
    try:
        return reduce(getattr, name.split("."), loaded)
    except AttributeError:
        functions = [each for each, value in vars(loaded).items() if callable(value)]
        meant = did_you_mean(name, functions)
        remedy = f"did you mean {meant}?" if meant else "name a function that it has."
        raise InputError(
            f"the module {shorten(module)} has no '{shorten(name)}'; {remedy}"
        ) from None


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and _is_part(error.name, name):
            raise InputError(
                f"the module '{shorten(name)}' is neither in the current folder nor"
                " installed; run the command in the folder of the module."
            ) from None
        raise InputError(
            f"the module '{shorten(name)}' raised {type(error).__name__}"
            f" ({shorten(str(error), 120)}) as it was imported; give one that can be."
        ) from error


def _is_part(missing: str | None, name: str) -> bool:
    """Whether what is missing is the module itself or a package that it is in."""
    return missing is not None and f"{name}.".startswith(f"{missing}.")


def _check_kind(function: Any, shown: str) -> None:
    if not callable(function):
        raise InputError(
            f"'{shown}' is {shorten(repr(function))} and cannot be called; {CALLS}."
        )
    other = {
        "a coroutine": inspect.iscoroutinefunction,
        "a generator": inspect.isgeneratorfunction,
        "an asynchronous generator": inspect.isasyncgenfunction,
    }
    for kind, is_one in other.items():
        if is_one(function):
            raise InputError(
                f"'{shown}' gives {kind} and no output; give a function that returns"
                " what is released."
            )


def _check_call(function: Callable[..., Any], shown: str) -> None:
    """Refuse a function that cannot be called with data and a generator."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a compiled function without one: the first call will tell
    size = {"size": 1} if "size" in signature.parameters else {}
    try:
        signature.bind(None, None, **size)
    except TypeError as error:
        raise InputError(
            f"'{shown}' has the parameters {shorten(str(signature))} and cannot be"
            f" called so ({shorten(str(error), 80)}); {CALLS}."
        ) from None
