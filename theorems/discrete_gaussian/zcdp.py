"""The concentrated parameter of the discrete Gaussian mechanism, that of the Gaussian mechanism.

Printed: not in the sources.
Proved: Let n have probability proportional to exp(-n**2/(2 v)) on the integers, L = m (2n + m)/(2
    v), and rho = m**2/(2 v). Then E exp(t L) <= exp(t (1 + t) rho) for all t >= 0, from Poisson
    summation, as discrete-gaussian/subgaussian. No smaller rho does: at t = j/m, j whole, it is an
    equation, proved without it, for arbitrarily large orders, and at order 1 the divergence
    is the mean loss rho.
Idea: The loss is its mean and a multiple of the noise.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, Theorem 4.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, GaussianLattice, Iterator, Refused, Refutation, Statement,
    Status, Step, Symbol, Theorem, Whole, at_most, below, combine, discrete_gaussian_rho as rho,
    equal, example, exp, given_by, integrable, lemma, linear, module, random, real, specialize,
)  # fmt: skip

RENYI = module("discrete-gaussian/renyi")
v, m, t, j = (Symbol(name) for name in ("v", "m", "t", "j"))
NOISE = RENYI.NOISE
LOSS = RENYI.LOSS
MU_SQUARED = m**2 / v


def proof(part: Statement) -> Iterator[Step]:
    """From the moments about the mean."""
    centered = specialize(lemma("discrete-gaussian/subgaussian", "subgaussian"), s=t)
    yield centered, "the loss is subgaussian about its mean"
    body, scale = centered.relation.left.body, exp(t * rho(MU_SQUARED))  # type: ignore[attr-defined]
    total = linear(
        NOISE,
        exp(t * LOSS),
        {body: scale},
        integrable(centered, E(NOISE, body)),
        where=("v > 0",),
    )
    yield total, "which is mu**2/2"
    yield combine(part.claim, total, (centered, scale)), "together"


def attained(part: Statement) -> Iterator[Step]:
    """The closed form."""
    moment = lemma("discrete-gaussian/renyi", "positive")
    yield moment, "the moment at a rate that shifts by whole steps"
    yield combine(part.claim, moment), "is the bound"


def too_small() -> Refutation:
    """At t = 1 and m = v = 1 the moment is exp(1)."""
    moment = specialize(lemma("discrete-gaussian/renyi", "positive"), v=1, m=1, j=1)
    large = real("exp(99/100) < exp(1)")
    whole = combine(below(large.relation.left, moment.relation.left), moment, large)
    is_law = specialize(RENYI.is_law(), v=1)
    return Refutation("E exp(L) = exp(1)", (given_by(whole, is_law),))


def attack(seed: int) -> int:
    """The shipped sums at random variances, steps and rates, in balls."""
    rng = random.Random(seed)
    for _ in range(200):
        variance = Fraction(rng.randint(1, 60), 12)
        steps = rng.randint(1, 4)
        rate = Fraction(rng.randint(-40, 60), 16)
        mu = steps**2 / variance
        bound = exp(rate * (1 + rate) * rho(mu)).ball(256)
        if (
            GaussianLattice(variance, steps).moment(rate, 256) - bound
        ).certainly_positive():
            raise Refused(
                f"a shift by {steps} at the variance {variance} breaks the bound at the"
                f" rate {rate}."
            )
    return 200


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "zcdp",
            "the discrete Gaussian is rho-zCDP with rho = mu**2/2",
            at_most(E(NOISE, exp(t * LOSS)), exp(t * (1 + t) * rho(MU_SQUARED))),
            proof,
            ("v > 0",),
            axioms=(module("discrete-gaussian/theta").POISSON,),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "at the rates j/m it is attained",
            equal(
                E(NOISE, exp(j / m * LOSS)), exp(j / m * (1 + j / m) * rho(MU_SQUARED))
            ),
            attained,
            ("v > 0", "m > 0", Whole("j", 0)),
        ),
    ),
    falsehoods=(
        Falsehood(
            "99 percent of mu**2/2 suffices",
            at_most(
                E(NOISE, exp(t * LOSS)),
                exp(t * (1 + t) * rho(MU_SQUARED) * Fraction(99, 100)),
            ),
            ("v > 0",),
            too_small,
            instance=example({"t": 1, "m": 1, "v": 1}),
        ),
    ),
    attacks=(Attack("shipped sums of random variances, steps and rates", attack),),
    rules=(rho,),
)
