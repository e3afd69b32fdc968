"""Noise on a data-dependent scale: from conditions that hold with probability to random
differential privacy.

Printed: If (10) P(s(X) <= exp(beta) s(X')) >= 1 - gamma1 and (11) P(h(x, x')/n <= min(s(X), s(X')))
    >= 1 - gamma2, with x, x' independent of X, X', then the noise is (2 alpha, eta, gamma1 +
    gamma2)-random DP.
Proved: Let |g(X) - g(X')| <= h(x_n, x_{n+1})/n for the points in which X and X' differ, and read
    (11) for these points. If the ratio of scales is beyond exp(beta) in some direction with
    probability at most gamma1, the release is (2 alpha, exact_eta(alpha, beta), gamma1 +
    gamma2)-random DP, in both orders; if (10) bounds one direction only, with gamma = 2 gamma1 +
    gamma2. Data are bad if one of the two hockey sticks of the pair exceeds exact_eta; those with
    neither defect are not, by sensitivity/smooth-laplace.
Idea: The union bound; exchanging x_n and x_{n+1} exchanges X and X', and so the two directions of
    the ratio.
Source: Hall, Rinaldo and Wasserman, section 6, equations (10) and (11).
Finding (false): (10) bounds s(X)/s(X') in one direction, and both are needed: for one record,
    uniform on two points with s = 1 and s = 100, g = 0, alpha = beta = 1, (10) holds with gamma1 =
    1/4 and (11) with gamma2 = 0, but the hockey stick exceeds exp(-1/2) in both orders, with
    probability 1/2. The factor 2 in 2 gamma1 is thus needed.
Finding (gap): In the definition x_n and x_{n+1} are in X and X', not independent of them: for n = 2
    and continuous pair values h(x2, x3) is above the smaller of h(x1, x2) and h(x1, x3) with
    probability 2/3, above a fresh one with 1/2. With quantiles, use the values that X and X' share:
    gamma2 = (m + 1 - k)/m by sensitivity/quantile, for m - 1 values and rank k - 1. And a supremum
    over neighbors that equals one over points does not bound the pair at hand; the pairwise bound
    is needed.
"""

from rdpacct.book.words import (
    BROAD, BROAD_EXCESS, BROAD_LOSS, Comparison, E, Event, Exchangeable, Expectation, Expr, Fact,
    Falsehood, Fraction, Iterator, NARROW, NARROW_EXCESS, NARROW_LOSS, On, Real, Refused,
    Refutation, Statement, Status, Step, Symbol, Table, Theorem, Witness, absolute, are_laws,
    assume, at_most, below, broad_excess, by_prover, cases, combine, dominated, either, equal,
    event, exact_eta, example, exchange, exp, expect, formula, given_by, integrable, laplace_Z as Z,
    lemma, log, marginal, maximum, minimum, narrow_excess_beyond, on_average, permutations, proves,
    random_sensitivity, real, relations, specialize, statement, symbols, table, under,
)  # fmt: skip

