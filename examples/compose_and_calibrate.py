"""A training run and a few counts on the same data: what they cost together, and the noise that a
budget asks for.
"""

from rdpacct import Gaussian, Laplace, PoissonSampled, calibrate, epsilon, profile

DELTA = "1e-5"


def main() -> None:
    training = 10000 * PoissonSampled(Gaussian(sigma="0.8"), rate="0.01")
    counts = 20 * Laplace(scale=30)
    for name, plan in (
        ("training", training),
        ("counts", counts),
        ("both", training + counts),
    ):
        bound = epsilon(plan, DELTA)
        print(f"{name}: epsilon = {bound} by {bound.how}")

    removing, adding = (loss.epsilon(DELTA) for loss in profile(training).losses)
    print(f"removing a record {float(removing):.6f}, adding one {float(adding):.6f}")

    found = calibrate(
        "10000*PoissonSampled(Gaussian(sigma=?), rate=0.01)", epsilon=3, delta=DELTA
    )
    print(f"for epsilon 3 the training needs sigma = {found.value}")


if __name__ == "__main__":
    main()
