"""The product of dominating pairs dominates the adaptive composition.

Printed: not in the sources.
Proved: A pair of laws with densities p, q is dominated by one with densities r, s if E max(p - g q,
    0) is at most E max(r - g s, 0) for every g >= 0. (1) Then E max(u p - v q, 0) <= E max(u r - v
    s, 0) for all weights u and v >= 0. (2) Let p, q be the densities of the first k outputs and x,
    y those of the next one, chosen whatever they were, and let each release be dominated by its
    pair, whatever the past: E max(u p x - v q y, 0) given p and q is at most that with the pair a,
    b of number k, which is independent of them, in the place of x, y. Let r, s be the densities of
    the product of the pairs, each of which is used whatever the draws before. Then E max(u p - v q,
    0) <= E max(u r - v s, 0) for every number k of releases, by induction. The right side is the
    hockey stick of the product pair, whose loss is the sum of the losses. The neighbors are the
    same for all releases; each direction of a pair is a statement of its own.
Idea: Replace the second release by its dominating pair given the first output, then the first one
    given the draw of that pair. Both times the other factors are only weights.
Source: Zhu, Dong and Wang (2022), Optimal accounting of differential privacy via characteristic
    function, Theorem 10.
"""

from rdpacct.book.words import (
    AmongPlans, Attack, Condition, E, Expr, Fact, Falsehood, FiniteMechanism, Fraction, GaussianDP,
    HYPOTHESES, Iterator, Law, Plan, Random, Refused, Sequence, Statement, Status, Step, Symbol,
    Theorem, WEIGHTS, Whole, Witness, any_pair, assume, at_most, by_prover, combine,
    compose_gaussian_dp, composed_losses, delta_at, dominated, dominating_mu, dominating_sum,
    either, equal, example, excess, expect, formula, given_by, independent_of, integrable, linear,
    masses, maximum, positive_part, product, products_A as A, products_B as B,
    products_DOMINATED as DOMINATED, products_products as products, real, relations, specialize,
    under,
)  # fmt: skip

u = Symbol("u")
v = Symbol("v")
mu1 = Symbol("mu1")
mu2 = Symbol("mu2")


def in_turn(part: Statement) -> Iterator[Step]:
    """Two towers for each release: given the past, then given the draw of the pair that has
    replaced the release.
    """
    yield from products(part.claim, part.assuming)


P = Law("P", ("p", "q"), relations("0 <= p", "0 <= q"))
R = Law("R", ("r", "s"), relations("0 <= r", "0 <= s"))
p, q, r, s = (Symbol(name) for name in ("p", "q", "r", "s"))
NO_WEIGHT = ("0 <= u", "u <= 0", "0 <= v")


def weights(part: Statement) -> Iterator[Step]:
    """The hockey stick is homogeneous: its excess at the threshold is at most that at the weights
    over u, and back.
    """
    bound = part.assuming["dominated"]
    given = ("0 < u", "0 <= v")
    line, least = (real(text, *given) for text in ("x <= max(x, 0)", "0 <= max(x, 0)"))
    found = list[tuple[Fact, Expr]]()
    for law, one, two in ((P, p, q), (R, r, s)):
        stick = excess(one, two, v / u)
        scaled = maximum(u * one - v * two, 0)
        there = one - v / u * two
        here = u * one - v * two
        upper = positive_part(
            combine(at_most(here, u * stick), (specialize(line, x=there), u)),
            combine(at_most(0, u * stick), (specialize(least, x=there), u)),
            *given,
        )
        whole = integrable(bound, E(law, stick))
        mean = linear(law, u * stick, {stick: u}, whole, where=given)
        most = integrable(mean, E(law, u * stick))
        finite = dominated(upper, law, most, lower=specialize(least, x=here))
        if law == P:
            yield upper, "the excess at the weights, from that at the threshold"
            found += [
                (expect(upper, law, finite, most), formula(1)),
                (mean, formula(1)),
                (bound, u),
            ]
            continue
        lower = positive_part(
            combine(at_most(there, scaled / u), (specialize(line, x=here), 1 / u)),
            combine(at_most(0, scaled / u), (specialize(least, x=here), 1 / u)),
            *given,
        )
        yield lower, "and back"
        share = linear(law, scaled / u, {scaled: 1 / u}, finite, where=given)
        found += [
            (expect(lower, law, whole, integrable(share, E(law, scaled / u))), u),
            (share, u),
        ]
    positive = combine(part.claim, *found)
    yield positive, "the threshold is v/u"
    nothing = [
        expect(_no_excess(one, two, law), law)
        for law, one, two in ((P, p, q), (R, r, s))
    ]
    neither = combine(part.claim, nothing[0], (nothing[1], -1))
    yield neither, "at the weight u = 0 both sides are 0"
    cases = [
        under(one, *part.given, at)
        for one, at in ((positive, "0 < u"), (neither, "u <= 0"))
    ]
    yield either(*cases), "together"


