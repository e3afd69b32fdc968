"""The exponential moments of the Gaussian loss, and with them its Renyi divergences.

Printed: not in the sources
Proved: For a shift by mu standard deviations, log E exp(t L) is t (1 + t) mu**2/2 for all real t,
    so that the Renyi divergence of order a is a mu**2/2. The loss of the reversed pair has the same
    moments: E exp(-L) exp(-t L) is the moment at t too.
Idea: Complete the square under the integral.
Source: Van Erven and Harremoes (2014); Mironov (2017), Proposition 7.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Gaussian, Iterator, Refused, Statement, Status, Step, Symbol,
    Theorem, at_most, combine, equal, exp, finite, gaussian_log_moment as log_moment, linear,
    normal, random, real,
)  # fmt: skip

t, mu, x, a = (Symbol(name) for name in ("t", "mu", "x", "a"))
N = normal.standard_normal()
LOSS = normal.loss(mu, x)


def moment(part: Statement) -> Iterator[Step]:
    """The moment of the noise at the rate t mu."""
    noise = normal.exponential_moment(N, t * mu)
    yield noise, "the moment of the noise, by an antiderivative"
    shifted = linear(
        N, exp(t * LOSS), {exp(t * mu * x): exp(t * mu**2 / 2)}, finite(noise)
    )
    yield combine(part.claim, shifted, noise), "the loss is mu x + mu**2/2"


def reversed_moment(part: Statement) -> Iterator[Step]:
    """Under Q, the law with ratio exp(-L) to P, the loss is -L."""
    noise = normal.exponential_moment(N, -(1 + t) * mu)
    yield noise, "the moment of the noise"
    both = exp(-LOSS) * exp(t * (-LOSS))
    shifted = linear(
        N, both, {exp(-(1 + t) * mu * x): exp(-(1 + t) * mu**2 / 2)}, finite(noise)
    )
    yield (
        combine(part.claim, shifted, noise),
        "the loss of the reversed pair is -L, and the ratio exp(-L)",
    )


def numerically(seed: int) -> int:
    """Random scales and rates: the closed form against an integral of the density in balls."""
    rng = random.Random(seed)
    for _ in range(12):
        gaussian = Gaussian(Fraction(rng.randint(2, 40), 10))
        rate = Fraction(rng.randint(-30, 30), 10)
        derived = gaussian.loss().derived().moment(rate)
        if not exp(log_moment(gaussian.shift, rate)).bound().overlaps(derived):
            raise Refused(f"the moment of {gaussian} at {rate} is {derived}.")
    return 12


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "moment",
            "the moment of the loss at every rate",
            equal(E(N, exp(t * LOSS)), exp(log_moment(mu, t))),
            moment,
        ),
        Statement(
            "renyi",
            "the Renyi divergence of order a",
            equal(log_moment(mu, a - 1) / (a - 1), a * mu**2 / 2),
            lambda part: iter([(real(part.claim, *part.given), "in other words")]),
            ("a > 1",),
        ),
        Statement(
            "reversed",
            "the reversed pair has the same moments",
            equal(E(N, exp(-LOSS) * exp(t * (-LOSS))), exp(log_moment(mu, t))),
            reversed_moment,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the moments stay below those of a zCDP loss with a smaller rho",
            at_most(log_moment(mu, t), t * (1 + t) * mu**2 / 2 * Fraction(99, 100)),
            ("t > 0", "mu > 0"),
        ),
    ),
    attacks=(
        Attack(
            "closed form against the integral of the density, in balls", numerically
        ),
    ),
    rules=(log_moment,),
)
