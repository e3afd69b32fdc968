"""A wager against a half plane: factors whose mean is at most 1 for every pair that a claim allows.

Printed: not in the sources.
Proved: An event has the probability p under P and q under Q, and the claim says p <= growth q +
    slack. A trial is one output of each, independent; a and b say whether the event happens. A
    wager multiplies a stake by u0 + (u1 - u0) a, which is u0 or u1, and by v0 - (v0 - v1) b, with 0
    <= u0 <= u1 and 0 <= v1 <= v0. (1) The mean factor is (u0 + (u1 - u0) p)(v0 - (v0 - v1) q). (2)
    It is largest where p = growth q + slack, or p = 1. (3) There it is (s + r q)(f - d q) with s =
    u0 + (u1 - u0) slack, r = (u1 - u0) growth, f = v0 and d = v0 - v1, which is at most (s d + r
    f)**2/(4 r d); at most s f if it falls from q = 0 on; and at most its value at q = (1 -
    slack)/growth, where p is 1, if it rises until there. So a wager divided by this number has a
    mean of at most 1 for every pair that the claim allows.
Idea: 4 r d (s + r q)(f - d q) = (s d + r f)**2 - (s d - r f + 2 r d q)**2.
Source: Turner, Ly and Gruenwald (2024), Generic e-variables for exact sequential k-sample tests
    that allow for optional stopping, for products of likelihood ratios; the rest not in the
    sources.
"""

from rdpacct.book.words import (
    E, Fact, Falsehood, Iterator, Law, Statement, Status, Step, Theorem, assume, at_most, by_prover,
    combine, equal, example, formula, highest_mean, independent, independent_of, integrable, linear,
    mean_factor, proves, real, relations, specialize, symbols, under,
)  # fmt: skip

a, b, p, q = symbols("a b p q")
u0, u1, v0, v1 = symbols("u0 u1 v0 v1")
growth, slack, s, r, f, d = symbols("growth slack s r f d")
LIKELY = (u0, u1)
RARE = (v0, v1)
A = Law("A", ("a",), relations("0 <= a", "a <= 1"))
B = Law("B", ("b",), relations("0 <= b", "b <= 1"))
TRIAL = independent_of(A, B)
"""Whether the event happens on each of the two inputs."""
ON_A = u0 + (u1 - u0) * a
ON_B = v0 - (v0 - v1) * b
WAGER = ("0 <= u0", "u0 <= u1", "0 <= v1", "v1 <= v0")
CHANCES = ("0 <= q", "q <= 1")
TOP = (r * f - s * d) / (2 * r * d)
LAST = (1 - slack) / growth

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "mean",
            "the mean factor of a trial, as shipped",
            equal(E(TRIAL, ON_A * ON_B), mean_factor(p, q, LIKELY, RARE)),
            assuming={
                "p": assume(equal(E(A, a), p)),
                "q": assume(equal(E(B, b), q)),
            },
        ),
        Statement(
            "on the line",
            "a pair that the claim allows has at most the mean factor of the pair above it"
            " on the line p = growth q + slack",
            at_most(
                mean_factor(p, q, LIKELY, RARE),
                mean_factor(growth * q + slack, q, LIKELY, RARE),
            ),
            given=(*WAGER[1:], "q <= 1", "p <= growth*q + slack"),
        ),
        Statement(
            "highest",
            "on the line the mean factor is at most the shipped highest value",
            at_most((s + r * q) * (f - d * q), highest_mean(s, r, f, d)),
            given=("0 < r", "0 < d"),
        ),
        Statement(
            "falling",
            "and at most its value at q = 0, which is the pair (slack, 0), if it does not rise"
            " there",
            at_most((s + r * q) * (f - d * q), s * f),
            given=("0 <= r", "0 <= d", "0 <= q", "r*f <= s*d"),
        ),
        Statement(
            "rising",
            "and at most its value at a later q, if it still does not fall there",
            at_most((s + r * q) * (f - d * q), (s + r * p) * (f - d * p)),
            given=("0 <= r", "0 <= d", "q <= p", "s*d + 2*r*d*p <= r*f"),
        ),
        Statement(
            "at most certain",
            "beyond the pair (1, (1 - slack)/growth) the mean factor is at most that of this"
            " pair",
            at_most(
                mean_factor(p, q, LIKELY, RARE),
                mean_factor(formula(1), LAST, LIKELY, RARE),
            ),
            given=(*WAGER, "p <= 1", "q <= 1", "0 < growth", "1 <= growth*q + slack"),
        ),
        Statement(
            "the line",
            "the mean factor on the line has the form of which the other parts speak",
            equal(
                mean_factor(growth * q + slack, q, LIKELY, RARE),
                (u0 + (u1 - u0) * slack + (u1 - u0) * growth * q)
                * (v0 - (v0 - v1) * q),
            ),
            by_prover("the same product"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "the highest value is attained",
            equal(
                (s + r * TOP) * (f - d * TOP),
                highest_mean(s, r, f, d),
            ),
            by_prover("at (r f - s d)/(2 r d)"),
            ("0 < r", "0 < d"),
        ),
    ),
    rules=(mean_factor, highest_mean),
)