NAMES = ("alpha", "beta", "up", "total", "lam", "c", "t", "bad", "wide", "far")
alpha, beta, up, total, lam, c, t, bad, wide, apart = map(Symbol, NAMES)
gamma1 = Symbol("gamma1")
gamma2 = Symbol("gamma2")
ETA = exact_eta(alpha, beta)
KNOWN = ("0 < alpha", "0 < beta")
DATA = Exchangeable(
    "D",
    ("up", "total", "lam", "c", "t", "bad"),
    relations(
        "0 <= up <= 1",
        "0 <= total <= 2",
        "0 <= lam",
        "0 <= c",
        "0 < t",
        "0 <= bad <= 1",
    ),
    formula(2),
)
"""up: whether s(X) > exp(beta) s(X'); total: of how many of the two orders this holds; lam: how far
apart the logarithms of the scales are; c: how far apart the values are, in units of the smaller
scale over alpha; bad: whether a hockey stick of the pair exceeds eta, and then t is by how much.
"""
WIDE = event(DATA, "wide", below(beta, lam))
D = event(WIDE, "far", below(alpha, c))
APART = maximum(
    *(
        statement("sensitivity/smooth-laplace", part).left
        for part in ("broader", "narrower")
    )
)
"""The larger hockey stick of the two orders, at 2 alpha, of laws of different scale."""
EVEN = (
    E(BROAD.at(j=1), BROAD_EXCESS.at(j=1, T=2 * alpha)),
    E(NARROW, NARROW_EXCESS.at(j=1, S=-2 * alpha)),
)
"""The hockey sticks of laws of the same scale."""
DEFINITIONS = {
    "bad data": assume(
        at_most(bad * (ETA + t), bad * APART), *KNOWN, "0 < lam", On(DATA)
    ),
    "bad data of equal scales": assume(
        at_most(bad * (ETA + t), bad * maximum(*EVEN)), *KNOWN, "lam <= 0", On(DATA)
    ),
}
"""Data are bad only if one of the hockey sticks is eta + t for some t > 0."""
SOMETIMES = example(
    {"alpha": 1, "beta": 1, "gamma1": "1/2", "gamma2": 0, "lam": 0, "c": 0},
    {
        "D": [
            ((1, 0, 2, 0, 1, 0), "1/4"),
            ((0, 1, 2, 0, 1, 0), "1/4"),
            ((0, 0, 0, 0, 1, 0), "1/2"),
        ]
    },
)
"""Scales that differ by the factor exp(2) half of the time, and are equal otherwise; the
first two columns say in which order s(X) is larger.
"""


def laws_of_noise() -> tuple[Fact, ...]:
    """There are Laplace laws of all scales."""
    return (*are_laws(scale=exp(-lam)), are_laws(scale=1)[1])


def witness() -> Witness:
    """The instance, in which the laws of the noise exist."""
    return Witness(SOMETIMES, laws_of_noise())


x, y = symbols("x y")
BITS = Table(
    "S",
    ("x", "y"),
    rows=tuple(
        ((formula(a), formula(b)), formula(1) / 4) for a in (0, 1) for b in (0, 1)
    ),
)
"""Two records of one bit each, uniform; the scale is 100 for the bit 1 and 1 for the bit 0, and g =
0.
"""
UP, BAD = x * (1 - y), absolute(x - y)
"""Whether the first scale is larger, and whether the scales differ."""

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "two-sided",
            "with the ratio of scales bounded in both directions",
            at_most(
                E(DATA, bad), random_sensitivity(alpha, beta, gamma1 + gamma2).gamma
            ),
            given=KNOWN,
            assuming={
                **DEFINITIONS,
                "(10) both ways": assume(at_most(E(D, wide), gamma1)),
                "(11)": assume(at_most(E(D, apart), gamma2)),
            },
            witness=witness,
        ),
        Statement(
            "one-sided",
            "with the ratio of scales bounded in one direction",
            at_most(E(DATA, bad), 2 * gamma1 + gamma2),
            given=KNOWN,
            assuming={
                **DEFINITIONS,
                "orders": assume(at_most(wide, total), On(WIDE)),
                "(10)": assume(at_most(E(DATA, up), gamma1)),
                "(11)": assume(at_most(E(D, apart), gamma2)),
            },
            witness=witness,
        ),
        Statement(
            "eta",
            "the eta of the guarantee is the one that the hockey sticks stay below",
            equal(random_sensitivity(alpha, beta, gamma1).eta, ETA),
            by_prover("the same formula"),
            ("0 < beta",),
        ),
    ),
    sharp=(
        Statement(
            "factor 2",
            "in the counterexample the bad data are twice as likely as those that break"
            " (10)",
            equal(E(BITS, BAD), 2 * E(BITS, UP)),
        ),
    ),
    rules=(random_sensitivity,),
)