def _no_excess(one: Expr, two: Expr, law: Law) -> Fact:
    """max(u p - v q, 0) == 0, as nothing is left of p without the weight u."""
    given: tuple[str | Condition, ...] = (*law.support, *NO_WEIGHT)
    none = real("u <= 0", "u <= 0")
    gap = u * one - v * two
    negative = combine(at_most(gap, 0), (none, one), rest=v * two, given=given)
    return given_by(specialize(real("max(c, 0) == 0", "c <= 0"), c=gap), negative)


def processed(
    law: Sequence[Fraction], channel: Sequence[Sequence[Fraction]]
) -> list[Fraction]:
    """The law of the output of a channel."""
    return [
        sum((m * row[j] for m, row in zip(law, channel, strict=True)), Fraction(0))
        for j in range(len(channel[0]))
    ]


def stick_of(
    first: Sequence[Fraction], second: Sequence[Fraction], factor: Fraction
) -> Fraction:
    """The hockey stick of a finite pair."""
    return sum(
        (max(a - factor * b, Fraction(0)) for a, b in zip(first, second, strict=True)),
        Fraction(0),
    )


def adaptive_pairs(seed: int) -> int:
    """Releases that process random pairs, the second one chosen by the first output, against the
    product pair.
    """
    rng = Random(seed)
    tried = 0
    for _ in range(60):
        one = any_pair(rng, rng.randint(2, 3))
        two = any_pair(rng, rng.randint(2, 3))
        channel = [masses(rng, 3) for _ in one.p]
        under_p: list[Fraction] = []
        under_q: list[Fraction] = []
        for a, b in zip(
            *(processed(law, channel) for law in (one.p, one.q)), strict=True
        ):
            then = [masses(rng, 2) for _ in two.p]
            under_p += [a * m for m in processed(two.p, then)]
            under_q += [b * m for m in processed(two.q, then)]
        whole_p = [a * b for a, b in product(one.p, two.p)]
        whole_q = [a * b for a, b in product(one.q, two.q)]
        for _ in range(4):
            factor = Fraction(rng.randint(0, 40), rng.randint(5, 20))
            stick = stick_of(under_p, under_q, factor)
            if stick > stick_of(whole_p, whole_q, factor):
                raise Refused(
                    f"{under_p} and {under_q} are above the product of their pairs at"
                    f" {factor}."
                )
            tried += 1
    return tried


def shipped(seed: int) -> int:
    """The shipped losses of two random tables, against the hockey stick of the product, in
    balls.
    """
    rng = Random(seed)
    for _ in range(6):
        tables = [any_pair(rng, 2), any_pair(rng, 3)]
        losses = composed_losses(
            Plan.of(*(FiniteMechanism([one.p, one.q]) for one in tables))
        )
        level = Fraction(rng.randint(0, 12), 8)
        laws = [
            [a * b for a, b in product(*rows)]
            for rows in zip(*((one.p, one.q) for one in tables), strict=True)
        ]
        wanted = delta_at(laws[0], laws[1], formula(level)).bound()
        if max(loss.delta(level).upper for loss in losses) < wanted.lower:
            raise Refused(f"{tables} have a larger delta than is shipped at {level}.")
    return 6


