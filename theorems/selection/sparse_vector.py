"""The sparse vector technique loses epsilon for the threshold once, and for each answer above it.

Printed: not in the sources.
Proved: In scales of the noise, let the queries of neighbors differ by at most t for the threshold
    and u for a query. Where all queries move either way, take the threshold at z against that at z
    + t: an answer below is no less likely, and an answer above has at least exp(-2 u) times the
    probability. Then c answers above have exp(-2 c u) times it, and the noise of the threshold has
    exp(-t) times its density: so a row of answers is likelier by a factor of at most exp(t + 2 c
    u), the shipped epsilon, for any number of answers below. Where all queries rise, exp(-u) stands
    in the place of exp(-2 u), and where all fall the threshold need not move either. Two Laplace
    variables of rates a > c add up to more than w >= 0 with the shipped probability. With the noisy
    threshold known, all of the first queries are below it and so many of the others above with the
    shipped chance, for any noise.
Idea: Move the threshold together with its noise.
Source: Lyu, Su and Li, Understanding the sparse vector technique (2017), Theorems 4 and 5.
"""

from rdpacct.book.words import (
    Attack, Density, E, Expr, Falsehood, Fraction, Iterator, Law, Quantity, Random, Refused,
    Statement, Status, Step, Stretch, Symbol, Theorem, Whole, absolute, assume, at_most, by_prover,
    combine, equal, example, exp, expect, formula, given_by, induct, integrable, integrate, linear,
    maximum, minimum, real, relations, run_chance, sparse_vector_epsilon, specialize, unequal_above,
)  # fmt: skip

x, y, z, t, u, w, k, c = (
    Symbol(name) for name in ("x", "y", "z", "t", "u", "w", "k", "c")
)
fast, slow = Symbol("a"), Symbol("c")
f, A, B, f2, A2, B2 = (Symbol(name) for name in ("f", "A", "B", "f2", "A2", "B2"))
RUN = Law(
    "M",
    ("f", "A", "B", "f2", "A2", "B2"),
    (
        *relations("0 <= f", "0 <= A", "0 <= B", "0 <= f2", "0 <= B2", "A <= A2"),
        at_most(f, exp(t) * f2),
        at_most(B, exp(u) * B2),
    ),
)
"""The density of the threshold, the chance of the answers below and that of the answers above, each
for the one neighbor at z and for the other at z + t.
"""
FIRST, ONE, OTHER, NEXT = (Quantity(name, (k,)) for name in ("B", "b", "C", "d"))
"""The chance that k answers are above and that one more is, for the one and for the other
neighbor.
"""
ANSWERS = {
    "no answers": assume(equal(FIRST.at(k=0), 1)),
    "none of the other": assume(equal(OTHER.at(k=0), 1)),
    "one more": assume(equal(FIRST.at(k=k + 1), FIRST * ONE), Whole("k", 0), every="k"),
    "one more of the other": assume(
        equal(OTHER.at(k=k + 1), OTHER * NEXT), Whole("k", 0), every="k"
    ),
    "each": assume(at_most(ONE, exp(u) * NEXT), Whole("k", 0), every="k"),
    "positive": assume(at_most(0, ONE), Whole("k", 0), every="k"),
    "positive for the other": assume(at_most(0, OTHER), Whole("k", 0), every="k"),
}
NOISE = Density(
    "X",
    ("x",),
    (),
    (
        Stretch(None, formula(0), fast * exp(fast * x) / 2),
        Stretch(formula(0), w, fast * exp(-fast * x) / 2),
        Stretch(w, None, fast * exp(-fast * x) / 2),
    ),
)
"""Laplace noise of the rate a, cut at 0 and at w."""
RATES = ("0 <= w", "0 < c", "c < a")


def survival(level: Expr) -> Expr:
    """The probability that Laplace noise of scale 1 exceeds a level."""
    return 1 - exp(minimum(level, 0)) + exp(-absolute(level)) / 2


