"""The hockey-stick divergence of two normal laws, and that no test does better.

Printed: not in the sources
Proved: For mu > 0 and real eps, L the loss of N(mu, 1) against N(0, 1): E max(0, 1 - exp(eps - L))
    is Phi(mu/2 - eps/mu) - exp(eps) Phi(-mu/2 - eps/mu). For any pair and any test S with values in
    [0, 1], P(S) is at most exp(eps) Q(S) plus that mean, and the test {L > eps} attains it. Every
    threshold test of the two normal laws lies below the line: Phi(mu - c) <= exp(eps) Phi(-c) +
    delta(eps); so does every test that mu-Gaussian DP allows. The derivative in eps is -exp(eps)
    Phi(-mu/2 - eps/mu).
Idea: The positive part begins at the noise eps/mu - mu/2; from there on the density of P integrates
    to one tail, and exp(eps - L) times it, which is the density of Q, to the other.
Source: Balle and Wang (2018), Theorem 8; Dong, Roth and Su (2022), Corollary 2.13.
"""

from rdpacct.book.words import (
    Any, Attack, Ball, E, Falsehood, Formal, Fraction, GaussianDP, Iterator, Law, Refused,
    Statement, Status, Step, Symbol, Theorem, absolute, any_pair, assume, at_most, by_prover, cases,
    cast, combine, derivative, dominated, equal, erfc, exp, expect, finite, formulas,
    gaussian_delta, gaussian_dp_to_approx, gaussian_profile, given_by, integrable, integrate,
    linear, maximum, normal, normal_cdf, precision, random, raw_real as ball, read, real, relations,
    specialize, sqrt,
)  # fmt: skip

mu, eps, x, c, S, L, a, b, A = (
    Symbol(name) for name in ("mu", "eps", "x", "c", "S", "L", "a", "b", "A")
)
N = normal.standard_normal()
LOSS = normal.loss(mu, x)
START = eps / mu - mu / 2
DELTA = gaussian_dp_to_approx(GaussianDP(mu), eps).delta
PAIR = Law("P", ("L", "S"), relations("0 <= S", "S <= 1"))


def hockey_stick(part: Statement) -> Iterator[Step]:
    """Two tails from the point where the positive part begins."""
    under_p = -erfc(x / sqrt(2)) / 2
    under_q = -erfc((x + mu) / sqrt(2)) / 2
    pieces = (0, under_p - exp(eps) * under_q)
    found = integrate(
        N,
        maximum(0, 1 - exp(eps - LOSS)),
        pieces,
        (under_p,) * 2,
        *part.given,
        cuts=(START,),
    )
    yield found, "from the point where the loss exceeds eps, by antiderivatives"
    yield combine(part.claim, found), "two tails"


def every_test(part: Statement) -> Iterator[Step]:
    """Pointwise: a weight in [0, 1] takes at most the positive part."""
    gain = 1 - exp(eps - L)
    lost = integrable(part.assuming["laws"], E(PAIR, exp(-L)))
    scaled = linear(PAIR, 1 + exp(eps) * exp(-L), {exp(-L): exp(eps)}, lost, constant=1)
    one = real(at_most(absolute(S * gain), 1 + exp(eps) * exp(-L)), *PAIR.support)
    most = real(at_most(absolute(maximum(0, gain)), 1 + exp(eps) * exp(-L)))
    over = expect(
        specialize(real("S*g <= max(0, g)", *PAIR.support), g=gain),
        PAIR,
        dominated(one, PAIR, finite(scaled)),
        dominated(most, PAIR, finite(scaled)),
    )
    yield over, "a weight in [0, 1] takes at most the positive part"


def threshold(part: Statement) -> Iterator[Step]:
    """The event that the noise exceeds c - mu, under P and under Q."""
    above = normal.lies_above(N, "A", c - mu)
    power = normal.probability(above, c - mu)
    alarm = normal.probability(above, c - mu, shift=-mu)
    body = A * (1 - exp(eps - LOSS))
    kept = normal.mean_of(alarm).body
    split = linear(above, body, {A: 1, kept: -exp(eps)}, finite(power), finite(alarm))
    yield split, "power less exp(eps) times false alarms"
    most = normal.beside(above, HOCKEY.fact())
    weight = [cases(above, at_most(0, A)), cases(above, at_most(A, 1))]
    taken = given_by(
        specialize(real("S*g <= max(0, g)", *PAIR.support), S=A, g=1 - exp(eps - LOSS)),
        *weight,
    )
    over = expect(taken, above, finite(split), finite(most))
    yield over, "pointwise below the positive part"
    yield (
        combine(part.claim, over, split, power, alarm, most),
        "the probabilities of the event",
    )


def positive(part: Statement) -> Iterator[Step]:
    """A mean of positive parts."""
    most = HOCKEY.fact()
    least = expect(
        specialize(real("0 <= max(0, g)"), g=1 - exp(eps - LOSS)), N, finite(most)
    )
    yield least, "positive parts are not negative"
    yield combine(part.claim, least, most), "nor is their mean"


def certain(part: Statement) -> Iterator[Step]:
    """The positive part is at least 1 - exp(eps - L), whose mean is 1 - exp(eps)."""
    most = HOCKEY.fact()
    noise = normal.exponential_moment(N, -mu)
    line = linear(
        N,
        1 - exp(eps - LOSS),
        {exp(-mu * x): -exp(eps - mu**2 / 2)},
        finite(noise),
        constant=1,
    )
    least = expect(
        specialize(real("g <= max(0, g)"), g=1 - exp(eps - LOSS)),
        N,
        finite(line),
        finite(most),
    )
    yield least, "a positive part is at least what it is a part of"
    yield combine(part.claim, least, line, noise, most), "E exp(-L) = 1"


