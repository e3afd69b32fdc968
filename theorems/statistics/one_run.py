"""How many fair coins can be guessed right from one run of a private training.

Printed: not in the sources.
Proved: Let there be m independent fair coins, a mechanism that is (eps, delta)-DP in each of them,
    and r guesses made from its output, of which W are right. Let X be binomial with r trials that
    succeed with probability exp(eps)/(1 + exp(eps)), beta = P(X >= v) and b = P(X = v). Then P(W >=
    v) <= beta + m delta beta (1 - beta)/(v b), and half of the second term is enough if all guesses
    are "in", or all are "out". For delta = 0 it is the binomial tail. As long as it is at most 1, a
    mechanism attains it. A test that refutes where it is at most err refutes a true claim with a
    probability of at most err, and several tests that share err do.
Idea: Stein's equation of the binomial law: there are weights lam(w) >= 0 such that w lam(w) -
    exp(eps) (r - w) lam(w + 1) is 1 - beta for w >= v and -beta for w < v. A right guess weighs
    lam(W) and a wrong one lam(W + 1): for one coin both are the same function of the output and of
    the other coins, so that privacy of this coin bounds the mean weight of its right guess by
    exp(eps) times that of its wrong one, plus delta times the largest weight, which is lam(v).
    Summed over the coins this is the claim. The weights are those of statistics/one-run-weights.
Source: Steinke, Nasr and Jagielski (2023), Privacy auditing with one (1) training run, has the same
    for delta = 0, and 2 m delta times the largest of P(v - i <= X < v)/i for the second term; in
    the tail that is larger by a factor of about 2 (1 + exp(eps)). The equation is that of Stein and
    Chen.
"""

from rdpacct.book.words import (
    E, Expr, Fact, Falsehood, Iterator, Law, Mapping, On, Quantity, Real, Statement, Status, Step,
    Symbol, Theorem, Whole, accuracy, assume, at_most, below_excess, combine, dominated, equal,
    example, excess, excess_is_positive, exp, formula, induct, instance, integrable, linear,
    on_average, proves, real, relations, specialize, tail_limit, terms_replace as replace, without,
)  # fmt: skip

eps, delta, beta, mass, kappa, kinds, err = map(
    Symbol, ("eps", "delta", "beta", "mass", "kappa", "kinds", "err")
)
p, q, g, h, W, hit, refuted = map(Symbol, ("p", "q", "g", "h", "W", "hit", "refuted"))
w, n, r, v, m, j = map(Symbol, ("w", "n", "r", "v", "m", "j"))
FACTOR = exp(eps)
HALF = formula(1) / 2


def at(name: str, number: Real) -> Expr:
    """A quantity of a whole number: F(w) and b(w), the binomial probabilities of less than w and of
    exactly w; lam(w), the weight; A(j) and B(j), the mean weights of right and of wrong guesses of
    the first j coins; R(j), the probability that one of the first j tests refutes.
    """
    return Quantity(name, (formula(number),))


OUTPUTS = Law(
    "M",
    ("p", "q", "g", "h"),
    relations("p >= 0", "q >= 0", "0 <= g <= kappa", "0 <= h <= kappa"),
)
"""The output and the other coins: the densities p and q of the output with this coin in and out,
and the weights g and h of a guess that calls it in and out, of which one is 0.
"""
PRIVATE = {
    "p is a law": assume(equal(E(OUTPUTS, p), 1)),
    "q is a law": assume(equal(E(OUTPUTS, q), 1)),
    "in to out": assume(at_most(E(OUTPUTS, excess(p, q, FACTOR)), delta)),
    "out to in": assume(at_most(E(OUTPUTS, excess(q, p, FACTOR)), delta)),
}
ONE_KIND = ("p is a law", "q is a law", "in to out")


def half(body: Expr) -> Expr:
    """A mean over the output and a fair coin, on one of its sides."""
    return E(OUTPUTS, body) / 2


SHARE = kappa * delta * kinds / 2
COINS = {
    "no coin is right": assume(equal(at("A", 0), 0)),
    "no coin is wrong": assume(equal(at("B", 0), 0)),
    "one more coin": assume(
        at_most(
            at("A", j + 1) - at("A", j), FACTOR * (at("B", j + 1) - at("B", j)) + SHARE
        ),
        every="j",
    ),
}


