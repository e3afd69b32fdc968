"""The best of a random number of private runs: what is lost, exactly.

Printed: not in the sources.
Proved: Let K have the truncated negative binomial law of shape eta > -1 and of gamma, whose
    generating function has a derivative proportional to (gamma + (1 - gamma) (1 - x))**(-(1 +
    eta)). The best of K runs is an output y with probability proportional to p E (gamma + (1 -
    gamma) T)**(-(1 + eta)), where p is the probability of y in one run, and T lies between the
    probability of a better output and that of y or a better one. If one run is eps-differentially
    private, p <= exp(eps) p', T' <= exp(eps) T and 1 - T <= exp(eps) (1 - T'), so that the best of
    all is likelier by a factor of at most exp(eps) C**(1 + eta) with C = (exp(eps) + gamma)/(1 +
    gamma exp(eps)): the shipped epsilon. It is at most (2 + eta) eps, and eps for one run.
Idea: C - 1 is what two lines in T and T' leave, with equality at T = 1/(1 + exp(eps)).
Source: Liu and Talwar, Private selection from private candidates (2019), with 3 eps for the
    geometric law; Papernot and Steinke, Hyperparameter tuning with Renyi differential privacy
    (2022), with (2 + eta) eps. The bound with gamma is ours.
"""

from rdpacct.book.words import (
    Attack, Condition, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Random, Refused,
    Statement, Status, Step, Symbol, Theorem, assume, at_most, below, by_prover, combine, equal,
    exp, expect, given_by, integrable, linear, log, pairwise, real, relations, repeated_epsilon,
    specialize, under,
)  # fmt: skip

T, U, p, q, eps, g, eta = (
    Symbol(name) for name in ("T", "U", "p", "q", "eps", "gamma", "eta")
)
RUN = Law(
    "M",
    ("T", "U"),
    (
        *relations("0 <= T", "T <= 1", "0 <= U", "U <= 1"),
        at_most(U, exp(eps) * T),
        at_most(1 - T, exp(eps) * (1 - U)),
    ),
)
"""A place between better outputs and these, for the one neighbor and for the other."""
LEFT, RIGHT = (g + (1 - g) * one for one in (T, U))
GROWTH = (exp(eps) + g) / (1 + g * exp(eps))
GIVEN = ("0 < gamma", "gamma <= 1", "-1 < eta", "0 <= eps")


def power(base: Expr) -> Expr:
    """base**(-(1 + eta)), the weight of a place."""
    return exp(-(1 + eta) * log(base))


def ratio(part: Statement) -> Iterator[Step]:
    """Two lines."""
    rows = [real(one, one) for one in RUN.support[4:]]
    given = part.given
    share = (1 - g) / (1 + g * exp(eps))
    yield (
        combine(part.claim, (rows[0], share), (rows[1], share * g), given=given),
        "both limits on the chances of better outputs",
    )


def powers() -> Fact:
    """exp(-(1 + eta) x) <= exp((1 + eta) c) exp(-(1 + eta) y) for y <= c + x."""
    x, y, c = (Symbol(name) for name in "xyc")
    low, high = -(1 + eta) * x, (1 + eta) * c - (1 + eta) * y
    known = real("y <= c + x", "y <= c + x")
    line = combine(at_most(low, high), (known, 1 + eta), given=("-1 < eta",))
    rises = specialize(real("exp(u) <= exp(v)", "u <= v"), u=low, v=high)
    product = specialize(
        real("exp(u - v) == exp(u)*exp(-v)"), u=(1 + eta) * c, v=(1 + eta) * y
    )
    return combine(
        at_most(exp(low), exp((1 + eta) * c) * exp(-(1 + eta) * y)),
        given_by(rises, line),
        product,
    )


