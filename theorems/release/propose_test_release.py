"""Propose, test, release.

Printed: not in the sources (Lecture 13 names the method, without a statement).
Proved: Let D(x) be the smallest distance from x to a data set whose local sensitivity exceeds the
    proposed bound b. D moves by at most 1 between neighbors. Let the test pass with a probability p
    that one step changes by a factor of at most exp(e1), as does 1 - p, and with probability s at D
    = 0; if it passes, f is released with noise that is e2-differentially private between values at
    most b apart. If f(x) and f(x') are at most b apart, the release is (e1 + e2)-differentially
    private for the pair. Otherwise both local sensitivities exceed b, D = 0 at both, and P(S) <=
    P'(S) + s. So the release is (e1 + e2, s)-differentially private.
Idea: The triangle inequality; and where the noise is too small, the test fails on both data sets
    but for s.
Source: Dwork and Lei, Differential privacy and robust statistics; Vadhan, The complexity of
    differential privacy, 3.
"""

from rdpacct.book.words import (
    Attack, DistanceTest, E, Expr, Fact, Falsehood, FiniteQuery, Fraction, Iterator, Law,
    ProposeTestRelease, Quantity, Real, Refused, Statement, Status, Step, Symbol, Theorem, Whole,
    assume, at_least, at_most, below, by_prover, combine, dominated, equal, exp, expect,
    first_beyond, formula, given_by, guarded, hockey_stick, induct, integrable, linear, log,
    propose_test_release, random, real, relations, specialize, spread, tower, under,
)  # fmt: skip

e1, e2, s, p, q, u, v, c, b = (
    Symbol(name) for name in ("e1", "e2", "s", "p", "q", "u", "v", "c", "b")
)
"""On x and x': p and q of passing, u and v of the event if passed; c is 1 if the event holds the
failure, else 0.
"""
PROMISE = propose_test_release(e1, e2, s)
FAIL = s * u + (1 - s) * c, s * v + (1 - s) * c


INSIDE = relations("0 <= T <= 1", "0 <= S <= 1")
RUN = Law("P", ("T", "S"), INSIDE)
T = RUN.symbol("T")
S = RUN.symbol("S")


def named(name: str, *places: Real) -> Expr:
    """D(x), the distance to trouble, LS(x), Away(x, y) and Change(x, y), |f(x) - f(y)|, of data
    sets x, z and y.
    """
    return Quantity(name, tuple(map(formula, places)))


x, z, y = (named(name) for name in ("x", "z", "y"))


def moves(part: Statement) -> Iterator[Step]:
    """The trouble y next to x is at most one step farther from z."""
    farther = combine(
        at_most(named("Away", z, y), named("Away", x, y) + 1),
        *(part.assuming[one] for one in TRIANGLE),
    )
    yield farther, "the triangle inequality"
    yield (
        combine(
            part.claim, part.assuming["trouble"], farther, part.assuming["attained"]
        ),
        "y is trouble for z too",
    )


TRIANGLE = ("triangle", "neighbors")


def trouble(part: Statement) -> Iterator[Step]:
    """The change between two neighbors is at most the local sensitivity of each."""
    yield (
        combine(part.claim, part.assuming["too far"], part.assuming["local"]),
        "the neighbor is one of all",
    )


def mixed(part: Statement) -> Iterator[Step]:
    """A tower."""
    given = part.assuming["given the test"]
    passes = part.assuming["passes"]
    chance = integrable(passes, E(RUN, T))
    line = linear(RUN, given.relation.right, {T: u - c}, chance, constant=c)
    finite = dominated(real("S <= 1", *INSIDE), RUN, lower=real("0 <= S", *INSIDE))
    whole = tower(RUN, S, "T", finite)
    yield whole, "given the test, and on the average"
    over = expect(given, RUN, integrable(line, E(RUN, given.relation.right)))
    yield over, "the chance given the test"
    yield combine(part.claim, whole, over, line, (passes, u - c)), "on the average"