RUN = Law("R", ("W", "hit"), relations("0 <= hit <= 1"))
"""The number of right guesses, and whether it is at least v."""
STEIN = W * at("lam", W) - FACTOR * ((r - W) * at("lam", W + 1))
TEST = Law("T", ("hit", "refuted"), relations("0 <= refuted", "refuted <= hit <= 1"))
"""Whether v guesses or more are right, and whether the test refutes, which needs v of them."""
LIMIT = tail_limit(beta, 1 - beta, mass, v, m, delta, kinds)
ATTAINED = LIMIT.at(kinds=2)
ABOVE = ATTAINED / beta
BELOW = (1 - ATTAINED) / (1 - beta)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one kind",
            "the weight of a right guess that calls the coin in, against that of a wrong"
            " one; so for guesses that call it out",
            at_most(half(p * g), FACTOR * half(q * g) + kappa * delta / 2),
            given=("0 <= kappa",),
            assuming={name: PRIVATE[name] for name in ONE_KIND},
        ),
        Statement(
            "both kinds",
            "the same where guesses of both kinds are allowed",
            at_most(
                half(p * g) + half(q * h),
                FACTOR * (half(q * g) + half(p * h)) + kappa * delta,
            ),
            given=("0 <= kappa",),
            assuming=PRIVATE,
        ),
        Statement(
            "coins",
            "summed over the coins",
            at_most(at("A", j), FACTOR * at("B", j) + j * SHARE),
            given=(Whole("j", 0),),
            assuming=COINS,
        ),
        Statement(
            "odds",
            "a right guess has the odds exp(eps) in the binomial law, so that (w + 1) b(w"
            " + 1) = exp(eps) (r - w) b(w)",
            equal(accuracy(FACTOR), FACTOR * accuracy(1 / FACTOR)),
        ),
        Statement(
            "complement",
            "and a wrong one has the rest of the probability",
            equal(accuracy(FACTOR) + accuracy(1 / FACTOR), 1),
        ),
        Statement(
            "tail",
            "so v right guesses or more have at most the shipped probability",
            at_most(E(RUN, hit), LIMIT),
            given=(Whole("m", 0), "0 < mass", "0 < v"),
            assuming={
                **COINS,
                "Stein": assume(at_most(hit - beta, STEIN), On(RUN)),
                "right": assume(equal(E(RUN, W * at("lam", W)), at("A", m))),
                "wrong": assume(equal(E(RUN, (r - W) * at("lam", W + 1)), at("B", m))),
                "largest": assume(equal(v * mass * kappa, beta * (1 - beta))),
            },
        ),
        Statement(
            "test",
            "a test that refutes only if v or more are right, where the limit is at most"
            " err, refutes a true claim with a probability of at most err",
            at_most(E(TEST, refuted), err),
            assuming={
                "tail": assume(at_most(E(TEST, hit), LIMIT)),
                "limit": assume(at_most(LIMIT, err)),
            },
        ),
        Statement(
            "several tests",
            "and one of j tests does so with a probability of at most j times that",
            at_most(at("R", j), j * err),
            given=(Whole("j", 0),),
            assuming={
                "no test": assume(equal(at("R", 0), 0)),
                "one more test": assume(
                    at_most(at("R", j + 1), at("R", j) + err), every="j"
                ),
            },
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "W has T/beta times the binomial probabilities from v on and (1 - T)/(1 -"
            " beta) times them below, with T the limit, and any W of r random coins are"
            " guessed right: one guess more is exp(eps) times as likely, but from v - 1"
            " to v, where the excess of one coin is delta",
            equal(v * mass / m * (ABOVE - BELOW), delta),
            given=("0 < v", "0 < mass", "0 < m", "0 < beta", "beta < 1"),
        ),
    ),
    rules=(accuracy, tail_limit),
)


def pointwise() -> Fact:
    """p g <= exp(eps) q g + kappa max(p - exp(eps) q, 0)."""
    over = excess(p, q, FACTOR)
    slack = real("g <= kappa", "g <= kappa")
    return combine(
        at_most(p * g, FACTOR * (q * g) + kappa * over),
        (below_excess(p, q, FACTOR), g),
        (slack, over),
        (excess_is_positive(p, q, FACTOR), 0),
        given=("0 <= g", "g <= kappa"),
    )


def averaged(known: Mapping[str, Fact]) -> Fact:
    """The mean of both sides, as densities times bounded weights are integrable."""
    finite = []
    for density, name in ((p, "p is a law"), (q, "q is a law")):
        whole = integrable(known[name], E(OUTPUTS, density))
        scaled = linear(OUTPUTS, kappa * density, {density: kappa}, whole)
        upper = real(at_most(density * g, kappa * density), *OUTPUTS.support)
        lower = real(at_most(0, density * g), *OUTPUTS.support)
        mean = integrable(scaled, scaled.relation.left)
        finite.append(dominated(upper, OUTPUTS, mean, lower=lower))
    return on_average(pointwise(), OUTPUTS, known["in to out"], *finite)