def weights(part: Statement) -> Iterator[Step]:
    """The weights of all places, averaged."""
    given: tuple[str | Condition, ...] = (*RUN.support, *GIVEN)
    close = under(THEOREM.part("ratio").fact(), *given)
    yield close, "at each place"
    limits = ("y <= c*x", "0 < x", "0 < y", "0 < c")
    sums = under(real("log(y) <= log(c) + log(x)", *limits), *limits, *given)
    logs = specialize(sums, x=LEFT, y=RIGHT, c=GROWTH)
    positive = [real(below(0, one), *given) for one in (LEFT, RIGHT, GROWTH)]
    larger = given_by(logs, close, *positive)
    yield larger, "in logarithms"
    line = given_by(
        specialize(
            under(powers(), "y <= c + x", *given),
            x=log(LEFT),
            y=log(RIGHT),
            c=log(GROWTH),
        ),
        larger,
    )
    yield line, "as powers"
    first, second = part.assuming["one"], part.assuming["other"]
    scaled = linear(
        RUN,
        FACTOR * power(RIGHT),
        {power(RIGHT): FACTOR},
        integrable(second, E(RUN, power(RIGHT))),
        where=GIVEN,
    )
    over = expect(
        line,
        RUN,
        integrable(first, E(RUN, power(LEFT))),
        integrable(scaled, scaled.relation.left),
    )
    yield over, "averaged"
    yield combine(part.claim, over, scaled), "so"


def attack(seed: int) -> int:
    """Random pairs of one run, and the best of geometrically many of them, in exact rationals."""
    rng = Random(seed)
    for _ in range(100):
        laws = []
        for _ in range(2):
            row = [Fraction(rng.randint(4, 12)) for _ in range(rng.choice((3, 4, 5)))]
            laws.append([one / sum(row) for one in row])
        first, second = laws
        if len(first) != len(second):
            continue
        ratios = [x / y for x, y in zip(first, second, strict=True)]
        growth = max(*ratios, *(1 / one for one in ratios))
        share = Fraction(rng.randint(1, 10), 10)
        chances = [best(law, share) for law in laws]
        factor = growth * ((growth + share) / (1 + share * growth)) ** 2
        if any(x > factor * y for x, y in zip(*chances, strict=True)):
            raise Refused(f"{laws} with {share} lose more than {factor}.")
    return 100


def best(law: list[Fraction], share: Fraction) -> list[Fraction]:
    """The law of the best output of a geometric number of runs, the last output being the best."""
    reached = [Fraction(0)]
    for one in law:
        reached.append(reached[-1] + one)
    values = [share * x / (1 - (1 - share) * x) for x in reached]
    return [after - before for before, after in pairwise(values)]


FACTOR = exp((1 + eta) * log(GROWTH))
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that the best of all runs is y with probability p times the mean weight of the places"
        " between better outputs and y, by the derivative of the generating function, and that"
        " p <= exp(eps) p' multiplies it",
    ),
    parts=(
        Statement(
            "ratio",
            "the bases of the weights of a place differ by C at most",
            at_most(RIGHT, GROWTH * LEFT),
            ratio,
            (*RUN.support[4:], "0 < gamma", "gamma <= 1"),
        ),
        Statement(
            "weights",
            "the mean weights differ by C**(1 + eta) at most",
            at_most(E(RUN, power(LEFT)), FACTOR * E(RUN, power(RIGHT))),
            weights,
            GIVEN,
            {
                "one": assume(at_most(0, E(RUN, power(LEFT)))),
                "other": assume(at_most(0, E(RUN, power(RIGHT)))),
            },
        ),
        Statement(
            "epsilon",
            "the shipped epsilon is that of p and of the weights",
            equal(repeated_epsilon(eps, g, eta), eps + (1 + eta) * log(GROWTH)),
            by_prover("by its form"),
            ("0 < gamma",),
        ),
        Statement(
            "published",
            "C is at most exp(eps), so that the epsilon is at most (2 + eta) eps",
            at_most(GROWTH, exp(eps)),
            by_prover("cross-multiplied"),
            ("0 < gamma", "0 <= eps"),
        ),
    ),
    sharp=(
        Statement(
            "equality",
            "where a better output has the probabilities of randomized response",
            equal(
                RIGHT.at(U=exp(eps) / (1 + exp(eps))),
                GROWTH * LEFT.at(T=1 / (1 + exp(eps))),
            ),
            by_prover("one fraction"),
            ("0 < gamma",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "choosing the best of the runs costs no more than two of them",
            at_most(eps + 2 * log(GROWTH), 2 * eps),
            ("0 < gamma", "gamma <= 1", "0 < eps"),
        ),
        Falsehood(
            "it costs no more than one run",
            at_most(GROWTH, 1),
            ("0 < gamma", "gamma < 1", "0 < eps"),
        ),
    ),
    attacks=(Attack("the best of geometrically many runs", attack),),
    rules=(repeated_epsilon,),
)
