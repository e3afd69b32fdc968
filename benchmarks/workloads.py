"""The workloads that accountants are compared on: a plan, a delta, and the epsilon that references
agree on.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    """A plan as text; ``parts`` says the same in plain data, for accountants with other words."""

    plan: str
    delta: float
    reference: float
    parts: tuple[tuple[str, dict[str, float], int], ...]


def _gaussian(sigma: float, count: int, delta: float, reference: float) -> Workload:
    return Workload(
        f"{count}*Gaussian(sigma={sigma})",
        delta,
        reference,
        (("gaussian", {"sigma": sigma}, count),),
    )


def _laplace(scale: float, count: int, delta: float, reference: float) -> Workload:
    return Workload(
        f"{count}*Laplace(scale={scale})",
        delta,
        reference,
        (("laplace", {"scale": scale}, count),),
    )


def _response(epsilon: float, count: int, delta: float, reference: float) -> Workload:
    plan = f"{count}*RandomizedResponse(epsilon={epsilon})"
    return Workload(
        plan, delta, reference, (("response", {"epsilon": epsilon}, count),)
    )


def _sampled(
    sigma: float, rate: float, count: int, delta: float, reference: float
) -> Workload:
    plan = f"{count}*PoissonSampled(Gaussian(sigma={sigma}), rate={rate!r})"
    return Workload(
        plan, delta, reference, (("sampled", {"sigma": sigma, "rate": rate}, count),)
    )


def _mixed() -> Workload:
    parts = [("gaussian", {"sigma": 20.0 + i}, 1) for i in range(100)]
    parts += [("laplace", {"scale": 20 + i / 2}, 1) for i in range(100)]
    parts += [("response", {"epsilon": (i + 1) / 200}, 1) for i in range(50)]
    texts = [f"Gaussian(sigma={20 + i})" for i in range(100)]
    texts += [f"Laplace(scale={40 + i}/2)" for i in range(100)]
    texts += [f"RandomizedResponse(epsilon={i + 1}/200)" for i in range(50)]
    return Workload(" + ".join(texts), 1e-6, 5.03372089909, tuple(parts))


WORKLOADS = {
    "W1": _gaussian(1.0, 1, 1e-6, 4.8865541174622120),
    "W2": _gaussian(20.0, 1000, 1e-6, 8.3062250499547282),
    "W3a": _laplace(1.0, 10, 1e-6, 9.9989780894472),
    "W3b": _laplace(1.0, 100, 1e-6, 71.54600365967),
    "W3c": _laplace(10.0, 1000, 1e-6, 18.95028736754),
    "W3d": _laplace(10.0, 10000, 1e-6, 94.235865394926),
    "W4a": _sampled(0.8, 0.01, 1000, 1e-5, 3.14101413945),
    "W4b": _sampled(0.8, 0.01, 10000, 1e-5, 10.05363477065),
    "W4c": _sampled(0.8, 0.01, 100000, 1e-5, 43.54454697646),
    "W4d": _sampled(1.0, 256 / 60000, 14063, 1e-5, 2.82265269405),
    "W5a": _response(0.5, 50, 1e-6, 20.30100066484),
    "W5b": _response(0.5, 500, 1e-6, 110.85981949859),
    "W6": _mixed(),
    "W9a": _laplace(10.0, 1000, 1e-12, 26.02130125637),
    "W9b": _laplace(10.0, 1000, 1e-15, 28.80597699512),
    "W9c": _laplace(10.0, 1000, 1e-20, 32.83379379872),
    "Laplace x2": _laplace(1.0, 2, 1e-6, 1.999995999999999997),
    "Laplace x5": _laplace(1.0, 5, 1e-6, 4.999968000767961773),
    "Laplace x10": _laplace(1.0, 10, 1e-6, 9.998978089447219839),
    "Laplace x30": _laplace(1.0, 30, 1e-6, 27.77253808069558399),
    "Laplace x100": _laplace(1.0, 100, 1e-6, 71.54600365967),
    "sampled x1": _sampled(0.6, 0.05, 1, 1e-6, 4.7460382601551856),
    "sampled x3": _sampled(0.6, 0.05, 3, 1e-6, 5.47184254272076),
}

CALIBRATIONS = {
    "W7a": ("1000*Gaussian(sigma=?)", 1.0, 1e-6, 133.59607673103, (None, 1000)),
    "W7b": (
        "10000*PoissonSampled(Gaussian(sigma=?), rate=0.01)",
        3.0,
        1e-5,
        1.56496553546,
        (0.01, 10000),
    ),
}
"""A plan with an open sigma, the target, the reference, and (sampling rate, count)."""

WANTED = {
    "W3c": 200,
    "W3d": 1000,
    **dict.fromkeys(("W4a", "W4b", "W4c", "W4d", "W5b", "W6", "W7a", "W7b"), 100),
}
"""How many times faster than dp-accounting at its default we mean to be."""