def larger(one: Fact, two: Fact) -> Fact:
    """If each of two numbers is at most a third, so is the larger of them."""
    rule = real("max(u, v) <= w", "u <= w", "v <= w")
    rule = under(rule, *rule.domain, *KNOWN)
    u, v, w = one.relation.left, two.relation.left, one.relation.right
    return given_by(specialize(rule, u=u, v=v, w=w), one, two)


def no_excess() -> Fact:
    """Laws of the same scale have no excess, in both orders: abs(Z) and abs(Z - c) differ by c at
    most.
    """
    given = ("0 < alpha", "0 <= c", "c <= alpha")
    room = real("c <= 2*alpha", *given)
    positive = real(at_most(0, ETA), *KNOWN)
    losses = BROAD_LOSS.at(j=1, T=2 * alpha), NARROW_LOSS.at(j=1, S=-2 * alpha)
    triangles = "abs(x) <= abs(x - y) + y", "abs(x - y) <= abs(x) + y"
    facts = []
    for mean, loss, triangle in zip(EVEN, losses, triangles, strict=True):
        if not isinstance(mean, Expectation):
            raise Refused("a hockey stick is a mean.")
        near = specialize(real(triangle, "0 <= y"), x=Z, y=c)
        sign = combine(at_most(0, loss), near, room, given=given)
        same = given_by(
            specialize(real("max(1 - exp(x), 0) == 0", "0 <= x"), x=loss), sign
        )
        size = combine(at_most(mean.body, 0), same)
        least = combine(at_most(0, mean.body), (same, -1))
        none = expect(same, mean.law, dominated(size, mean.law, lower=least))
        facts.append(combine(at_most(mean, ETA), none, positive))
    return larger(*facts)


NEAR = (*KNOWN, "lam <= beta", "c <= alpha", On(DATA))


def not_bad(part: Statement) -> Fact:
    """Where the scales and the values are near enough the data are not bad: a hockey stick of at
    most eta is not one of eta + t.
    """
    apart_ = larger(
        lemma("sensitivity/smooth-laplace", "broader"),
        lemma("sensitivity/smooth-laplace", "narrower"),
    )
    halves = []
    for name, side, scale, stick in (
        ("bad data", "0 < lam", exp(-lam), apart_),
        ("bad data of equal scales", "lam <= 0", formula(1), no_excess()),
    ):
        uses = (part.assuming[name], 1 / t), (stick, bad / t)
        half = combine(at_most(bad, 0), *uses, given=("0 < t", "0 <= bad"))
        half = given_by(half, *are_laws(scale=scale))
        halves.append(under(half, side, *NEAR))
    return either(*halves)


def beyond(law: Event, flag: Expr, gap: Expr, happens: Comparison) -> Fact:
    """Where the event happens its indicator is 1."""
    scaled = cases(law, at_most(gap, flag * gap))
    return combine(at_most(1, flag), (scaled, 1 / gap), given=(happens,))


def defects(good: Fact) -> Fact:
    """bad <= wide + far: data with neither defect are not bad, and others are bad at most once."""
    claim = at_most(bad, wide + apart)
    signs = cases(WIDE, at_most(0, wide)), cases(D, at_most(0, apart))
    most = real("bad <= 1", *DATA.support)
    neither = combine(claim, good, *signs)
    reach = beyond(D, apart, c - alpha, below(alpha, c))
    ratio = beyond(WIDE, wide, lam - beta, below(beta, lam))
    one, two, three = (
        under(fact, *KNOWN, *where, On(DATA), On(WIDE), On(D))
        for fact, where in (
            (neither, ("lam <= beta", "c <= alpha")),
            (combine(claim, most, reach, signs[0]), ("lam <= beta", "alpha < c")),
            (combine(claim, most, ratio, signs[1]), ("beta < lam",)),
        )
    )
    return either(either(one, two), three)


