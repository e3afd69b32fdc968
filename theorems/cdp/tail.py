"""The tail of a concentrated loss, and the (eps, delta) that it gives.

Printed: For every (mu, tau)-MeanCDP algorithm, P(L >= mu + t tau) <= exp(-t**2/2).
Proved: If E exp(r (L - mu)) <= exp(r**2 tau**2/2) for all r >= 0, then P(L >= mu + t tau) <=
    exp(-t**2/2) for t >= 0 and tau > 0. The one-sided bound follows from the printed definition
    (mean at most mu, tau-subgaussian about it). With t = sqrt(2 log(1/delta)) the loss exceeds mu +
    tau sqrt(2 log(1/delta)) with probability at most delta, and every test S has P(S) <= exp(eps)
    Q(S) + delta at that eps. For tau = 0 the loss never exceeds mu.
Idea: Chernoff: the indicator of L >= c is at most exp(r (L - c)), at the rate r = t/tau.
Source: Dwork and Rothblum, Corollary 1.
Finding (gap): The range of t and tau is missing. At t = -1 the Gaussian loss has P(L >= mu - tau) =
    0.841 > exp(-1/2), and for tau = 0 a constant mechanism has P(0 >= 0) = 1 > exp(-1/2) at t = 1.
    It holds for t >= 0, tau > 0, and needs the bound for positive rates only, so that it survives
    adaptive composition (cdp/composition).
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, MeanCDP, Statement, Status, Step, Theorem, assume, at_most, cases,
    closed, combine, dominated, event, example, exp, expect, finite, given_by, integrable, linear,
    log, maximum, mean_cdp_to_approx, normal, on_average, placed, proves, real, specialize, sqrt,
    symbols,
)  # fmt: skip

r, t, mu, m, tau, delta, slack, A = symbols("r t mu m tau delta slack A")
P = Law("P", ("L",))
L = P.symbol("L")
FAR = event(P, "A", at_most(mu + t * tau, L))
ONE_SIDED = assume(
    at_most(E(P, exp(r * (L - mu))), exp(r**2 * tau**2 / 2)), "r >= 0", every="r"
)
PROMISE = mean_cdp_to_approx(MeanCDP(mu, tau), delta)
BEYOND = event(P, "A", at_most(mu + sqrt(-2 * log(delta)) * tau, L))
TAIL = Statement(
    "tail",
    "the probability of L >= mu + t tau",
    at_most(E(FAR, A), exp(-(t**2) / 2)),
    given=("t >= 0", "tau > 0"),
    assuming={"one-sided": ONE_SIDED},
)

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        TAIL,
        Statement(
            "definition",
            "the printed definition, with mean m <= mu, implies the one-sided bound"
            " about mu",
            at_most(E(P, exp(r * (L - mu))), exp(r**2 * tau**2 / 2)),
            given=("r >= 0",),
            assuming={
                "centered": assume(
                    at_most(E(P, exp(r * (L - m))), exp(r**2 * tau**2 / 2)), every="r"
                ),
                "mean": assume(at_most(m, mu)),
            },
        ),
        Statement(
            "approx",
            "with eps = mu + tau sqrt(2 log(1/delta)), the mean of max(0, 1 - exp(eps -"
            " L)) is at most delta",
            at_most(E(BEYOND, maximum(0, 1 - exp(PROMISE.epsilon - L))), PROMISE.delta),
            given=("0 < delta", "delta < 1", "tau > 0"),
            assuming={"one-sided": ONE_SIDED},
        ),
        Statement(
            "constant",
            "for tau = 0 the loss never exceeds mu: eps = mu needs no delta",
            at_most(E(P, maximum(0, 1 - exp(-(L - mu)))), 0),
            given=(),
            assuming={
                "no width": assume(
                    at_most(E(P, exp(r * (L - mu))), 1), "r >= 0", every="r"
                )
            },
        ),
    ),
    sharp=(
        Statement(
            "rate",
            "the rate t/tau is the best one: no rate r has a smaller bound exp(r**2"
            " tau**2/2 - r t tau)",
            at_most(exp(-(t**2) / 2), exp(r**2 * tau**2 / 2 - r * t * tau)),
        ),
    ),
    rules=(mean_cdp_to_approx,),
)


@proves("tail")
def chernoff(part: Statement) -> Iterator[Step]:
    """The indicator is below an exponential."""
    moment = placed(part.assuming["one-sided"], *part.given, r=t / tau)
    body = exp(t / tau * (L - mu))
    scaled = linear(
        P,
        exp(-(t**2)) * body,
        {body: exp(-(t**2))},
        integrable(moment, E(P, body)),
        where=part.given,
    )
    there = normal.beside(FAR, scaled)
    inside = cases(FAR, at_most(A, normal.mean_of(there).body), *part.given)
    yield (
        inside,
        "the indicator of L >= mu + t tau is at most exp((t/tau) (L - mu) - t**2)",
    )
    known = dominated(inside, FAR, finite(there), lower=cases(FAR, at_most(0, A)))
    over = expect(inside, FAR, known, finite(there))
    yield over, "integrated"
    yield combine(part.claim, over, there, (moment, exp(-(t**2)))), "at the rate t/tau"


@proves("definition")
def from_definition(part: Statement) -> Iterator[Step]:
    """exp(r (L - mu)) is exp(r (L - m)) times exp(-r (mu - m)), which is at most 1."""
    centered = part.assuming["centered"]
    mean = part.assuming["mean"]
    body = exp(r * (L - m))
    scaled = linear(
        P,
        exp(r * (L - mu)),
        {body: exp(r * (m - mu))},
        integrable(centered, E(P, body)),
    )
    yield scaled, "from the mean m to the larger mu"
    bound = combine(
        at_most(E(P, exp(r * (L - mu))), exp(r * (m - mu)) * exp(r**2 * tau**2 / 2)),
        scaled,
        (centered, exp(r * (m - mu))),
    )
    less = specialize(real("exp(u) <= 1", "u <= 0"), u=r * (m - mu))
    sign = combine(at_most(r * (m - mu), 0), (mean, r), given=part.given)
    small = given_by(less, sign)
    yield small, "the factor is at most 1"
    yield (
        combine(part.claim, bound, (small, exp(r**2 * tau**2 / 2))),
        "for rates r >= 0",
    )


@proves("approx")
def approx(part: Statement) -> Iterator[Step]:
    """The positive part of 1 - exp(eps - L) is below the indicator of L >= eps, whose mean is at
    most delta.
    """
    tail = placed(THEOREM.part("tail").fact(), *part.given, t=sqrt(-2 * log(delta)))
    bound = combine(at_most(normal.mean_of(tail), delta), tail)
    yield bound, "the tail at t = sqrt(2 log(1/delta))"
    gain = maximum(0, 1 - exp(PROMISE.epsilon - L))
    inside = cases(BEYOND, at_most(gain, A), *part.given)
    yield inside, "a loss costs at most 1, and nothing below eps"
    positive = placed(
        real("0 <= max(0, g)"), *part.given, g=1 - exp(PROMISE.epsilon - L)
    )
    known = dominated(inside, BEYOND, integrable(bound, E(BEYOND, A)), lower=positive)
    over = expect(inside, BEYOND, known, integrable(bound, E(BEYOND, A)))
    yield combine(part.claim, over, bound), "integrated"


@proves("constant")
def constant(part: Statement) -> Iterator[Step]:
    """A positive part is below exp(r (L - mu))/r, for all r."""
    moment = placed(part.assuming["no width"], "slack > 0", r=1 / slack)
    gain = maximum(0, 1 - exp(-(L - mu)))
    body = exp(1 / slack * (L - mu))
    inside = specialize(
        real("max(0, 1 - exp(-u)) <= slack*exp(u/slack)", "slack > 0"), u=L - mu
    )
    same = combine(at_most(gain, slack * body), inside)
    yield same, "the positive part is below the exponential at a large rate"
    over = on_average(same, P, moment)
    small = combine(at_most(E(P, gain), 0 + slack), over, (moment, slack))
    yield small, "whose mean is as small as one likes"
    yield closed(small, "slack"), "so the loss never exceeds mu"


@proves("rate")
def rate(part: Statement) -> Iterator[Step]:
    """A square in the exponent."""
    rise = combine(
        at_most(-(t**2) / 2, r**2 * tau**2 / 2 - r * t * tau),
        rest=(t - r * tau) ** 2 / 2,
    )
    larger = real("exp(u) <= exp(v)", "u <= v")
    placed_ = specialize(larger, u=-(t**2) / 2, v=r**2 * tau**2 / 2 - r * t * tau)
    yield combine(part.claim, given_by(placed_, rise)), "(t - r tau)**2 >= 0"


FALSEHOODS = (
    Falsehood(
        "as printed for negative t",
        TAIL.claim,
        ("tau > 0",),
        assuming=TAIL.assuming,
        instance=example({"t": -1, "mu": 0, "tau": 1}, {"P": [(0, 1)]}),
    ),
    Falsehood(
        "as printed for tau = 0, as of a constant mechanism",
        TAIL.claim,
        ("t >= 0", "tau >= 0"),
        assuming=TAIL.assuming,
        instance=example({"t": 1, "mu": 0, "tau": 0}, {"P": [(0, 1)]}),
    ),
    Falsehood(
        "the exponent can be t**2",
        at_most(E(FAR, A), exp(-(t**2))),
        TAIL.given,
        assuming=TAIL.assuming,
        instance=example({"t": 1, "mu": 0, "tau": 1}, {"P": [(1, "1/2"), (-1, "1/2")]}),
    ),
)
