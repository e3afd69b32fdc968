"""The tape: what a run draws is written on it, and what an earlier run drew is read from it.

Noise is frozen: in a second run, call number i has the outcome that it had in the first, and so has
the addition of a draw to a value. Code that is guided by noisy values alone then goes the same way
as before. The randomness of a call depends on the seed and on the number of the call.
"""

import copy
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rdpacct.auditing.replay.exact_values import flat, shape_of
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog, NoiseUse
from rdpacct.auditing.replay.one_record import one_record_more
from rdpacct.auditing.replay.place import CallPlace, calling_place

DrawArray = Callable[[tuple[int, ...]], Any]
"""The outcome of a call, from the seed of that call."""
NOISE, OTHER = 0, 1
"""Noise and other choices are numbered apart, and have seeds apart."""


class Tape:
    """The calls of one run, with those of an earlier one if they are replayed."""

    def __init__(
        self, seed: int, data: Any = None, earlier: NoiseLog | None = None
    ) -> None:
        self.seed = seed
        self.data = data
        self.earlier = earlier
        self.one_more = None if earlier is None else one_record_more(earlier.data, data)
        self.earlier_at: dict[CallPlace, list[NoiseCall]] = {}
        self.made_at = Counter[CallPlace]()
        for call in earlier.others if earlier is not None else ():
            self.earlier_at.setdefault(call.place, []).append(call)
        self.calls: list[NoiseCall] = []
        self.others: list[NoiseCall] = []

    def log(self, output: Any) -> NoiseLog:
        """What was recorded, with the output of the run."""
        calls = tuple(self.calls)
        return NoiseLog(calls, tuple(self.others), output, self.seed, self.data)

    def noise(
        self, kind: str, law: str, scale: Any, location: Any, draw: DrawArray
    ) -> NoiseCall:
        """Noise of a law, around a location."""
        return self._kept(
            NoiseCall(
                len(self.calls), kind, calling_place(), law, scale, location, None
            ),
            draw,
        )

    def release(self, mechanism: Any, inputs: tuple[Any, ...], draw: DrawArray) -> Any:
        """The output of a mechanism of the package."""
        kind = type(mechanism).__name__
        call = NoiseCall(
            len(self.calls),
            kind,
            calling_place(),
            None,
            None,
            copy.deepcopy(inputs[0]),
            None,
            mechanism,
            copy.deepcopy(inputs),
        )
        return copy.deepcopy(self._kept(call, draw).outcome)

    def choice(self, kind: str, draw: DrawArray, selects: bool = False) -> NoiseCall:
        """A random choice that is not noise by itself; the same seed gives the same one, for the
        same parameters. Where there is a choice for each record, it goes with the record.
        """
        index = len(self.others)
        call = NoiseCall(index, kind, calling_place(), None, None, None, None)
        call.selects = selects
        origin = self._choice_of_record(call)
        self.others.append(call)
        call.outcome = draw((self.seed, OTHER, origin))
        if self.one_more is not None and self._has_choice(index):
            before = self.earlier.others[index].outcome  # type: ignore[union-attr]
            call.outcome = self.one_more.moved_coins(call.outcome, before)
        return call

    def _has_choice(self, index: int) -> bool:
        return self.earlier is not None and index < len(self.earlier.others)

    def _choice_of_record(self, call: NoiseCall) -> int:
        """The number of the choice whose seed is taken: that of the same record, if the earlier run
        has one.
        """
        if self.one_more is None:
            return call.index
        number = self.made_at[call.place]
        self.made_at[call.place] += 1
        before = self.earlier_at.get(call.place, [])
        origin = self.one_more.earlier_coin(number, before)
        return call.index if origin is None else origin

    def follows(self, call: NoiseCall) -> bool:
        """Whether what a draw is added to is written down: if it was drawn around zero, in the
        earlier run if there was one.
        """
        before = self._before(call) or call
        return not any(flat(before.value))

    def added(
        self,
        call: NoiseCall,
        value: Any,
        factor: Fraction,
        cells: tuple[int, ...],
        noisy: Any,
        negated: bool,
    ) -> Any:
        """The noisy value of an addition: that of the earlier run, if it had one of this shape
        here.
        """
        number = len(call.uses)
        kept = copy.deepcopy(value)
        use = NoiseUse(kept, factor, cells, noisy, calling_place(), negated)
        call.uses.append(use)
        before = self._before(call)
        if before is None or number >= len(before.uses):
            return copy.copy(noisy)
        frozen = before.uses[number].noisy
        if shape_of(frozen) != shape_of(noisy):
            return copy.copy(noisy)
        return copy.copy(frozen)

    def _kept(self, call: NoiseCall, draw: DrawArray) -> NoiseCall:
        self.calls.append(call)
        drawn = draw((self.seed, NOISE, call.index))
        before = self._before(call)
        if before is None or shape_of(before.outcome) != shape_of(drawn):
            call.outcome = drawn
        else:
            call.outcome = before.outcome
        return call

    def _before(self, call: NoiseCall) -> NoiseCall | None:
        """The call of the earlier run with the same number, if it is of the same kind."""
        if self.earlier is None or call.index >= len(self.earlier.calls):
            return None
        before = self.earlier.calls[call.index]
        if before.kind != call.kind:
            return None
        return before


def plain_python(seed: tuple[int, ...]) -> random.Random:
    """A generator of Python with the seed of a call."""
    return random.Random(" ".join(map(str, seed)))
