"""Sources of randomness that listen: they are told which noise is drawn from them, and for what.

An audit that replays a run hands such a source to the code under test. All other sources are used
as ever.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:  # an account draws nothing
    import random

P = ParamSpec("P")
R = TypeVar("R")


class Listening(ABC):
    """A source of randomness that is told what is drawn from it."""

    @abstractmethod
    def as_python(self) -> "random.Random":
        """The same source with the methods of one of Python; it still listens."""

    @abstractmethod
    def hear_release(
        self,
        mechanism: Any,
        inputs: tuple[Any, ...],
        draw: "Callable[[random.Random], Any]",
    ) -> Any:
        """The output of a mechanism on these inputs, which ``draw`` makes from a plain source."""

    @abstractmethod
    def hear_noise(
        self, kind: str, parameter: Any, draw: "Callable[[random.Random], Any]"
    ) -> Any:
        """Noise of a kind with one parameter, which ``draw`` makes from a plain source."""


def heard_release(sample: Callable[P, R]) -> Callable[P, R]:
    """A method ``sample`` of a mechanism that tells a listening source of each release."""

    @wraps(sample)
    def told(*given: P.args, **named: P.kwargs) -> R:
        arguments = (*given, *named.values())
        source = next((x for x in arguments if isinstance(x, Listening)), None)
        if source is None:
            return sample(*given, **named)

        def draw(plain: "random.Random") -> R:
            positional = [plain if x is source else x for x in given]
            keyword = {name: plain if x is source else x for name, x in named.items()}
            return cast("R", cast("Any", sample)(*positional, **keyword))

        inputs = tuple(x for x in arguments[1:] if x is not source)
        return cast("R", source.hear_release(arguments[0], inputs, draw))

    return told


def heard_noise(kind: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A sampler of noise, with its parameter first and its source last, that tells a listening
    source of each draw.
    """

    def decorate(sampler: Callable[P, R]) -> Callable[P, R]:
        @wraps(sampler)
        def told(*given: P.args, **named: P.kwargs) -> R:
            source = given[-1]
            if not isinstance(source, Listening):
                return sampler(*given, **named)

            def draw(plain: "random.Random") -> R:
                return cast("R", cast("Any", sampler)(*given[:-1], plain, **named))

            return cast("R", source.hear_noise(kind, given[0], draw))

        return told

    return decorate
