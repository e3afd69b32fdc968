"""A generator of Python that records what is drawn from it."""

import random
from collections.abc import Callable
from typing import Any

from rdpacct.auditing.replay.exact_values import exact
from rdpacct.auditing.replay.tape import Tape, plain_python
from rdpacct.auditing.replay.tracked import followed
from rdpacct.mechanisms.listening import Listening

CHOICES = (
    *("betavariate", "binomialvariate", "choice", "choices", "gammavariate"),
    *("getrandbits", "lognormvariate", "paretovariate", "randbytes", "randint"),
    *("random", "randrange", "sample", "shuffle", "triangular", "uniform"),
    *("vonmisesvariate", "weibullvariate"),
)
"""The methods whose outcomes are not noise by themselves."""

SELECTIONS = ("choice", "sample", "shuffle")
"""The methods that choose among the records, each with the same probability."""


class RecordingRandom(Listening, random.Random):
    """Python's ``random.Random``, whose draws are those of a tape."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(0)
        self.tape = tape

    def as_python(self) -> random.Random:
        return self

    def hear_release(
        self,
        mechanism: Any,
        inputs: tuple[Any, ...],
        draw: Callable[[random.Random], Any],
    ) -> Any:
        return self.tape.release(
            mechanism, inputs, lambda seed: draw(plain_python(seed))
        )

    def hear_noise(
        self, kind: str, parameter: Any, draw: Callable[[random.Random], Any]
    ) -> Any:
        call = self.tape.noise(
            kind, kind, parameter, 0, lambda seed: draw(plain_python(seed))
        )
        return followed(call, self.tape)

    def getstate(self) -> tuple[Any, ...]:
        """The state itself: what is drawn from it elsewhere is not followed."""
        call = self.tape.choice("getstate", lambda seed: plain_python(seed).getstate())
        state: tuple[Any, ...] = call.outcome
        return state

    def __copy__(self) -> "RecordingRandom":
        return self

    def __deepcopy__(self, _: Any) -> "RecordingRandom":
        return self

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Normal noise."""
        return self._normal("gauss", mu, sigma)

    def normalvariate(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Normal noise."""
        return self._normal("normalvariate", mu, sigma)

    def expovariate(self, lambd: float = 1.0) -> float:
        """Exponential noise, of scale 1/lambd."""

        def draw(seed: tuple[int, ...]) -> float:
            return plain_python(seed).expovariate(lambd)

        scale = 1 / exact(lambd) if lambd else None
        call = self.tape.noise("expovariate", "exponential", scale, 0, draw)
        return float_in(followed(call, self.tape))

    def _normal(self, kind: str, mu: float, sigma: float) -> float:
        def draw(seed: tuple[int, ...]) -> float:
            return plain_python(seed).normalvariate(mu, sigma)

        call = self.tape.noise(kind, "normal", sigma, mu, draw)
        return float_in(followed(call, self.tape))


def float_in(noise: Any) -> float:
    """Noise that is one double."""
    number: float = noise
    return number


def _choice(kind: str) -> Callable[..., Any]:
    """The method of that name, whose outcomes are recorded as choices."""
    selects = kind in SELECTIONS

    def method(self: RecordingRandom, *given: Any, **named: Any) -> Any:
        def draw(seed: tuple[int, ...]) -> Any:
            return getattr(plain_python(seed), kind)(*given, **named)

        return self.tape.choice(kind, draw, selects).outcome

    method.__name__ = kind
    method.__doc__ = f"``random.Random.{kind}``, recorded."
    return method


for _kind in CHOICES:
    if hasattr(random.Random, _kind):
        setattr(RecordingRandom, _kind, _choice(_kind))
