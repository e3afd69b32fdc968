"""The pair that dominates every pair of ApproxDP: randomized response, and delta at infinity.

Printed: not in the sources.
Proved: Let p, q be the densities of two output laws with respect to a law that dominates both, E
    max(p - exp(eps) q, 0) <= delta and E max(q - exp(eps) p, 0) <= delta. Then for every real
    number at, E max(p - exp(at) q, 0) is at most the hockey stick of the shipped pair at exp(at):
    delta at infinity, and the rest of losses eps and -eps as in randomized response. In the other
    order the same holds, and the pair is itself (eps, delta)-close: it is the worst.
Idea: Between exp(-eps) and exp(eps) the hockey stick is convex in its factor, and at exp(-eps) it
    is 1 - exp(-eps) and exp(-eps) times the one of the other order at exp(eps); further out it is
    monotone.
Source: Kairouz, Oh and Viswanath (2015), The composition theorem for differential privacy, Theorem
    3.3.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Random, Real, Refused, Statement,
    Status, Step, Symbol, Theorem, any_pair, assume, at_most, below_excess, by_prover, combine,
    equal, example, excess, excess_is_positive, exp, expect, finite_excess, formula, instance,
    integrable, linear, maximum, positive_part, promised_worst_pair as worst_pair, real, relations,
    specialize, under,
)  # fmt: skip

p, q, eps, delta, at, b, g = (
    Symbol(name) for name in ("p", "q", "eps", "delta", "at", "b", "g")
)
M = Law("M", ("p", "q"), relations("p >= 0", "q >= 0"))
FACTOR = exp(eps)
HYPOTHESES = {
    "p is a law": assume(equal(E(M, p), 1)),
    "q is a law": assume(equal(E(M, q), 1)),
    "one order": assume(at_most(E(M, excess(p, q, FACTOR)), delta)),
    "other order": assume(at_most(E(M, excess(q, p, FACTOR)), delta)),
}
PAIR = worst_pair(eps, delta)


def stick(level: Real, pair_delta: Real = delta) -> Expr:
    """The hockey stick of the shipped pair at exp(level), from its atoms and its mass at
    infinity.
    """
    atoms = ((part.p, part.loss) for part in PAIR.parts)  # type: ignore[attr-defined]
    shares = (mass * maximum(0, 1 - exp(formula(level) - loss)) for mass, loss in atoms)
    return (PAIR.at_infinity + sum(shares, formula(0))).at(delta=pair_delta)


w = Symbol("w")
v = Symbol("v")
ROOM = ("0 <= v", "w <= 1", "v + (1 - w)*b <= g", "v*b <= w")


def pointwise() -> Fact:
    """max(p - g q, 0) <= w p - v q + v max(q - b p, 0) + (1 - w) max(p - b q, 0)."""
    one = excess(p, q, b)
    other = excess(q, p, b)
    signs = ("0 <= p", "0 <= q")
    slack, wide = (real(text, text) for text in ROOM[2:])
    bound = w * p - v * q + v * other + (1 - w) * one
    given = (*ROOM, *signs)
    upper = combine(
        at_most(p - g * q, bound),
        (below_excess(p, q, b), 1 - w),
        (excess_is_positive(q, p, b), v),
        (slack, q),
        given=given,
    )
    lower = combine(
        at_most(0, bound),
        (below_excess(q, p, b), v),
        (wide, p),
        (excess_is_positive(p, q, b), 1 - w),
        given=given,
    )
    return under(positive_part(upper, lower), *given)


SHARES = {
    "between": (
        (exp(eps) - exp(at)) / (exp(eps) - exp(-eps)),
        (exp(eps) - exp(at)) / (exp(2 * eps) - 1),
    ),
    "below": (formula(1), exp(at)),
    "beyond": (formula(0), formula(0)),
}


def dominated_by(part: Statement) -> Iterator[Step]:
    """A line over the hockey stick in its factor, averaged."""
    share, scale = SHARES[part.name]
    one = excess(p, q, FACTOR)
    other = excess(q, p, FACTOR)
    given = tuple(map(str, part.given))
    line = specialize(
        under(pointwise(), *ROOM, *M.support, *given),
        w=share,
        v=scale,
        b=FACTOR,
        g=exp(at),
    )
    line = under(line, *M.support, *given)
    yield line, "a line over the hockey stick, in its factor"
    mass = integrable(part.assuming["p is a law"], E(M, p))
    rows = [
        ("p is a law", p, share),
        ("q is a law", q, -scale),
        ("other order", other, scale),
        ("one order", one, 1 - share),
    ]
    rows = [row for row in rows if row[2] != formula(0)]
    finite = [integrable(part.assuming[name], E(M, body)) for name, body, _ in rows]
    mean = linear(
        M,
        line.relation.right,
        {body: factor for _, body, factor in rows},
        *finite,
        where=given,
    )
    whole = finite_excess(M, p, q, exp(at), mass, *given)
    over = expect(line, M, whole, integrable(mean, mean.relation.left))
    yield over, "averaged"
    uses = [(part.assuming[name], factor) for name, _, factor in rows]
    bound = share - scale + (scale + 1 - share) * delta
    limit = combine(at_most(over.relation.left, bound), over, mean, *uses, given=given)
    yield limit, "what is promised"
    shipped = real(equal(bound, part.claim.right), *given)
    yield combine(part.claim, limit, shipped), "which is the hockey stick of the pair"


def attack(seed: int) -> int:
    """Random pairs, the delta that they need at random exp(eps), and their hockey sticks at random
    factors.
    """
    rng = Random(seed)
    for _ in range(150):
        pair = any_pair(rng, rng.randint(2, 5))
        k = 1 + Fraction(rng.randint(0, 30), 10)

        def stick_at(
            first: tuple[Fraction, ...], second: tuple[Fraction, ...], factor: Fraction
        ) -> Fraction:
            return sum(
                (
                    max(x - factor * y, Fraction(0))
                    for x, y in zip(first, second, strict=True)
                ),
                Fraction(0),
            )

        need = max(stick_at(pair.p, pair.q, k), stick_at(pair.q, pair.p, k))
        for _ in range(5):
            factor = Fraction(rng.randint(1, 60), rng.randint(5, 30))
            atoms = ((k / (1 + k), 1 / (1 + k)), (1 / (1 + k), k / (1 + k)))
            worst = need + (1 - need) * sum(
                (max(x - factor * y, Fraction(0)) for x, y in atoms), Fraction(0)
            )
            if stick_at(pair.p, pair.q, factor) > worst:
                raise Refused(f"{pair} is above its worst pair at {factor}.")
    return 750


CASES = {
    "between": (
        "between exp(-eps) and exp(eps)",
        ("eps > 0", "-eps <= at", "at <= eps"),
    ),
    "below": ("up to exp(-eps)", ("eps >= 0", "at <= -eps")),
    "beyond": ("from exp(eps) on", ("eps >= 0", "eps <= at")),
}
NEEDED = {
    "between": HYPOTHESES.keys(),
    "below": {"p is a law", "q is a law", "other order"},
    "beyond": {"p is a law", "one order"},
}

ONE_ORDER = {
    name: Statement(
        name,
        "the hockey stick of the pair is at most that of the shipped one, at"
        f" factors {says}",
        at_most(E(M, excess(p, q, exp(at))), stick(at)),
        dominated_by,
        given,
        {key: fact for key, fact in HYPOTHESES.items() if key in NEEDED[name]},
    )
    for name, (says, given) in CASES.items()
}
EXCHANGED = {
    "p is a law": "q is a law",
    "q is a law": "p is a law",
    "one order": "other order",
    "other order": "one order",
}


def other_order(part: Statement) -> Iterator[Step]:
    """The pair (q, p) is one of any densities."""
    fact = ONE_ORDER[part.name.removesuffix(", exchanged")].fact()
    yield fact, "in the one order"
    yield instance(fact, M, M, {"p": q, "q": p}), "for q and p in the place of p and q"


def _exchanged(part: Statement) -> Statement:
    """The same in the other order of the pair."""
    return Statement(
        f"{part.name}, exchanged",
        f"in the other order, {CASES[part.name][0]}",
        at_most(E(M, excess(q, p, exp(at))), part.claim.right),
        other_order,
        part.given,
        {EXCHANGED[key]: HYPOTHESES[EXCHANGED[key]] for key in part.assuming},
    )


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(*ONE_ORDER.values(), *(_exchanged(part) for part in ONE_ORDER.values())),
    sharp=(
        Statement(
            "itself",
            "the shipped pair is (eps, delta)-close itself",
            equal(stick(eps), delta),
            by_prover("no finite loss exceeds eps"),
            ("eps >= 0",),
        ),
        Statement(
            "symmetric",
            "exchanged, the shipped pair has the same losses: the mass of -eps under P"
            " is that of eps under Q",
            equal(PAIR.parts[1].p, PAIR.parts[0].q),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "one order of the pair is enough",
            at_most(E(M, excess(p, q, exp(at))), stick(at)),
            CASES["between"][1],
            assuming={
                key: fact for key, fact in HYPOTHESES.items() if key != "other order"
            },
            instance=example(
                {"eps": "log(2)", "delta": 0, "at": 0},
                {"M": [((2, 1), "1/2"), ((0, 1), "1/2")]},
            ),
        ),
        Falsehood(
            "randomized response alone is the worst pair, without delta at infinity",
            at_most(stick(at), stick(at, 0)),
            ("eps > 0", "0 < delta", "delta < 1", "0 <= at", "at <= eps"),
        ),
    ),
    attacks=(Attack("random pairs at random factors", attack),),
    rules=(worst_pair,),
)
