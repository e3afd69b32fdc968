"""A generator of NumPy that records what is drawn from it; this module needs NumPy."""

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rdpacct.auditing.replay.coin_array import CoinArray
from rdpacct.auditing.replay.python_source import RecordingRandom
from rdpacct.auditing.replay.tape import Tape
from rdpacct.auditing.replay.tracked import followed
from rdpacct.mechanisms.listening import Listening


@dataclass(frozen=True, slots=True)
class LocationScale:
    """How a method of a generator draws noise: the law, and its parameters in order."""

    law: str
    parameters: tuple[str, ...]

    def bound(self, given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any]:
        """The location and the scale of a call."""
        arguments = dict(zip(self.parameters, given, strict=False)) | named
        return arguments.get("loc", 0.0), arguments.get("scale", 1.0)


NOISE = {
    "laplace": LocationScale("laplace", ("loc", "scale", "size")),
    "normal": LocationScale("normal", ("loc", "scale", "size")),
    "standard_normal": LocationScale("normal", ("size", "dtype", "out")),
    "gumbel": LocationScale("gumbel", ("loc", "scale", "size")),
    "logistic": LocationScale("logistic", ("loc", "scale", "size")),
    "exponential": LocationScale("exponential", ("scale", "size")),
    "standard_exponential": LocationScale(
        "exponential", ("size", "dtype", "method", "out")
    ),
    "standard_cauchy": LocationScale("cauchy", ("size",)),
    "randn": LocationScale("normal", ()),
}
"""The methods that draw noise, which is added to something."""
SELECTIONS = ("choice", "permutation", "permuted", "shuffle")
"""The methods that choose among the records, each with the same probability."""
COINS = ("rand", "random", "random_sample")
"""The methods that draw uniform numbers."""
NOT_DRAWN = ("bit_generator", "get_state", "seed", "set_state", "spawn")


class NumPyListening(Listening):
    """What both generators of NumPy have in common when they record."""

    tape: Tape
    python: RecordingRandom

    def record_on(self, tape: Tape) -> None:
        """Write on this tape from now on."""
        self.tape = tape
        self.python = RecordingRandom(tape)

    def as_python(self) -> random.Random:
        return self.python

    def hear_release(
        self,
        mechanism: Any,
        inputs: tuple[Any, ...],
        draw: Callable[[random.Random], Any],
    ) -> Any:
        return self.python.hear_release(mechanism, inputs, draw)

    def hear_noise(
        self, kind: str, parameter: Any, draw: Callable[[random.Random], Any]
    ) -> Any:
        return self.python.hear_noise(kind, parameter, draw)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: Any) -> Self:
        return self


class RecordingGenerator(NumPyListening, np.random.Generator):
    """NumPy's ``Generator``, whose draws are those of a tape."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(np.random.PCG64(tape.seed))
        self.record_on(tape)

    @property
    def bit_generator(self) -> Any:
        """The bits themselves: what is drawn from them is not followed."""
        call = self.tape.choice("bit_generator", np.random.PCG64)
        return call.outcome

    def spawn(self, n_children: int) -> list["RecordingGenerator"]:  # type: ignore[override]
        """Generators that record on the same tape."""
        return [RecordingGenerator(self.tape) for _ in range(n_children)]


class RecordingRandomState(NumPyListening, np.random.RandomState):
    """NumPy's older ``RandomState``, whose draws are those of a tape."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(0)
        self.record_on(tape)


def plain_generator(seed: tuple[int, ...]) -> np.random.Generator:
    """A generator with the seed of a call."""
    return np.random.default_rng(seed)


def plain_state(seed: tuple[int, ...]) -> np.random.RandomState:
    """The same for the older kind of generator."""
    return np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))


Plain = Callable[[tuple[int, ...]], Any]


def _noise(kind: str, how: LocationScale, plain: Plain) -> Callable[..., Any]:
    """The method of that name, whose outcomes are recorded as noise."""

    def method(self: NumPyListening, *given: Any, **named: Any) -> Any:
        location, scale = how.bound(given, named)

        def draw(seed: tuple[int, ...]) -> Any:
            return getattr(plain(seed), kind)(*given, **named)

        kept = copy.copy(location), copy.copy(scale)
        call = self.tape.noise(kind, how.law, kept[1], kept[0], draw)
        return followed(call, self.tape)

    return _documented(method, kind)


def _choice(kind: str, plain: Plain) -> Callable[..., Any]:
    """The method of that name, whose outcomes are recorded as choices."""

    def method(self: NumPyListening, *given: Any, **named: Any) -> Any:
        def draw(seed: tuple[int, ...]) -> Any:
            return getattr(plain(seed), kind)(*given, **named)

        selects = kind in SELECTIONS and named.get("p") is None and len(given) < 4
        call = self.tape.choice(kind, draw, selects)
        if kind in COINS and isinstance(call.outcome, np.ndarray):
            return CoinArray.drawn(call)
        return call.outcome

    return _documented(method, kind)


def _documented(method: Callable[..., Any], kind: str) -> Callable[..., Any]:
    method.__name__ = kind
    method.__doc__ = f"``{kind}`` of a generator of NumPy, recorded."
    return method


def _record(recording: type[NumPyListening], usual: type, plain: Plain) -> None:
    """Give a class of generators methods that record."""
    for kind in dir(usual):
        if kind.startswith("_") or kind in NOT_DRAWN:
            continue
        how = NOISE.get(kind)
        made = _choice(kind, plain) if how is None else _noise(kind, how, plain)
        setattr(recording, kind, made)


_record(RecordingGenerator, np.random.Generator, plain_generator)
_record(RecordingRandomState, np.random.RandomState, plain_state)
