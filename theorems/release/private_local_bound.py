"""Noise on a private upper bound of the local sensitivity.

Printed: not in the sources (Lecture 13 names the method, without a statement).
Proved: Let the local sensitivity LS move by at most ``steps`` between neighbors, X be an integer of
    probability proportional to exp(-e1 |x|/steps), B = LS + X + t - 1, and the query be released,
    with B, with noise that is e2-differentially private between values at most B apart. One data
    set has at most exp(e1) times the probability of each B that its neighbor has. If B is below the
    change of the query then X <= -t, of probability s. So the release of both is (e1 + e2,
    s)-differentially private.
Idea: Given B, the noise is private but for a B that is too small; that is counted on the first data
    set only.
Source: Nissim, Raskhodnikova and Smith, Smooth sensitivity and sampling; Vadhan, The complexity of
    differential privacy, chapter 3; here with integers, for which the threshold is exact.
"""

from rdpacct.book.words import (
    Attack, Ball, BoundedLocalRelease, E, Expectation, Fact, Falsehood, FiniteQuery, Fraction,
    Iterator, Law, On, Refused, Statement, Status, Step, Symbol, Theorem, Whole, absolute, assume,
    at_most, below, bounded_local, cases, combine, dominated, equal, event, exp, expect, given_by,
    integrable, lemma, linear, maximum, minimum, module, random, real, reindex, relation, relations,
    specialize, tail, tilt, tilted, under,
)  # fmt: skip

DISTANCE = module("release/distance-test")
e1, e2, s, L, u, v, bad = (
    Symbol(name) for name in ("e1", "e2", "s", "L", "u", "v", "bad")
)
x, a, steps, X, t, LS, change = (
    Symbol(name) for name in ("x", "a", "steps", "X", "t", "LS", "change")
)
PROMISE = bounded_local(e1, e2, s)
R = Symbol("R")
g = Symbol("g")
SUPPORT = relations("0 <= R <= exp(e1)", "0 <= u <= 1", "0 <= v <= 1", "u <= exp(g)*v")
NEIGHBOR = event(Law("Q", ("R", "u", "v", "g"), SUPPORT), "bad", "e2 < g")
HERE = tilted("P", NEIGHBOR, R)
"""The law of B on the neighbor and here: R is the ratio, u and v the chance of the event given B on
either data set, g = e2 change/B what the noise of scale B/e2 promises for them, and bad is 1 if it
exceeds e2, that is if B is below the change of the query, else 0.
"""
r, n, k = (Symbol(name) for name in ("r", "n", "k"))
INTEGER = DISTANCE.NOISE


def ratio(part: Statement) -> Iterator[Step]:
    """The triangle inequality in the exponent."""
    given = tuple(part.given)
    short = real("abs(a) <= steps", *given[2:])
    sides = combine(
        at_most(absolute(x + a), absolute(x) + steps),
        real("abs(x + a) <= abs(x) + abs(a)"),
        short,
    )
    yield sides, "the triangle inequality"
    one = -e1 * absolute(x) / steps
    other = -e1 * absolute(x + a) / steps
    less = combine(at_most(one, e1 + other), (sides, e1 / steps), given=given)
    yield less, "times the rate"
    grows = under(
        real("exp(y) <= exp(e1)*exp(z)", "y <= e1 + z"), "y <= e1 + z", *given
    )
    grows = specialize(grows, y=one, z=other)
    yield given_by(grows, less), "exp grows"


def enough(part: Statement) -> Iterator[Step]:
    """The change is at most the local sensitivity, which is at most B."""
    names = ("bound", "noise", "rounded up", "local")
    facts = [part.assuming[name] for name in names]
    bound, noise, up, local = facts
    found = combine(
        part.claim, up, local, bound, (noise, -1), rest=k, given=("k >= 0",)
    )
    yield under(found, *part.given), "LS cancels"


