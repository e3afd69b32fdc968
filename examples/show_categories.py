"""Search queries that may be shown: users ask up to three each, and no rare one may appear."""

import random

from rdpacct import DiscreteLaplace, PartitionSelection, Thresholded, epsilon

USERS = {"weather": 412, "news": 97, "my own name": 1, "flights": 31, "opera": 17}
MOST = 3


def main() -> None:
    rng = random.Random(5)
    decision = PartitionSelection(epsilon="0.5", delta="1e-7")
    shown = [query for query, users in USERS.items() if decision.sample(users, rng)]
    print(f"shown: {shown}")
    counted = Thresholded(DiscreteLaplace(2), threshold=33)
    counts = {query: counted.sample(users, rng) for query, users in USERS.items()}
    print(f"counted: {counts}")
    for release in (decision, counted):
        cost = epsilon(MOST * release, "1e-6")
        print(f"{MOST}*{release}: epsilon = {cost.short()}")


if __name__ == "__main__":
    main()
