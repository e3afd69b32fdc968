"""A menu of releases, of which an analyst chooses the next one by the outputs so far.

Counts with little noise cost more units than counts with much. How many units there are follows
from the privacy-loss distributions: no strategy has more than delta at epsilon.
"""

import random

from rdpacct import DiscreteLaplace, MenuFilter


def main() -> None:
    rough = DiscreteLaplace(scale=12)
    fine = DiscreteLaplace(scale=4)
    budget = MenuFilter([rough, fine], 2, "1e-5")
    prices = dict(zip(map(str, budget.menu), budget.item_prices, strict=True))
    print("prices in units:", prices)
    print("the budget:", budget)

    rng = random.Random(7)
    counts = {"north": 3, "south": 58, "east": 41, "west": 2}
    for region, count in counts.items():
        if not budget.spend(rough):
            break
        seen = rough.sample(count, rng)
        line = f"{region}: about {seen}"
        if seen > 25 and budget.spend(fine):
            line += f", and closer {fine.sample(count, rng)}"
        print(line)
    print("left:", *budget.remaining, "units")
    print("the whole:", budget.guarantee())


if __name__ == "__main__":
    main()
