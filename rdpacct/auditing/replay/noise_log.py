"""The record of a run: each call of the noise, what was added to it, and the output."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rdpacct.auditing.replay.exact_values import flat
from rdpacct.auditing.replay.place import CallPlace
from rdpacct.exact.number import decimal_text, shorten

SHOWN = 3
"""The number of values of a vector that are printed."""


@dataclass(frozen=True, slots=True)
class NoiseUse:
    """One addition of a draw to a value: the noisy value is the value plus ``factor`` times the
    draw, or minus that if it is ``negated``.
    """

    value: Any
    factor: Fraction
    cells: tuple[int, ...]
    """For each number of the noisy value, which number of the draw is in it."""
    noisy: Any
    place: CallPlace
    negated: bool = False


@dataclass(slots=True)
class NoiseCall:
    """One call of the noise: a draw from a generator, or a release by a mechanism of the
    package.
    """

    index: int
    kind: str
    """The method that was called, or the class of the mechanism."""
    place: CallPlace
    law: str | None
    """The law of the noise, such as "laplace"; None where there is no single one."""
    scale: Any
    """The scale of the noise, a number or one for each coordinate; None of a release."""
    value: Any
    """The location of the noise as it was given, or the input of a release."""
    outcome: Any
    mechanism: Any = None
    """The mechanism of a release; None for a draw."""
    inputs: tuple[Any, ...] = ()
    """All inputs of a release."""
    uses: list[NoiseUse] = field(default_factory=list)
    is_part: bool = False
    """The draw was subtracted from another one, which stands for both."""
    selects: bool = False
    """The choice cannot be noise: records were chosen or shuffled, or coins thrown for them."""

    @property
    def is_seen(self) -> bool:
        """Whether what the noise of a call was added to is known."""
        if self.mechanism is not None or self.uses or self.is_part:
            return True
        return any(flat(self.value))

    @property
    def size(self) -> int:
        """How many numbers were drawn."""
        return len(flat(self.outcome))

    @property
    def values(self) -> list[Any]:
        """What noise was added to: the values of the uses, or the location."""
        return [use.value for use in self.uses] or [self.value]

    def __str__(self) -> str:
        values = " and ".join(map(brief, self.values))
        if self.mechanism is not None:
            return f"call {self.index} ({self.place}): {self.mechanism} of {values}"
        added = "added to" if self.uses else "around"
        return (
            f"call {self.index} ({self.place}): {self.kind} of scale"
            f" {brief(self.scale)} {added} {values}"
        )


@dataclass(frozen=True, slots=True)
class NoiseLog:
    """A run of a mechanism: the calls of its noise, other random choices, and the output."""

    calls: tuple[NoiseCall, ...]
    others: tuple[NoiseCall, ...]
    """Random choices that are not noise by themselves: uniform numbers, permutations, coins."""
    output: Any
    seed: int
    data: Any = None
    """The data of the run, as they were before it."""

    @property
    def called(self) -> bool:
        """Whether the source was called at all."""
        return bool(self.calls or self.others)

    def __str__(self) -> str:
        calls = [str(call) for call in self.calls if not call.is_part]
        counts = [f"and {len(self.others)} other random choices"] if self.others else []
        return "\n".join([*calls, *counts]) or "no call of the noise"


def brief(value: Any) -> str:
    """A value as a short text: the first numbers of a vector, and how many there are."""
    numbers = flat(value)
    texts = [_number(x) for x in numbers[:SHOWN]]
    if len(numbers) == 1:
        return texts[0]
    more = f", ... ({len(numbers)} numbers)" if len(numbers) > SHOWN else ""
    return f"[{', '.join(texts)}{more}]"


def _number(value: Any) -> str:
    if isinstance(value, Fraction):
        return shorten(decimal_text(value))
    return shorten(repr(value))
