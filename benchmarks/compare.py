"""Compare accountants on one machine in one run: value, error, width, time, memory.

    python benchmarks/compare.py [--tools rdpacct,dp-accounting] [--only W3c,W4a] [--plot compare.png]

Accountants that are not installed are left out. Each pair of accountant and workload runs in a process of its own,
on one thread; the times are medians of processor time over two seconds or more (half a second for the accountants
beside the two that matter most), which a busy machine changes less than the time on the wall.
"""

import argparse
import functools
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
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).parent))
from workloads import CALIBRATIONS, WANTED, WORKLOADS, Workload

SECONDS, SLOW, GIGABYTES = {"dp-accounting": 400, "dp-accounting bracketed": 400}, 4, 6
OTHERS = 20
"""How many seconds the other accountants have, which are compared where they are fast."""
TOLERANCE = 1e-7
"""How near the reference the value of another accountant must be for its time to be compared with ours."""
NEEDS = {
    "rdpacct": "rdpacct",
    "dp-accounting": "dp_accounting",
    "dp-accounting bracketed": "dp_accounting",
    "dp-accounting 1e-3": "dp_accounting",
    "dp-accounting analytic": "dp_accounting",
    "dp-accounting RDP": "dp_accounting",
    "prv-accountant 0.1": "prv_accountant",
    "prv-accountant 0.01": "prv_accountant",
    "autodp analytic": "autodp",
    "opacus prv": "opacus",
    "opacus rdp": "opacus",
}


def run_rdpacct(work: Workload) -> tuple[float, float]:
    """Certified ends; the text of the plan is read once, and everything else is done anew each time."""
    import rdpacct

    return rdpacct.epsilon(_plan(work.plan), str(work.delta)).floats()


@functools.cache
def _plan(text: str) -> object:
    import rdpacct

    return rdpacct.read_plan(text)


def run_dp_accounting(work: Workload, step: float = 1e-4) -> tuple[float, float]:
    """The pessimistic privacy loss distribution; only an upper value is promised."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    total = None
    for kind, given, count in work.parts:
        if kind == "gaussian":
            one = pld.from_gaussian_mechanism(given["sigma"], value_discretization_interval=step)
        elif kind == "laplace":
            one = pld.from_laplace_mechanism(given["scale"], value_discretization_interval=step)
        elif kind == "sampled":
            one = pld.from_gaussian_mechanism(
                given["sigma"], sampling_prob=given["rate"], value_discretization_interval=step
            )
        else:
            noise = 2 / (1 + math.exp(given["epsilon"]))
            one = pld.from_randomized_response(noise, 2, value_discretization_interval=step)
        one = one.self_compose(count) if count > 1 else one
        total = one if total is None else total.compose(one)
    found = float(total.get_epsilon_for_delta(work.delta))
    return -math.inf, found


def run_dp_analytic(work: Workload) -> tuple[float, float]:
    """The closed form for Gaussian mechanisms."""
    from dp_accounting import mechanism_calibration  # noqa: F401
    from dp_accounting.pld import common  # noqa: F401
    from dp_accounting.pld import privacy_loss_mechanism as mechanism

    [(kind, given, count)] = work.parts
    if kind != "gaussian":
        raise NotImplementedError(kind)
    loss = mechanism.GaussianPrivacyLoss(given["sigma"] / math.sqrt(count))
    low, high = 0.0, 100.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if loss.get_delta_for_epsilon(middle) > work.delta else (low, middle)
    return -math.inf, high


def run_prv(work: Workload, error: float) -> tuple[float, float]:
    """The interval of Microsoft's accountant."""
    from prv_accountant import LaplaceMechanism, PRVAccountant
    from prv_accountant.privacy_random_variables import (
        GaussianMechanism,
        PoissonSubsampledGaussianMechanism,
        PureDPMechanism,
    )

    made = {
        "gaussian": lambda g: GaussianMechanism(noise_multiplier=g["sigma"]),
        "laplace": lambda g: LaplaceMechanism(mu=1 / g["scale"]),
        "sampled": lambda g: PoissonSubsampledGaussianMechanism(
            noise_multiplier=g["sigma"], sampling_probability=g["rate"]
        ),
        "response": lambda g: PureDPMechanism(eps=g["epsilon"]),
    }
    accountant = PRVAccountant(
        prvs=[made[kind](given) for kind, given, _ in work.parts],
        max_self_compositions=[count for *_, count in work.parts],
        eps_error=error,
        delta_error=work.delta / 1000,
    )
    low, _, high = accountant.compute_epsilon(work.delta, [count for *_, count in work.parts])
    return float(low), float(high)