ONCE = tuple(
    Law(name, (f"p{n}", f"q{n}", f"r{n}", f"s{n}")) for name, n in (("A", 1), ("B", 2))
)
TWICE = independent_of(*ONCE)
p1, q1, r1, s1, p2, q2, r2, s2 = map(Symbol, TWICE.variables)
HALF_ERASED = [
    ((p, q, r, s), "1/6")
    for p, q in (("3/2", 0), ("3/2", "3/2"), (0, "3/2"))
    for r, s in (("3/2", "1/2"), ("1/2", "3/2"))
]
"""A pair with half its mass at infinity, beside randomized response of the same total variation."""


EITHER_WAY = [(("3/2", "1/2"), "1/2"), (("1/2", "3/2"), "1/2")]


def responses() -> Witness:
    """Randomized response, which is its own dominating pair."""
    laws = dict.fromkeys(("A", "B", "R"), EITHER_WAY)
    facts = list[Fact]()
    for law, text in ((A, "c <= c"), (B, "c == c")):
        one, two = map(Symbol, law.past)
        high, low = formula(Fraction(3, 2)), formula(Fraction(1, 2))
        pair = [
            low * maximum(first * u * one - second * v * two, 0)
            for first, second in ((high, low), (low, high))
        ]
        facts.append(specialize(real(text), c=pair[0] + pair[1]))
    return Witness(example({"k": 2, "u": 1, "v": 1}, laws), tuple(facts))


def _dominated_at_one() -> dict[str, Fact]:
    """Both pairs of laws, the first dominated by the second at the threshold 1."""
    found = dict[str, Fact]()
    for law in ONCE:
        one, two, three, four = map(law.symbol, law.variables)
        for density in (one, two, three, four):
            found[f"{density} is a law"] = assume(equal(E(law, density), 1))
        found[f"{law.name} at 1"] = assume(
            at_most(E(law, excess(one, two, 1)), E(law, excess(three, four, 1)))
        )
    return found


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "weights",
            "a pair that is dominated at the threshold v/u is dominated at the weights"
            " u and v",
            at_most(E(P, maximum(u * p - v * q, 0)), E(R, maximum(u * r - v * s, 0))),
            weights,
            ("0 <= u", "0 <= v"),
            {
                "dominated": assume(
                    at_most(E(P, excess(p, q, v / u)), E(R, excess(r, s, v / u))),
                    "0 < u",
                )
            },
        ),
        Statement(
            "releases",
            "k releases, each dominated by its pair whatever was released before, are"
            " dominated by the product of the pairs",
            DOMINATED,
            in_turn,
            (Whole("k", 0), *WEIGHTS),
            HYPOTHESES,
            responses,
        ),
        Statement(
            "gaussian",
            "two Gaussian pairs have the product with the shift of"
            " gaussian/composition: the squares add up",
            equal(
                compose_gaussian_dp(GaussianDP(mu1), GaussianDP(mu2)).mu ** 2,
                mu1**2 + mu2**2,
            ),
            by_prover("the square of a root"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "domination at the threshold 1 alone, the total variation, is kept by"
            " products",
            at_most(
                E(TWICE, excess(p1 * p2, q1 * q2, 1)),
                E(TWICE, excess(r1 * r2, s1 * s2, 1)),
            ),
            assuming=_dominated_at_one(),
            instance=example(laws={"A": HALF_ERASED, "B": HALF_ERASED}),
        ),
    ),
    attacks=(
        Attack(
            "random adaptive pairs against the product of their dominating pairs",
            adaptive_pairs,
        ),
        Attack("the shipped losses of two random tables", shipped),
    ),
    rules=(dominating_sum, AmongPlans._asked, compose_gaussian_dp, dominating_mu),
)
