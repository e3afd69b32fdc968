"""Attributes that are computed when they are first asked for, without a lock.

Before Python 3.12 the ``cached_property`` of functools holds a lock of its own while it computes.
Two threads wait for each other then, if one has it and waits for the lock on the precision, and the
other the other way round. Here two threads may compute the same value at the same time, which does
no harm.

They keep a value alone. What rests on rules with theorems is kept by ``recorded_property`` or
``remembered_property`` of provenance, and what only steers is a ``planning``; a test watches them.
"""

from array import array
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

from rdpacct.work import charge, kept, steps_of

Value = TypeVar("Value")


class lazy_property(Generic[Value]):  # noqa: N801
    """A method without arguments that is called once for each object; its value is kept with the
    object.

    For a value that takes no counted work, or whose object serves one question only: it is free
    when it is read again.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        value: Value = self.compute(instance)
        instance.__dict__[self.name] = value
        return value


class cached_property(lazy_property[Value]):  # noqa: N801
    """The same for a value that may take counted work, which costs as much each time it is read."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.costly = f"{name}, with its work"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        known: tuple[Value, array[int]] | None = instance.__dict__.get(self.costly)
        if known is None:
            with kept((id(instance), self.costly)) as work:
                value = self.compute(instance)
            if work.spent == 0:
                free: Value = instance.__dict__.setdefault(self.name, value)
                return free
            known = instance.__dict__.setdefault(self.costly, (value, steps_of(work)))
        charge(known[1], (id(instance), self.costly), instance)
        return known[0]
