"""Five epochs of training on eight batches, which each example draws for itself.

This is as easy to program as a shuffled list, uses each example once an epoch, and has a number
that is proved, here below that of Poisson sampling.
"""

from rdpacct import epsilon

DELTA = "1e-5"
WAYS = {
    "Poisson sampling": "40*PoissonSampled(Gaussian(sigma=1), rate=1/8)",
    "one batch drawn at random": "5*RandomAllocation(Gaussian(sigma=1), steps=8)",
    "a known batch": "5*Gaussian(sigma=1)",
}


def main() -> None:
    for way, plan in WAYS.items():
        bound = epsilon(plan, DELTA)
        print(f"{way}: {float(bound.lower):.4f} to {float(bound.upper):.4f}")


if __name__ == "__main__":
    main()
