"""The walk of one question through the package: the files that it enters, in order, with the calls,
the lines and the instructions that run in each.

python benchmarks/walk.py [--json] [COMMAND ...]

The question is ``rdpacct epsilon "1000*Laplace(scale=10) + Gaussian(sigma=5)" --delta 1e-6``, or
another command line. It is asked twice in one process and traced the second time, when all is
imported. No clock is looked at, so that the numbers are the same on every machine; another version
of Python has other instructions.

A file is entered if a function of it is called. It does work if it runs at least one in a hundred
of the instructions. Instructions are counted and not lines, as it is a matter of style how much
stands on a line.
"""

import argparse
import contextlib
import io
import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
import rdpacct
from rdpacct.cli import main as command

PACKAGE = f"{Path(rdpacct.__file__).parent}/"
QUESTION = [
    *("epsilon", "1000*Laplace(scale=10) + Gaussian(sigma=5)"),
    *("--delta", "1e-6"),
]
SHARE = 100
"""A file does work if it runs at least one in so many of the instructions."""


@dataclass
class File:
    """What runs in one file."""

    calls: int = 0
    lines: int = 0
    instructions: int = 0


@dataclass
class Walk:
    """The files of a walk, by first entry."""

    files: dict[str, File] = field(default_factory=dict)

    @property
    def instructions(self) -> int:
        """How many instructions of the package ran."""
        return sum(file.instructions for file in self.files.values())

    def working(self) -> list[str]:
        """The files that do work."""
        least = self.instructions / SHARE
        return [name for name, file in self.files.items() if file.instructions >= least]

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG002
        """Count what happens in a frame of the package."""
        path = frame.f_code.co_filename
        if not path.startswith(PACKAGE):
            return None
        file = self.files.setdefault(path.removeprefix(PACKAGE), File())
        if event == "call":
            frame.f_trace_opcodes = True
            file.calls += 1
        file.lines += event == "line"
        file.instructions += event == "opcode"
        return self.trace


def walk_of(words: list[str]) -> Walk:
    """The walk of a command line."""
    walk = Walk()
    with contextlib.redirect_stdout(io.StringIO()):
        command(words)
        before = sys.gettrace()
        sys.settrace(walk.trace)
        try:
            command(words)
        finally:
            sys.settrace(before)
    return walk


def report(walk: Walk) -> str:
    """The files as rows, and how many they are."""
    working = walk.working()
    rows = [f"{'file':42} {'calls':>6} {'lines':>6} {'instructions':>13} {'share':>7}"]
    for name, file in walk.files.items():
        share = 100 * file.instructions / walk.instructions
        mark = "works" if name in working else ""
        rows.append(
            f"{name:42} {file.calls:6} {file.lines:6} {file.instructions:13}"
            f" {share:6.1f}% {mark}".rstrip()
        )
    rows.append(
        f"{len(walk.files)} files are entered, and {len(working)} do work, of"
        f" {walk.instructions} instructions in all."
    )
    return "\n".join(rows)


def main() -> None:
    """Print the walk of a question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    walk = walk_of(options.command or QUESTION)
    if options.json:
        print(json.dumps(asdict(walk) | {"working": walk.working()}))
    else:
        print(report(walk))


if __name__ == "__main__":
    main()
