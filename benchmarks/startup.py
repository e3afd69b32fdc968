"""From the shell to a first answer: how long it takes, next to bare Python and to importing
dp_accounting.

Run it as ``python benchmarks/startup.py``. Each row is the median of seven fresh processes.
"""

import importlib.util
import statistics
import subprocess
import sys
import time

RUNS = 7

ROWS = {
    "python -c pass": ["-c", "pass"],
    "import rdpacct": ["-c", "import rdpacct"],
    "rdpacct epsilon, shell to answer": [
        *("-m", "rdpacct", "epsilon", "Gaussian(sigma=1)", "--delta", "1e-6", "--json"),
    ],
    "import dp_accounting": ["-c", "import dp_accounting"],
}


def median_seconds(arguments: list[str]) -> float:
    """The median time of running Python with these arguments, after one run that warms the disk
    cache.
    """
    times = []
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def main() -> None:
    rows = dict(ROWS)
    if importlib.util.find_spec("dp_accounting") is None:
        del rows["import dp_accounting"]
    seconds = {name: median_seconds(arguments) for name, arguments in rows.items()}
    bare = seconds["python -c pass"]
    answer = seconds["rdpacct epsilon, shell to answer"]
    print(
        f"{'median of ' + str(RUNS):34} {'seconds':>8} {'/ bare python':>14}"
        f" {'/ our answer':>13}"
    )
    for name, value in seconds.items():
        print(f"{name:34} {value:8.3f} {value / bare:14.1f} {value / answer:13.2f}")
    if len(rows) < len(ROWS):
        print(
            "dp_accounting is not installed; to compare with it: pip install"
            ' "rdpacct[benchmark]"'
        )


if __name__ == "__main__":
    main()
