"""Counted work: every answer has one budget of it, so that how long it takes is bounded, whatever
    is asked.

What is costly says beforehand how much work it is, in units of about a microsecond. What does not
fit into what is left raises ``Exhausted``, and the caller falls back on the next best thing that is
known. Nothing looks at a clock, so that a question has the same answer on every machine. A value
that is kept costs each question that reads it as much as the one that made it, so that the answer
does not depend on what was asked before.
"""

import math
from array import array
from collections.abc import Callable, Hashable, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import TypeVar

from rdpacct.errors import UndecidedError

T = TypeVar("T")
R = TypeVar("R")

WHOLE = 10_000_000
"""The work of one answer."""
ONE_POINT = 1.5
"""How much more than that one point of a profile may take; a search asks for many points."""
MORE = 1.4
"""By which factor one of several may take more than an equal part."""
ENDLESS, MOST_UNITS = 1 << 100, 1e30
"""More than any budget has, as a whole number and as a double."""


class Exhausted(UndecidedError):
    """Work that does not fit into what is left of a budget."""

    def __init__(self) -> None:
        super().__init__(
            "the work that one answer may take is used up; ask about fewer releases or"
            " another point."
        )


@dataclass(slots=True)
class Budget:
    """The work that is left, how much was done, and whether anything did not fit."""

    left: int
    spent: int = 0
    cut: bool = False
    coarse: bool = False
    """Whether something was done with less work than it wanted."""
    paid: dict[Hashable, object] = field(default_factory=dict)
    """The kept values that were paid for, each with what it belongs to."""
    refused: dict[Hashable, int] = field(default_factory=dict)
    """The kept values that did not fit, each with what was left then."""
    own: dict[Hashable, object] = field(default_factory=dict)
    """Values that were made with less work than they want, which serve this answer alone."""
    steps: "array[int] | None" = None
    """Each piece of work that was done, for a value that is kept."""
    spent_uncut: int = 0
    """What was done before anything did not fit."""

    def spend(self, units: int) -> None:
        """Take work off the budget, or raise if it does not fit."""
        if units > self.left:
            self.fall_short()
            raise Exhausted
        self.left -= units
        self.spent += units
        if self.steps is not None:
            self.steps.append(units)

    def fall_short(self) -> None:
        """Note that something did not fit."""
        if not self.cut:
            self.spent_uncut = self.spent
        self.cut = True

    def add(self, other: "Budget") -> None:
        """Count what another budget that was part of this one has done."""
        self.left -= other.spent
        self.spent += other.spent
        self.coarse = self.coarse or other.coarse
        if other.cut:
            self.fall_short()
        if self.steps is not None:
            self.steps.append(other.spent)


_budget: ContextVar[Budget | None] = ContextVar(
    "the work that is left for an answer", default=None
)


def is_asked() -> bool:
    """Whether a question is being answered, which has a budget."""
    return _budget.get() is not None


def spend(units: float) -> None:
    """Count work that is about to be done; raise ``Exhausted`` if it does not fit.

    Outside of a question all fits.
    """
    budget = _budget.get()
    if budget is None:
        return
    whole = math.ceil(units) if units < MOST_UNITS else ENDLESS
    if whole > budget.left or budget.steps is not None:
        budget.spend(whole)
        return
    budget.left -= whole
    budget.spent += whole


def fitting(units: float) -> int:
    """How often work of this many units fits into what is left."""
    budget = _budget.get()
    if budget is None:
        return ENDLESS
    return budget.left // math.ceil(units)


def less_than_wanted() -> None:
    """Note that something is done with less work than it wants; it is only wider then."""
    budget = _budget.get()
    if budget is not None:
        budget.coarse = True


def used_up(part: float = 0.01) -> bool:
    """Whether less than this part of the work of an answer is left."""
    budget = _budget.get()
    return budget is not None and budget.left < part * WHOLE


class question:  # noqa: N801
    """An answer: the outermost one opens a budget, or a share of it, and all that it asks is paid
    from it.
    """

    __slots__ = ("share", "token")

    def __init__(self, share: float = 1.0) -> None:
        self.share = share
        self.token: Token[Budget | None] | None = None

    def __enter__(self) -> Budget:
        outer = _budget.get()
        if outer is not None:
            return Budget(outer.left)
        budget = Budget(math.floor(self.share * WHOLE))
        self.token = _budget.set(budget)
        return budget

    def __exit__(self, *_: object) -> None:
        if self.token is not None:
            _budget.reset(self.token)


