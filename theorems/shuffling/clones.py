"""Shuffled reports of any randomizer with a pure epsilon, against those of the worst one.

Printed: not in the sources.
Proved: Let k = e**eps, C be binomial with n - 1 trials of probability 2/(1 + k), A binomial with C
    trials of probability 1/2, and D one with probability k/(1 + k). The pair (A + D, C - A + 1 - D)
    against (A + 1 - D, C - A + D) dominates n shuffled reports of any local randomizer with a pure
    eps. Let a and b be the densities of the report on the two values. Every other report has at
    least the density max(a, b)/k, by the pure eps; the rest of it is given away. At the level g,
    such a report adds x = k (a - g b)/max(a, b), and nothing if it was given away. For every convex
    H the mean of H(y + x) is then at most that of reports which add k - g and 1 - g k with
    probability 1/(1 + k) each: output by output, with the parts (k a - b)/(k**2 - 1) and (k b -
    a)/(k**2 - 1), which both have the mass 1/(1 + k).
Idea: The points x and 0 have, with their weights, the mass and the mean of the two points k - g and
    1 - g k, and lie between them.
Source: Feldman, McMillan and Talwar, Hiding among the clones (2021), Theorem 3.2, and Stronger
    privacy amplification by shuffling (2023), for the larger probability.
Finding: The probability 2/(1 + e**eps) holds for every randomizer; Feldman, McMillan and Talwar
    (2021) print e**-eps, with which fewer reports are clones. That neutral reports can be pooled
    for all data sets (Wang and others, Privacy amplification via shuffling, 2024) does not: two
    shuffled answers of randomized response with four answers have a larger delta; see
    `shuffling/known-clones`.
"""

from rdpacct.book.words import (
    E, Expr, Fact, Falsehood, Iterator, Law, Quantity, Real, Statement, Status, Step, Symbol,
    Theorem, assume, at_most, below, by_prover, combine, equal, exp, formula, given_by, integrable,
    linear, maximum, of_any_randomizer, proves, real, relations, specialize, symbols, under,
)  # fmt: skip

eps = Symbol("epsilon")
a, b, r, k, g, u, y, w, d, p, q, z = symbols("a b r k g u y w d p q z")
M = Law("M", ("a", "b"), relations("a >= 0", "b >= 0"))
SHARE = of_any_randomizer(eps).telling
LEVELS = ("k > 1", "g > 0", "1 <= g*k", "g <= k", "0 <= u", "u <= k - 1")
WEIGHTS = ("0 <= w", "0 <= d", "w + d == 1", "w*p + d*q == z")
"""A level of which the excess is not known at once, and u for which the smaller density is (1 +
u)/k times the larger one.
"""


def value(at: Real) -> Expr:
    """H at a point."""
    return Quantity("H", (formula(at),))


CONVEX = {
    "convex": assume(
        at_most(value(z), w * value(p) + d * value(q)),
        *WEIGHTS,
        every=("w", "d", "p", "q", "z"),
    )
}
HIGH = y + k - g
LOW = y + 1 - g * k
MASSES = {
    "first": assume(equal(E(M, a), 1)),
    "second": assume(equal(E(M, b), 1)),
}
REST = u / (k * (k + 1))
"""What the two parts have more than the clone, in units of the larger density."""
MORE = (k**2 - 1 - u) / (k * (k**2 - 1))
LESS = u / (k**2 - 1)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "clone",
            "every other report has at least the density max(a, b)/k",
            at_most(maximum(a, b) / k, r),
            by_prover("each of the two is at most k r"),
            ("k > 0", "a <= k*r", "b <= k*r"),
        ),
        Statement(
            "first value",
            "an output that is likelier on the first value, in units of its density there: what"
            " a clone adds is below the two points",
            at_most(
                value(y + k - g * (1 + u)) / k + REST * value(y),
                MORE * value(HIGH) + LESS * value(LOW),
            ),
            given=LEVELS,
            assuming=CONVEX,
        ),
        Statement(
            "second value",
            "and one that is likelier on the second value",
            at_most(
                value(y + 1 + u - k * g) / k + REST * value(y),
                LESS * value(HIGH) + MORE * value(LOW),
            ),
            given=LEVELS,
            assuming=CONVEX,
        ),
        Statement(
            "masses",
            "the part for the first value has the shipped probability",
            equal(E(M, (exp(eps) * a - b) / (exp(2 * eps) - 1)), SHARE),
            given=("epsilon > 0",),
            assuming=MASSES,
        ),
        Statement(
            "other mass",
            "and so has the part for the second",
            equal(E(M, (exp(eps) * b - a) / (exp(2 * eps) - 1)), SHARE),
            given=("epsilon > 0",),
            assuming=MASSES,
        ),
    ),
    sharp=(
        Statement(
            "more clones",
            "reports of the worst randomizer are clones more often than printed",
            at_most(1 / exp(eps), 2 * SHARE),
            by_prover("1 + k <= 2 k"),
            ("epsilon >= 0",),
        ),
    ),
    in_words=(
        "The reports of the person and of N clones are, in a random order, N + 1 draws from the law"
        " of the clones with the density of the mean of a over that of a clone, and so for b. With"
        " C other reports that are clones, this makes the excess of the pair at the level g the"
        " mean of max(0, X1 + ... + Xn)/n, where each X is what a report adds and 0 if it was given"
        " away: Bin(n - 1, c)(N - 1)/N is Bin(n, c)(N)/(n c).",
        "The points are averaged over the outputs. The mean of max(0, y + X2 + ... + Xn) over all"
        " other reports is convex in y, so that one report after the other may be exchanged for one"
        " of the two points.",
        "Beyond the levels from 1/k to k no pair with a pure eps has another excess than the worst"
        " one: 0 above, and 1 - g below.",
    ),
    rules=(of_any_randomizer,),
)