def allowed(part: Statement) -> Iterator[Step]:
    """The line above a threshold test is above every test with as many false alarms."""
    line = THRESHOLD.fact()
    weaker = part.assuming["trade-off"]
    yield line, "the line lies above the trade-off curve"
    yield combine(part.claim, line, weaker), "and so above the test"


def tests(seed: int) -> int:
    """Random finite pairs and random events, exactly."""
    rng = random.Random(seed)
    for _ in range(200):
        pair = any_pair(rng, 5)
        kappa = Fraction(rng.randint(5, 40), 10)
        best = sum(
            max(Fraction(0), p - kappa * q) for p, q in zip(pair.p, pair.q, strict=True)
        )
        inside = [rng.random() < 0.5 for _ in pair.p]
        p, q = (
            sum(m for m, here in zip(law, inside, strict=True) if here)
            for law in (pair.p, pair.q)
        )
        if p > kappa * q + best:
            raise Refused(
                f"{pair} and {inside} exceed the hockey-stick divergence at {kappa}."
            )
    return 200


def curve(seed: int) -> int:
    """The curve that composition evaluates in balls, against the formula."""
    rng = random.Random(seed)
    for _ in range(40):
        shift, level = (Fraction(rng.randint(1, 400), 100) for _ in range(2))
        with precision(128):
            found, slope = (
                Ball(one, 128).bound()
                for one in gaussian_profile(ball(shift), ball(level))
            )
        if not found.overlaps(gaussian_delta(shift, level).bound()):
            raise Refused(
                f"the curve of the shift {shift} at {level} is not its delta."
            )
        if not slope.overlaps(SLOPE.at(mu=shift, eps=level).bound()):
            raise Refused(
                f"the slope of the curve of the shift {shift} at {level} is not its"
                " derivative."
            )
    return 40


SLOPE = -exp(eps) * normal_cdf(-mu / 2 - eps / mu)
SHIFT, LEVEL = formulas(mu, eps)
IN_BALLS = gaussian_profile(SHIFT, LEVEL, cast(Any, Formal.erfc))
HOCKEY = Statement(
    "hockey-stick",
    "delta(eps) of a shift by mu standard deviations",
    equal(E(N, maximum(0, 1 - exp(eps - LOSS))), DELTA),
    hockey_stick,
    ("mu > 0",),
)
THRESHOLD = Statement(
    "threshold",
    "every threshold test of the two normal laws lies below the line with slope"
    " exp(eps)",
    at_most(normal_cdf(mu - c) - exp(eps) * normal_cdf(-c), DELTA),
    threshold,
    ("mu > 0",),
)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        HOCKEY,
        Statement(
            "every-test",
            "for any pair with E exp(-L) = Q(P > 0), P(S) - exp(eps) Q(S) is at most"
            " the mean of the positive part",
            at_most(
                E(PAIR, S * (1 - exp(eps - L))), E(PAIR, maximum(0, 1 - exp(eps - L)))
            ),
            every_test,
            (),
            {"laws": assume(at_most(E(PAIR, exp(-L)), 1))},
        ),
        THRESHOLD,
        Statement(
            "positive",
            "the test that never raises an alarm",
            at_most(0, DELTA),
            positive,
            ("mu > 0",),
        ),
        Statement(
            "not-below-certainty",
            "the test that always does",
            at_most(1 - exp(eps), DELTA),
            certain,
            ("mu > 0",),
        ),
        Statement(
            "gaussian-dp",
            "a test with false alarms a = Phi(-c) and power at most Phi(mu - c)"
            " satisfies (eps, delta(eps))",
            at_most(b, exp(eps) * normal_cdf(-c) + DELTA),
            allowed,
            ("mu > 0",),
            {"trade-off": assume(at_most(b, normal_cdf(mu - c)))},
        ),
    ),
    sharp=(
        Statement(
            "in balls",
            "delta(eps) as it is computed in balls",
            equal(read(IN_BALLS[0]), DELTA),
            by_prover("the same formula"),
            ("mu > 0",),
        ),
        Statement(
            "slope",
            "the derivative of delta(eps), as it is computed in balls",
            equal(derivative(DELTA, "eps"), read(IN_BALLS[1])),
            by_prover("the two densities at the ends cancel"),
            ("mu > 0",),
        ),
        Statement(
            "best-test",
            "the test {L > eps} attains delta(eps)",
            equal(
                normal_cdf(mu - (mu / 2 + eps / mu))
                - exp(eps) * normal_cdf(-(mu / 2 + eps / mu)),
                DELTA,
            ),
            lambda part: iter(
                [(real(part.claim, *part.given), "at c = mu/2 + eps/mu")]
            ),
            ("mu > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "delta(eps) is at most exp(-(eps/mu + mu/2)**2/2)/2",
            at_most(DELTA, exp(-((eps / mu + mu / 2) ** 2) / 2) / 2),
            ("mu > 0", "eps >= 0"),
        ),
    ),
    attacks=(
        Attack("random events of random finite pairs, exactly", tests),
        Attack("the curve in balls against the formula", curve),
    ),
    rules=(gaussian_delta, gaussian_dp_to_approx, gaussian_profile),
)