class share:  # noqa: N801
    """Work for which only a part of what is left is there."""

    __slots__ = ("outer", "own", "part", "token")

    def __init__(self, part: float) -> None:
        self.part = part

    def __enter__(self) -> None:
        outer = _budget.get()
        self.outer = outer
        if outer is not None:
            left = math.floor(self.part * outer.left)
            self.own = Budget(
                left, paid=outer.paid, refused=outer.refused, own=outer.own
            )
            self.token = _budget.set(self.own)

    def __exit__(self, *_: object) -> None:
        if self.outer is not None:
            _budget.reset(self.token)
            self.outer.add(self.own)


def in_turn(ask: Callable[[T], R], asked: Sequence[T]) -> list[R]:
    """The answers of several to one question, each with a little more than an equal part of what is
    left.

    Those before seldom take all that they may.
    """
    answers = []
    for index, each in enumerate(asked):
        with share(min(1.0, MORE / (len(asked) - index))):
            answers.append(ask(each))
    return answers


class kept:  # noqa: N801
    """Work whose result is kept with its steps; ``charge`` pays for it, now and in each answer that
    reads it again.

    A result that does not fit is not kept. It costs the steps up to the first that did not fit, as
    reading it would.
    """

    __slots__ = ("name", "outer", "own", "token")

    def __init__(self, name: Hashable) -> None:
        self.name = name

    def __enter__(self) -> Budget:
        outer = _budget.get()
        if outer is not None:
            _refuse(outer, self.name)
        left = ENDLESS << 1 if outer is None else outer.left
        self.outer = outer
        self.own = Budget(left, steps=array("q"))
        self.token = _budget.set(self.own)
        return self.own

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        _budget.reset(self.token)
        if self.outer is not None:
            self.outer.coarse = self.outer.coarse or self.own.coarse
            if self.own.cut:
                _give_up(self.outer, self.name, self.own.spent_uncut)
            elif failure is not None:
                self.outer.add(self.own)
        if self.own.cut and failure is None:
            raise Exhausted


class adapted:  # noqa: N801
    """Work that makes do with what is left; its result is kept only if nothing was cut.

    A result that was cut depends on what is left, and serves the answer that runs alone.
    """

    __slots__ = ("budget", "outer", "token")

    def __enter__(self) -> Budget:
        outer = _budget.get()
        left = ENDLESS << 1 if outer is None else outer.left
        self.outer = outer
        self.budget = Budget(left, steps=array("q"))
        self.token = _budget.set(self.budget)
        return self.budget

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        _budget.reset(self.token)
        if self.outer is not None and (self.budget.cut or failure is not None):
            self.outer.add(self.budget)


def own_values() -> dict[Hashable, object]:
    """What the answer that runs has made for itself alone; nothing outside of answers."""
    budget = _budget.get()
    return {} if budget is None else budget.own


def fits(steps: "array[int]", name: Hashable) -> bool:
    """Whether a result that is kept can be paid for."""
    budget = _budget.get()
    return budget is None or name in budget.paid or sum(steps) <= budget.left


def steps_of(budget: Budget) -> "array[int]":
    """What is kept with a result of its work."""
    if budget.steps is None:
        return array("q")
    return budget.steps


def charge(steps: "array[int]", name: Hashable, owner: object) -> None:
    """Pay for a result that is kept, once in an answer."""
    budget = _budget.get()
    if budget is None or not steps or name in budget.paid:
        return
    _refuse(budget, name)
    if sum(steps) > budget.left:
        _give_up(budget, name, _fitting_part(steps, budget.left))
        raise Exhausted
    for units in steps if budget.steps is not None else (sum(steps),):
        budget.spend(units)
    budget.paid[name] = owner


def _fitting_part(steps: "array[int]", left: int) -> int:
    """The work of the steps before the first that does not fit."""
    done = 0
    for units in steps:
        if done + units > left:
            break
        done += units
    return done


def _refuse(budget: Budget, name: Hashable) -> None:
    """Raise if a kept value is known not to fit."""
    if budget.left <= budget.refused.get(name, -1):
        budget.fall_short()
        raise Exhausted


def _give_up(budget: Budget, name: Hashable, done: int) -> None:
    """Count the work on a kept value that did not fit."""
    budget.refused[name] = max(budget.left, budget.refused.get(name, 0))
    budget.spend(done)
    budget.fall_short()
