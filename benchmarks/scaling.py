"""How the processor time grows with the count, with delta and with the number of distinct
mechanisms.

python benchmarks/scaling.py
"""

import statistics
import time
from fractions import Fraction

from rdpacct import (
    Bound,
    Gaussian,
    Laplace,
    Plan,
    PoissonSampled,
    RandomizedResponse,
    epsilon,
)

KINDS = {
    "Gaussian(sigma=20)": Gaussian(20),
    "Laplace(scale=10)": Laplace(10),
    "PoissonSampled(Gaussian(sigma=0.8), rate=0.01)": PoissonSampled(
        Gaussian("0.8"), "0.01"
    ),
    "RandomizedResponse(epsilon=0.1)": RandomizedResponse("0.1"),
}


def measure(plan: Plan, delta: str) -> tuple[float, Bound]:
    """The median processor time in milliseconds, and the answer."""
    bound = epsilon(plan, delta)
    times: list[float] = []
    while len(times) < 5 or (sum(times) < 0.5 and len(times) < 50):
        start = time.process_time()
        bound = epsilon(plan, delta)
        times.append(time.process_time() - start)
    return 1e3 * statistics.median(times), bound


def row(label: str, plan: Plan, delta: str) -> float:
    """Print one line of the table, and return its time."""
    taken, bound = measure(plan, delta)
    print(
        f"| {label} | {taken:.2f} | {float(bound):.9g} | {bound.relative_width:.1e} |",
        flush=True,
    )
    return taken


def growth(name: str, low: tuple[Plan, str], high: tuple[Plan, str]) -> None:
    """Print how much longer the second takes: both in turn, several times, so that a busy machine
    slows both.
    """
    pairs = [(measure(*low)[0], measure(*high)[0]) for _ in range(5)]
    print(
        f"\n{name}: {statistics.median(second / first for first, second in pairs):.2f}"
        " times as long"
    )


def mixed(number: int) -> Plan:
    """A plan of so many distinct mechanisms, of four kinds in turn."""
    made = (
        lambda i: Gaussian(20 + i),
        lambda i: Laplace(20 + i),
        lambda i: RandomizedResponse(Fraction(1, 20 + i)),
        lambda i: PoissonSampled(Gaussian(2 + Fraction(i, 100)), "0.01"),
    )
    return Plan.total(Plan.of(made[i % 4](i)) for i in range(number))


def main() -> None:
    """Print the three tables."""
    head = " | ms | epsilon | relative width |\n| --- | --- | --- | --- |"
    for name, mechanism in KINDS.items():
        print(f"\n| count of {name}, delta 1e-6{head}")
        for power in range(10):
            row(f"1e{power}", Plan.of(mechanism) * 10**power, "1e-6")
        growth(
            "1e9 against 1e3", (1000 * mechanism, "1e-6"), (10**9 * mechanism, "1e-6")
        )
        print(f"\n| delta, 1000*{name}{head}")
        for power in (2, 6, 10, 20, 30, 40, 50):
            row(f"1e-{power}", 1000 * mechanism, f"1e-{power}")
        growth(
            "1e-50 against 1e-6",
            (1000 * mechanism, "1e-6"),
            (1000 * mechanism, "1e-50"),
        )
    print(f"\n| distinct mechanisms, delta 1e-6{head}")
    for number in (1, 3, 10, 30, 100, 300, 1000):
        row(str(number), mixed(number) + Gaussian(50), "1e-6")


if __name__ == "__main__":
    main()
