"""The moments of the loss of the discrete Gaussian mechanism, at rates that shift by whole steps.

Printed: not in the sources.
Proved: Let n have probability proportional to exp(-n**2/(2 v)) on the integers, and let L = m (2n +
    m)/(2 v) be the loss of a shift by m. If the rate t is j/m or -j/m for a whole number j >= 0,
    then E exp(t L) is exp(t (1 + t) m**2/(2 v)), as for the Gaussian mechanism, with the
    shipped logarithm.
Idea: exp(j n/v) times the weight of n is the weight of n - j, up to a constant; a shift of the
    integers by j does not change their sum.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, Proposition 5.
"""

from rdpacct.book.words import (
    Attack, E, Fact, Falsehood, Fraction, GaussianLattice, Iterator, Lattice, Refused, Statement,
    Status, Step, Symbol, Theorem, Whole, absolute, at_most, below, combine,
    discrete_gaussian_log_moment as log_moment, equal, exists_by, exp, formula, given_by,
    integrable, linear, partial, random, real, reindex, shifted_moment, specialize, under,
)  # fmt: skip

n, v, m, j = (Symbol(name) for name in ("n", "v", "m", "j"))
WEIGHT = exp(-(n**2) / (2 * v))
NOISE = Lattice("N", ("n",), (), WEIGHT)
LOSS = m * (2 * n + m) / (2 * v)
VALUE = shifted_moment(v, m, j / m)


def weights() -> tuple[Fact, Fact]:
    """The weights are positive, and fall fast enough to have a sum."""
    positive = real(below(0, WEIGHT), "v > 0")
    square = under(real("2*v*abs(n) - n**2 <= v**2", "v > 0"), "v > 0")
    rises = specialize(
        real("exp(x) <= exp(y)", "x <= y", "v > 0"),
        x=-(n**2) / (2 * v),
        y=v / 2 - absolute(n),
    )
    exponents = combine(
        at_most(-(n**2) / (2 * v), v / 2 - absolute(n)), (square, 1 / (2 * v))
    )
    tail = given_by(rises, exponents)
    return positive, combine(at_most(WEIGHT, exp(v / 2) * exp(-absolute(n))), tail)


def is_law() -> Fact:
    """There is a law with these weights."""
    return exists_by(NOISE, *weights())


def moments(part: Statement, sign: int) -> Iterator[Step]:
    """Shift the integers by j, to the right for positive rates and to the left for negative
    ones.
    """
    positive, tail = weights()
    yield tail, "the weights have a sum"
    one = linear(NOISE, 1, {}, constant=1)
    shifted = reindex(NOISE, integrable(one, E(NOISE, 1)), positive, tail, -sign * j)
    yield shifted, "the integers shifted by j"
    moved = shifted.relation.right
    ratio, finite = moved.body, integrable(shifted, moved)  # type: ignore[attr-defined]
    scale = exp((j**2 + sign * j * m) / (2 * v))
    total = linear(
        NOISE,
        exp(sign * j / m * LOSS),
        {ratio: scale},
        finite,
        where=("v > 0", "m > 0"),
    )
    yield total, "the moment is that sum, but for a factor"
    yield (
        combine(part.claim, total, (shifted, -scale), (one, scale)),
        "which is the value",
    )


def attack(seed: int) -> int:
    """The shipped sums against the shipped form."""
    rng = random.Random(seed)
    for _ in range(60):
        variance = Fraction(rng.randint(1, 60), 6)
        steps = rng.randint(1, 4)
        rate = Fraction(rng.randint(-6, 6), steps)
        value = log_moment(variance, steps, rate)
        gap = GaussianLattice(variance, steps).moment(rate, 128) - exp(
            formula(0) if value is None else value
        ).ball(128)
        if value is None or gap.certainly_positive() or gap.certainly_negative():
            raise Refused(
                f"a shift by {steps} at the variance {variance} has another moment at"
                f" {rate}."
            )
    return 60


def moment(sign: int) -> Statement:
    """The part for rates of this sign."""
    name, rate = ("positive", "j/m") if sign > 0 else ("negative", "-j/m")
    t = sign * j / m
    return Statement(
        name,
        f"the moments at the rates {rate}",
        equal(E(NOISE, exp(t * LOSS)), exp(shifted_moment(v, m, t))),
        partial(moments, sign=sign),
        ("v > 0", "m > 0", Whole("j", 0)),
    )


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(moment(1), moment(-1)),
    falsehoods=(
        Falsehood(
            "the divergence does not grow with the order",
            at_most(VALUE, j / m * m**2 / (2 * v)),
            ("v > 0", "m > 0", "j > 0"),
        ),
    ),
    attacks=(Attack("shipped sums of random variances, steps and rates", attack),),
    rules=(shifted_moment,),
)
