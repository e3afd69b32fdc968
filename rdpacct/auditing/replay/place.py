"""Where in a program a call of its noise stands."""

import sys
from dataclasses import dataclass
from pathlib import PurePath

INSIDE = ("rdpacct.auditing.replay", "rdpacct.mechanisms", "random", "numpy", "copy")
"""The modules between the code under test and its noise."""


@dataclass(frozen=True, slots=True)
class CallPlace:
    """A line of a program, and the function that it is in."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{PurePath(self.file).name}:{self.line} in {self.function}"


def calling_place() -> CallPlace:
    """The innermost line of the running program that is neither ours nor a generator's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    code = frame.f_code
    return CallPlace(code.co_filename, frame.f_lineno, code.co_qualname)


def _is_inside(module: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in INSIDE)
