"""Among pairs of integers at most ``steps`` apart, those at distance ``steps`` are worst for the
discrete Gaussian.

Printed: not in the sources.
Proved: Let x be the noise, whatever its law, and let a shift by b have the loss b (2x + b)/(2 v),
    that of the discrete Gaussian with variance parameter v. For a smaller shift p b, 0 <= p <= 1, E
    max(0, 1 - exp(eps - L)) is at most that of the shift b, for all eps >= 0: delta(eps) only grows
    with the distance. The noise is symmetric, so that exchanging the pair only turns the shift
    around: delta(-eps) is 1 - exp(-eps) (1 - delta(eps)), so that negative epsilons follow.
Idea: The loss of the smaller shift is at most p times that of the larger one, outcome by outcome.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, for the
    mechanism.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Fact, Falsehood, Fraction, Iterator, Lattice, Law, Refused, Statement, Status,
    Step, Symbol, Theorem, Whole, at_most, at_negative, combine,
    discrete_gaussian_worst_pair as worst_pair, equal, exp, farther, maximum, mirrored,
    mirrored_noise_smaller as smaller, module, pairwise, random, real, specialize, under,
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


j, k, n = map(Symbol, "jkn")
RENYI = module("discrete-gaussian/renyi")
INTEGER: Lattice = RENYI.NOISE
SHORTER, LONGER = (loss(shift).at(x=n) for shift in (j, k))
"""The losses of shifts by j and by k whole steps."""
STEPS = ("v > 0", "eps >= 0", Whole("j", 0), Whole("k", 1), "j <= k")


def exchange(shift: Symbol) -> Fact:
    """The profile of a shift at -eps: its weights are those of the reflected noise."""
    here = loss(shift).at(x=n)
    weight = INTEGER.weight
    ratio = real(equal(weight.at(n=-shift - n) / weight, exp(-here)), "v > 0")
    turned = real(equal(here.at(n=-shift - n), -here), "v > 0")
    return mirrored(INTEGER, here, shift, RENYI.weights(), ratio, turned, "v > 0")


def negative(part: Statement) -> Iterator[Step]:
    """By symmetry of the noise."""
    known = ("v > 0", "0 <= j", "j <= k", "1 <= k")
    gap = real("0 <= j*(k - j)/(2*v)", *known)
    share = under(real("p*k == j", "p*k == j"), "p*k == j", *known)
    slope = (2 * n + k) / (2 * v)
    star = combine(at_most(SHORTER, p * LONGER), gap, (share, -slope))
    near = specialize(farther(SHORTER, LONGER, star, INTEGER, "v > 0"), p=j / k)
    near = under(near, *STEPS)
    yield near, "the smaller shift at eps"
    both = [exchange(shift) for shift in (j, k)]
    for fact, name in zip(both, ("smaller", "larger"), strict=True):
        yield fact, f"the {name} shift at -eps"
    yield under(at_negative(part.claim, near, *both), *STEPS), "so"


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
    parts=(
        Statement(
            "farther",
            "a smaller shift has a smaller delta",
            at_most(delta(NEAR), delta(FAR)),
            proof,
            ("v > 0", "0 <= p", "p <= 1", "eps >= 0"),
        ),
        Statement(
            "negative",
            "at negative epsilons too, for whole shifts of the noise on the integers",
            smaller(INTEGER, SHORTER, LONGER),
            negative,
            STEPS,
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
