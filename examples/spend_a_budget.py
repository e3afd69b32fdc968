"""A budget that is spent on the way: what to release next, and at what price, depends on what came
out before.

A curator has a budget of rho. Coarse counts are cheap; where one of them looks large, a finer count
is worth more. The filter grants or refuses each of them, and the whole has the guarantee of the
budget, whatever was chosen. Its state survives in a file.
"""

import random

from rdpacct import ApproxDP, Gaussian, ZCDPFilter

TRUE_COUNTS = {"north": 40, "east": 900, "south": 75, "west": 610}
LARGE = 300


def main() -> None:
    noise = random.Random(5)
    budget = ZCDPFilter("0.1")
    for place, count in TRUE_COUNTS.items():
        coarse = Gaussian(sigma=20)
        if not budget.spend(coarse):
            print(f"{place}: refused")
            continue
        seen = count + noise.gauss(0, 20)
        print(f"{place}: about {seen:.0f}")
        fine = Gaussian(sigma=4)
        if seen > LARGE and budget.spend(fine):
            print(f"  looked again: {count + noise.gauss(0, 4):.0f}")

    print(budget)
    state = budget.to_json()
    again = ZCDPFilter.from_json(state)
    print(again.spend(Gaussian(sigma=3)))
    whole = again.guarantee()
    print(f"whatever is asked next: {whole}, so")
    print(f"  {whole.to(ApproxDP, delta='1e-6').epsilon.bound()} at delta 1e-6")
    print("by", ", ".join(sorted(whole.rests_on)))


if __name__ == "__main__":
    main()
