"""The classes of ours that public functions and methods say they return."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, get_args

OURS = "rdpacct"


def returned_by(value: object) -> set[type]:
    """The classes of ours that a public function returns, or the public methods of a class."""
    if not isinstance(value, type):
        return _returned(value)
    found = set[type]()
    for cls in value.__mro__:
        if cls.__module__.split(".")[0] != OURS:
            continue
        for method in _public_methods(cls):
            found |= _returned(method)
    return found


def _public_methods(cls: type) -> Iterator[object]:
    for name, value in vars(cls).items():
        if not name.startswith("_"):
            # Of a property, a cached one, and a method of the class the function inside counts.
            for inner in ("fget", "func", "__func__"):
                value = getattr(value, inner, value)
            yield value


def _returned(value: object) -> set[type]:
    function = inspect.unwrap(value) if callable(value) else value
    if not inspect.isfunction(function):
        return set()
    annotation = function.__annotations__.get("return")
    return _classes(annotation, inspect.getmodule(function))


def _classes(annotation: Any, module: ModuleType | None) -> set[type]:
    """The classes of ours in an annotation, which may be a text, or hold others."""
    if isinstance(annotation, str):
        named = [_named(name, module) for name in _names_in(annotation)]
        return set().union(*(_classes(value, module) for value in named))
    if isinstance(annotation, list):
        return set().union(*(_classes(value, module) for value in annotation))
    inside = get_args(annotation)
    if inside:
        return set().union(*(_classes(value, module) for value in inside))
    if isinstance(annotation, type) and annotation.__module__.split(".")[0] == OURS:
        return {annotation}
    return set()


def _names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def _named(name: str, module: ModuleType | None) -> Any:
    """What a name means in a module, also if it is imported for type checkers only."""
    if module is None or hasattr(module, name):
        return getattr(module, name, None)
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name in (alias.asname, alias.name) and node.module:
                    return getattr(importlib.import_module(node.module), alias.name)
    return None
