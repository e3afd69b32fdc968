"""Two checkouts of this package against each other: the workloads of compare.py, and how long it
takes from the shell to an answer.

python benchmarks/against.py OTHER [--only W3c,W4a] [--rounds 7]

OTHER is the folder of the other checkout, such as one that ``git worktree add`` made. The two take
turns on one machine, and the smallest processor time of each is printed: other work on the machine
can only add to a time, and what it adds differs from one turn to the next.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

sys.path.insert(0, str(Path(__file__).parent))
from accountants import CALIBRATORS, TOOLS
from startup import ROWS
from workloads import CALIBRATIONS, WORKLOADS

HERE = Path(__file__).parent.parent
SECONDS = 0.15
"""How long a workload is repeated in one turn, at least once."""
OURS = [name for name in ROWS if "rdpacct" in name]
Ends: TypeAlias = tuple[float, float]


def job(name: str) -> Callable[[], Ends]:
    """What a workload asks of the package."""
    if name in CALIBRATIONS:
        return lambda: CALIBRATORS["rdpacct"](name)
    return lambda: TOOLS["rdpacct"](WORKLOADS[name])


def least_time(ask: Callable[[], Ends]) -> dict[str, Any]:
    """The smallest processor time of one call, in milliseconds, and the ends of the answer."""
    best = spent = float("inf")
    ends = (0.0, 0.0)
    until = time.process_time() + SECONDS
    while spent == float("inf") or time.process_time() < until:
        start = time.process_time()
        ends = ask()
        spent = time.process_time() - start
        best = min(best, spent)
    return {"ms": 1e3 * best, "ends": ends}


def answer_requests() -> None:
    """Measure each workload whose name is read, until there is none."""
    for line in sys.stdin:
        print(json.dumps(least_time(job(line.strip()))), flush=True)


class Checkout:
    """A checkout of the package, with a process that measures it."""

    def __init__(self, folder: Path, cache: str) -> None:
        self.folder = folder
        self.environment = os.environ | {
            "PYTHONPATH": str(folder),
            "PYTHONPYCACHEPREFIX": cache,
        }
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--measure", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=self.environment,
        )

    def measured(self, name: str) -> dict[str, Any]:
        """One turn with a workload, or with a line of the shell."""
        if name in ROWS:
            return {"ms": self._process_time(ROWS[name]), "ends": None}
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the measuring process has no pipes")
        print(name, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.folder} has no answer for {name}")
        result: dict[str, Any] = json.loads(line)
        return result

    def _process_time(self, arguments: list[str]) -> float:
        """The processor time of a fresh process, in milliseconds."""
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env=self.environment,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{arguments} ended with {process.returncode}")
        return 1e3 * (used.ru_utime + used.ru_stime)

    def close(self) -> None:
        """End the measuring process."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()


def compare(other: Checkout, own: Checkout, name: str, rounds: int) -> str:
    """One row: the smallest times of both, their ratio, and the relative widths of the answers."""
    turns = [(other.measured(name), own.measured(name)) for _ in range(rounds)]
    before = min(first["ms"] for first, _ in turns)
    now = min(second["ms"] for _, second in turns)
    widths = [width(turns[0][side]["ends"]) for side in (0, 1)]
    return (
        f"| {name} | {before:.3g} | {now:.3g} | {before / now:.2f} |"
        f" {widths[0]} | {widths[1]} |"
    )


def width(ends: Ends | None) -> str:
    """How far apart the ends of an answer are, as a share of the upper one."""
    if ends is None:
        return ""
    return f"{(ends[1] - ends[0]) / ends[1]:.1e}"


def main() -> None:
    """Measure both checkouts in turn and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("--only", default=",".join([*WORKLOADS, *CALIBRATIONS, *OURS]))
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print("| workload | other ms | own ms | other / own | other width | own width |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as cache:
        other = Checkout(options.other.resolve(), f"{cache}/other")
        own = Checkout(HERE, f"{cache}/own")
        for name in options.only.split(","):
            other.measured(name)  # warms the caches
            own.measured(name)
            print(compare(other, own, name, options.rounds), flush=True)
        other.close()
        own.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        sys.path.insert(0, sys.argv[2])
        answer_requests()
    else:
        main()
