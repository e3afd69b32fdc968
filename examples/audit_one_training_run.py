"""One training run with canaries: what it shows about epsilon, sound noise beside noise too small.

The training is a toy of DP-SGD in plain Python: steps on Poisson samples of clipped gradients with
Gaussian noise. Half of 400 canaries, each with a direction of its own, are included by fair coins.
The score of a canary is how far the released sum of noisy gradients goes along its direction.
"""

from math import sqrt
from random import Random

from rdpacct import CanaryScores, audit_one_run, epsilon

CANARIES = 400
STEPS = 50
RATE = 0.1
CLAIMED_NOISE = 1.0
PLAN = f"{STEPS}*PoissonSampled(Gaussian(sigma={CLAIMED_NOISE}), rate={RATE})"


def train(included: list[bool], noise: float, rng: Random) -> list[float]:
    """The sum of the noisy gradients of all steps; canary k pulls coordinate k by 1, the clipping
    norm.
    """
    total = [0.0] * len(included)
    for _ in range(STEPS):
        for k, present in enumerate(included):
            drawn = present and rng.random() < RATE
            total[k] += drawn + rng.gauss(0, noise)
    return [each / sqrt(STEPS) for each in total]


def audited(noise: float, seed: int) -> None:
    """One run, and what it says about the claim."""
    rng = Random(seed)
    included = [rng.random() < 0.5 for _ in range(CANARIES)]
    scores = CanaryScores(train(included, noise, rng), included)
    print(f"noise {noise}:")
    print(audit_one_run(scores.chosen_on("0.25"), PLAN, "0.99", delta="1e-5"))


def main() -> None:
    print(f"claimed: {PLAN}, epsilon <= {epsilon(PLAN, '1e-5').short()} at 1e-5")
    audited(CLAIMED_NOISE, seed=1)
    audited(0.02, seed=1)


if __name__ == "__main__":
    main()
