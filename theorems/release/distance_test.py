"""A distance with two-sided geometric noise, against a threshold.

Printed: not in the sources (Lecture 13 names propose-test-release and distance to stability,
    without a statement).
Proved: Let X be an integer of probability proportional to exp(-eps |x|). For whole k >= 0, X >= k +
    1 has the probability exp(-eps (k + 1))/(1 + exp(-eps)); so has X <= -k - 1, and X >= -k has the
    rest to 1. The test passes at the distance d if d + X >= t. At d = 0 it passes with probability
    at most delta from t = -log(delta (1 + exp(-eps)))/eps on. One step of the distance changes the
    probabilities to pass and to fail by a factor between exp(-eps) and exp(eps): the test is
    eps-differentially private in the distance.
Idea: X >= k + 1 is X >= 1 shifted by k, and a shift of the integers multiplies their weights by
    exp(-eps k).
Source: Dwork and Lei, Differential privacy and robust statistics, for the test; Ghosh, Roughgarden
    and Sundararajan for the noise.
"""

from rdpacct.book.words import (
    Attack, Condition, DistanceTest, E, Expectation, Expr, Fact, Falsehood, Fraction, Iterator,
    Lattice, Real, Refused, Statement, Status, Step, Symbol, Theorem, Whole, absolute, apart,
    at_least, at_most, below, by_prover, combine, dominated, equal, exp, expect, formula, given_by,
    integrable, least_threshold, lemma, linear, log, maximum, minimum, passing, random, real,
    reindex, specialize, tail, tail_from_below, under,
)  # fmt: skip

r, n, k, t, m, d, delta = (
    Symbol(name) for name in ("r", "n", "k", "t", "m", "d", "delta")
)
WEIGHT = exp(-r * absolute(n))
NOISE = Lattice("G", ("n",), (), WEIGHT)
FROM_ONE, FROM_NEXT, UP_TO_ZERO = (
    minimum(1, maximum(0, step)) for step in (n, n - k, 1 - n)
)
"""On the integers, the indicators of n >= 1, n >= k + 1 and n <= 0."""


def finite(body: Expr, *given: str | Condition) -> Fact:
    """The mean of a formula with values in [0, 1] is finite."""
    upper, lower = (real(one, *given) for one in (at_most(body, 1), at_most(0, body)))
    return dominated(upper, NOISE, lower=lower)


def indicator(step: Expr) -> Fact:
    """The same for the indicator of step >= 1."""
    upper, lower = (
        specialize(real(one), w=step)
        for one in ("min(1, max(0, w)) <= 1", "0 <= min(1, max(0, w))")
    )
    return dominated(upper, NOISE, lower=lower)


def shifted(part: Statement) -> Iterator[Step]:
    """From 1 on by the complement, then a shift."""
    given = tuple(str(one) for one in part.given if not isinstance(one, Whole))
    rest = expect(real(equal(FROM_ONE, 1 - UP_TO_ZERO)), NOISE, finite(FROM_ONE))
    split = linear(
        NOISE, 1 - UP_TO_ZERO, {UP_TO_ZERO: -1}, finite(UP_TO_ZERO), constant=1
    )
    mass = lemma("discrete-laplace/worst-pair", "largest")
    first = combine(equal(E(NOISE, FROM_ONE), tail(r, 1)), rest, split, (mass, -1))
    yield first, "X >= 1 is not X <= 0, whose probability is 1/(1 + exp(-r))"
    weights = real(below(0, WEIGHT), "r > 0"), real(at_most(WEIGHT, WEIGHT), "r > 0")
    moved = reindex(NOISE, finite(FROM_NEXT, *given), *weights, k, rate=r)
    right = moved.relation.right
    if not isinstance(right, Expectation):
        raise Refused(f"{right} is no mean.")
    outside = (real(equal(FROM_ONE, 0), "n <= -1"),), ()
    same = apart(
        NOISE, equal(right.body, exp(-r * k) * FROM_ONE), 0, *given, on=outside
    )
    over = expect(same, NOISE, integrable(moved, right))
    scaled = linear(
        NOISE, exp(-r * k) * FROM_ONE, {FROM_ONE: exp(-r * k)}, finite(FROM_ONE)
    )
    yield moved, "the integers are renamed"
    yield combine(part.claim, moved, over, scaled, (first, exp(-r * k))), "so"


def far(part: Statement) -> Iterator[Step]:
    """d + X >= d + k + 1 is X >= k + 1."""
    body = passed(d + k + 1)
    same = expect(real(equal(body, FROM_NEXT)), NOISE, indicator(n - k))
    yield same, "the distance on both sides"
    chance = lemma("release/distance-test", "tail")
    yield chance, "the tail"
    yield combine(part.claim, same, chance), "so"


def near(part: Statement) -> Iterator[Step]:
    """d + X >= d - k is not -X >= k + 1, and -X has the law of X."""
    alike = real("min(1, max(0, x)) == min(1, max(0, y))", "x == y")
    places = {"x": d + n - (d - k) + 1, "y": n + k + 1}
    apart_ = given_by(specialize(alike, **places), real(equal(*places.values())))
    same = expect(apart_, NOISE, indicator(places["y"]))
    yield same, "the distance on both sides"
    weights = real(below(0, WEIGHT), "r > 0"), real(at_most(WEIGHT, WEIGHT), "r > 0")
    turned = reindex(NOISE, indicator(places["y"]), *weights, 0, reflect=True, rate=r)
    yield turned, "the integers are reflected"
    right = turned.relation.right
    if not isinstance(right, Expectation):
        raise Refused(f"{right} is no mean.")
    passes_not = minimum(1, maximum(0, -n + k + 1))
    rest = expect(
        combine(
            equal(right.body, 1 - FROM_NEXT),
            real(equal(passes_not, 1 - FROM_NEXT)),
            (real(equal(WEIGHT.at(n=-n) / WEIGHT, 1)), passes_not),
        ),
        NOISE,
        integrable(turned, right),
    )
    split = linear(NOISE, 1 - FROM_NEXT, {FROM_NEXT: -1}, indicator(n - k), constant=1)
    chance = lemma("release/distance-test", "tail")
    yield chance, "the tail"
    yield combine(part.claim, same, turned, rest, split, (chance, -1)), "so"


