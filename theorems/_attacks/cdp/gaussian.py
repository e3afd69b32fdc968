"""What is tried against cdp/gaussian."""

from rdpacct.book.words import (
    Attack, Fraction, Gaussian, Refused, exp, gaussian_mean as mean, random, tau,
)  # fmt: skip


def numerically(seed: int) -> int:
    """Random scales: the integral of the shipped density in balls, against the two parameters."""
    rng = random.Random(seed)
    for _ in range(8):
        gaussian = Gaussian(
            Fraction(rng.randint(2, 40), 10),
            sensitivity=Fraction(rng.randint(1, 30), 10),
        )
        loss = gaussian.loss().derived()
        rate = Fraction(rng.randint(-20, 20), 10)
        m = mean(gaussian.shift)
        width = tau(gaussian.shift)
        if loss.mean().certainly_above(m.bound().upper) or loss.moment(
            rate
        ).certainly_above(exp(rate * m + rate**2 * width**2 / 2).bound()):
            raise Refused(f"{gaussian} is not concentrated as claimed.")
    return 8


ATTACKS = (
    Attack(
        "the integral of the density in balls, against both parameters", numerically
    ),
)
