"""What every command of the command line gives back."""

from dataclasses import dataclass
from typing import Any, TypeAlias

DONE, FAILS, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
"""The exit codes: done or holds, fails or refuted, bad input, undecided."""

JSON: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command says: its exit code, the object printed by --json, and the text printed
    otherwise.
    """

    code: int
    data: JSON
    text: str
