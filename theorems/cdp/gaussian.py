"""The Gaussian mechanism is concentrated: its loss is a normal variable.

Printed: The Gaussian mechanism with noise magnitude sigma is (sigma**2/2, sigma)-MeanCDP, where
    sigma = Delta/sigma.
Proved: With tau = Delta/sigma: for |f(D) - f(D')| = Delta the loss at the noise sigma x is tau x +
    tau**2/2, its mean is tau**2/2, and E exp(t (L - tau**2/2)) = exp(t**2 tau**2/2) for all real t.
    For neighbors at a distance of at most Delta, in either order, the mean is at most tau**2/2 and
    the centered moments are at most exp(t**2 tau**2/2). So the mechanism is (tau**2/2,
    tau)-MeanCDP, and no smaller pair will do.
Idea: The log ratio of two normal densities is linear in the noise; the moment by completing the
    square.
Source: Dwork and Rothblum, Theorem 2.
Finding (misprint): Ill-formed as printed: sigma stands for the noise and for Delta/sigma in one
    sentence. (Read as one letter, "where sigma = Delta/sigma" asks for Delta = sigma**2, and then
    the sentence is true, but speaks of that noise only.) With another letter, tau = Delta/sigma, it
    holds for every noise and is attained in both entries.
Finding (gap): The printed proof takes the distance to be Delta "without loss of generality";
    smaller distances are a step, made here.
"""

from rdpacct.book.words import (
    E, Fact, Falsehood, Fraction, Gaussian, Iterator, Statement, Status, Step, Symbol, Theorem,
    at_most, below, by_prover, combine, equal, exp, expect, finite, gaussian_mean as mean, given_by,
    lemma, linear, log, normal, normal_density, placed, proves, real, specialize, symbols, tau,
)  # fmt: skip

t, D, d, sigma, x, s, q = symbols("t D d sigma x s q")
N = normal.standard_normal()
SHIFT = Gaussian(sigma, sensitivity=D).shift
NEAR = d / sigma
LOSS = normal.loss(SHIFT, x)
CENTERED = normal.loss(SHIFT, x) - mean(SHIFT)
OUTPUT = d + sigma * x
FAR = ("sigma > 0", "0 <= D + d", "d <= D")

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "loss",
            "the log ratio of the two densities, at an output with noise sigma x",
            equal(
                log(
                    normal_density(OUTPUT, d, sigma) / normal_density(OUTPUT, 0, sigma)
                ),
                normal.loss(NEAR, x),
            ),
            by_prover("a difference of two squares"),
            ("sigma > 0",),
        ),
        Statement(
            "mean",
            "the mean at the distance Delta",
            equal(E(N, LOSS), mean(SHIFT)),
            given=("sigma > 0",),
        ),
        Statement(
            "moment",
            "the centered moment at the distance Delta, for all real t",
            equal(E(N, exp(t * CENTERED)), exp(t**2 * tau(SHIFT) ** 2 / 2)),
            given=("sigma > 0",),
        ),
        Statement(
            "nearer-mean",
            "the mean of neighbors at any distance up to Delta",
            at_most(E(N, normal.loss(NEAR, x)), mean(SHIFT)),
            given=FAR,
        ),
        Statement(
            "nearer",
            "the centered moment of neighbors at any distance up to Delta",
            at_most(
                E(N, exp(t * (normal.loss(NEAR, x) - mean(NEAR)))),
                exp(t**2 * tau(SHIFT) ** 2 / 2),
            ),
            given=FAR,
        ),
    ),
    sharp=(
        Statement(
            "as printed, with one letter",
            "where Delta = sigma**2 the printed pair (sigma**2/2, sigma) is the right one",
            equal(mean(SHIFT.at(D=sigma**2)), sigma**2 / 2),
            by_prover("Delta/sigma is sigma"),
            ("sigma > 0",),
        ),
        Statement(
            "tight",
            "the moment at t = 1 exceeds what a smaller parameter s < tau allows",
            below(exp(s**2 / 2), exp(tau(q) ** 2 / 2)),
            by_prover("the exponential of the square rises"),
            ("0 <= s", "s < q"),
        ),
    ),
    rules=(mean, tau),
)


@proves("mean")
def mean_loss(part: Statement) -> Iterator[Step]:
    """The noise has mean 0."""
    noise = normal.mean(N)
    line = linear(
        N, LOSS, {x: SHIFT}, finite(noise), constant=mean(SHIFT), where=part.given
    )
    yield line, "the loss is linear in the noise"
    yield combine(part.claim, line, noise), "which has mean 0"


@proves("moment")
def moment(part: Statement) -> Iterator[Step]:
    """The moment of the noise at the rate t tau."""
    m = Symbol("mu")
    noise = normal.exponential_moment(N, t * m)
    centered = normal.loss(m, x) - mean(m)
    same = expect(real(equal(exp(t * m * x), exp(t * centered))), N, finite(noise))
    exact = combine(
        equal(E(N, exp(t * centered)), exp(t**2 * tau(m) ** 2 / 2)), same, noise
    )
    yield exact, "the moment of normal noise, by an antiderivative"
    yield placed(exact, *part.given, mu=SHIFT), "at the shift Delta/sigma"


def nearer_square(part: Statement) -> Fact:
    """D**2 - d**2 is (D - d) (D + d)."""
    return combine(
        at_most(d**2, D**2), (real(at_most(d, D), *part.given), D + d), given=part.given
    )


@proves("nearer-mean")
def nearer_mean(part: Statement) -> Iterator[Step]:
    """The mean at the distance d, and a square."""
    noise = normal.mean(N)
    line = linear(
        N,
        normal.loss(NEAR, x),
        {x: NEAR},
        finite(noise),
        constant=mean(NEAR),
        where=part.given,
    )
    yield line, "the loss at the distance d"
    square = nearer_square(part)
    yield square, "the distance is at most D"
    yield (
        combine(part.claim, line, noise, (square, 1 / (2 * sigma**2))),
        "the noise has mean 0",
    )


@proves("nearer")
def nearer(part: Statement) -> Iterator[Step]:
    """The moment at the distance d, and a square in the exponent."""
    exact = specialize(lemma("cdp/gaussian", "moment"), D=d)
    yield exact, "the moment at the distance d"
    u = t**2 * tau(NEAR) ** 2 / 2
    v = t**2 * tau(SHIFT) ** 2 / 2
    square = nearer_square(part)
    rise = combine(at_most(u, v), (square, t**2 / (2 * sigma**2)), given=part.given)
    yield rise, "the distance is at most D"
    larger = given_by(
        specialize(real("exp(u) <= exp(v)", "u <= v", *part.given), u=u, v=v), rise
    )
    yield combine(part.claim, exact, larger), "the exponential rises"


FALSEHOODS = (
    Falsehood(
        "the mean can be 1% smaller",
        at_most(mean(SHIFT), Fraction(99, 100) * mean(SHIFT)),
        ("sigma > 0", "D > 0"),
    ),
    Falsehood(
        "tau can be 1% smaller",
        at_most(
            exp(t**2 * tau(SHIFT) ** 2 / 2),
            exp(t**2 * (Fraction(99, 100) * tau(SHIFT)) ** 2 / 2),
        ),
        ("sigma > 0", "D > 0"),
    ),
)