@proves("one kind")
def one_kind(part: Statement) -> Iterator[Step]:
    """What p has more than exp(eps) q counts at most kappa times."""
    mean = averaged(part.assuming)
    yield mean, "at most kappa times the excess, averaged"
    excess_ = (part.assuming["in to out"], kappa * HALF)
    yield combine(part.claim, (mean, HALF), excess_, given=part.given), "a fair coin"


@proves("both kinds")
def both_kinds(part: Statement) -> Iterator[Step]:
    """A guess of the other kind exchanges p and q."""
    known = part.assuming
    inside = averaged(known)
    yield inside, "a guess that calls the coin in"
    outside = instance(inside, OUTPUTS, OUTPUTS, {"p": q, "q": p, "g": h, "h": g})
    yield outside, "a guess that calls it out"
    means = ((inside, HALF), (outside, HALF))
    orders = ((known[name], kappa * HALF) for name in ("in to out", "out to in"))
    yield combine(part.claim, *means, *orders, given=part.given), "a fair coin"


@proves("coins")
def coins(part: Statement) -> Iterator[Step]:
    """One coin after the other."""
    known = part.assuming
    wrong = (known["no coin is wrong"], -FACTOR)
    base = combine(replace(part.claim, {"j": 0}), known["no coin is right"], wrong)
    yield base, "no coin"
    before = assume(part.claim, Whole("j", 0))
    after = replace(part.claim, {"j": j + 1})
    more = combine(after, before, known["one more coin"])
    yield more, "one more coin"
    yield induct(base, more, "j"), "coin after coin"


@proves("odds", "complement", "attained")
def algebra(part: Statement) -> Iterator[Step]:
    """Quotients of numbers."""
    yield real(part.claim, *part.given), "algebra"


@proves("tail")
def tail(part: Statement) -> Iterator[Step]:
    """Stein's equation, averaged over the runs."""
    known = part.assuming
    mean = on_average(known["Stein"], RUN, known["right"], known["wrong"])
    yield mean, "averaged"
    all_coins = specialize(THEOREM.part("coins").fact(), j=m)
    yield all_coins, "all coins"
    sums = (known["right"], (known["wrong"], -FACTOR))
    largest = (known["largest"], m * delta * kinds / 2 / (v * mass))
    given = tuple(one for one in part.given if isinstance(one, str))
    whole = combine(part.claim, mean, all_coins, *sums, largest, given=given)
    yield whole, "with the largest weight, that of v"


@proves("test")
def test(part: Statement) -> Iterator[Step]:
    """It refutes only where v are right."""
    mean = on_average(real("refuted <= hit", *TEST.support), TEST)
    yield mean, "it needs v right guesses"
    yield combine(part.claim, mean, *part.assuming.values()), "which are rare"


@proves("several tests")
def several(part: Statement) -> Iterator[Step]:
    """The union bound, test after test."""
    known = part.assuming
    base = combine(replace(part.claim, {"j": 0}), known["no test"])
    yield base, "no test"
    before = assume(part.claim, Whole("j", 0))
    after = replace(part.claim, {"j": j + 1})
    more = combine(after, before, known["one more test"])
    yield more, "one more test"
    yield induct(base, more, "j"), "test after test"


TWO_GUESSES = example(
    {"r": 2, "v": 1, "beta": "3/4", "mass": "1/2", "m": 100, "delta": "1/1000"}
)
"""One of two guesses with even odds is right, of 100 canaries."""

FALSEHOODS = (
    Falsehood(
        "delta counts once, and not for each canary; here for the run that attains the"
        " limit",
        at_most(ATTAINED, beta + delta),
        ("0 < mass", "mass <= beta", "beta < 1", "0 < v", "v <= m", "0 < delta"),
        instance=TWO_GUESSES,
    ),
    Falsehood(
        "only canaries that are guessed count",
        at_most(ATTAINED, ATTAINED.at(m=r)),
        ("0 < mass", "mass <= beta", "beta < 1", "0 < v", "v <= r", "r <= m"),
        instance=TWO_GUESSES,
    ),
    without(
        THEOREM.part("both kinds"),
        "out to in",
        "one order of the neighbors is enough for guesses of both kinds",
        example(
            {"eps": "log(2)", "delta": 0, "kappa": 1},
            {"M": [((2, 1, 0, 0), "1/2"), ((0, 1, 0, 1), "1/2")]},
        ),
    ),
)
