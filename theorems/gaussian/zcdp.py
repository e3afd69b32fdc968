"""The zCDP of a Gaussian loss, and of everything that is no easier to tell apart.

Printed: not in the sources
Proved: For a shift by mu standard deviations, E exp(t L) is exp(t rho (1 + t)) with rho = mu**2/2,
    at every real t: the Renyi divergence of every order is rho times the order. Every
    post-processing of the two normal laws has E exp(t L) <= exp(t rho (1 + t)) for t >= 0. So has,
    for t > 0, every pair that obeys GaussianDP(mu), which is that its hockey stick at every eps is
    at most that of the two normal laws; its loss is almost surely finite (profile/moments).
Idea: The moment of the Gaussian loss (gaussian/renyi), and that processing does not enlarge it
    (cdp/post-processing), nor do smaller hockey sticks (profile/moments).
Source: Bun and Steinke (2016), Proposition 1.6; Dong, Roth and Su (2022), Corollary B.6.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, GaussianDP, Iterator, Refused, STICK, Statement, Status, Step,
    Symbol, Theorem, Witness, add, assume, at_most, combine, discharge, equal, example, exp,
    gaussian_dp_to_approx, gaussian_dp_to_zcdp, gaussian_log_moment as log_moment,
    gaussian_rho as rho, given_by, instance, lemma, log, module, normal, normal_cdf,
    profile_sides_P as P, profile_sides_Q as Q, random, real, specialize, under,
)  # fmt: skip

t = Symbol("t")
mu = Symbol("mu")
eps = Symbol("eps")
L = P.symbol("L")
F = P.symbol("F")
DELTA = gaussian_dp_to_approx(GaussianDP(mu), eps).delta
RENYI = module("gaussian/renyi")
PROCESSING = module("cdp/post-processing")
PROMISE = gaussian_dp_to_zcdp(GaussianDP(mu))
BOUND = exp(t * (PROMISE.xi + PROMISE.rho * (1 + t)))


def moment(part: Statement) -> Iterator[Step]:
    """The moment of the loss in other words."""
    found = lemma("gaussian/renyi", "moment")
    yield found, "the moment of the loss"
    yield combine(part.claim, found), "in terms of rho"


def processed(part: Statement) -> Iterator[Step]:
    """Processing does not enlarge a moment."""
    found = specialize(lemma("cdp/post-processing", "moments"), B=BOUND)
    if set(found.hypotheses) != {
        one for fact in part.assuming.values() for one in fact.hypotheses
    }:
        raise Refused(
            f"what is assumed is not {' and '.join(map(str, found.hypotheses))}."
        )
    yield found, "no function of the output has larger moments"


GAUSSIAN_DP = assume(at_most(E(P, STICK), DELTA), every="eps")


def allowed(part: Statement) -> Iterator[Step]:
    """Smaller hockey sticks, smaller moments."""
    smaller = lemma("profile/moments", "moments")
    yield smaller, "a pair with smaller hockey sticks has smaller moments"
    of_normal = instance(smaller, Q, RENYI.N, {"M": RENYI.LOSS})
    bound = under(specialize(of_normal, B=BOUND), *part.given)
    delta = lemma("gaussian/delta", "hockey-stick")
    yield delta, "the hockey stick of the two normal laws"
    promise = combine(
        at_most(E(P, STICK), delta.relation.left), part.assuming["gaussian-dp"], delta
    )
    moment_ = lemma("gaussian/zcdp", "moment")
    known = combine(at_most(moment_.relation.left, BOUND), moment_)
    above = given_by(discharge(bound, promise, known), normal.is_law(RENYI.N))
    yield above, "so its moments are at most theirs"


def thresholds(seed: int) -> int:
    """Random thresholds of a Gaussian output: two outcomes, whose moments at random rates stay
    below the bound.
    """
    rng = random.Random(seed)
    for _ in range(60):
        shift, cut, rate = (Fraction(rng.randint(1, 40), 10) for _ in range(3))
        outcomes = [
            (normal_cdf(shift - cut), normal_cdf(-cut)),
            (normal_cdf(cut - shift), normal_cdf(cut)),
        ]
        found = add(*(p * exp(rate * log(p / q)) for p, q in outcomes))
        if (found - exp(rate * rho(shift) * (1 + rate))).ball(200).certainly_positive():
            raise Refused(
                f"the threshold {cut} of a shift by {shift} exceeds zCDP at {rate}."
            )
    return 60


def no_loss() -> Witness:
    """A mechanism without loss, beside a shift by 1."""
    least, certain = (
        specialize(lemma("gaussian/delta", name), mu=1)
        for name in ("positive", "not-below-certainty")
    )
    larger = specialize(
        real("max(0, u) <= v", "0 <= v", "u <= v"),
        u=certain.relation.left,
        v=certain.relation.right,
    )
    both = under(given_by(larger, least, certain))
    return Witness(example({"mu": 1, "t": 1}, {"P": [((0, 1), 1)]}), (both,))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "moment",
            "the moment in terms of rho",
            equal(E(RENYI.N, exp(t * RENYI.LOSS)), exp(t * rho(mu) * (1 + t))),
            moment,
        ),
        Statement(
            "gaussian-dp",
            "every pair whose hockey sticks are at most those of the two normal laws; F"
            " is 1 where its loss L is finite, else 0",
            at_most(E(P, F * exp(t * L)), BOUND),
            allowed,
            ("t > 0", "mu > 0"),
            {"gaussian-dp": GAUSSIAN_DP},
            witness=no_loss,
        ),
        Statement(
            "processed",
            "a loss M of a function of the output of a mechanism with this moment of"
            " its loss L",
            at_most(E(PROCESSING.P, exp(t * PROCESSING.M)), BOUND),
            processed,
            ("t >= 0",),
            {
                "gaussian": assume(
                    at_most(E(PROCESSING.P, exp(t * PROCESSING.L)), BOUND)
                ),
                "processed": PROCESSING.PROCESSED,
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "rho = mu**2/2 can be lowered",
            at_most(log_moment(mu, t), t * (mu**2 / 2 - mu**2 / 100) * (1 + t)),
            ("t > 0", "mu > 0"),
        ),
        Falsehood(
            "and with xi < 0 at the same rho",
            at_most(log_moment(mu, t), t * (rho(mu) * (1 + t) - mu / 10)),
            ("t > 0", "mu > 0"),
        ),
    ),
    attacks=(Attack("threshold tests of random shifts, in balls", thresholds),),
    rules=(rho, gaussian_dp_to_zcdp),
)
