"""Release of a stable value, by its distance to a change.

Printed: not in the sources (Lecture 13 names the distance to stability, without a statement).
Proved: Let D(x) be the smallest number of replaced records that change the value f(x), less 1. Let
    a test pass with probability p at D(x), which one step of D changes by a factor of at most
    exp(eps), as it does 1 - p, and with probability s at D = 0; f(x) itself is released if it
    passes. Neighbors with the same value have D at most 1 apart, and the release is
    eps-differentially private for them. Neighbors with different values have D = 0, and P(S) <=
    P'(S) + s, with equality for the event that f(x) is released. So the release is (eps,
    s)-differentially private, and no smaller delta will do.
Idea: As for propose-test-release, with the proposed bound 0 and no noise.
Source: Dwork and Lei, Differential privacy and robust statistics; Thakurta and Smith,
    Differentially private feature selection via stability arguments; Vadhan, The complexity of
    differential privacy, chapter 3.
"""

from rdpacct.book.words import (
    Attack, DistanceTest, Expr, Falsehood, FiniteQuery, Fraction, Iterator, Quantity, Refused,
    StabilityRelease, Statement, Status, Step, Symbol, Theorem, assume, at_least, at_most, both,
    by_prover, combine, equal, exp, given_by, guarded, hockey_stick, log, partial, random, real,
    specialize, stable,
)  # fmt: skip

eps, s, p, q, c, u, v = (Symbol(name) for name in ("eps", "s", "p", "q", "c", "u", "v"))
"""On x and x': p and q of passing; c, u and v are 1 if the event holds the failure, f(x) and f(x'),
else 0.
"""
PROMISE = stable(eps, s)
FIRST, SECOND = (s * one + (1 - s) * c for one in (u, v))


def named(name: str, *places: Expr) -> Expr:
    """Least(x), the number of replaced records that change f(x), and Away(x, y), of data sets x, z
    and y.
    """
    return Quantity(name, places)


x, z, y = (named(name) for name in ("x", "z", "y"))


def moves(part: Statement) -> Iterator[Step]:
    """The nearest y with another value than f(x) = f(z) has another value than f(z)."""
    facts = (
        part.assuming[name]
        for name in ("changes z", "triangle", "neighbors", "attained")
    )
    yield combine(part.claim, *facts), "y is at most one step farther from z"


def at_zero(part: Statement) -> Iterator[Step]:
    """One replaced record changes the value, and none does not."""
    names = ("z changes x", "neighbors", "not itself")
    change, one_step, least = (part.assuming[name] for name in names)
    distance = part.claim.left
    most = combine(at_most(distance, 0), change, one_step)
    yield most, "the neighbor is one step away"
    yield both(most, combine(at_most(0, distance), least)), "no step is no change"


def same(part: Statement) -> Iterator[Step]:
    """Passing and failing, apart."""
    given = tuple(part.given)
    passed = combine(
        at_most(p * u, exp(eps) * q * u), (real("p <= exp(eps)*q", *given), u)
    )
    failed = combine(
        at_most((1 - p) * c, exp(eps) * (1 - q) * c),
        (real("1 - p <= exp(eps)*(1 - q)", *given), c),
    )
    yield (
        combine(part.claim, passed, failed),
        "each probability changes by exp(eps) at most",
    )


def different(part: Statement) -> Iterator[Step]:
    """Both pass with the same probability."""
    given = tuple(part.given)
    more = specialize(real("w <= exp(eps)*w", "w >= 0", "eps >= 0"), w=SECOND)
    more = given_by(more, real(at_most(0, SECOND), *given))
    yield more, "the growth is at least 1"
    sure = real("s*u <= s", *given)
    least = real("0 <= s*v", *given)
    yield combine(part.claim, more, sure, least), "the events differ by s (u - v)"


