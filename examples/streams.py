"""Prefix sums of a stream with correlated noise: how far a record moves what three strategies
release, and the epsilon of that.

A record takes part in one of 1024 steps, or in one of each of four epochs of 256 steps.
"""

from rdpacct import SquareRootMechanism, TreeAggregation, epsilon

STEPS, EPOCHS, DELTA = 1024, 4, "1e-6"


def main() -> None:
    for times in (1, EPOCHS):
        pattern = {"participations": times, "separation": STEPS // EPOCHS}
        strategies = (
            ("a tree", TreeAggregation(20, STEPS, **pattern)),
            ("the square root", SquareRootMechanism(20, STEPS, **pattern)),
            ("its first 64 bands", SquareRootMechanism(20, STEPS, bands=64, **pattern)),
        )
        for name, strategy in strategies:
            moves = float(strategy.total_sensitivity())
            found = float(epsilon(strategy, DELTA))
            print(f"{name}, {times} times: moves by {moves:.6f}, epsilon {found:.6f}")


if __name__ == "__main__":
    main()
