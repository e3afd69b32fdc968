"""The product of dominating pairs dominates the adaptive composition.

Printed: not in the sources.
Proved: A pair of laws with densities p, q is dominated by one with densities r, s if E max(p - g q,
    0) is at most E max(r - g s, 0) for every g >= 0. (1) Then E max(u p - v q, 0) <= E max(u r - v
    s, 0) for all weights u > 0 and v >= 0. (2) Let p1, q1 be the densities of a first release and
    p2, q2 those of a second one, whatever was chosen after the first output, and let (1) hold for
    the second given the first output, with r2, s2 drawn apart, and for the first: then E max(p1 p2
    - k q1 q2, 0) <= E max(r1 r2 - k s1 s2, 0) for every k >= 0. The right side is the hockey stick
    of the product pair, whose loss is the sum of the two. (3) k releases by induction on (2). The
    neighbors are the same for all releases; a mechanism whose pairs have several directions is
    taken in each of them, and the worst is reported.
Idea: Replace the second release by its dominating pair given the first output, then the first one
    given the draw of that pair. Both times the other factors are only weights.
Source: Zhu, Dong and Wang (2022), Optimal accounting of differential privacy via characteristic
    function, Theorem 10.
"""

from rdpacct.book.words import (
    AmongPlans, Attack, E, Expr, Fact, Falsehood, FiniteMechanism, Fraction, GaussianDP, Iterator,
    Law, Plan, Random, Refused, Sequence, Statement, Status, Step, Symbol, Theorem, any_pair,
    assume, at_most, by_prover, combine, compose_gaussian_dp, composed_losses, delta_at, dominated,
    dominating_sum, equal, example, excess, expect, finite_excess, formula, independent_of,
    integrable, linear, masses, maximum, positive_part, product, real, relations, specialize, tower,
)  # fmt: skip

k = Symbol("k")
u = Symbol("u")
v = Symbol("v")
mu1 = Symbol("mu1")
mu2 = Symbol("mu2")
NAMES = ("p1", "q1", "p2", "q2", "r1", "s1", "r2", "s2")
J = Law("J", NAMES, relations(*(f"0 <= {name}" for name in NAMES)))
"""Two releases, and independent draws of their dominating pairs, by densities."""
p1, q1, p2, q2, r1, s1, r2, s2 = (Symbol(name) for name in NAMES)
BOTH = (p1 * p2, q1 * q2)
MIXED = (p1 * r2, q1 * s2)
PRODUCT = (r1 * r2, s1 * s2)
STICKS = [excess(*pair, k) for pair in (BOTH, MIXED, PRODUCT)]
FIRST = ("p1", "q1")
DRAWN = ("r2", "s2")


def adaptive(part: Statement) -> Iterator[Step]:
    """Two towers: given the first output, then given the draw of the pair that has replaced the
    second release.
    """
    finite = [
        finite_excess(
            J,
            *pair,
            k,
            integrable(part.assuming[name], E(J, pair[0])),
            *map(str, part.given),
        )
        for name, pair in (("both", BOTH), ("mixed", MIXED), ("product", PRODUCT))
    ]
    found = []
    for name, given, at in (("second", FIRST, 0), ("first", DRAWN, 1)):
        towers = [tower(J, STICKS[at + i], given, finite[at + i]) for i in (0, 1)]
        means = [
            integrable(one, E(J, E(J, STICKS[at + i], given)))
            for i, one in enumerate(towers)
        ]
        over = expect(part.assuming[name], J, *means)
        found.append(
            combine(at_most(E(J, STICKS[at]), E(J, STICKS[at + 1])), over, *towers)
        )
        yield found[-1], f"the {name} release against its pair, whatever the weights"
    yield combine(part.claim, *found), "together"


P = Law("P", ("p", "q"), relations("0 <= p", "0 <= q"))
R = Law("R", ("r", "s"), relations("0 <= r", "0 <= s"))
p, q, r, s = (Symbol(name) for name in ("p", "q", "r", "s"))


def weights(part: Statement) -> Iterator[Step]:
    """The hockey stick is homogeneous: its excess at the threshold is at most that at the weights
    over u, and back.
    """
    bound = part.assuming["dominated"]
    given = tuple(map(str, part.given))
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
    yield combine(part.claim, *found), "the threshold is v/u"


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
HALF_ERASED = [
    ((p, q, r, s), "1/6")
    for p, q in (("3/2", 0), ("3/2", "3/2"), (0, "3/2"))
    for r, s in (("3/2", "1/2"), ("1/2", "3/2"))
]
"""A pair with half its mass at infinity, beside randomized response of the same total variation."""


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
    in_words=(
        (
            "`weights` bounds the second release given the first output at u = p1 and v"
            " = k q1, and the first given the draw at u = r2 and v = k s2, since the"
            " draws of the dominating pairs are independent of everything else; at"
            " weights u = 0 both sides are 0"
        ),
        (
            "the induction over the releases, and the worst over the directions of a"
            " mechanism"
        ),
    ),
    parts=(
        Statement(
            "weights",
            "a pair that is dominated at the threshold v/u is dominated at the weights"
            " u and v",
            at_most(E(P, maximum(u * p - v * q, 0)), E(R, maximum(u * r - v * s, 0))),
            weights,
            ("u > 0",),
            {
                "dominated": assume(
                    at_most(E(P, excess(p, q, v / u)), E(R, excess(r, s, v / u))),
                    "u > 0",
                )
            },
        ),
        Statement(
            "adaptive",
            "the pair of a release and of one chosen after it is dominated by the"
            " product of the dominating pairs",
            at_most(E(J, STICKS[0]), E(J, STICKS[2])),
            adaptive,
            ("0 <= k",),
            {
                "both": assume(equal(E(J, BOTH[0]), 1)),
                "mixed": assume(equal(E(J, MIXED[0]), 1)),
                "product": assume(equal(E(J, PRODUCT[0]), 1)),
                "second": assume(
                    at_most(E(J, STICKS[0], FIRST), E(J, STICKS[1], FIRST))
                ),
                "first": assume(
                    at_most(E(J, STICKS[1], DRAWN), E(J, STICKS[2], DRAWN))
                ),
            },
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
            at_most(E(TWICE, STICKS[0].at(k=1)), E(TWICE, STICKS[2].at(k=1))),
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
    rules=(dominating_sum, AmongPlans._asked, compose_gaussian_dp),
)
