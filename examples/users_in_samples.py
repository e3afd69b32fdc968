"""Users with several records in a Poisson sample: how the records are drawn decides the epsilon.

A user with four records adds up to four clipped gradients to a step. If each record is drawn on its
own, the number of them is binomial; if users are drawn, it is none or all. What is in between, such
as two devices with two records each, is a mixture of Gaussians too.
"""

from fractions import Fraction
from math import comb

from rdpacct import GaussianMixture, epsilon

SIGMA, STEPS, DELTA = 4, 1000, "1e-6"
RATE = Fraction(1, 100)


def drawn(parts: int, records: int) -> GaussianMixture:
    """So many parts of so many records each are drawn independently."""
    shares = [
        comb(parts, j) * RATE**j * (1 - RATE) ** (parts - j) for j in range(parts + 1)
    ]
    lengths = [records * j for j in range(parts + 1)]
    return GaussianMixture(SIGMA, lengths, shares)


def main() -> None:
    for name, law in (
        ("each record on its own", drawn(4, 1)),
        ("two devices of two records", drawn(2, 2)),
        ("users as a whole", drawn(1, 4)),
    ):
        bound = epsilon(STEPS * law, DELTA)
        print(f"{name}: epsilon {float(bound):.6f}")


if __name__ == "__main__":
    main()