def run_autodp(work: Workload) -> tuple[float, float]:
    """The closed form for Gaussian mechanisms."""
    from autodp.mechanism_zoo import ExactGaussianMechanism

    [(kind, given, count)] = work.parts
    if kind != "gaussian":
        raise NotImplementedError(kind)
    return -math.inf, float(ExactGaussianMechanism(given["sigma"] / math.sqrt(count)).get_approxDP(work.delta))


def run_dp_rdp(work: Workload) -> tuple[float, float]:
    """Renyi divergences at the default orders, converted."""
    import dp_accounting
    from dp_accounting.rdp import RdpAccountant

    accountant = RdpAccountant()
    for kind, given, count in work.parts:
        if kind == "response":
            raise NotImplementedError("randomized response is stated for another relation")
        if kind == "laplace":
            one = dp_accounting.LaplaceDpEvent(given["scale"])
        else:
            one = dp_accounting.GaussianDpEvent(given["sigma"])
        one = dp_accounting.PoissonSampledDpEvent(given["rate"], one) if kind == "sampled" else one
        accountant.compose(one, count)
    return -math.inf, float(accountant.get_epsilon(work.delta))


def run_opacus(work: Workload, kind: str) -> tuple[float, float]:
    """The accountants for training: sampled Gaussian steps only; that of privacy random variables at error 0.01."""
    from opacus.accountants import PRVAccountant, RDPAccountant

    history = []
    for name, given, count in work.parts:
        if name not in ("gaussian", "sampled"):
            raise NotImplementedError(f"no {name} mechanism")
        history.append((given["sigma"], given.get("rate", 1.0), count))
    accountant = PRVAccountant() if kind == "prv" else RDPAccountant()
    accountant.history = history
    return -math.inf, float(accountant.get_epsilon(delta=work.delta))


TOOLS = {
    "rdpacct": run_rdpacct,
    "dp-accounting": run_dp_accounting,
    "dp-accounting 1e-3": lambda work: run_dp_accounting(work, 1e-3),
    "dp-accounting analytic": run_dp_analytic,
    "prv-accountant 0.1": lambda work: run_prv(work, 0.1),
    "prv-accountant 0.01": lambda work: run_prv(work, 0.01),
    "dp-accounting RDP": run_dp_rdp,
    "autodp analytic": run_autodp,
    "opacus prv": lambda work: run_opacus(work, "prv"),
    "opacus rdp": lambda work: run_opacus(work, "rdp"),
}


def calibrate_rdpacct(name: str) -> tuple[float, float]:
    """Certified ends of the smallest sigma."""
    import rdpacct

    plan, epsilon, delta, *_ = CALIBRATIONS[name]
    return rdpacct.calibrate(plan, str(epsilon), str(delta)).value.floats()


def calibrate_dp_accounting(name: str, bracketed: bool = False) -> tuple[float, float]:
    """The library's own search to its own tolerance of 1e-6, from its default bracket or from a good one.

    The good one is from half of the answer to twice it, which a user may know from a formula or an earlier run.
    """
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    _, epsilon, delta, reference, (rate, count) = CALIBRATIONS[name]

    def event(sigma: float) -> dp_accounting.DpEvent:
        one: dp_accounting.DpEvent = dp_accounting.GaussianDpEvent(sigma)
        one = one if rate is None else dp_accounting.PoissonSampledDpEvent(rate, one)
        return dp_accounting.SelfComposedDpEvent(one, count)

    interval = dp_accounting.ExplicitBracketInterval(reference / 2, reference * 2) if bracketed else None
    found = dp_accounting.calibrate_dp_mechanism(
        PLDAccountant, event, epsilon, delta, bracket_interval=interval, tol=1e-6
    )
    return -math.inf, float(found)


CALIBRATORS = {
    "rdpacct": calibrate_rdpacct,
    "dp-accounting": calibrate_dp_accounting,
    "dp-accounting bracketed": lambda name: calibrate_dp_accounting(name, bracketed=True),
}


def measure(tool: str, name: str) -> dict[str, object]:
    """Run one accountant on one workload: the ends, the median processor time and the peak memory.

    A first run warms up, unless it takes long: then it is the only one, and its time counts.
    """
    limit = GIGABYTES * 2**30
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    job = (lambda: CALIBRATORS[tool](name)) if name in CALIBRATIONS else (lambda: TOOLS[tool](WORKLOADS[name]))
    importlib.import_module(NEEDS[tool])
    start = time.process_time()
    ends = job()
    times = [time.process_time() - start]
    if times[0] < SLOW:
        times = []
    least = 2.0 if tool in ("rdpacct", "dp-accounting") else 0.5
    while not times or (len(times) < 3 and sum(times) < SLOW) or (sum(times) < least and len(times) < 2000):
        start = time.process_time()
        ends = job()
        times.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"lower": ends[0], "upper": ends[1], "ms": 1e3 * statistics.median(times), "mb": peak / 1024}


Results: TypeAlias = "dict[tuple[str, str], dict[str, float]]"


