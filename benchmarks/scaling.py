"""How the time grows with the count, with delta and with the number of distinct mechanisms.

python benchmarks/scaling.py
"""

import statistics
import time
from fractions import Fraction

from rdpacct import Gaussian, Laplace, Plan, PoissonSampled, RandomizedResponse, epsilon

KINDS = {
    "Gaussian(sigma=20)": Gaussian(20),
    "Laplace(scale=10)": Laplace(10),
    "PoissonSampled(Gaussian(sigma=0.8), rate=0.01)": PoissonSampled(Gaussian("0.8"), "0.01"),
    "RandomizedResponse(epsilon=0.1)": RandomizedResponse("0.1"),
}


def row(label: str, plan: Plan, delta: str) -> str:
    """One line of the table: the median time, the width, and the method."""
    bound, times = epsilon(plan, delta), []
    while len(times) < 5 or (sum(times) < 0.5 and len(times) < 50):
        start = time.perf_counter()
        bound = epsilon(plan, delta)
        times.append(time.perf_counter() - start)
    return f"| {label} | {1e3 * statistics.median(times):.2f} | {float(bound):.9g} | {bound.relative_width:.1e} |"


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
            print(row(f"1e{power}", Plan.of(mechanism) * 10**power, "1e-6"), flush=True)
        print(f"\n| delta, 1000*{name}{head}")
        for power in (2, 6, 10, 20, 30, 40, 50):
            print(row(f"1e-{power}", 1000 * mechanism, f"1e-{power}"), flush=True)
    print(f"\n| distinct mechanisms, delta 1e-6{head}")
    for number in (1, 3, 10, 30, 100, 300, 1000):
        print(row(str(number), mixed(number) + Gaussian(50), "1e-6"), flush=True)


if __name__ == "__main__":
    main()