def passed(limit: Expr) -> Expr:
    """On the integers, the indicator that d + X reaches the threshold."""
    return minimum(1, maximum(0, d + n - limit + 1))


def threshold(part: Statement) -> Iterator[Step]:
    """exp of both sides of the condition."""
    least = least_threshold(r, delta)
    given = tuple(part.given[:-1])
    grows = real(
        "exp(-r*t)/(1 + exp(-r)) <= exp(-r*s)/(1 + exp(-r))", "s <= t", "r > 0"
    )
    grows = specialize(under(grows, "s <= t", *given), s=least)
    yield grows, "the tail falls with the threshold"
    there = real(equal(tail(r, least), delta), *given)
    yield there, "and is delta at the least one"
    yield combine(part.claim, grows, there), "so"


def attack(seed: int) -> int:
    """Random tests, q = exp(-eps): sums of the masses of the noise against the formula, and all
    ratios of one step.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(25):
        q = Fraction(rng.randint(1, 19), 20)
        for need in range(-4, 6):
            mass = at_least(q, need)
            if not passing(-log(q), need).bound().contains(mass):
                raise Refused(f"the tail from {need} on at q = {q} is not {mass}.")
            if at_least(q, need) - at_least(q, need + 1) != (1 - q) / (
                1 + q
            ) * q ** abs(need):
                raise Refused(
                    f"the tails at {need} and {need + 1} do not differ by the mass of"
                    f" {need}."
                )
            tried += 1
    for _ in range(8):
        test = DistanceTest(
            Fraction(rng.randint(1, 40), 10), Fraction(1, rng.randint(2, 10**6))
        )
        failing = test.failure_probability().bound()
        if not failing.certainly_at_most(test.delta.bound().upper):
            raise Refused(f"{test} passes at distance 0 with probability {failing}.")
        for distance in range(test.threshold() + 3):
            one = test.pass_probability(distance)
            two = test.pass_probability(distance + 1)
            for a, b in (
                (one, two),
                (two, one),
                (1 - one, 1 - two),
                (1 - two, 1 - one),
            ):
                if (a - exp(test.epsilon) * b).ball(300).certainly_positive():
                    raise Refused(
                        f"{test} changes too much after the distance {distance}."
                    )
                tried += 1
    return tried


def step(first: Real, second: Real) -> tuple[Expr, Expr]:
    """Two probabilities of the noise, the first to be bounded by exp(r) times the second."""
    return formula(first), exp(r) * second


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "tail",
            "the probability of X >= k + 1",
            equal(E(NOISE, FROM_NEXT), tail(r, k + 1)),
            shifted,
            ("r > 0", "k >= 0", Whole("k", 0)),
        ),
        Statement(
            "far",
            "the probability to pass at a distance d below the threshold: that the"
            " noise is at least k + 1",
            equal(E(NOISE, passed(d + k + 1)), tail(r, k + 1)),
            far,
            ("r > 0", "k >= 0", Whole("k", 0)),
        ),
        Statement(
            "near",
            "the probability to pass at a distance d from the threshold on: that the"
            " noise is at least -k",
            equal(E(NOISE, passed(d - k)), tail_from_below(r, -k)),
            near,
            ("r > 0", "k >= 0", Whole("k", 0)),
        ),
        Statement(
            "threshold",
            "from the least threshold on, noise alone passes with probability at most"
            " delta",
            at_most(tail(r, t), delta),
            threshold,
            ("r > 0", "delta > 0", at_most(least_threshold(r, delta), t)),
        ),
        Statement(
            "passes-far",
            "one step nearer to the threshold, from a need m + 1 >= 2: the tail grows"
            " by the factor exp(r)",
            equal(*step(tail(r, m), tail(r, m + 1))),
            by_prover("the powers of exp(-r)"),
        ),
        Statement(
            "passes-near",
            "from a need of 1 to one of 0: the same",
            equal(*step(1 - tail(r, 1), tail(r, 1))),
            by_prover("1/(1 + q) is q/(1 + q)/q"),
        ),
        Statement(
            "fails",
            "where failing has the probability 1 less a tail, or passing has: it"
            " changes by less than exp(r)",
            at_most(*step(1 - tail(r, m + 1), 1 - tail(r, m))),
            by_prover("the tail is at most q/(1 + q)"),
            ("m >= 1",),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "at the least threshold the slip is delta",
            equal(tail(r, least_threshold(r, delta)), delta),
            by_prover("exp undoes log"),
            ("r > 0", "delta > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a threshold lower by one will do",
            at_most(tail(r, t - 1), delta),
            (
                "r > 0",
                "0 < delta < 1",
                "t >= 1",
                at_most(least_threshold(r, delta), t),
            ),
        ),
        Falsehood(
            "the tail is that of continuous Laplace noise, exp(-r t)/2",
            at_most(tail(r, t), exp(-r * t) / 2),
            ("r > 0", "t >= 1"),
        ),
    ),
    attacks=(
        Attack("random tests with rational exp(-eps), and random thresholds", attack),
    ),
    rules=(tail, tail_from_below, least_threshold),
)