def union(ratio: Fact, part: Statement) -> Iterator[Step]:
    """bad <= wide + far, averaged."""
    shift = part.assuming["(11)"]
    good = not_bad(part)
    yield good, "data with neither defect are not bad, by sensitivity/smooth-laplace"
    line = defects(good)
    yield line, "only data with one of the defects are bad"
    over = on_average(line, D, ratio, shift)
    same = marginal(D, DATA, bad, integrable(over, E(D, bad)))
    yield combine(part.claim, same, over, ratio, shift), "the union bound"


@proves("two-sided")
def two_sided(part: Statement) -> Iterator[Step]:
    """With (10) for both directions."""
    yield from union(part.assuming["(10) both ways"], part)


@proves("one-sided")
def one_sided(part: Statement) -> Iterator[Step]:
    """With (10) as printed."""
    bounded = dominated(real("abs(up) <= 1", *DATA.support), DATA)
    swap = under(exchange(DATA, bounded))
    yield swap, "X, X' and X', X are equally likely"
    counted = integrable(swap, E(DATA, total))
    same = marginal(D, DATA, total, counted)
    order = part.assuming["orders"]
    yield order, "scales that are too far apart are so in one of the orders"
    least = cases(WIDE, at_most(0, wide))
    finite = integrable(same, E(D, total))
    over = expect(order, D, dominated(order, D, finite, lower=least), finite)
    ratio = combine(
        at_most(E(D, wide), 2 * gamma1), over, same, swap, (part.assuming["(10)"], 2)
    )
    yield from union(ratio, part)


@proves("factor 2")
def attained(part: Statement) -> Iterator[Step]:
    """The same data."""
    first = table(BITS, UP)
    second = table(BITS, BAD)
    yield first, "one of the four equally likely pairs breaks (10)"
    yield combine(part.claim, second, (first, -2)), "two of them are bad"


PRINTED = exp(-formula(1) / 2)


def sticks() -> tuple[Fact, Fact]:
    """The two hockey sticks at factor exp(2) of scales 100 and 1 exceed exp(-1/2): kernel facts
    about the integrals.
    """
    at: dict[str, Real] = {"j": Fraction(1, 100), "c": 0}
    found = []
    for exact, values in (
        (broad_excess(), {"T": 2 + log(100)}),
        (narrow_excess_beyond(), {"S": log(100) - 2}),
    ):
        one = under(specialize(exact, **at, **values))
        value = real(below(PRINTED, one.relation.right))
        found.append(combine(below(PRINTED, one.relation.left), (one, -1), value))
    return found[0], found[1]


def counterexample() -> Refutation:
    """The bad pairs have probability 1/2, those that break (10) 1/4."""
    facts = sticks()
    return Refutation(
        "n = 1, two points, s = 1 and 100, g = 0, alpha = beta = 1: gamma1 = 1/4,"
        " gamma2 = 0, bad 1/2",
        facts,
    )


h12, h13, h23 = symbols("h12 h13 h23")
TRIANGLE = Table(
    "C",
    ("h12", "h13", "h23"),
    rows=tuple(
        (order, formula(1) / 6) for order in permutations(map(formula, (1, 2, 3)))
    ),
)
"""The values of the pairs of three points in random order."""
ABOVE = minimum(1, maximum(0, h23 - minimum(h12, h13)))
"""Whether h(x2, x3) is above the smaller of the two others."""

FALSEHOODS = (
    Falsehood(
        "the printed gamma1 + gamma2 with (10) in one direction",
        at_most(E(BITS, BAD), E(BITS, UP)),
        refutation=counterexample,
        instance=example(),
    ),
    Falsehood(
        "x_n and x_{n+1} may be taken as independent of X and X': the coverage 1/2"
        " of a fresh pair for m = k = 1",
        at_most(E(TRIANGLE, ABOVE), formula(1) / 2),
        instance=example(),
    ),
)
