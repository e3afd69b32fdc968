"""From concentrated differential privacy about the mean to zero-concentrated differential privacy.

Printed: not in the sources.
Proved: If the loss has a mean m <= mu and E exp(t (L - m)) <= exp(t**2 tau**2/2) for all t >= 0,
    then the Renyi divergence of every order alpha > 1 is at most xi + rho alpha with rho = tau**2/2
    and xi = mu - tau**2/2; xi may be negative.
Idea: exp(t L) = exp(t m) exp(t (L - m)) at t = alpha - 1, and m <= mu; only the upper half of the
    definition is used.
Source: Bun and Steinke, Concentrated differential privacy, Section 4.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, MeanCDP, PureDP, Refused, Statement, Status,
    Step, Symbol, Theorem, assume, at_most, bounded_pair, by_prover, combine, equal, exp, given_by,
    integrable, linear, log, mean_cdp_to_zcdp, moment, pure_to_mean_cdp, random, real, specialize,
    under,
)  # fmt: skip

mu, tau, m, t, alpha, L = (
    Symbol(name) for name in ("mu", "tau", "m", "t", "alpha", "L")
)
P = Law("P", ("L",))
SUBGAUSSIAN = assume(
    at_most(E(P, exp(t * (L - m))), exp(t**2 * tau**2 / 2)), "t >= 0", every="t"
)
SMALL = assume(at_most(m, mu))
SHIPPED = mean_cdp_to_zcdp(MeanCDP(mu, tau))
TRIES = 100


def proof(part: Statement) -> Iterator[Step]:
    """The moment at t = alpha - 1, recentered."""
    rate = alpha - 1
    total = exp((alpha - 1) * L)
    moment = under(specialize(part.assuming["subgaussian"], t=rate), *part.given)
    yield moment, "the definition at t = alpha - 1"
    finite = integrable(moment, E(P, exp(rate * (L - m))))
    moved = linear(P, total, {exp(rate * (L - m)): exp(rate * m)}, finite)
    yield moved, "about 0 instead of m"
    shift = combine(
        at_most(rate * m, rate * mu), (part.assuming["mean"], rate), given=part.given
    )
    up = given_by(
        specialize(real("exp(x) <= exp(y)", "x <= y"), x=rate * m, y=rate * mu), shift
    )
    yield up, "the mean is at most mu"
    yield (
        combine(
            part.claim, moved, (moment, exp(rate * m)), (up, exp(rate**2 * tau**2 / 2))
        ),
        "together",
    )


def attack(seed: int) -> int:
    """Random pairs of bounded ratio, which are (mu, tau)-MeanCDP, at random orders."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        k = 1 + Fraction(rng.randint(1, 40), rng.randint(1, 12))
        order = 1 + Fraction(rng.randint(1, 40), 8)
        pair = bounded_pair(rng, k, rng.randint(2, 4))
        promise = mean_cdp_to_zcdp(pure_to_mean_cdp(PureDP(log(k))))
        value = moment(pair.p, pair.q, order - 1)
        if (
            at_most(value, exp((order - 1) * (promise.xi + promise.rho * order))).at({})
            is False
        ):
            raise Refused(f"the pair {pair} breaks the conversion at order {order}.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "zcdp",
            "the Renyi divergence of order alpha is at most xi + rho alpha",
            at_most(
                E(P, exp((alpha - 1) * L)),
                exp((alpha - 1) * (SHIPPED.xi + SHIPPED.rho * alpha)),
            ),
            proof,
            ("alpha > 1",),
            {"subgaussian": SUBGAUSSIAN, "mean": SMALL},
        ),
    ),
    sharp=(
        Statement(
            "gaussian",
            "at t = alpha - 1 the exponent is t mu + t**2 tau**2/2, that of a Gaussian"
            " loss",
            equal(
                (alpha - 1) * (SHIPPED.xi + SHIPPED.rho * alpha),
                (alpha - 1) * mu + (alpha - 1) ** 2 * tau**2 / 2,
            ),
            by_prover("the log moment of a Gaussian"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "xi = 0 and rho = tau**2/2 whatever the mean",
            at_most(
                (alpha - 1) * (SHIPPED.xi + SHIPPED.rho * alpha),
                (alpha - 1) * SHIPPED.rho * alpha,
            ),
            ("alpha > 1", "mu >= 0", "tau >= 0"),
        ),
    ),
    attacks=(Attack("random pairs of bounded ratio, at random orders", attack),),
    rules=(mean_cdp_to_zcdp,),
)
