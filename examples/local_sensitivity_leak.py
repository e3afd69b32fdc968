"""Noise on the scale of the local sensitivity is not private: how much noise there is tells what
the data are.
"""

import random

from rdpacct import ApproxDP, Median, OnGrid, audit_samples
from rdpacct.testing import leaks

QUERY = OnGrid(Median(0, 1000))
FIRST = (0, 0, 0, 1000, 1000)
SECOND = (0, 0, 0, 0, 1000)
RUNS = 1000


def main() -> None:
    print("Two neighbors, with the same median:")
    for data in (FIRST, SECOND):
        local = QUERY.local(data).value.for_study()
        print(f"  {data}: median {QUERY.value(data)}, local sensitivity {local}")

    release = leaks.RawLocalRelease(QUERY, epsilon=1)
    print("Released with Laplace noise of scale LS/epsilon, epsilon = 1:")
    rng = random.Random(0)
    for data in (FIRST, SECOND):
        print(f"  {data}: {[release.release(data, rng) for _ in range(5)]}")

    print(
        "An output other than 0 proves that the data are the first; its exact"
        " probability is"
    )
    print(
        f"  {leaks.magnitude_leak(release, FIRST, SECOND).bound()} on the first, and 0"
        " on the second:"
    )
    print("no epsilon helps, and delta is at least that.")

    claim = ApproxDP(3, "0.5")
    verdict = audit_samples(
        lambda: abs(release.release(FIRST, rng)),
        lambda: abs(release.release(SECOND, rng)),
        claim,
        RUNS,
    )
    print(
        f"An audit of {RUNS} runs says that even {claim} {verdict.outcome.value}, by"
        f" {verdict.witness.event}."
    )


if __name__ == "__main__":
    main()