def slip(part: Statement) -> Iterator[Step]:
    """-X has the law of X."""
    chance = lemma("release/distance-test", "tail")
    yield chance, "the tail on the other side"
    positive = real(below(0, INTEGER.weight), "r > 0")
    same_weight = real(at_most(INTEGER.weight, INTEGER.weight), "r > 0")
    finite = DISTANCE.indicator(-n - k)
    turned = reindex(INTEGER, finite, positive, same_weight, 0, reflect=True, rate=r)
    yield turned, "the integers are reflected"
    right = turned.relation.right
    if not isinstance(right, Expectation):
        raise Refused(f"{right} is no mean.")
    ratio_ = real(equal(INTEGER.weight.at(n=-n) / INTEGER.weight, 1))
    body = minimum(1, maximum(0, n - k))
    line = combine(equal(right.body, body), (ratio_, body))
    same = expect(line, INTEGER, integrable(turned, right))
    yield combine(part.claim, turned, same, chance), "so"


def promised(part: Statement) -> Iterator[Step]:
    """If g is at most e2 it is e2 that is promised, and if not, u is at most 1."""
    yield under(noise_promise(), *part.given), "given B"


def noise_promise() -> Fact:
    """u <= exp(e2) v + bad."""
    rest = 1 - bad
    less = cases(NEIGHBOR, at_most(rest * exp(g), rest * exp(e2)))
    low, high = (cases(NEIGHBOR, one) for one in ("0 <= bad", "bad <= 1"))
    private = real("u <= exp(g)*v", *SUPPORT)
    sure = real("u <= 1", *SUPPORT)
    return combine(
        at_most(u, exp(e2) * v + bad),
        (private, rest),
        (less, v),
        (sure, bad),
        (low, exp(e2) * v),
        (high, 0),
    )


def whole(part: Statement) -> Iterator[Step]:
    """Bound by bound, then the mean."""
    mass = part.assuming["a law"]
    slip = part.assuming["slip"]
    noise = combine(at_most(R * u, exp(e2) * R * v + R * bad), (noise_promise(), R))
    ratio = combine(
        at_most(exp(e2) * R * v, exp(e2) * exp(e1) * v),
        (real("R <= exp(e1)", *SUPPORT), exp(e2) * v),
    )
    point = combine(
        at_most(R * u, exp(PROMISE.epsilon) * v + R * bad), noise, ratio, given=SUPPORT
    )
    yield point, "given a bound that is not too small, both factors"
    ru, rbad = (
        dominated(
            cases(NEIGHBOR, at_most(R * one, exp(e1))),
            NEIGHBOR,
            lower=cases(NEIGHBOR, at_most(0, R * one)),
        )
        for one in (u, bad)
    )
    chance = dominated(
        real("v <= 1", *SUPPORT), NEIGHBOR, lower=real("0 <= v", *SUPPORT)
    )
    right = linear(
        NEIGHBOR,
        point.relation.right,
        {v: exp(PROMISE.epsilon), R * bad: 1},
        chance,
        rbad,
    )
    over = expect(
        point, NEIGHBOR, ru, integrable(right, E(NEIGHBOR, point.relation.right))
    )
    yield over, "in the mean over the bounds of the neighbor"
    here = tilt(HERE, u, mass, ru)
    missed = tilt(HERE, bad, mass, rbad)
    yield missed, "a bound that is too small counts here only"
    yield (
        combine(part.claim, here, over, right, (missed, -1), slip),
        "and has the probability s at most",
    )