def threshold(part: Statement) -> Iterator[Step]:
    """The triangle inequality."""
    near = real("abs(z + t) <= abs(z) + t", "0 <= t")
    yield near, "the moved threshold is at most t farther"
    grows = specialize(
        real("exp(-x) <= exp(y)", "-x <= y"), x=absolute(z), y=t - absolute(z + t)
    )
    room = combine(at_most(-absolute(z), t - absolute(z + t)), near)
    product = specialize(real("exp(x - y) == exp(x)*exp(-y)"), x=t, y=absolute(z + t))
    yield (
        combine(
            part.claim,
            (given_by(grows, room), Fraction(1, 2)),
            (product, Fraction(1, 2)),
        ),
        "so its density is at least exp(-t) times as high",
    )


def run(part: Statement) -> Iterator[Step]:
    """Each of the three factors."""
    rows = [real(one, one) for one in RUN.support]
    below_, height, above = rows[5], rows[6], rows[7]
    line = combine(
        at_most(f * A * B, exp(t + u) * (f2 * A2 * B2)),
        (below_, f * B),
        (height, A2 * B),
        (above, exp(t) * f2 * A2),
        given=RUN.support,
    )
    yield line, "at each place of the threshold"
    first, second = part.assuming["one"], part.assuming["other"]
    scaled = linear(
        RUN,
        exp(t + u) * (f2 * A2 * B2),
        {f2 * A2 * B2: exp(t + u)},
        integrable(second, E(RUN, f2 * A2 * B2)),
    )
    over = expect(
        line,
        RUN,
        integrable(first, E(RUN, f * A * B)),
        integrable(scaled, scaled.relation.left),
    )
    yield over, "averaged"
    yield combine(part.claim, over, scaled), "so"


def answers(part: Statement) -> Iterator[Step]:
    """Answer after answer."""
    known = part.assuming
    base = combine(
        at_most(FIRST.at(k=0), exp(u * 0) * OTHER.at(k=0)),
        known["no answers"],
        (known["none of the other"], -exp(u * 0)),
    )
    yield base, "no answers at first"
    claim = at_most(FIRST, exp(u * k) * OTHER)
    before = assume(claim, Whole("k", 0))
    grown = exp(u * (k + 1))
    step = combine(
        at_most(FIRST.at(k=k + 1), grown * OTHER.at(k=k + 1)),
        known["one more"],
        (before, ONE),
        (known["each"], exp(u * k) * OTHER),
        (known["one more of the other"], -grown),
        (known["positive"], 0),
        (known["positive for the other"], 0),
    )
    yield step, "one more answer has at least exp(-u) times its chance"
    yield induct(base, step, "k"), "answer after answer"


def sums(part: Statement) -> Iterator[Step]:
    """The second variable exceeds what the first one leaves of w."""
    above = real(equal(survival(y), exp(-y) / 2), "0 <= y")
    below_zero = real(equal(survival(y), 1 - exp(y) / 2), "y <= 0")
    left = slow * (w - x)
    before = specialize(above, y=left)
    on = (
        (given_by(before, real("0 <= c*(w - x)", "x <= 0", "0 <= w", "0 < c")),),
        (given_by(before, real("0 <= c*(w - x)", "x <= w", "0 < c")),),
        (
            given_by(
                specialize(below_zero, y=left),
                real("c*(w - x) <= 0", "w <= x", "0 < c"),
            ),
        ),
    )
    half = fast / 4
    total = integrate(
        NOISE,
        survival(left),
        (
            half * exp((fast + slow) * x - slow * w) / (fast + slow),
            -half * exp(-(fast - slow) * x - slow * w) / (fast - slow),
            half * exp(slow * w - (fast + slow) * x) / (fast + slow)
            - exp(-fast * x) / 2,
        ),
        (exp(fast * x) / 2, -exp(-fast * x) / 2, -exp(-fast * x) / 2),
        *part.given,
        on=on,
    )
    yield total, "three pieces"
    yield combine(part.claim, total), "added up"