@proves("mean")
def mean(part: Statement) -> Iterator[Step]:
    """Independent outputs."""
    first = part.assuming["p"]
    second = part.assuming["q"]
    on_a = linear(A, ON_A, {a: u1 - u0}, integrable(first, E(A, a)), constant=u0)
    on_b = linear(B, ON_B, {b: v1 - v0}, integrable(second, E(B, b)), constant=v0)
    yield on_a, "one input"
    yield on_b, "the other"
    both = independent(
        TRIAL, ON_A, ON_B, integrable(on_a, E(A, ON_A)), integrable(on_b, E(B, ON_B))
    )
    yield both, "independent"
    other = E(B, ON_B)
    known = u0 + (u1 - u0) * p
    uses = (
        (on_a, other),
        (first, (u1 - u0) * other),
        (on_b, known),
        (second, known * (v1 - v0)),
    )
    yield combine(part.claim, both, *uses), "together"


@proves("on the line")
def on_the_line(part: Statement) -> Iterator[Step]:
    """The mean rises with p, as the factor of the rare input is not negative."""
    below = given_as(part, "p <= growth*q + slack")
    weight = (u1 - u0) * (v0 - (v0 - v1) * q)
    rare = on_rare(part)
    yield rare, "the mean factor of the rare input"
    rises = given_as(part, "u0 <= u1")
    sign = combine(at_most(0, weight), (rare, u1 - u0), (rises, 0))
    yield sign, "so the mean rises with p"
    yield combine(part.claim, (below, weight), (sign, 0)), "up to the line"


@proves("highest")
def highest(part: Statement) -> Iterator[Step]:
    """The difference is a square."""
    square = specialize(real("0 <= x**2"), x=s * d - r * f + 2 * r * d * q)
    yield square, "a square"
    signs = [given_as(part, "0 < r"), given_as(part, "0 < d")]
    uses = [(sign, 0) for sign in signs]
    yield combine(part.claim, (square, 1 / (4 * r * d)), *uses), "over 4 r d"


@proves("falling")
def falling(part: Statement) -> Iterator[Step]:
    """The difference is q (s d - r f) + r d q**2."""
    slope = given_as(part, "r*f <= s*d")
    positive = given_as(part, "0 <= r")
    others = [(given_as(part, one), 0) for one in ("0 <= d", "0 <= q")]
    yield (
        combine(part.claim, (slope, q), (positive, d * q**2), *others),
        "it falls from the first on",
    )


@proves("rising")
def rising(part: Statement) -> Iterator[Step]:
    """The difference is (p - q)(r f - s d - 2 r d p) + r d (p - q)**2."""
    slope = given_as(part, "s*d + 2*r*d*p <= r*f")
    positive = given_as(part, "0 <= r")
    others = [(given_as(part, one), 0) for one in ("0 <= d", "q <= p")]
    yield (
        combine(part.claim, (slope, p - q), (positive, d * (p - q) ** 2), *others),
        "it rises until there",
    )


@proves("at most certain")
def certain(part: Statement) -> Iterator[Step]:
    """First p is raised to 1, then q is lowered."""
    rare = on_rare(part)
    yield rare, "the mean factor of the rare input"
    weight = (u1 - u0) * (v0 - (v0 - v1) * q)
    rises = given_as(part, "u0 <= u1")
    sign = combine(at_most(0, weight), (rare, u1 - u0), (rises, 0))
    most = given_as(part, "p <= 1")
    top = mean_factor(formula(1), q, LIKELY, RARE)
    first = combine(
        at_most(mean_factor(p, q, LIKELY, RARE), top), (most, weight), (sign, 0)
    )
    yield first, "with p raised to 1"
    beyond = given_as(part, "1 <= growth*q + slack")
    signs = [given_as(part, one) for one in ("0 < growth", "0 <= u0", "u0 <= u1")]
    falls = given_as(part, "v1 <= v0")
    uses = [(sign, 0) for sign in (*signs, falls)]
    second = combine(
        at_most(top, part.claim.right),
        (beyond, u1 * (v0 - v1) / growth),
        *uses,
    )
    yield second, "and q lowered to the line"
    yield combine(part.claim, first, second), "together"


def given_as(part: Statement, text: str) -> Fact:
    """What a statement is given, as a fact."""
    return under(real(text, text), *part.given)


def on_rare(part: Statement) -> Fact:
    """The mean factor of the rare input is not negative."""
    least = given_as(part, "0 <= v1")
    falls = given_as(part, "v1 <= v0")
    chance = given_as(part, "q <= 1")
    return combine(at_most(0, v0 - (v0 - v1) * q), (chance, v0 - v1), least, (falls, 0))


FALSEHOODS = (
    Falsehood(
        "factors that are fair where p = q are fair for p up to growth q",
        at_most(mean_factor(growth * q, q, LIKELY, RARE), formula(1)),
        (*WAGER, *CHANCES, "1 <= growth", "growth*q <= 1"),
        assuming={"fair": assume(equal(mean_factor(q, q, LIKELY, RARE), 1))},
        instance=example(
            {"u0": "1/2", "u1": "3/2", "v0": 1, "v1": 1, "q": "1/2", "growth": 2}
        ),
    ),
)
