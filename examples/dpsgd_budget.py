"""The budget of a training run: for Poisson samples, for shuffled batches, and for users."""

from rdpacct import dpsgd

EXAMPLES, BATCH, EPOCHS, DELTA = 60_000, 256, 60, "1e-5"


def main() -> None:
    """Print the statements, and how epsilon falls with the noise."""
    found = dpsgd(
        *(EXAMPLES, BATCH, EPOCHS, DELTA), noise_multiplier="1.1", examples_per_user=2
    )
    print(f"{found.run}")
    for statement in found.statements:
        print(
            f"  {statement.batching}, {statement.level} level: epsilon <="
            f" {statement.epsilon:.2f} ({statement.neighbors})"
        )
    for target in (1, 8):
        wanted = dpsgd(EXAMPLES, BATCH, EPOCHS, DELTA, target_epsilon=target)
        multiplier = float(wanted.run.noise_multiplier)
        print(f"  epsilon {target} under Poisson sampling needs {multiplier}")


if __name__ == "__main__":
    main()