def attack(seed: int) -> int:
    """Two noises of random scales: symmetric in them, a half at 0, and never growing."""
    rng = Random(seed)
    for _ in range(60):
        one, other = (formula(Fraction(rng.randint(1, 60), 10)) for _ in range(2))
        if one == other:
            continue
        near, far = sorted(Fraction(rng.randint(0, 60), 10) for _ in range(2))
        chances = [
            unequal_above(*rates, formula(level))
            for rates in ((one, other), (other, one))
            for level in (near, far)
        ]
        if (chances[1] - chances[0]).ball(128).certainly_positive():
            raise Refused(f"a farther level is likelier for {one} and {other}.")
        gap = (chances[0] - chances[2]).ball(128)
        if gap.certainly_positive() or gap.certainly_negative():
            raise Refused(f"{one} and {other} are not alike.")
    return 60


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "the substitution of z + t for z, and that an answer above has at least exp(-2 u) times"
        " its chance, by selection/noisy-max for a query that moves by u as the threshold does",
        "that with the threshold known the answers are independent, and that a test whose"
        " probabilities are rounded towards each other tells no more (shuffling/batches)",
    ),
    parts=(
        Statement(
            "threshold",
            "the noise of the threshold moves by t",
            at_most(exp(-absolute(z)) / 2, exp(t) * (exp(-absolute(z + t)) / 2)),
            threshold,
            ("0 <= t",),
        ),
        Statement(
            "answers",
            "k answers above have at least exp(-k u) times their chance",
            at_most(FIRST, exp(u * k) * OTHER),
            answers,
            (Whole("k", 0),),
            ANSWERS,
            example(
                {"u": 0, "k": 0}, B=("k", "1"), b=("k", "1"), C=("k", "1"), d=("k", "1")
            ),
        ),
        Statement(
            "run",
            "a row of answers is likelier by a factor of at most exp(t + u)",
            at_most(E(RUN, f * A * B), exp(t + u) * E(RUN, f2 * A2 * B2)),
            run,
            (),
            {
                "one": assume(at_most(0, E(RUN, f * A * B))),
                "other": assume(at_most(0, E(RUN, f2 * A2 * B2))),
            },
        ),
        Statement(
            "epsilon",
            "the shipped epsilon, with 2 k u in the place of u",
            equal(sparse_vector_epsilon(t, u, k), t + k * (2 * u)),
            by_prover("by its form"),
        ),
        Statement(
            "monotone",
            "the shipped epsilon where all queries move the same way",
            equal(sparse_vector_epsilon(t, u, k, monotone=True), t + k * u),
            by_prover("by its form"),
        ),
        Statement(
            "sums",
            "the shipped chance that two Laplace variables add up to more than w",
            equal(E(NOISE, survival(slow * (w - x))), unequal_above(fast, slow, w)),
            sums,
            RATES,
        ),
        Statement(
            "event",
            "two queries below, and then one of two above",
            equal(run_chance(x, y, 2, 2, 1), x**2 * (1 - y**2)),
            by_prover("by its form"),
        ),
        Statement(
            "both above",
            "one query below, and then two of three above",
            equal(run_chance(x, y, 1, 3, 2), x * ((1 - y) ** 3 + 3 * (1 - y) ** 2 * y)),
            by_prover("by its form"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the number of answers above does not matter",
            at_most(sparse_vector_epsilon(t, u, k), sparse_vector_epsilon(t, u, 1)),
            ("0 < t", "0 < u", "1 <= k"),
        ),
        Falsehood(
            "queries without noise of their own lose nothing more",
            at_most(minimum(1, maximum(0, 1 - z)), exp(t) * minimum(1, maximum(0, -z))),
            ("0 <= t",),
        ),
    ),
    attacks=(Attack("two noises of random scales", attack),),
    rules=(sparse_vector_epsilon, unequal_above, run_chance),
)
