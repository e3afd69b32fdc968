"""Training on batches that are drawn example by example: one of them for each example and epoch.

This is as easy to program as a shuffled list, and has a number that is proved: about that of
Poisson sampling, and far below what shuffled batches of one size can have.
"""

from rdpacct import dpsgd, epsilon

DELTA = "1e-5"


def main() -> None:
    run = dpsgd(examples=10000, batch=100, epochs=10, noise_multiplier=1, delta=DELTA)
    for statement in run.statements:
        if statement.relation.value == "add_or_remove_one":
            low = float(statement.epsilon.lower)
            high = float(statement.epsilon)
            print(f"{statement.batching}: {low:.3f} to {high:.3f}")
    several = epsilon(
        "10*RandomAllocation(Gaussian(sigma=1), steps=100, times=2)", DELTA
    )
    print(
        f"each example in two of the batches of an epoch: at most {float(several):.3f}"
    )


if __name__ == "__main__":
    main()
