"""Which shipped functions the statements and proofs of an entry speak of.

A function is bound to its entry if building the statements calls it with a symbol, or if a proof
names it. A call with numbers alone binds nothing, nor does an attack.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

from rdpacct.exact.formula import Expr
from rdpacct.proof import entries
from rdpacct.proof.tactics.shipped import ComplexPair, Formal
from rdpacct.proof.theorem import Theorem

DEPTH = 3
"""So deep in the arguments of a call a symbol is looked for."""
TACTICS = "rdpacct.proof.tactics"


def unbound_rules(name: str) -> list[str]:
    """The rules of an entry that neither its statements nor its proofs speak of."""
    entry, called = _loaded(name)
    named = set(_named_by(entry, entries.module(name)))
    return sorted(
        rule.__qualname__
        for rule in entry.rules
        if _code(rule) not in called and _code(rule) not in named
    )


def _loaded(name: str) -> tuple[Theorem, set[CodeType]]:
    """The entry, loaded anew, and which of its rules were called with a symbol for it."""
    rules = {_code(rule) for rule in entries.theorem(name).rules}
    called = set[CodeType]()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code not in rules:
            return
        if any(map(is_symbolic, frame.f_locals.values())):
            called.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        return entries.assembled(entries.loaded_anew(name)), called
    finally:
        sys.setprofile(before)


def is_symbolic(value: Any, depth: int = DEPTH) -> bool:
    """Whether a value is a formula with a symbol, or stands for one, or holds one."""
    if isinstance(value, Formal | ComplexPair):
        return True
    if isinstance(value, Expr):
        return bool(value.symbols())
    if depth == 0 or isinstance(value, type | FunctionType | ModuleType):
        return False
    if isinstance(value, list | tuple | set | frozenset):
        return any(is_symbolic(part, depth - 1) for part in value)
    if isinstance(value, dict):
        return any(is_symbolic(part, depth - 1) for part in value.values())
    held = getattr(value, "__dict__", {}).values()
    return any(is_symbolic(part, depth - 1) for part in held)


def _named_by(entry: Theorem, module: ModuleType) -> Iterator[CodeType]:
    """The code of all functions that the proofs name, directly or through other functions of the
    entry and of the tactics.
    """
    waiting: list[Callable[..., object]] = []
    waiting += [part.proof for part in (*entry.parts, *entry.sharp) if part.proof]
    seen = set[CodeType]()
    while waiting:
        function = _function(waiting.pop())
        if function is None or function.__code__ in seen:
            continue
        seen.add(function.__code__)
        yield function.__code__
        if function.__module__ == module.__name__ or function.__module__.startswith(
            TACTICS
        ):
            waiting += _mentioned(function)


def _mentioned(function: FunctionType) -> Iterator[Callable[..., object]]:
    """What a function names among the globals of its module, and what it holds."""
    names = set(_names(function.__code__))
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        yield value
        yield from (
            getattr(value, attribute) for attribute in names if _has(value, attribute)
        )
    for cell in function.__closure__ or ():
        yield cell.cell_contents


def _has(value: object, name: str) -> bool:
    return isinstance(value, type) and callable(getattr(value, name, None))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code(rule: Callable[..., object]) -> CodeType:
    function = _function(rule)
    if function is None:
        raise TypeError(f"{rule} is not a function")
    return function.__code__


def _function(value: object) -> FunctionType | None:
    """The function itself, without what it is wrapped in."""
    while not isinstance(value, FunctionType) or hasattr(value, "__wrapped__"):
        if isinstance(value, MethodType):
            value = value.__func__
        elif isinstance(value, functools.partial):
            value = value.func
        elif isinstance(value, property):
            value = value.fget
        elif hasattr(value, "__wrapped__"):
            value = value.__wrapped__
        else:
            return None
    return value
