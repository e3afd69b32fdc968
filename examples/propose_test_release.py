"""A private median without a useful range: propose a bound, test it, and release; against the
global sensitivity.
"""

import random
from fractions import Fraction

from rdpacct import DistanceTest, Median, OnGrid, ProposeTestRelease

RECORDS = 2001
CENT = Fraction(1, 100)


def main() -> None:
    source = random.Random(5)
    incomes = [
        min(round(source.lognormvariate(3, 1), 2), 10**6) for _ in range(RECORDS)
    ]
    query = OnGrid(Median(0, 10**6), CENT)
    print(
        f"{RECORDS} incomes in thousands, declared from 0 to a million; the median is"
        f" {query.value(incomes) * CENT}"
    )

    test = DistanceTest(epsilon="1/2", delta="1e-6")
    print(f"the test asks for a distance of {test.threshold()} records, with noise")
    rng = random.Random(6)
    for proposed in (20, 100, 500):
        release = ProposeTestRelease(query, test, proposed, epsilon="1/2")
        promised = release.guarantee()
        distance = release.distance(incomes).for_study()
        print(
            f"proposed bound {float(proposed * CENT)}: {distance} records away from"
            " more (not publishable)"
        )
        for _ in range(2):
            value = release.release(incomes, rng).value
            print(
                f"  released: {'no answer' if value is None else float(value * CENT)}"
            )
        print(
            f"  ApproxDP(epsilon={promised.epsilon},"
            f" delta={float(promised.delta.bound()):.3g}), {release.relation}"
        )

    print(
        "each proposal is a release of its own, and all that were tried count together"
    )
    whole = query.global_bound()
    assert whole is not None
    print(
        f"the global sensitivity is {float(whole * CENT):.0f}: noise of that scale"
        " would drown every median"
    )


if __name__ == "__main__":
    main()
