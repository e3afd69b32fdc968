"""Compare accountants on one machine in one run: value, error, width, time, memory.

python benchmarks/compare.py [--tools rdpacct,dp-accounting] [--only W3c,W4a] [--plot compare.png]

Accountants that are not installed are left out. Each pair of accountant and workload runs in a
process of its own, on one thread; the times are medians of processor time over two seconds or more
(half a second for the accountants beside the two that matter most), which a busy machine changes
less than the time on the wall.
"""

import argparse
import importlib
import importlib.util
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, TypeAlias

sys.path.insert(0, str(Path(__file__).parent))
from accountants import CALIBRATORS, NEEDS, TOOLS, has_mechanisms_of
from workloads import CALIBRATIONS, WANTED, WORKLOADS

SECONDS = {"dp-accounting": 400, "dp-accounting bracketed": 400}
SLOW = 4
GIGABYTES = 6
OTHERS = 20
"""How many seconds the other accountants have, which are compared where they are fast."""
TOLERANCE = 1e-7
"""How near the reference the value of another accountant must be for its time to be compared with
ours.
"""


def measure(tool: str, name: str) -> dict[str, object]:
    """Run one accountant on one workload: the ends, the median processor time and the peak memory.

    A first run warms up, unless it takes long: then it is the only one, and its time counts.
    """
    limit = GIGABYTES * 2**30
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    def job() -> tuple[float, float]:
        if name in CALIBRATIONS:
            return CALIBRATORS[tool](name)
        return TOOLS[tool](WORKLOADS[name])

    importlib.import_module(NEEDS[tool])
    start = time.process_time()
    ends = job()
    times = [time.process_time() - start]
    if times[0] < SLOW:
        times = []
    least = 2.0 if tool in ("rdpacct", "dp-accounting") else 0.5
    while (
        not times
        or (len(times) < 3 and sum(times) < SLOW)
        or (sum(times) < least and len(times) < 2000)
    ):
        start = time.process_time()
        ends = job()
        times.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "lower": ends[0],
        "upper": ends[1],
        "ms": 1e3 * statistics.median(times),
        "mb": peak / 1024,
    }


Results: TypeAlias = "dict[tuple[str, str], dict[str, Any]]"


def reference_of(name: str) -> float:
    """The value that references agree on."""
    if name in CALIBRATIONS:
        return CALIBRATIONS[name][3]
    return WORKLOADS[name].reference


def sound(got: dict[str, float], reference: float) -> bool:
    """Whether an upper end is one, and near enough."""
    return -1e-11 <= got["upper"] / reference - 1 <= TOLERANCE


def table(results: Results, names: list[str]) -> str:
    """The results as rows of Markdown, each ratio against rdpacct on the same workload."""
    rows = [
        "| workload | accountant | upper end | upper - reference | relative width | CPU"
        " ms | ratio | peak MB |"
    ]
    rows.append("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in names:
        reference = reference_of(name)
        ours = results.get(("rdpacct", name), {}).get("ms")
        for (tool, of), got in results.items():
            if of != name:
                continue
            if "why" in got:
                rows.append(f"| {name} | {tool} | {got['why']} | | | | | |")
                continue
            width = (
                f"{(got['upper'] - got['lower']) / reference:.1e}"
                if math.isfinite(got["lower"])
                else "none"
            )
            ratio = got["ms"] / ours if ours else math.nan
            cells = [
                f"{got['upper']:.11g}",
                f"{got['upper'] - reference:+.1e}",
                width,
                f"{got['ms']:.3g}",
            ]
            rows.append(
                f"| {name} | {tool} | {' | '.join(cells)} | {ratio:.3g} |"
                f" {got['mb']:.0f} |"
            )
    return "\n".join(rows)


def summary(results: Results, names: list[str]) -> str:
    """For each workload: the ratio to dp-accounting, what is wanted, and the fastest other that is
    sound and near.
    """
    rows = [
        "| workload | ratio to dp-accounting | wanted | fastest that is sound and"
        " within 1e-7 | its ratio | met |"
    ]
    rows.append("| --- | --- | --- | --- | --- | --- |")
    for name in names:
        ours = results.get(("rdpacct", name), {})
        reference = reference_of(name)
        if "ms" not in ours:
            continue
        others = [
            (got["ms"], tool)
            for (tool, of), got in results.items()
            if of == name and tool != "rdpacct" and "ms" in got
        ]
        near = [
            (ms, tool) for ms, tool in others if sound(results[tool, name], reference)
        ]
        ratio = (
            results.get(("dp-accounting", name), {}).get("ms", math.nan) / ours["ms"]
        )
        wanted = WANTED.get(name, 1)
        best = min(near, default=(math.inf, "none"))
        met = ratio >= wanted and best[0] >= ours["ms"] and ours["mb"] < 300
        rows.append(
            f"| {name} | {ratio:.3g} | {wanted} | {best[1]} |"
            f" {best[0] / ours['ms']:.3g} | {'yes' if met else 'no'} |"
        )
    return "\n".join(rows)


def plot(results: Results, names: list[str], path: str) -> None:
    """Times on a logarithmic axis, one mark for each accountant."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(10, 5))
    for tool in NEEDS:
        points = [
            (i, results[tool, n]["ms"])
            for i, n in enumerate(names)
            if "ms" in results.get((tool, n), {})
        ]
        if points:
            axis.plot(
                *zip(*points, strict=True),
                "*" if tool == "rdpacct" else ".",
                markersize=10,
                label=tool,
            )
    axis.set_yscale("log")
    axis.set_xticks(range(len(names)), names, rotation=60)
    axis.set_ylabel("milliseconds of processor time")
    axis.legend()
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    """Run what is asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", default=",".join(NEEDS))
    parser.add_argument("--only", default=",".join([*WORKLOADS, *CALIBRATIONS]))
    parser.add_argument("--plot")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(*options.one)))
        return
    names = options.only.split(",")
    results: Results = {}
    for name in names:
        for tool in options.tools.split(","):
            if importlib.util.find_spec(NEEDS[tool]) is None:
                continue
            if tool not in (CALIBRATORS if name in CALIBRATIONS else TOOLS):
                continue
            if name not in CALIBRATIONS and not has_mechanisms_of(
                tool, WORKLOADS[name]
            ):
                continue
            try:
                run = subprocess.run(
                    [sys.executable, __file__, "--one", tool, name],
                    capture_output=True,
                    text=True,
                    timeout=SECONDS.get(tool, OTHERS),
                    env={
                        **os.environ,
                        "OMP_NUM_THREADS": "1",
                        "OPENBLAS_NUM_THREADS": "1",
                    },
                )
                last = (run.stderr.strip().splitlines() or ["no output"])[-1]
                results[tool, name] = (
                    json.loads(run.stdout)
                    if run.returncode == 0
                    else {"why": last[:80]}
                )
            except subprocess.TimeoutExpired:
                results[tool, name] = {
                    "why": f"no answer in {SECONDS.get(tool, OTHERS)} s"
                }
            print(tool, name, results[tool, name], file=sys.stderr, flush=True)
    print(table(results, names))
    print()
    print(summary(results, names))
    if options.plot:
        plot(results, names, options.plot)


if __name__ == "__main__":
    main()