SPAN = (k - 1) * (1 + g)
SHARES = {
    "first value": (k - 1 + g * (k - 1 - u), g * u),
    "second value": (u, k - 1 - u + g * (k - 1)),
    "nothing": (g * k - 1, k - g),
}
"""The shares of the higher and of the lower point, in units of the distance of the two."""


def not_negative(share: Expr) -> Fact:
    """That a share is not negative."""
    if share == g * k - 1:
        return combine(at_most(0, share), real("1 <= g*k", "1 <= g*k"))
    return real(at_most(0, share), "k > 1", "g > 0", "g <= k", "0 <= u", "u <= k - 1")


def chord(convex: Fact, at: Expr, name: str) -> Fact:
    """H at a point between the two, with the shares of both."""
    parts = SHARES[name]
    share, rest = (one / SPAN for one in parts)
    here = under(convex, *WEIGHTS, *LEVELS)
    line = specialize(here, z=at, p=HIGH, q=LOW, w=share, d=rest)
    ratio = real("0 <= x/v", "0 <= x", "0 < v")
    wide = real(below(0, SPAN), *LEVELS)
    over = under(ratio, "0 <= x", "0 < v", *LEVELS)
    signs = list[Fact]()
    for one in parts:
        known = (wide,) if one == u else (not_negative(one), wide)
        signs.append(given_by(specialize(over, x=one, v=SPAN), *known))
    facts = (
        *signs,
        real(equal(share + rest, 1), *LEVELS),
        real(equal(share * HIGH + rest * LOW, at), *LEVELS),
    )
    return under(given_by(line, *facts), *LEVELS)


@proves("first value", "second value")
def between(part: Statement) -> Iterator[Step]:
    """Two points below one chord."""
    at = {
        "first value": y + k - g * (1 + u),
        "second value": y + 1 + u - k * g,
    }[part.name]
    convex = part.assuming["convex"]
    clone = chord(convex, at, part.name)
    yield clone, "what a clone adds lies between the two points"
    nothing = chord(convex, y, "nothing")
    yield nothing, "and so does nothing"
    yield (
        combine(part.claim, (clone, 1 / k), (nothing, REST), given=part.given),
        "with the same mass and the same mean",
    )


@proves("masses", "other mass")
def masses(part: Statement) -> Iterator[Step]:
    """Linear in the two densities."""
    own, other = (a, b) if part.name == "masses" else (b, a)
    scale = 1 / (exp(2 * eps) - 1)
    finite = [integrable(one, one.relation.left) for one in part.assuming.values()]
    weights: dict[Expr, Real] = {own: exp(eps) * scale, other: -scale}
    mean = linear(
        M, (exp(eps) * own - other) * scale, weights, *finite, where=part.given
    )
    yield mean, "linear in the densities"
    uses = [
        (part.assuming["first"], weights[a]),
        (part.assuming["second"], weights[b]),
    ]
    yield combine(part.claim, mean, *uses, given=part.given), "both have mass 1"


FALSEHOODS = (
    Falsehood(
        "every other report has at least the density max(a, b)",
        at_most(maximum(a, b), r),
        ("k >= 1", "a <= k*r", "b <= k*r"),
    ),
    Falsehood(
        "the two points bound what a clone adds at levels above k, too, here for k = 2, u = 1"
        " and H(y) = max(y, 0)",
        at_most(
            maximum(y + 2 - 2 * g, 0) / 2 + maximum(y, 0) / 6,
            maximum(y + 2 - g, 0) / 3 + maximum(y + 1 - 2 * g, 0) / 3,
        ),
        ("g >= 2", "y >= 0"),
    ),
)
