"""Among pairs of integers at most ``steps`` apart, those at distance ``steps`` are worst for the
discrete Gaussian.

Printed: not in the sources.
Proved: Let x be the noise, whatever its law, and let a shift by b have the loss b (2x + b)/(2 v),
    that of the discrete Gaussian with variance parameter v. For a smaller shift p b, 0 <= p <= 1, E
    max(0, 1 - exp(eps - L)) is at most that of the shift b, for all eps >= 0: delta(eps) only grows
    with the distance. The noise is symmetric, so that exchanging the pair only turns the shift
    around, which settles negative epsilons too.
Idea: The loss of the smaller shift is at most p times that of the larger one, outcome by outcome.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, for the
    mechanism.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Falsehood, Fraction, Iterator, Law, Refused, Statement, Status, Step, Symbol,
    Theorem, at_most, combine, discrete_gaussian_worst_pair as worst_pair, exp, farther, maximum,
    pairwise, random, real,
)  # fmt: skip

x, b, p, v, eps = (Symbol(name) for name in ("x", "b", "p", "v", "eps"))
NOISE = Law("N", ("x",))


def loss(shift: Expr) -> Expr:
    """The loss of the outcome x of a shift by this much."""
    return shift * (2 * x + shift) / (2 * v)


FAR = loss(b)
NEAR = loss(p * b)


def delta(one: Expr) -> Expr:
    """The mean excess of a loss over eps."""
    return E(NOISE, maximum(0, 1 - exp(eps - one)))


def proof(part: Statement) -> Iterator[Step]:  # noqa: ARG001
    """Outcome by outcome."""
    gap = real("0 <= p*(1 - p)*b**2/(2*v)", "v > 0", "0 <= p", "p <= 1")
    star = combine(at_most(NEAR, p * FAR), gap)
    yield star, "the loss is convex in the shift, and 0 without one"
    yield (
        farther(NEAR, FAR, star, NOISE, "v > 0"),
        "so the excess over eps is larger, and its mean",
    )


def attack(seed: int) -> int:
    """The shipped losses of growing shifts, at random thresholds."""
    rng = random.Random(seed)
    count = 0
    for _ in range(12):
        variance = Fraction(rng.randint(1, 40), 4)
        threshold = Fraction(rng.randint(0, 12), 4)
        found = [
            worst_pair(variance, steps).parts[0].excess(threshold, 96)
            for steps in (1, 2, 3, 5)
        ]
        for less, more in pairwise(found):
            if (less - more).certainly_positive():
                raise Refused(
                    f"a larger shift has a smaller delta({threshold}) at the variance"
                    f" {variance}."
                )
            count += 1
    return count


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=("negative epsilons, by symmetry of the noise",),
    parts=(
        Statement(
            "farther",
            "a smaller shift has a smaller delta",
            at_most(delta(NEAR), delta(FAR)),
            proof,
            ("v > 0", "0 <= p", "p <= 1", "eps >= 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "each outcome has a larger loss under the larger shift",
            at_most(NEAR, FAR),
            ("v > 0", "0 <= p", "p <= 1", "b > 0"),
        ),
    ),
    attacks=(Attack("the shipped losses of shifts by 1, 2, 3 and 5", attack),),
    rules=(worst_pair,),
)
