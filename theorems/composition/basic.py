"""Basic composition: epsilons add up, and so do deltas.

Printed: not in the sources.
Proved: If two independent losses have delta1 at the epsilon a and delta2 at b, their sum has at
    most delta1 + delta2 at a + b, as shipped. For k outputs, which may depend on those before, by
    their densities p and q with respect to a law that dominates both: if E max(p - exp(eps) q, 0)
    of each is at most its delta, whatever came before, that of all is at most the sum of the
    deltas, and 1, at the sum of the epsilons. Where q is 0 the loss is infinite.
Idea: 1 - exp(x + y) is at most the sum of the positive parts of 1 - exp(x) and 1 - exp(y), at x = a
    - L1 and y = b - L2, averaged over both losses.
Source: Dwork, Kenthapadi, McSherry, Mironov and Naor (2006), Our data, ourselves, Theorem 1.
"""

from rdpacct.book.words import (
    ApproxDP, Attack, Ball, E, Expr, Falsehood, Fraction, Iterator, Law, Levels, OUTPUTS, PureDP,
    Quantity, Refused, SIGNS, Statement, Status, Step, Symbol, Theorem, Whole, all_densities,
    any_pair, assume, at_most, basic_composition, by_prover, combine, compose_approx, compose_pure,
    dominated, equal, excess_below, exp, expect, formula, given_by, independent_of, integrable,
    linear, marginal, maximum, minimum, outputs_add_up, random,
    random_dp_at_most_one as at_most_one, random_dp_p1 as p1, random_dp_p2 as p2,
    random_dp_q1 as q1, real, sequences_sums as sums, specialize,
)  # fmt: skip

L1, L2, a, b, d1, d2, x, y, z, k = map(
    Symbol, ("L1", "L2", "a", "b", "d1", "d2", "x", "y", "z", "k")
)
ONE = Law("P1", ("L1",))
TWO = Law("P2", ("L2",))
BOTH = independent_of(ONE, TWO)
EPSILON, DELTA = basic_composition([a, b], [d1, d2])
TOGETHER = compose_approx(ApproxDP(a, d1), ApproxDP(b, d2))
TRIES = 100


def stick(z: Expr) -> Expr:
    """The share of an outcome in delta: the positive part of 1 - exp(z)."""
    return maximum(1 - exp(z), 0)


def pointwise(part: Statement) -> Iterator[Step]:
    """Without the positive part on the left; then with it, since the right side is not negative."""
    line = real("1 - u*v <= max(1 - u, 0) + max(1 - v, 0)", "u > 0", "v > 0")
    yield (
        line,
        (
            "(1 - u)(1 - v) >= 0 for u, v <= 1; a factor of at least 1 makes the left"
            " side smaller"
        ),
    )
    positive = [real(f"0 < exp({name})") for name in ("x", "y")]
    right = stick(x) + stick(y)
    excess = combine(
        at_most(1 - exp(x + y), right),
        given_by(specialize(line, u=exp(x), v=exp(y)), *positive),
    )
    larger = specialize(
        real("max(p, 0) <= q", "p <= q", "0 <= q"), p=1 - exp(x + y), q=right
    )
    found = given_by(larger, excess, real(at_most(0, right)))
    yield combine(part.claim, found), "the larger of two numbers below the right side"


def two(part: Statement) -> Iterator[Step]:
    """The inequality, averaged over both losses."""
    line = specialize(THEOREM.parts[0].fact(), x=a - L1, y=b - L2)
    yield line, "the inequality at a - L1 and b - L2"
    first = part.assuming["first"]
    second = part.assuming["second"]
    parts = [
        marginal(
            BOTH,
            law,
            stick(level - loss),
            integrable(fact, E(law, stick(level - loss))),
        )
        for law, level, loss, fact in ((ONE, a, L1, first), (TWO, b, L2, second))
    ]
    finite = [
        integrable(share, E(BOTH, stick(level - loss)))
        for share, level, loss in zip(parts, (a, b), (L1, L2), strict=True)
    ]
    total = linear(
        BOTH,
        stick(a - L1) + stick(b - L2),
        {stick(a - L1): 1, stick(b - L2): 1},
        *finite,
    )
    yield total, "linearity"
    most = integrable(total, E(BOTH, stick(a - L1) + stick(b - L2)))
    least = specialize(real("0 <= max(1 - exp(z), 0)"), z=(a - L1) + (b - L2))
    sum_of_both = dominated(line, BOTH, most, lower=least)
    over = expect(line, BOTH, sum_of_both, most)
    yield over, "averaged"
    yield combine(part.claim, over, total, *parts, first, second), "each delta"


