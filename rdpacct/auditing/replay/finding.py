"""What a replay finds: a difference between two runs with the same noise, and where it arose."""

from dataclasses import dataclass
from enum import StrEnum

from rdpacct.auditing.replay.place import CallPlace
from rdpacct.exact.bound import Bound


class FindingKind(StrEnum):
    """What depends on the data though it should not, or depends on them more than declared."""

    SENSITIVITY = "sensitivity"
    """A value moves by more than its declared sensitivity."""
    SCALE = "scale"
    """The scale of the noise depends on the data."""
    DRAWS = "number of draws"
    """How often noise is drawn, or how many numbers, depends on the data."""
    ORDER = "order of draws"
    """Which kind of noise is drawn depends on the data."""
    SHARED = "shared noise"
    """Several numbers that move apart have the same noise."""
    NO_NOISE = "no noise"
    """A value that moves is released without noise."""
    OUTPUT = "output"
    """The output depends on the data beyond the noisy values that were recorded."""
    NOT_FINITE = "not finite"
    """A value is infinite or not a number, for one of the two data sets."""
    UNDECLARED = "undeclared"
    """There are more releases than declared sensitivities."""
    BUDGET = "budget"
    """The releases together have a larger loss than is claimed."""


@dataclass(frozen=True, slots=True)
class NoiseFinding:
    """A difference between two runs with the same noise."""

    kind: FindingKind
    text: str
    call: int | None = None
    """The number of the call, from 0."""
    place: CallPlace | None = None
    measured: Bound | None = None
    """By how much the value moved, in the norm of the noise."""

    def __str__(self) -> str:
        if self.call is None:
            return f"{self.kind.value}: {self.text}"
        return f"{self.kind.value}: call {self.call} ({self.place}): {self.text}"