def attack(seed: int, lower: int = 0, noise: Fraction = Fraction(1)) -> int:
    """Random queries on all small data sets: all neighbors, summed over the bounds B that can
    matter, in balls.

    ``lower`` lowers the threshold, and ``noise`` scales the noise on the value: broken twins, for
    the tests.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(6):
        records = rng.randint(1, 3)
        values = range(rng.randint(2, 3))
        table = {
            data: rng.choice((0, 1, 3))
            for data in FiniteQuery.of_multisets(len, values, records).steps
        }
        query = FiniteQuery.of_multisets(table.__getitem__, values, records)
        local = {data: int(query.local_within(data, 0)) for data in table}
        most = max(
            abs(local[data] - local[other])
            for data, near in query.steps.items()
            for other in near
        )
        rates = Fraction(rng.randint(2, 12), 4), Fraction(rng.randint(2, 12), 4)
        release = BoundedLocalRelease(
            query, max(most, 1), *rates, Fraction(1, rng.choice((3, 20)))
        )
        for data, near in query.steps.items():
            for other in near:
                found = worst(
                    release,
                    (local[data], local[other]),
                    (table[data], table[other]),
                    lower,
                    noise,
                )
                if (found - release.guarantee().delta.ball(128)).certainly_positive():
                    raise Refused(
                        f"{table} at {data} and {other} has a delta of at least"
                        f" {found}."
                    )
                tried += 1
    return tried


def worst(
    release: BoundedLocalRelease,
    local: tuple[int, int],
    values: tuple[int, int],
    lower: int = 0,
    noise: Fraction = Fraction(1),
    bound_noise: Fraction = Fraction(1),
) -> Ball:
    """The delta of a pair: over the bounds B up to where both only fall, and the value cut off
    beyond both values.

    Farther B have the ratio of the last, and more noise, so they add nothing if the last does not.
    """
    least = release.test().threshold() - lower
    rate = Ball.of(
        Fraction(str(release.bound_epsilon)) / release.steps / bound_noise, 128
    )
    second = Fraction(str(release.epsilon)) / noise
    growth = exp(release.guarantee().epsilon).ball(128)
    total = Ball.of(0, 128)
    for bound in range(1, max(local) + least + 2):
        p, q = (_mass(rate, bound - one - least + 1, bound == 1) for one in local)
        decay = Ball.of(second / bound, 128)
        first, other = (
            _spread(value, decay, min(values), max(values)) for value in values
        )
        for mine, theirs in zip(first, other, strict=True):
            total = total + (p * mine - growth * q * theirs).positive_part()
    return total


def _mass(rate: Ball, place: int, cumulative: bool) -> Ball:
    """The probability of X = place, or of X <= place."""
    decay = (-rate).exp()
    if not cumulative:
        return (1 - decay) / (1 + decay) * decay ** abs(place)
    if place < 0:
        return decay ** (-place) / (1 + decay)
    return 1 - decay ** (place + 1) / (1 + decay)


def _spread(value: int, rate: Ball, low: int, high: int) -> list[Ball]:
    """The probabilities of value + X <= low, of what lies between, and of value + X >= high."""
    between = [_mass(rate, out - value, False) for out in range(low + 1, high)]
    return [_mass(rate, low - value, True), *between, _mass(rate, value - high, True)]


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "ratio",
            "the weights of one bound B on two neighbors differ by exp(e1) at most; a"
            " is the change of LS",
            at_most(
                exp(-e1 * absolute(x) / steps),
                exp(e1) * exp(-e1 * absolute(x + a) / steps),
            ),
            ratio,
            ("e1 >= 0", "steps > 0", "-steps <= a", "a <= steps"),
        ),
        Statement(
            "large enough",
            "unless X <= -t, so that X = 1 - t + k for a whole k >= 0, the bound B is at"
            " least the change of the query; LS may be rounded up, and B be raised",
            relation("change <= B"),
            enough,
            (Whole("k", 0),),
            {
                "bound": assume("up + X + t - 1 <= B"),
                "noise": assume("X == 1 - t + k"),
                "rounded up": assume("LS <= up"),
                "local": assume("change <= LS"),
            },
        ),
        Statement(
            "slip",
            "X <= -k - 1 has the probability of the other tail, for r = e1/steps",
            equal(E(INTEGER, minimum(1, maximum(0, -n - k))), tail(r, k + 1)),
            slip,
            ("r > 0", "k >= 0", Whole("k", 0)),
        ),
        Statement(
            "given the bound",
            "given B, an event has at most exp(e2) times the chance that it has on the"
            " neighbor, or B is too small",
            at_most(u, exp(e2) * v + bad),
            promised,
            (On(NEIGHBOR),),
        ),
        Statement(
            "both",
            "the probability of an event, mixed over the bounds B",
            at_most(E(HERE, u), exp(PROMISE.epsilon) * E(NEIGHBOR, v) + PROMISE.delta),
            whole,
            (),
            {
                "a law": assume(equal(E(NEIGHBOR, R), 1)),
                "slip": assume(at_most(E(HERE, bad), s)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the bound LS + X + t - 2 is safe too: it is too small at X = 1 - t"
            " already",
            at_most(LS, LS + X + t - 2),
            ("X >= 1 - t", "t >= 1", "LS >= 1"),
        ),
        Falsehood(
            "the noise on LS need not grow with its steps",
            at_most(exp(-e1 * absolute(x)), exp(e1) * exp(-e1 * absolute(x + a))),
            ("e1 > 0", "-2 <= a <= 2"),
        ),
    ),
    attacks=(Attack("random queries on all small data sets, in balls", attack),),
    rules=(bounded_local,),
)
