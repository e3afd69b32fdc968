"""How a mechanism is run, and on which inputs its outputs show its loss."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.errors import InputError
from rdpacct.mechanisms.source import Source


class Runnable:
    """What can be run on data; by default it does not say how."""

    has_sampler: ClassVar[bool] = False
    """Whether the class says how it is run, by a ``sample`` of its own."""

    def sample(self, value: Any, rng: Source = None) -> Any:  # noqa: ARG002
        """The output of one run on a value, with randomness from a source."""
        raise InputError(
            f"{type(self).__name__} does not say how it is run; give a mechanism that"
            " has a sampler, or the class a method sample(value, rng)."
        )

    def pair(self) -> tuple[Any, Any] | None:
        """Two neighboring inputs of ``sample`` whose outputs have the loss, P first; None if no
        single pair has it.
        """
        return None

    def uncovered(
        self,
        first: Sequence[Fraction],  # noqa: ARG002
        second: Sequence[Fraction],  # noqa: ARG002
    ) -> str:
        """Why two inputs of ``sample``, as rows of exact numbers, are no neighbors as the mechanism
        declares them; nothing if they may be.
        """
        return ""

    def observed(self, output: Any) -> float:
        """The loss of an output of ``sample`` on the first input of ``pair``."""
        raise NotImplementedError
