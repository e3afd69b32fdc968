"""Thirty choices among candidates by private scores: three ways, their cost and how often the best
one is found.
"""

import random

from rdpacct import Exponential, PermuteAndFlip, ReportNoisyMax, epsilon

SCORES = [12, 17, 9, 16, 4]
TRIALS = 500


def main() -> None:
    rng = random.Random(7)
    for choice in (PermuteAndFlip, ReportNoisyMax, Exponential):
        release = choice(1, monotone=True)
        best = max(SCORES)
        drawn = (SCORES[release.sample(SCORES, rng)] for _ in range(TRIALS))
        found = sum(score == best for score in drawn)
        cost = epsilon(30 * release, "1e-6")
        print(f"{release}: best in {found} of {TRIALS}")
        print(f"  thirty of them have epsilon {cost.short()}")


if __name__ == "__main__":
    main()