def near(part: Statement) -> Iterator[Step]:
    """Passing with the event, and failing, apart."""
    given = tuple(part.given)
    growth = exp(e1) * exp(e2)
    first = combine(
        at_most(p * u, exp(e1) * q * u), (real("p <= exp(e1)*q", *given), u)
    )
    second = combine(
        at_most(exp(e1) * q * u, growth * q * v),
        (real("u <= exp(e2)*v", *given), exp(e1) * q),
    )
    yield (
        combine(at_most(p * u, growth * q * v), first, second),
        "passing, and the event",
    )
    third = combine(
        at_most((1 - p) * c, exp(e1) * (1 - q) * c),
        (real("1 - p <= exp(e1)*(1 - q)", *given), c),
    )
    more = real("w*exp(e1) <= w*exp(e1)*exp(e2)", "w >= 0", "e2 >= 0")
    more = given_by(
        specialize(more, w=(1 - q) * c), real(at_most(0, (1 - q) * c), *given)
    )
    yield third, "failing, which the noise cannot change"
    whole = combine(
        at_most(p * u + (1 - p) * c, growth * (q * v + (1 - q) * c)),
        first,
        second,
        third,
        more,
        given=given,
    )
    yield whole, "together"
    same = real(equal(growth * (q * v + (1 - q) * c), part.claim.right))
    yield combine(part.claim, whole, same), "the shipped epsilon"


def far(part: Statement) -> Iterator[Step]:
    """Both pass with the same probability s."""
    given = tuple(part.given)
    less = real("w <= exp(e1 + e2)*w", "w >= 0", "e1 + e2 >= 0")
    less = given_by(specialize(less, w=FAIL[1]), real(at_most(0, FAIL[1]), *given))
    yield less, "the growth is at least 1"
    sure = real("s*u <= s", *given)
    more = real("0 <= s*v", *given)
    yield combine(part.claim, less, sure, more), "P(S) exceeds P'(S) by s (u - v) only"


d, i = map(Symbol, "di")
RISES = assume(
    at_most(named("Within", d), named("Within", d + 1)), Whole("d", 0), every="d"
)
"""The largest local sensitivity within a distance rises with it."""


def rising(part: Statement) -> Fact:
    """The largest local sensitivity within a distance, against that within a larger one."""
    here, there = named("Within", d), named("Within", d + i)
    base = specialize(real("w <= w"), w=here)
    before = assume(at_most(here, there), Whole("i", 0), Whole("d", 0))
    more = specialize(part.assuming["rises"], d=d + i)
    step = combine(at_most(here, named("Within", d + (i + 1))), before, more)
    return induct(base, under(step, Whole("i", 0), Whole("d", 0)), "i")


def halved(part: Statement) -> Iterator[Step]:
    """What the halving keeps at its two ends."""
    whole = rising(part)
    yield whole, "distance after distance"
    yield combine(part.claim, whole, part.assuming["end"]), "so"


