"""What an answer rests on: rules tagged with their theorems, and a record of the rules that took
part.

A rule is a function tagged ``@by("chapter/entry")``. While an answer is worked out, every rule that
runs is recorded; the answer carries the record. Three things are not evidence: a rule that ran in
doubles, which only plans; an attempt that was given up; and a value of a cache that was not asked
for. A cached value brings its record with it, and the work that it took.
"""

from array import array
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from copy import copy
from functools import lru_cache, wraps
from math import isinf
from typing import (
    Any,
    ClassVar,
    Generic,
    ParamSpec,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from rdpacct.work import (
    ONE_POINT,
    adapted,
    charge,
    fits,
    is_asked,
    kept,
    own_values,
    question,
    steps_of,
)

P = ParamSpec("P")
R = TypeVar("R")


class AttemptRecord(set[str]):
    """The theorems used by work that may be given up; a plain set has those of one call of a rule:
    its own, and those of the rules that it called.
    """


class Scope:
    """Where the theorems of what is running now are collected: one object for each outermost
    question, so that a rule need not set a variable of the context.
    """

    __slots__ = ("used",)

    def __init__(self, used: set[str]) -> None:
        self.used = used


_scope: ContextVar[Scope | None] = ContextVar(
    "where theorems are collected", default=None
)


def by(theorem: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Tag a function as resting on a theorem of the book, as in ``@by("cdp/gaussian")``."""

    def tag(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def rule(*args: P.args, **kwargs: P.kwargs) -> R:
            scope = _scope.get()
            if scope is None:
                with attempt():
                    return rule(*args, **kwargs)
            outer = scope.used
            own = scope.used = {theorem}
            try:
                result = function(*args, **kwargs)
            finally:
                scope.used = outer
            # a rule that ran in doubles only plans: no double is in an answer but an infinity
            if not isinstance(result, float) or isinf(result):
                outer |= own
            return result

        rule.theorem = theorem  # type: ignore[attr-defined]
        return rule

    return tag


def record(theorems: Iterable[str]) -> None:
    """Add theorems to what the answer that is being worked out rests on."""
    scope = _scope.get()
    if scope is not None:
        scope.used.update(theorems)


def built_by() -> frozenset[str]:
    """The theorems of the rule that is running, which what it builds rests on; none outside of a
    rule.
    """
    scope = _scope.get()
    if scope is None or isinstance(scope.used, AttemptRecord):
        return NO_THEOREMS
    used = frozenset(scope.used)
    return _built.setdefault(used, used)


NO_THEOREMS = frozenset[str]()
_built: dict[frozenset[str], frozenset[str]] = {}
"""One set for all that is built by the same rules: a plan of many releases is full of them."""


class attempt:  # noqa: N801
    """Work that may be given up: its theorems count only if they are handed to ``record``
    afterwards.
    """

    __slots__ = ("outer", "scope", "token")

    def __enter__(self) -> set[str]:
        used = AttemptRecord()
        scope = _scope.get()
        if scope is None:
            self.token = _scope.set(Scope(used))
            self.scope = None
            return used
        self.scope = scope
        self.outer = scope.used
        scope.used = used
        return used

    def __exit__(self, *_: object) -> None:
        if self.scope is None:
            _scope.reset(self.token)
        else:
            self.scope.used = self.outer


class Grounded:
    """What is built for questions, such as a loss: it carries the theorems that it was built by to
    every answer.
    """

    __slots__ = ()
    rests_on: frozenset[str]

    def resting_also_on(self, theorems: Iterable[str]) -> Self:
        """The same, which rests on these theorems too."""
        every = self.rests_on.union(theorems)
        if every == self.rests_on:
            return self
        grounded = copy(self)
        object.__setattr__(grounded, "rests_on", every)
        return grounded


def builder(function: Callable[P, R]) -> Callable[P, R]:
    """A function that builds what is asked later: that carries the theorems that were used here.
    Within a question, which collects them itself, it does not need to.
    """
    if hasattr(function, "hands_on_its_record"):
        return function

    @wraps(function)
    def build(*args: P.args, **kwargs: P.kwargs) -> R:
        if _scope.get() is not None:
            return function(*args, **kwargs)
        with attempt() as used:
            built = function(*args, **kwargs)
        return (
            cast("R", built.resting_also_on(used))
            if isinstance(built, Grounded)
            else built
        )

    build.hands_on_its_record = True  # type: ignore[attr-defined]
    return build


def planning(function: Callable[P, R]) -> Callable[P, R]:
    """A function that only steers: what it gives is in no answer, so that the rules that run for
    it are not evidence, whether or not its value is kept.
    """

    @wraps(function)
    def plan(*args: P.args, **kwargs: P.kwargs) -> R:
        scope = _scope.get()
        if scope is None:
            return function(*args, **kwargs)
        outer = scope.used
        scope.used = AttemptRecord()
        try:
            return function(*args, **kwargs)
        finally:
            scope.used = outer

    return plan


POINTS = ("delta", "epsilon")
"""The questions about one point of a profile."""


def answered(function: Callable[P, R]) -> Callable[P, R]:
    """A question: its answer carries the theorems that took part in it, with those of what is
    asked.

    The outermost question has a budget of work, and says if that was too little.
    """

    share = ONE_POINT if function.__name__ in POINTS else 1.0

    @wraps(function)
    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        short = False
        with attempt() as used:
            used.update(getattr(args[0], "rests_on", ()) if args else ())
            if is_asked():  # as a part of another question
                answer = function(*args, **kwargs)
            else:
                with question(share) as budget:
                    answer = function(*args, **kwargs)
                short = budget.cut or budget.coarse
        record(used)
        marked: R = _with_record(answer, frozenset(used), short)
        return marked

    ask.carries_its_record = True  # type: ignore[attr-defined]
    return ask


def passed_on(asked: Any, question: str, *given: Any) -> Any:
    """What another answers to the question that is running: its theorems are collected with those
    of this question, which marks the answer.
    """
    record(getattr(asked, "rests_on", ()))
    answer = getattr(type(asked), question)
    return getattr(answer, "__wrapped__", answer)(asked, *given)


class Asked:
    """What can be asked questions: every answer, also one that a subclass works out, carries its
    record.
    """

    __slots__ = ()
    questions: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, questions: Iterable[str] = (), **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.questions = cls.questions | frozenset(questions)
        for name in cls.questions & vars(cls).keys():
            method = vars(cls)[name]
            if not hasattr(method, "carries_its_record"):
                # the class of a dataclass with slots is made twice, from the same methods
                setattr(cls, name, answered(method))


def _with_record(answer: Any, used: frozenset[str], cut: bool) -> Any:
    if isinstance(answer, tuple):
        return tuple(_with_record(each, used, cut) for each in answer)
    if isinstance(answer, list):
        return [_with_record(each, used, cut) for each in answer]
    if cut and hasattr(answer, "cut_short"):
        answer = answer.cut_short()
    if hasattr(answer, "resting_on"):
        return answer.resting_on(used)
    return answer


def remembered(most: int | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A cache of at most this many results, each of which brings the theorems that it rests on and
    the work that it took.
    """

    def remember(function: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=most)
        def known(*args: Any, **kwargs: Any) -> tuple[R, frozenset[str], "array[int]"]:
            with (
                kept((id(known), args, tuple(kwargs.items()))) as work,
                attempt() as used,
            ):
                result = function(*args, **kwargs)
            return result, frozenset(used), steps_of(work)

        @wraps(function)
        def ask(*args: P.args, **kwargs: P.kwargs) -> R:
            result, used, steps = known(*args, **kwargs)  # type: ignore[arg-type]
            charge(steps, (id(known), args, tuple(kwargs.items())), known)
            record(used)
            return result

        ask.forget = known.cache_clear  # type: ignore[attr-defined]
        return ask

    return remember


KnownValue: TypeAlias = tuple[R, frozenset[str], "array[int]"]
"""A value with its theorems and the steps of its work."""


class remembered_property(Generic[R]):  # noqa: N801
    """A property that is worked out once, and brings its theorems and its work each time it is
    read.
    """

    def __init__(self, function: Callable[[Any], R]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"{name}, with its theorems"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> R: ...

    def __get__(self, instance: object | None, owner: type) -> Self | R:
        return self if instance is None else self._value(instance)

    def _value(self, instance: object) -> R:
        known: KnownValue[R] | None = instance.__dict__.get(self.name)
        if known is None:
            with kept((id(instance), self.name)) as work, attempt() as used:
                value = self.function(instance)
            fresh = value, frozenset(used), steps_of(work)
            known = cast(
                "KnownValue[R]", instance.__dict__.setdefault(self.name, fresh)
            )
        return self._paid(instance, known)

    def _paid(self, instance: object, known: KnownValue[R]) -> R:
        charge(known[2], (id(instance), self.name), instance)
        record(known[1])
        return known[0]


class recorded_property(remembered_property[R]):  # noqa: N801
    """The same for a value that takes no counted work, or whose object serves one question only:
    it is free when it is read again.
    """

    def _value(self, instance: object) -> R:
        known: tuple[R, frozenset[str]] | None = instance.__dict__.get(self.name)
        if known is None:
            with attempt() as used:
                value = self.function(instance)
            fresh = value, frozenset(used)
            known = cast(
                "tuple[R, frozenset[str]]",
                instance.__dict__.setdefault(self.name, fresh),
            )
        if known[1]:
            record(known[1])
        return known[0]


class adapted_property(remembered_property[R]):  # noqa: N801
    """The same for a property that makes do with less work where little is left.

    It is kept if nothing was cut. Otherwise it is made once for each answer, with what is left
    there, whether or not another answer had enough work for it.
    """

    def _value(self, instance: object) -> R:
        name = (id(instance), self.name)
        known: KnownValue[R] | None = instance.__dict__.get(self.name)
        if known is None or not fits(known[2], name):
            own = cast(
                "tuple[R, frozenset[str], object] | None", own_values().get(name)
            )
            if own is not None:
                record(own[1])
                return own[0]
            with adapted() as work, attempt() as used:
                value = self.function(instance)
            if work.cut:
                own_values()[name] = (value, frozenset(used), instance)
                record(used)
                return value
            fresh = value, frozenset(used), steps_of(work)
            known = cast(
                "KnownValue[R]", instance.__dict__.setdefault(self.name, fresh)
            )
        return self._paid(instance, known)
