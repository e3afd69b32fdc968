"""From the shell to a first answer: how long it takes, next to bare Python and to importing
dp_accounting.

Run it as ``python benchmarks/startup.py``. Each row is the median of seven fresh processes, on the
clock and in seconds of the processor. The bytecode of the package is kept in a temporary folder, as
an installed package keeps its own.
"""

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 7

ROWS = {
    "python -c pass": ["-c", "pass"],
    "import rdpacct": ["-c", "import rdpacct"],
    "rdpacct --help": ["-m", "rdpacct", "--help"],
    "rdpacct epsilon (shell to answer)": [
        *("-m", "rdpacct", "epsilon", "Gaussian(sigma=1)", "--delta", "1e-6", "--json"),
    ],
    "import dp_accounting": ["-c", "import dp_accounting"],
}


def median_seconds(arguments: list[str], cache: str) -> tuple[float, float]:
    """The median time of running Python with these arguments, on the clock and of the processor,
    after one run that warms the caches.
    """
    environment = os.environ | {"PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times = []
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{arguments} ended with {process.returncode}")
        taken = time.perf_counter() - start
        times.append((taken, used.ru_utime + used.ru_stime))
    clock, processor = zip(*times[1:], strict=True)
    return statistics.median(clock), statistics.median(processor)


def main() -> None:
    rows = dict(ROWS)
    if importlib.util.find_spec("dp_accounting") is None:
        del rows["import dp_accounting"]
    with tempfile.TemporaryDirectory() as cache:
        seconds = {
            name: median_seconds(arguments, cache) for name, arguments in rows.items()
        }
    bare = seconds["python -c pass"][1]
    answer = seconds["rdpacct epsilon (shell to answer)"][1]
    print(
        f"{'median of ' + str(RUNS):34} {'clock':>8} {'processor':>10}"
        f" {'/ bare python':>14} {'/ our answer':>13}"
    )
    for name, (clock, processor) in seconds.items():
        print(
            f"{name:34} {clock:8.3f} {processor:10.3f} {processor / bare:14.1f}"
            f" {processor / answer:13.2f}"
        )
    if len(rows) < len(ROWS):
        print(
            "dp_accounting is not installed; to compare with it: pip install"
            ' "rdpacct[benchmark]"'
        )


if __name__ == "__main__":
    main()