def attack(seed: int, lower: int = 0) -> int:
    """Random values on all small data sets, exp(-eps) = q rational: all neighbors, exactly, and
    where s is attained.

    ``lower`` lowers the threshold: a broken twin, for the tests.
    """
    rng = random.Random(seed)
    tried = 0
    attained = False
    for _ in range(20):
        records = rng.randint(1, 4)
        values = range(rng.randint(2, 3))
        near = FiniteQuery.of_multisets(len, values, records).steps
        table = {data: rng.choice("aaab") for data in near}
        q_ = Fraction(rng.randint(1, 9), 10)
        test = DistanceTest(-log(q_), Fraction(1, rng.choice((3, 20, 1000))))
        codes = {data: ord(letter) for data, letter in table.items()}
        changes = FiniteQuery(codes.__getitem__, near)
        release = StabilityRelease(table.__getitem__, partial(to_change, changes), test)
        slip = at_least(q_, test.threshold())
        growth = 1 / q_
        laws = {}
        for data in near:
            passes = at_least(
                q_, test.threshold() - lower - release.distance(data).for_study()
            )
            laws[data] = guarded(passes, {table[data]: Fraction(1)})
        for data, others in near.items():
            for other in others:
                found = hockey_stick(laws[data], laws[other], growth)
                if found > slip:
                    raise Refused(
                        f"{table} at {data} and {other} has the delta {found}, above"
                        f" {slip}."
                    )
                attained = attained or found == slip
                tried += 1
    if not attained:
        raise Refused("no pair attained the slip.")
    return tried


def to_change(query: FiniteQuery, data: tuple[int, ...]) -> int:
    """The distance to the nearest data set with another value, by search; one more than all if
    there is none.
    """
    local = (
        query.local_within(data, distance)
        for distance in range(query.farthest(data) + 1)
    )
    return (
        next(
            (number for number, found in enumerate(local) if found > 0),
            query.farthest(data),
        )
        + 1
    )


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "moves by 1",
            "the distance to a change is at most 1 larger at a neighbor z with the same"
            " value; y is nearest to x",
            at_most(named("Least", z), named("Least", x) + 1),
            moves,
            assuming={
                "changes z": assume(at_most(named("Least", z), named("Away", z, y))),
                "triangle": assume(
                    at_most(
                        named("Away", z, y), named("Away", z, x) + named("Away", x, y)
                    )
                ),
                "neighbors": assume(at_most(named("Away", z, x), 1)),
                "attained": assume(at_most(named("Away", x, y), named("Least", x))),
            },
        ),
        Statement(
            "at zero",
            "neighbors with different values change each other: their distance to a"
            " change is 0",
            equal(named("Least", x) - 1, 0),
            at_zero,
            assuming={
                "z changes x": assume(at_most(named("Least", x), named("Away", x, z))),
                "neighbors": assume(at_most(named("Away", x, z), 1)),
                "not itself": assume(at_most(1, named("Least", x))),
            },
        ),
        Statement(
            "same value",
            "only passing and failing can be told, by exp(eps) at most",
            at_most(p * u + (1 - p) * c, exp(PROMISE.epsilon) * (q * u + (1 - q) * c)),
            same,
            ("p <= exp(eps)*q", "1 - p <= exp(eps)*(1 - q)", "u >= 0", "c >= 0"),
        ),
        Statement(
            "different values",
            "both pass with probability s, so the events differ by at most s",
            at_most(FIRST, exp(PROMISE.epsilon) * SECOND + PROMISE.delta),
            different,
            ("0 <= s", "s <= 1", "u <= 1", "v >= 0", "c >= 0", "eps >= 0"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "the event that f(x) is released: the slip is the exact delta, whatever"
            " epsilon",
            equal(
                FIRST.at(u=1, v=0, c=0),
                exp(PROMISE.epsilon) * SECOND.at(u=1, v=0, c=0) + PROMISE.delta,
            ),
            by_prover("s = 0 + s"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a value that passed may be released: delta = 0",
            at_most(
                FIRST.at(u=1, v=0, c=0), exp(PROMISE.epsilon) * SECOND.at(u=1, v=0, c=0)
            ),
            ("0 < s < 1",),
        ),
        Falsehood(
            "the distance needs no noise: x passes, a neighbor with the same value and"
            " D smaller by 1 does not",
            at_most(1, exp(eps) * q.at(q=0) + s),
            ("0 <= s < 1",),
        ),
    ),
    attacks=(Attack("random values on all small data sets, exactly", attack),),
    rules=(stable,),
)