A_0, A_K, A_NEXT = (Quantity("A", (formula(count),)) for count in (0, k, k + 1))
LEVELS = Levels(x - z, y - x, y - z, {"x": A_K, "y": A_NEXT, "z": A_0})
"""The epsilons of the releases are the steps of A."""
((DELTA_K, DELTAS),) = sums("D")
"""The deltas of the releases are the steps of D."""
NEXT_ONE = E(OUTPUTS, LEVELS.next_stick(), OUTPUTS.past)


def many(part: Statement) -> Iterator[Step]:
    """Induction over the releases."""
    density, each, low = (
        part.assuming[name] for name in ("density", "each release", "no less than 0")
    )
    claim = at_most(part.claim.left, DELTAS)
    steps = list(outputs_add_up(claim, LEVELS, density, each, low))
    yield from steps
    found = steps[-1][0]
    whole = all_densities(density)
    most = LEVELS.placed(excess_below(p1, q1, exp(LEVELS.here), *SIGNS[:2]))
    one = expect(
        most,
        OUTPUTS,
        integrable(found, part.claim.left),
        integrable(whole, E(OUTPUTS, p1)),
    )
    limit = combine(at_most(part.claim.left, 1), one, whole)
    yield at_most_one(limit, found), "no hockey stick is above 1"


def attack(seed: int) -> int:
    """Random pairs at random levels: the exact delta of both against the shipped sum."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        pairs = [any_pair(rng, rng.randint(2, 4)) for _ in range(2)]
        levels = [Fraction(rng.randint(0, 24), 8) for _ in range(2)]
        tables = [list(zip(pair.p, pair.q, strict=True)) for pair in pairs]
        deltas = [
            _delta(table, level) for table, level in zip(tables, levels, strict=True)
        ]
        both = [(p * s, q * t) for p, q in tables[0] for s, t in tables[1]]
        epsilon = sum(levels, Fraction(0))
        most = deltas[0] + deltas[1]
        if (_delta(both, epsilon) - most).certainly_positive():
            raise Refused(
                f"the pairs {pairs} have more delta together than basic composition"
                " says."
            )
    return TRIES


def _delta(table: list[tuple[Fraction, Fraction]], level: Fraction) -> Ball:
    growth = Ball.of(level, 128).exp()
    shares = ((Ball.of(p, 128) - growth * q).positive_part() for p, q in table)
    return sum(shares, start=Ball.of(0, 128))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "pointwise",
            "the excess of a sum is at most the sum of the excesses",
            at_most(stick(x + y), stick(x) + stick(y)),
            pointwise,
        ),
        Statement(
            "two",
            "delta at the sum of two epsilons is at most the sum of the two deltas",
            at_most(E(BOTH, stick((a - L1) + (b - L2))), DELTA),
            two,
            (),
            {
                "first": assume(at_most(E(ONE, stick(a - L1)), d1)),
                "second": assume(at_most(E(TWO, stick(b - L2)), d2)),
            },
        ),
        Statement(
            "many",
            "k outputs, by their densities, each bounded given those before: epsilons and"
            " deltas are the steps of A and D",
            at_most(E(OUTPUTS, LEVELS.stick()), minimum(1, DELTAS)),
            many,
            (Whole("k", 0),),
            {
                "density": assume(
                    equal(E(OUTPUTS, p2, OUTPUTS.past), 1), Whole("k", 0), every="k"
                ),
                "each release": assume(
                    at_most(NEXT_ONE, DELTA_K), Whole("k", 0), every="k"
                ),
                "no less than 0": assume(at_most(0, DELTA_K), Whole("k", 0), every="k"),
            },
        ),
        Statement(
            "shipped",
            "the level in it is that of the shipped epsilon",
            equal((a - L1) + (b - L2), EPSILON - (L1 + L2)),
            by_prover("the same sum"),
        ),
        Statement(
            "epsilon",
            "the rule for two guarantees has that epsilon",
            equal(TOGETHER.epsilon, EPSILON),
            by_prover("the same sum"),
        ),
        Statement(
            "delta",
            "and that delta, or 1",
            equal(TOGETHER.delta, minimum(1, DELTA)),
            by_prover("the same sum"),
        ),
        Statement(
            "pure",
            "with both deltas 0 it is the rule for PureDP",
            equal(compose_pure(PureDP(a), PureDP(b)).epsilon, EPSILON),
            by_prover("the same sum"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the larger of the two deltas is enough",
            at_most(stick(x + y), maximum(stick(x), stick(y))),
        ),
    ),
    attacks=(Attack("random pairs at random levels", attack),),
    rules=(basic_composition, compose_approx, compose_pure),
)
