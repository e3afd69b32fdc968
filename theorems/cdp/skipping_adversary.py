"""The skipping adversary: two Gaussian releases, of which the second is skipped when the first loss
is low.

Printed: not in the sources
Proved: For all tau1, tau2 > 0, with standard normal G and H: the loss tau1**2/2 + tau1 G, plus
    tau2**2/2 + tau2 H unless tau1 G <= -1, has the mean and the variance that the shipped
    skipping_adversary states, and the variance exceeds tau1**2 + tau2**2. So the loss is not
    sqrt(tau1**2 + tau2**2)-subgaussian about its mean. It is the loss of a pair: E exp(-L) = 1.
    Given the first output, the second loss is tau2-subgaussian about its mean, which is at most
    tau2**2/2, run or skipped.
Idea: To skip when the first loss is low makes the conditional mean of the second loss move with the
    first. The excess is tau2**2 (tau2**2/4 p (1 - p) + E (-tau1 G - 1)+), with p = P(tau1 G <= -1).
Source: This package; it refutes Theorem 3 of Dwork and Rothblum (cdp/composition).
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Refused, Refutation, Statement, Status, Step, Symbol,
    Theorem, assume, at_most, below, cases, combine, equal, exp, expect, independent_of, lemma,
    linear, normal, product, random, real, skipping_adversary, specialize, subgaussian, under,
)  # fmt: skip

t, tau1, tau2, G, H, A, z = (
    Symbol(name) for name in ("t", "tau1", "tau2", "G", "H", "A", "z")
)
ADVERSARY = skipping_adversary(tau1, tau2)
POSITIVE = ("tau1 > 0", "tau2 > 0")
NOISE_1 = normal.standard_normal("N1", "G")
NOISE_2 = normal.standard_normal("N2", "H")
SKIP = normal.lies_below(NOISE_1, "A", -1 / tau1)
U = independent_of(SKIP, NOISE_2)
LOSS = ADVERSARY.loss(G, H, A)
CENTERED = ADVERSARY.loss(G, H, A) - ADVERSARY.mean()
SECOND = (1 - A) * (tau2**2 / 2 + tau2 * H)
SECOND_MEAN = (1 - A) * tau2**2 / 2
PRINTED = at_most(
    E(U, exp(t * CENTERED)), exp(t**2 * ADVERSARY.promised_variance() / 2)
)
RELEASED = exp(t * (SECOND - SECOND_MEAN))


def mean(part: Statement) -> Iterator[Step]:
    """The two noises have mean 0, and the skip has its probability."""
    skips = normal.probability(SKIP, -1 / tau1, *part.given)
    g = normal.mean(NOISE_1)
    h = normal.mean(NOISE_2)
    terms = {
        G: (normal.beside(U, g), tau1),
        H: (normal.beside(U, h), tau2),
        A: (normal.beside(U, skips), -(tau2**2) / 2),
        A * H: (normal.product_mean(U, skips, h), -tau2),
    }
    known = [subgaussian.finite(fact) for fact, _ in terms.values()]
    constant = (tau1**2 + tau2**2) / 2
    means = linear(
        U,
        LOSS,
        {body: factor for body, (_, factor) in terms.items()},
        *known,
        constant=constant,
    )
    yield means, "the mean of each term"
    yield (
        combine(part.claim, means, *(fact for fact, _ in terms.values())),
        "the noises have mean 0",
    )


def variance(part: Statement) -> Iterator[Step]:
    """The square of the centered loss, term by term; A*A = A."""
    given = part.given
    p = ADVERSARY.skip_probability
    g = normal.mean(NOISE_1)
    gg = normal.second_moment(NOISE_1)
    h = normal.mean(NOISE_2)
    hh = normal.second_moment(NOISE_2)
    skips = normal.probability(SKIP, -1 / tau1, *given)
    low = normal.first_moment_below(SKIP, -1 / tau1, *given)
    yield low, "the first noise where the second release is skipped"
    up = normal.beside(SKIP, g)
    terms = {
        G**2: (normal.beside(U, normal.beside(SKIP, gg)), tau1**2),
        A: (normal.beside(U, skips), (1 - 2 * p) * tau2**4 / 4),
        A * G: (normal.beside(U, low), -tau1 * tau2**2),
        G: (normal.beside(U, up), p * tau1 * tau2**2),
        H**2: (normal.beside(U, hh), tau2**2),
        H: (normal.beside(U, h), p * tau2**3),
        A * H**2: (normal.product_mean(U, skips, hh), -(tau2**2)),
        A * H: (normal.product_mean(U, skips, h), -p * tau2**3),
        G * H: (normal.product_mean(U, up, h), 2 * tau1 * tau2),
        A * G * H: (normal.product_mean(U, low, h), -2 * tau1 * tau2),
    }
    total = sum(
        (factor * body for body, (_, factor) in terms.items()), p**2 * tau2**4 / 4
    )
    square = cases(SKIP, equal(CENTERED**2, total), *given)
    yield square, "the square of the centered loss"
    finite = [subgaussian.finite(fact) for fact, _ in terms.values()]
    means = linear(
        U,
        total,
        {body: f for body, (_, f) in terms.items()},
        *finite,
        constant=p**2 * tau2**4 / 4,
        where=given,
    )
    over = expect(square, U, subgaussian.finite(means))
    yield over, "integrated"
    yield (
        combine(part.claim, over, means, *(fact for fact, _ in terms.values())),
        "the moments of the two noises",
    )


def excess(part: Statement) -> Iterator[Step]:
    """The two terms of the excess: p (1 - p), and the mean of a positive part."""
    gain = real("z*erfc(z/sqrt(2))/2 < exp(-z**2/2)/sqrt(2*pi)", "0 < z")
    yield gain, "the tail of a normal variable is below its density over the point"
    some = real("0 <= erfc(z/sqrt(2))/2*(1 - erfc(z/sqrt(2))/2)", "0 < z")
    yield some, "a probability times that of the opposite"
    at_skip = [
        under(specialize(under(fact, "0 < z", *part.given), z=1 / tau1), *part.given)
        for fact in (gain, some)
    ]
    factors = (tau1 * tau2**2, tau2**4 / 4)
    yield (
        combine(part.claim, *zip(at_skip, factors, strict=True)),
        "at the point 1/tau1",
    )


def pair(part: Statement) -> Iterator[Step]:
    """exp(-L) is a product of exp(-L1) with 1 or exp(-L2), and each factor has mean 1."""
    first, second = (
        normal.exponential_moment(law, -tau)
        for law, tau in ((NOISE_1, tau1), (NOISE_2, tau2))
    )
    skipped = normal.probability(SKIP, -1 / tau1, *part.given, shift=-tau1)
    terms = {}
    for fact, factor in (
        (normal.beside(U, skipped), 1),
        (
            normal.product_mean(U, normal.beside(SKIP, first), second),
            exp(-(tau1**2 + tau2**2) / 2),
        ),
        (normal.product_mean(U, skipped, second), -exp(-(tau2**2) / 2)),
    ):
        terms[normal.mean_of(fact).body] = (fact, factor)
    total = sum(factor * body for body, (_, factor) in terms.items())
    known = [subgaussian.finite(fact) for fact, _ in terms.values()]
    means = linear(
        U, total, {body: factor for body, (_, factor) in terms.items()}, *known
    )
    split = expect(
        cases(SKIP, equal(exp(-LOSS), total), *part.given), U, subgaussian.finite(means)
    )
    yield split, "skipped or not"
    yield (
        combine(part.claim, split, means, *(fact for fact, _ in terms.values())),
        "each factor has mean 1",
    )


def release(part: Statement) -> Iterator[Step]:
    """A Gaussian moment; the skip only makes it smaller."""
    moment = normal.exponential_moment(NOISE_2, t * (1 - A) * tau2)
    yield moment, "the moment of normal noise"
    same = expect(
        real(equal(exp(t * (1 - A) * tau2 * H), RELEASED)),
        NOISE_2,
        subgaussian.finite(moment),
    )
    larger = specialize(
        real("exp(t) <= exp(z)", "t <= z"),
        t=(t * (1 - A) * tau2) ** 2 / 2,
        z=t**2 * tau2**2 / 2,
    )
    yield (
        combine(part.claim, same, moment, under(larger, *part.given)),
        "the skip makes it smaller",
    )


def mean_loss(part: Statement) -> Iterator[Step]:
    """The noise has mean 0."""
    noise = normal.mean(NOISE_2)
    line = linear(
        NOISE_2,
        SECOND,
        {H: (1 - A) * tau2},
        subgaussian.finite(noise),
        constant=SECOND_MEAN,
    )
    yield line, "linear"
    yield (
        combine(part.claim, line, noise, rest=A * tau2**2 / 2, given=part.given),
        "the noise has mean 0",
    )


def refuted(part: Statement) -> Iterator[Step]:
    """The variance of the loss, against what a subgaussian loss may have."""
    exact = lemma("cdp/skipping-adversary", "variance")
    more = lemma("cdp/skipping-adversary", "excess")
    larger = combine(
        below(ADVERSARY.promised_variance(), E(U, CENTERED**2)), exact, more
    )
    yield larger, "the variance exceeds tau1**2 + tau2**2"
    bridge = lemma("cdp/variance", "variance")
    yield from subgaussian.absurd(
        part.assuming["printed"], larger, bridge, U, LOSS, ADVERSARY.mean()
    )


def grid(seed: int) -> int:
    """A grid of widths from 0.1 to 3, and random ones: the excess as a number is certainly
    positive.
    """
    rng = random.Random(seed)
    widths = [Fraction(n, 10) for n in (1, 2, 5, 10, 20, 30)]
    tried = [
        *product(widths, widths),
        *((Fraction(rng.randint(1, 99), 10), Fraction(1, 7)) for _ in range(10)),
    ]
    for one, two in tried:
        if not skipping_adversary(one, two).excess_bound().certainly_above(0):
            raise Refused(f"the excess at {one}, {two} is not positive.")
    return len(tried)


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "mean",
            "the mean loss",
            equal(E(U, LOSS), ADVERSARY.mean()),
            mean,
            POSITIVE[:1],
        ),
        Statement(
            "variance",
            "the variance of the loss",
            equal(E(U, CENTERED**2), ADVERSARY.variance()),
            variance,
            POSITIVE[:1],
        ),
        Statement(
            "excess",
            "the variance exceeds tau1**2 + tau2**2",
            below(0, ADVERSARY.excess()),
            excess,
            POSITIVE,
        ),
        Statement(
            "pair",
            "it is the loss of a pair of laws",
            equal(E(U, exp(-LOSS)), 1),
            pair,
            POSITIVE[:1],
        ),
        Statement(
            "refuted",
            "if its loss were sqrt(tau1**2 + tau2**2)-subgaussian about its mean, then"
            " 0 < 0",
            below(0, 0),
            refuted,
            POSITIVE,
            {"printed": assume(PRINTED, every="t")},
        ),
        Statement(
            "release",
            "given the first output the second loss is tau2-subgaussian about its mean,"
            " run (A = 0) or skipped (A = 1)",
            at_most(E(NOISE_2, RELEASED), exp(t**2 * tau2**2 / 2)),
            release,
            ("0 <= A", "A <= 1"),
        ),
        Statement(
            "release-mean",
            "and its mean is at most tau2**2/2",
            at_most(E(NOISE_2, SECOND), tau2**2 / 2),
            mean_loss,
            ("0 <= A",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "its loss is sqrt(tau1**2 + tau2**2)-subgaussian about its mean",
            PRINTED,
            POSITIVE,
            lambda: Refutation(
                "its variance is above tau1**2 + tau2**2, for all tau1, tau2 > 0",
                (lemma("cdp/skipping-adversary", "refuted"),),
            ),
        ),
        Falsehood(
            "the excess reaches tau2**4/16",
            at_most(tau2**4 / 16, ADVERSARY.excess()),
            POSITIVE,
        ),
    ),
    attacks=(Attack("the excess on a grid and at random widths, in balls", grid),),
    rules=(skipping_adversary,),
)
