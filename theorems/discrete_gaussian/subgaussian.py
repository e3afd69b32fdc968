"""The loss of the discrete Gaussian mechanism is subgaussian about its mean, as that of the
Gaussian mechanism.

Printed: not in the sources.
Proved: Let n have probability proportional to exp(-n**2/(2 v)) on the integers, L = m (2n + m)/(2
    v), and mu**2 = m**2/v. E L = mu**2/2, and E exp(s (L - mu**2/2)) <= exp(s**2 mu**2/2) for all
    real s, so that tau**2 = mu**2. The second rests on Poisson summation
    (discrete-gaussian/theta), by which E exp(y n) <= exp(v y**2/2) for all real y. At s = j/m, j
    whole, it is an equation, proved without it (discrete-gaussian/renyi).
Idea: The noise is symmetric, and L less its mean is m n/v. Poisson summation writes the
    sum of exp(-(n - c)**2/(2 v)) over the integers as a cosine series of positive coefficients,
    which is largest at c = 0.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, Lemma 8.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Fact, Falsehood, Fraction, GaussianLattice, Iterator, Refused, Refutation,
    Statement, Status, Step, Symbol, Theorem, absolute, at_most, below, combine,
    discrete_gaussian_mean as mean, discrete_gaussian_tau_squared as tau_squared, equal, example,
    exp, expect, formula, given_by, integrable, lemma, linear, module, random, real, reindex,
    specialize, summable, under,
)  # fmt: skip

RENYI = module("discrete-gaussian/renyi")
n, v, m, j, s, y = (Symbol(name) for name in ("n", "v", "m", "j", "s", "y"))
NOISE = RENYI.NOISE
WEIGHT = RENYI.WEIGHT
LOSS = RENYI.LOSS
MU_SQUARED = m**2 / v


def generating() -> Fact:
    """E exp(y n) is at most that of a normal variable of variance v."""
    found: Fact = module("discrete-gaussian/transform").generating()
    return found


def finite_mean(positive: Fact, tail: Fact) -> Fact:
    """The noise is integrable."""
    square = real("4*v*abs(n) - n**2 <= 4*v**2", "v > 0")
    rises = specialize(
        real("exp(x) <= exp(y)", "x <= y", "v > 0"),
        x=-(n**2) / (2 * v),
        y=2 * v - 2 * absolute(n),
    )
    faster = given_by(
        rises,
        combine(
            at_most(-(n**2) / (2 * v), 2 * v - 2 * absolute(n)), (square, 1 / (2 * v))
        ),
    )
    bound = exp(2 * v) * exp(-absolute(n))
    upper = combine(
        at_most(n * WEIGHT, bound),
        (real("n <= exp(abs(n))"), WEIGHT),
        (faster, exp(absolute(n))),
    )
    lower = combine(
        at_most(-bound, n * WEIGHT),
        (real("-exp(abs(n)) <= n"), WEIGHT),
        (faster, exp(absolute(n))),
    )
    return summable(NOISE, n, upper, lower, positive, tail)


def mean_proof(part: Statement) -> Iterator[Step]:
    """The noise is symmetric."""
    positive, tail = RENYI.weights()
    finite = finite_mean(positive, tail)
    turned = reindex(NOISE, finite, positive, tail, 0, reflect=True)
    yield turned, "n and -n have the same weight"
    same = linear(NOISE, turned.relation.right.body, {n: -1}, finite, where=("v > 0",))  # type: ignore[attr-defined]
    half = Symbol("h").at(h=1) / 2
    zero = combine(equal(E(NOISE, n), 0), (turned, half), (same, half))
    yield zero, "so the noise has mean 0"
    total = linear(
        NOISE, LOSS, {n: m / v}, finite, constant=m**2 / (2 * v), where=("v > 0",)
    )
    yield combine(part.claim, total, (zero, m / v)), "and the loss is linear in it"


def subgaussian(part: Statement) -> Iterator[Step]:
    """The loss about its mean is a multiple of the noise."""
    base = specialize(under(generating(), "v > 0"), y=s * m / v)
    yield base, "by the inversion of theta"
    body = exp(s * (LOSS - mean(MU_SQUARED)))
    multiple = real(equal(body, exp(s * m / v * n)), *part.given)
    same = expect(multiple, NOISE, integrable(base, E(NOISE, exp(s * m / v * n))))
    yield combine(part.claim, same, base), "at y = s m/v"


def too_small() -> Refutation:
    """At s = 1 and m = v = 1 the moment is exp(1/2)."""
    moment = specialize(lemma("discrete-gaussian/renyi", "positive"), v=1, m=1, j=1)
    body = exp(LOSS.at(m=1, v=1) - Fraction(1, 2))
    noise = NOISE.at(v=1)
    factor = exp(formula(Fraction(-1, 2)))
    finite = integrable(moment, moment.relation.left)
    (inner,) = (moment.relation.left.body,)  # type: ignore[attr-defined]
    scaled = linear(noise, body, {inner: factor}, finite)
    large = real("exp(99/200) < exp(-1/2)*exp(1)")
    whole = combine(
        below(large.relation.left, scaled.relation.left),
        (scaled, -1),
        (moment, -factor),
        large,
    )
    is_law = specialize(RENYI.is_law(), v=1)
    return Refutation("E exp(L - 1/2) = exp(1/2)", (given_by(whole, is_law),))


def centered(scale: Expr) -> Expr:
    """The moment of the loss about its mean at a rate."""
    return E(NOISE, exp(scale * (LOSS - mean(MU_SQUARED))))


def attack(seed: int) -> int:
    """The shipped sums at random variances, steps and rates, in balls."""
    rng = random.Random(seed)
    for _ in range(200):
        variance = Fraction(rng.randint(1, 60), 12)
        steps = rng.randint(1, 4)
        rate = Fraction(rng.randint(-40, 60), 16)
        mu = steps**2 / variance
        bound = exp(rate * mean(mu) + rate**2 * tau_squared(mu) / 2).ball(256)
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
            "mean",
            "the mean loss is mu**2/2",
            equal(E(NOISE, LOSS), mean(MU_SQUARED)),
            mean_proof,
            ("v > 0",),
        ),
        Statement(
            "subgaussian",
            "the loss is subgaussian about its mean with tau**2 = mu**2",
            at_most(centered(s), exp(s**2 * tau_squared(MU_SQUARED) / 2)),
            subgaussian,
            ("v > 0",),
            axioms=(module("discrete-gaussian/theta").POISSON,),
        ),
    ),
    falsehoods=(
        Falsehood(
            "99 percent of mu**2 suffices",
            at_most(centered(s), exp(s**2 * tau_squared(MU_SQUARED) * 99 / 200)),
            ("v > 0",),
            too_small,
            instance=example({"s": 1, "m": 1, "v": 1}),
        ),
    ),
    attacks=(Attack("shipped sums of random variances, steps and rates", attack),),
    rules=(mean, tau_squared),
)
