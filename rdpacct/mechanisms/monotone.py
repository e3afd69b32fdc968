"""Queries or scores that may be declared monotone: between neighbors they all move the same way."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from rdpacct.errors import InputError
from rdpacct.mechanisms.mechanism import NoiseMechanism


class MaybeMonotone(NoiseMechanism):
    """Noise on several scores or queries, each of which moves by at most the sensitivity."""

    monotone: bool
    several: ClassVar[str] = "scores"
    """The word for what moves: scores or queries."""

    def __post_init__(self) -> None:
        if not isinstance(self.monotone, bool):
            raise InputError(
                f"monotone is {self.monotone}, but must be true or false; give one of"
                " these."
            )

    def hypotheses(self) -> tuple[str, ...]:
        if not self.monotone:
            return ()
        return (f"{self}: the {self.several} all move the same way between neighbors.",)

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        moves = [b - a for a, b in zip(first, second, strict=True)]
        if self.monotone and min(moves) < 0 < max(moves):
            return f"the {self.several} move both ways, but are declared monotone"
        return super().uncovered(first, second)
