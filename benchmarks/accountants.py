"""The accountants that are compared: how each is called for a workload, and for a calibration."""

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from workloads import CALIBRATIONS, Workload

if TYPE_CHECKING:
    from rdpacct import Plan

NEEDS = {
    "rdpacct": "rdpacct",
    "dp-accounting": "dp_accounting",
    "dp-accounting bracketed": "dp_accounting",
    "dp-accounting 1e-3": "dp_accounting",
    "dp-accounting analytic": "dp_accounting",
    "dp-accounting Renyi": "dp_accounting",
    "prv-accountant 0.1": "prv_accountant",
    "prv-accountant 0.01": "prv_accountant",
    "autodp analytic": "autodp",
    "opacus prv": "opacus",
    "opacus Renyi": "opacus",
}


def run_rdpacct(work: Workload) -> tuple[float, float]:
    """Certified ends; the text of the plan is read once, and everything else is done anew each
    time.
    """
    import rdpacct

    return rdpacct.epsilon(_plan(work.plan), str(work.delta)).floats()


@functools.cache
def _plan(text: str) -> "Plan":
    import rdpacct

    return rdpacct.read_plan(text)


def run_dp_accounting(work: Workload, step: float = 1e-4) -> tuple[float, float]:
    """The pessimistic privacy loss distribution; only an upper value is promised."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    total: Any = None
    for kind, given, count in work.parts:
        if kind == "gaussian":
            one = pld.from_gaussian_mechanism(
                given["sigma"], value_discretization_interval=step
            )
        elif kind == "laplace":
            one = pld.from_laplace_mechanism(
                given["scale"], value_discretization_interval=step
            )
        elif kind == "sampled":
            one = pld.from_gaussian_mechanism(
                given["sigma"],
                sampling_prob=given["rate"],
                value_discretization_interval=step,
            )
        else:
            noise = 2 / (1 + math.exp(given["epsilon"]))
            one = pld.from_randomized_response(
                noise, 2, value_discretization_interval=step
            )
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
    low = 0.0
    high = 100.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (
            (middle, high)
            if loss.get_delta_for_epsilon(middle) > work.delta
            else (low, middle)
        )
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
    low, _, high = accountant.compute_epsilon(
        work.delta, [count for *_, count in work.parts]
    )
    return float(low), float(high)


def run_autodp(work: Workload) -> tuple[float, float]:
    """The closed form for Gaussian mechanisms."""
    from autodp.mechanism_zoo import ExactGaussianMechanism

    [(kind, given, count)] = work.parts
    if kind != "gaussian":
        raise NotImplementedError(kind)
    return -math.inf, float(
        ExactGaussianMechanism(given["sigma"] / math.sqrt(count)).get_approxDP(
            work.delta
        )
    )


def run_dp_renyi(work: Workload) -> tuple[float, float]:
    """Renyi divergences at the default orders, converted."""
    import dp_accounting
    from dp_accounting.rdp import RdpAccountant as RenyiAccountant

    accountant = RenyiAccountant()
    for kind, given, count in work.parts:
        if kind == "response":
            raise NotImplementedError(
                "randomized response is stated for another relation"
            )
        if kind == "laplace":
            one = dp_accounting.LaplaceDpEvent(given["scale"])
        else:
            one = dp_accounting.GaussianDpEvent(given["sigma"])
        one = (
            dp_accounting.PoissonSampledDpEvent(given["rate"], one)
            if kind == "sampled"
            else one
        )
        accountant.compose(one, count)
    return -math.inf, float(accountant.get_epsilon(work.delta))


def run_opacus(work: Workload, kind: str) -> tuple[float, float]:
    """The accountants for training: sampled Gaussian steps only; that of privacy random variables
    at error 0.01.
    """
    from opacus.accountants import PRVAccountant
    from opacus.accountants import RDPAccountant as RenyiAccountant

    history = []
    for name, given, count in work.parts:
        if name not in ("gaussian", "sampled"):
            raise NotImplementedError(f"no {name} mechanism")
        history.append((given["sigma"], given.get("rate", 1.0), count))
    accountant = PRVAccountant() if kind == "prv" else RenyiAccountant()
    accountant.history = history
    return -math.inf, float(accountant.get_epsilon(delta=work.delta))


TOOLS: dict[str, Callable[[Workload], tuple[float, float]]] = {
    "rdpacct": run_rdpacct,
    "dp-accounting": run_dp_accounting,
    "dp-accounting 1e-3": lambda work: run_dp_accounting(work, 1e-3),
    "dp-accounting analytic": run_dp_analytic,
    "prv-accountant 0.1": lambda work: run_prv(work, 0.1),
    "prv-accountant 0.01": lambda work: run_prv(work, 0.01),
    "dp-accounting Renyi": run_dp_renyi,
    "autodp analytic": run_autodp,
    "opacus prv": lambda work: run_opacus(work, "prv"),
    "opacus Renyi": lambda work: run_opacus(work, "Renyi"),
}


def calibrate_rdpacct(name: str) -> tuple[float, float]:
    """Certified ends of the smallest sigma."""
    import rdpacct

    plan, epsilon, delta, *_ = CALIBRATIONS[name]
    return rdpacct.calibrate(plan, str(epsilon), str(delta)).value.floats()


def calibrate_dp_accounting(name: str, bracketed: bool = False) -> tuple[float, float]:
    """The library's own search to its own tolerance of 1e-6, from its default bracket or from a
    good one.

    The good one is from half of the answer to twice it, which a user may know from a formula or an
    earlier run.
    """
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    _, epsilon, delta, reference, (rate, count) = CALIBRATIONS[name]

    def event(sigma: float) -> dp_accounting.DpEvent:
        one: dp_accounting.DpEvent = dp_accounting.GaussianDpEvent(sigma)
        one = one if rate is None else dp_accounting.PoissonSampledDpEvent(rate, one)
        return dp_accounting.SelfComposedDpEvent(one, count)

    interval = (
        dp_accounting.ExplicitBracketInterval(reference / 2, reference * 2)
        if bracketed
        else None
    )
    found = dp_accounting.calibrate_dp_mechanism(
        PLDAccountant, event, epsilon, delta, bracket_interval=interval, tol=1e-6
    )
    return -math.inf, float(found)


CALIBRATORS: dict[str, Callable[[str], tuple[float, float]]] = {
    "rdpacct": calibrate_rdpacct,
    "dp-accounting": calibrate_dp_accounting,
    "dp-accounting bracketed": lambda name: calibrate_dp_accounting(
        name, bracketed=True
    ),
}


def has_mechanisms_of(tool: str, work: Workload) -> bool:
    """Whether an accountant has the mechanisms of a workload."""
    kinds = {kind for kind, *_ in work.parts}
    if "analytic" in tool:
        return kinds == {"gaussian"}
    if tool.startswith("opacus"):
        return kinds <= {"gaussian", "sampled"}
    return tool != "dp-accounting Renyi" or "response" not in kinds