def reference_of(name: str) -> float:
    """The value that references agree on."""
    return CALIBRATIONS[name][3] if name in CALIBRATIONS else WORKLOADS[name].reference


def sound(got: dict[str, float], reference: float) -> bool:
    """Whether an upper end is one, and near enough."""
    return -1e-11 <= got["upper"] / reference - 1 <= TOLERANCE


def table(results: Results, names: list[str]) -> str:
    """The results as rows of Markdown, each ratio against rdpacct on the same workload."""
    rows = ["| workload | accountant | upper end | upper - reference | relative width | CPU ms | ratio | peak MB |"]
    rows.append("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in names:
        reference, ours = reference_of(name), results.get(("rdpacct", name), {}).get("ms")
        for (tool, of), got in results.items():
            if of != name:
                continue
            if "why" in got:
                rows.append(f"| {name} | {tool} | {got['why']} | | | | | |")
                continue
            width = f"{(got['upper'] - got['lower']) / reference:.1e}" if math.isfinite(got["lower"]) else "none"
            ratio = got["ms"] / ours if ours else math.nan
            cells = [f"{got['upper']:.11g}", f"{got['upper'] - reference:+.1e}", width, f"{got['ms']:.3g}"]
            rows.append(f"| {name} | {tool} | {' | '.join(cells)} | {ratio:.3g} | {got['mb']:.0f} |")
    return "\n".join(rows)


def summary(results: Results, names: list[str]) -> str:
    """For each workload: the ratio to dp-accounting, what is wanted, and the fastest other that is sound and near."""
    rows = ["| workload | ratio to dp-accounting | wanted | fastest that is sound and within 1e-7 | its ratio | met |"]
    rows.append("| --- | --- | --- | --- | --- | --- |")
    for name in names:
        ours, reference = results.get(("rdpacct", name), {}), reference_of(name)
        if "ms" not in ours:
            continue
        others = [
            (got["ms"], tool) for (tool, of), got in results.items() if of == name and tool != "rdpacct" and "ms" in got
        ]
        near = [(ms, tool) for ms, tool in others if sound(results[tool, name], reference)]
        ratio = results.get(("dp-accounting", name), {}).get("ms", math.nan) / ours["ms"]
        wanted, best = WANTED.get(name, 1), min(near, default=(math.inf, "none"))
        met = ratio >= wanted and best[0] >= ours["ms"] and ours["mb"] < 300
        rows.append(
            f"| {name} | {ratio:.3g} | {wanted} | {best[1]} | {best[0] / ours['ms']:.3g} | {'yes' if met else 'no'} |"
        )
    return "\n".join(rows)


def plot(results: Results, names: list[str], path: str) -> None:
    """Times on a logarithmic axis, one mark for each accountant."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(10, 5))
    for tool in NEEDS:
        points = [(i, results[tool, n]["ms"]) for i, n in enumerate(names) if "ms" in results.get((tool, n), {})]
        if points:
            axis.plot(*zip(*points, strict=True), "*" if tool == "rdpacct" else ".", markersize=10, label=tool)
    axis.set_yscale("log")
    axis.set_xticks(range(len(names)), names, rotation=60)
    axis.set_ylabel("milliseconds of processor time")
    axis.legend()
    figure.tight_layout()
    figure.savefig(path)


def _answers(tool: str, work: Workload) -> bool:
    """Whether an accountant has the mechanisms of a workload."""
    kinds = {kind for kind, *_ in work.parts}
    if "analytic" in tool:
        return kinds == {"gaussian"}
    if tool.startswith("opacus"):
        return kinds <= {"gaussian", "sampled"}
    return tool != "dp-accounting RDP" or "response" not in kinds


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
    names, results = options.only.split(","), {}
    for name in names:
        for tool in options.tools.split(","):
            if importlib.util.find_spec(NEEDS[tool]) is None:
                continue
            if tool not in (CALIBRATORS if name in CALIBRATIONS else TOOLS):
                continue
            if name not in CALIBRATIONS and not _answers(tool, WORKLOADS[name]):
                continue
            try:
                run = subprocess.run(
                    [sys.executable, __file__, "--one", tool, name],
                    capture_output=True,
                    text=True,
                    timeout=SECONDS.get(tool, OTHERS),
                    env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                )
                last = (run.stderr.strip().splitlines() or ["no output"])[-1]
                results[tool, name] = json.loads(run.stdout) if run.returncode == 0 else {"why": last[:80]}
            except subprocess.TimeoutExpired:
                results[tool, name] = {"why": f"no answer in {SECONDS.get(tool, OTHERS)} s"}
            print(tool, name, results[tool, name], file=sys.stderr, flush=True)
    print(table(results, names))
    print()
    print(summary(results, names))
    if options.plot:
        plot(results, names, options.plot)


if __name__ == "__main__":
    main()