def attack(seed: int, lower: int = 0, noise: Fraction = Fraction(1)) -> int:
    """Random queries on all small data sets, exp(-e1) = q and exp(-e2/b) = w rational: all
    neighbors, exactly.

    ``lower`` lowers the threshold, and ``noise`` scales the decay of the noise: broken twins, for
    the tests.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        records = rng.randint(1, 3)
        values = range(rng.randint(2, 3))
        table = {
            data: rng.choice((0, 0, 1, 5))
            for data in FiniteQuery.of_multisets(len, values, records).steps
        }
        query = FiniteQuery.of_multisets(table.__getitem__, values, records)
        q = Fraction(rng.randint(1, 9), 10)
        w = Fraction(rng.randint(1, 9), 10)
        b_ = rng.choice((1, 1, 4))
        test = DistanceTest(-log(q), Fraction(1, rng.choice((3, 20, 1000))))
        release = ProposeTestRelease(query, test, b_, -b_ * log(w))
        slip = at_least(q, test.threshold())
        growth = 1 / (q * w**b_)
        laws = {}
        for data in query.steps:
            passes = at_least(
                q, test.threshold() - lower - release.distance(data).for_study()
            )
            laws[data] = guarded(passes, spread(table[data], w * noise, 0, 5))
        for data, near_ in query.steps.items():
            for other in near_:
                found = hockey_stick(laws[data], laws[other], growth)
                if found > slip:
                    raise Refused(
                        f"{table} at {data} and {other} has the delta {found}, above"
                        f" {slip}."
                    )
                tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "moves by 1",
            "D(z) <= D(x) + 1 at neighbors x and z; y is the trouble nearest to x",
            at_most(named("D", z), named("D", x) + 1),
            moves,
            assuming={
                "trouble": assume(at_most(named("D", z), named("Away", z, y))),
                "triangle": assume(
                    at_most(
                        named("Away", z, y), named("Away", z, x) + named("Away", x, y)
                    )
                ),
                "neighbors": assume(at_most(named("Away", z, x), 1)),
                "attained": assume(at_most(named("Away", x, y), named("D", x))),
            },
        ),
        Statement(
            "trouble",
            "if f moves by more than b between neighbors, the local sensitivity exceeds"
            " b, at both alike",
            below(b, named("LS", x)),
            trouble,
            assuming={
                "too far": assume(below(b, named("Change", x, z))),
                "local": assume(at_most(named("Change", x, z), named("LS", x))),
            },
        ),
        Statement(
            "nothing nearer",
            "`first_beyond` halves: if nothing within the distance d + i, its lower end,"
            " exceeds b, nothing within d does",
            at_most(named("Within", d), b),
            halved,
            (Whole("d", 0), Whole("i", 0)),
            {
                "rises": RISES,
                "end": assume(at_most(named("Within", d + i), b)),
            },
        ),
        Statement(
            "trouble farther on",
            "and if something within d, its upper end, does, so does something within d"
            " + i; so the ends that are 1 apart have the smallest distance between them",
            below(b, named("Within", d + i)),
            halved,
            (Whole("d", 0), Whole("i", 0)),
            {"rises": RISES, "end": assume(below(b, named("Within", d)))},
        ),
        Statement(
            "mixed",
            "an event S of the release: T is 1 if the test passed, and given T the chance"
            " is u or c, as the noise does not depend on the test",
            equal(E(RUN, S), p * u + (1 - p) * c),
            mixed,
            assuming={
                "given the test": assume(equal(E(RUN, S, "T"), T * u + (1 - T) * c)),
                "passes": assume(equal(E(RUN, T), p)),
            },
        ),
        Statement(
            "near",
            "values at most b apart: both factors, and no delta",
            at_most(p * u + (1 - p) * c, exp(PROMISE.epsilon) * (q * v + (1 - q) * c)),
            near,
            (
                *("p <= exp(e1)*q", "1 - p <= exp(e1)*(1 - q)", "u <= exp(e2)*v"),
                *("q >= 0", "q <= 1", "u >= 0", "c >= 0", "e2 >= 0"),
            ),
        ),
        Statement(
            "far",
            "values farther apart: both pass with probability s, so the events differ"
            " by at most s",
            at_most(FAIL[0], exp(PROMISE.epsilon) * FAIL[1] + PROMISE.delta),
            far,
            ("0 <= s", "s <= 1", "u <= 1", "v >= 0", "c >= 0", "e1 + e2 >= 0"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "at values so far apart that the event has u = 1 and v = 0, without the"
            " failure: s is needed",
            equal(
                FAIL[0].at(u=1, v=0, c=0),
                exp(PROMISE.epsilon) * FAIL[1].at(u=1, v=0, c=0) + PROMISE.delta,
            ),
            by_prover("s = 0 + s"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the slip is not needed: delta = 0, at values so far apart",
            at_most(
                FAIL[0].at(u=1, v=0, c=0),
                exp(PROMISE.epsilon) * FAIL[1].at(u=1, v=0, c=0),
            ),
            ("0 < s < 1",),
        ),
        Falsehood(
            "the test is free: epsilon = e2; a constant query, of which only passing is"
            " seen",
            at_most(exp(e1) * q, exp(e2) * q),
            ("e1 > 0", "e2 > 0", "0 < q", "exp(e1)*q <= 1/2"),
        ),
    ),
    attacks=(Attack("random queries on all small data sets, exactly", attack),),
    rules=(propose_test_release, first_beyond),
)
