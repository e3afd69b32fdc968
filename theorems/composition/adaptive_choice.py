"""Releases that let an adversary choose among pairs: the value of the game.

Printed: not in the sources.
Proved: A plan is a multiset of releases that run in any order, each with a pair of laws from its
    family, chosen with what was released before. Let h of a set of releases be the largest E max(p
    - g q, 0) over all such choices. (1) Let V be the best that can still be gained after some
    outputs: p h(g q/p) of what is left, as E max(u x - v y, 0) is u times E max(x - v/u y, 0).
    Whatever is chosen next, its mean does not rise, so that N releases gain at most h at first; to
    choose best each time gains it. (2) Releases of one pair count as the first ones wherever they
    run: given their outputs, with densities p1 and q1, the others gain at most b = p1 h(g q1/p1),
    and the whole at most E b. A choice made after them is at least as good as one made before: E w
    <= E s if each w is at most the best s. So delta is the mean of h of the others over their
    losses. (3) h is convex: a mean of functions below their chords is below its
    chord, and so is the larger of two. So the shipped atoms at dots of a convex polygon that is at
    least 1 - g have masses of laws: they are a pair with this profile (engine/connect-the-dots),
    which stands for the releases with choices, from above or from below, beside any others; one
    such release alone has its least dominating pair, wherever at each epsilon a pair has its delta
    or comes as near as one likes; where others have choices too, those that keep to one pair each
    are among what can happen. (4) Choices that miss the best by at most a
    slack each miss it by at most N times that: the value is attained, or approached.
Idea: Backwards from the last release, as in any game against chance.
Source: not in the sources; compare Dong, Durfee and Rogers on adaptive compositions of exponential
    mechanisms.
"""

from rdpacct.book.words import (
    Attack, BITS, ChoiceLattice, Choices, E, Fact, Falsehood, FinitePairs, FittedGame, Fraction,
    Game, Iterator, Law, Merged, Pair, Points, Refused, Statement, Status, Step, Symbol, Theorem,
    Whole, any_pair, assume, at_most, at_start, best_next, by_prover, chain, combine,
    connect_the_dots, equal, example, excess, expect, finite_excess, given_by, induct, integrable,
    linear, maximum, merged, one_more, over_the_past, precision, random, raw_real as number, real,
    relation, relations, run_last, specialize, tower, under,
)  # fmt: skip

k, u, x, y, z, w, s, a, b, m = (
    Symbol(name) for name in ("k", "u", "x", "y", "z", "w", "s", "a", "b", "m")
)
p, q, c, d, N, V, v, g, h = map(Symbol, ("p", "q", "c", "d", "N", "V", "v", "g", "h"))
slack, g1, g2, g3, h1, h2, h3 = map(
    Symbol, ("slack", "g1", "g2", "g3", "h1", "h2", "h3")
)
DOTS = [(g1, h1), (g2, h2), (g3, h3)]
NAMES = ("p1", "q1", "p2", "q2")
J = Law("J", (*NAMES, "b"), relations(*(f"0 <= {name}" for name in NAMES)))
"""Two releases by their densities, and the best that the second can have after the first output."""
p1, q1, p2, q2 = (Symbol(name) for name in NAMES)
STICK = excess(p1 * p2, q1 * q2, k)
G = chain(
    "G",
    {"p": (1, p * x), "q": (1, q * y), "V": (c, V + d)},
    ("x", "y", "d"),
    k,
    relations(*(f"0 <= {name}" for name in ("p", "q", "V", "x", "y")), "0 <= V + d"),
)
"""The densities of the first k outputs, and the best that can still be gained, V; those of the next
output given them, and by how much that output moves V.
"""
LAST = G.at(k=N)
ALL = excess(p, q, g)
END = assume(equal(E(LAST, V), E(LAST, ALL)))
RESPONSE = example(
    {"N": 1, "g": 1, "c": "1/2", "slack": "1/4"},
    {"G": [(("3/2", "1/2", 0), "1/2"), (("1/2", "3/2", 0), "1/2")]},
)
"""One release of randomized response, with V = 1/2 before and after."""
S = Law("S", ("x", "y"), relations("0 <= x", "0 <= y"))
"""What follows a first output, by its densities."""
F = Law("F", ("w", "s"), relations("w <= s"))
C = Law("C", ("a", "b", "m"), relations("m <= (1 - u)*a + u*b"))


def following(part: Statement) -> Iterator[Step]:
    """The tower over the first output."""
    mass = integrable(part.assuming["law"], E(J, p1 * p2))
    finite = finite_excess(J, p1 * p2, q1 * q2, k, mass, *map(str, part.given))
    steps = tower(J, STICK, ("p1", "q1", "b"), finite)
    yield steps, "given the first output"
    means = integrable(steps, E(J, E(J, STICK, ("p1", "q1", "b"))))
    over = expect(
        part.assuming["second"], J, means, integrable(part.assuming["finite"], E(J, b))
    )
    yield over, "the second release has at most its best"
    yield combine(part.claim, over, steps), "together"


def on_average(part: Statement) -> Iterator[Step]:
    """What the best choice of what is left can still gain does not rise on average."""
    release = part.assuming["best"]
    before = assume(at_most(E(G, V), c), Whole("k", 0))
    finite = integrable(before, E(G, V))
    moves = integrable(release, E(G, d, G.past))
    split = linear(G, V + d, {d: 1}, moves, constant=V, given=G.past)
    inner = combine(at_most(E(G, V + d, G.past), V), split, release)
    positive = under(real("0 <= V + d", "0 <= V + d"), *G.support)
    over = over_the_past(G, inner, finite, positive)
    yield over, "the next release gains at most its best"
    taken = one_more(G, V, integrable(over, E(G, V + d)))
    step = combine(at_most(E(G.next, V), c), taken, over, before)
    base = combine(at_most(E(G.sequence, V), c), at_start(G.sequence, V))
    whole = induct(base, under(step, Whole("k", 0)), "k")
    yield whole, "release after release"
    at_end = specialize(whole, k=N)
    yield combine(part.claim, at_end, (part.assuming["end"], -1)), "nothing is left"


def nearly_best(part: Statement) -> Iterator[Step]:
    """The same from below, with a slack for each release."""
    before = assume(at_most(c - k * slack, E(G, V)), Whole("k", 0))
    finite = [
        integrable(before, E(G, V)),
        integrable(part.assuming["finite"], E(G, d)),
    ]
    given_past = tower(G, d, G.past, finite[1])
    over = expect(
        part.assuming["nearly best"],
        G,
        integrable(given_past, given_past.relation.left),
    )
    yield over, "the next release nearly gains its best"
    total = linear(G, V + d, {V: 1, d: 1}, *finite)
    taken = one_more(G, V, integrable(total, E(G, V + d)))
    claim = at_most(c - (k + 1) * slack, E(G.next, V))
    step = combine(claim, taken, total, given_past, over, before)
    base = combine(
        at_most(c - 0 * slack, E(G.sequence, V)), (at_start(G.sequence, V), -1)
    )
    whole = induct(base, under(step, Whole("k", 0)), "k")
    yield whole, "release after release"
    at_end = specialize(whole, k=N)
    yield combine(part.claim, at_end, part.assuming["end"]), "nothing is left"


def homogeneous(part: Statement) -> Iterator[Step]:
    """At each output of the second release."""
    scaled = u * excess(x, y, v / u)
    same = specialize(
        real("max(t, 0) == f*max(e, 0)", "f > 0", "t == f*e"),
        t=u * x - v * y,
        e=x - v / u * y,
        f=u,
    )
    same = given_by(same, real(equal(u * x - v * y, u * (x - v / u * y)), "u > 0"))
    yield same, "at each output"
    at_threshold = integrable(part.assuming["value"], E(S, excess(x, y, v / u)))
    mean = linear(S, scaled, {excess(x, y, v / u): u}, at_threshold, where=("u > 0",))
    over = expect(same, S, integrable(mean, E(S, scaled)))
    value = (part.assuming["value"], u)
    yield combine(part.claim, over, mean, value), "averaged"


def rising(part: Statement) -> Iterator[Step]:
    """The slope rises at a dot of a convex polygon."""
    names = ("g1 < g2", "g2 < g3")
    bend = relation(str(part.given[2]))
    known = under(real(bend, bend, *names), bend, *names)
    scale = 1 / ((g2 - g1) * (g3 - g2))
    yield combine(part.claim, (known, scale), given=names), "as the polygon is convex"


def fixed_first(part: Statement) -> Iterator[Step]:
    """One averaged relation."""
    line = real("w <= s", "w <= s")
    finite = [
        integrable(part.assuming[name], E(F, body))
        for name, body in (("chosen before", w), ("best", s))
    ]
    yield line, "the best is at least what was chosen before"
    yield expect(line, F, *finite), "averaged"


def convex(part: Statement) -> Iterator[Step]:
    """The chord, averaged."""
    line = real("m <= (1 - u)*a + u*b", "m <= (1 - u)*a + u*b")
    yield line, "at each output"
    left, right, middle = (
        integrable(part.assuming[name], E(C, body))
        for name, body in (("a", a), ("b", b), ("m", m))
    )
    flat = linear(C, (1 - u) * a + u * b, {a: 1 - u, b: u}, left, right)
    over = expect(line, C, middle, integrable(flat, E(C, (1 - u) * a + u * b)))
    yield over, "averaged"
    yield combine(part.claim, over, flat), "so"


def larger(part: Statement) -> Iterator[Step]:
    """Each of two values below its chord is below that of the larger ones."""
    found = []
    for name, one, other in ((z, a, b), (m, x, y)):
        chord = at_most(name, (1 - u) * one + u * other)
        below = under(real(chord, chord), chord, "0 <= u", "u <= 1")
        ends = [_not_above_larger(one, a, x), _not_above_larger(other, b, y)]
        found.append(
            combine(
                at_most(name, part.claim.right), below, (ends[0], 1 - u), (ends[1], u)
            )
        )
        yield found[-1], "a value below its chord"
    joined = specialize(
        real("max(c, d) <= e", "c <= e", "d <= e"), c=z, d=m, e=part.claim.right
    )
    yield given_by(joined, *found), "so is the larger"


def _not_above_larger(one: Symbol, first: Symbol, second: Symbol) -> Fact:
    """A number is at most the larger of itself and another."""
    text = "x <= max(x, y)" if one == first else "y <= max(x, y)"
    return specialize(real(text), x=first, y=second)


def _both_ways(pair: Pair) -> tuple[Merged, Merged]:
    return merged(list(zip(pair.p, pair.q, strict=True))), merged(
        list(zip(pair.q, pair.p, strict=True))
    )


def attack(seed: int) -> int:
    """Random adversaries of two releases of random tables, in either order, against the shipped
    value.
    """
    rng = random.Random(seed)
    for _ in range(30):
        drawn = [[any_pair(rng, rng.randint(2, 3)) for _ in range(2)] for _ in range(2)]
        families = [
            FinitePairs(tuple(way for one in pairs for way in _both_ways(one)))
            for pairs in drawn
        ]
        at = Fraction(rng.randint(1, 30), 10)
        with precision(BITS):
            best = Game(tuple((family, 1) for family in families)).value()(number(at))
            for _ in range(20):
                first, second = rng.sample(families, 2)
                total = Fraction(0)
                for p, q in rng.choice(first.tables):
                    then = rng.choice(second.tables)
                    total += sum(
                        (max(p * c - at * q * d, Fraction(0)) for c, d in then),
                        Fraction(0),
                    )
                if number(total) > best:
                    raise Refused(f"an adversary of {families} has {total} at {at}.")
    return 30


TWO = Law("T", ("a", "b"))
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "in turn",
            "N releases gain at most the best that there is at first",
            at_most(E(LAST, ALL), c),
            on_average,
            (Whole("N", 0),),
            {
                "best": assume(at_most(E(G, d, G.past), 0), Whole("k", 0), every="k"),
                "end": END,
            },
            RESPONSE,
        ),
        Statement(
            "approached",
            "releases that miss the best by at most a slack each miss it by at most N of"
            " them",
            at_most(c - N * slack, E(LAST, ALL)),
            nearly_best,
            (Whole("N", 0),),
            {
                "nearly best": assume(
                    at_most(-slack, E(G, d, G.past)), Whole("k", 0), every="k"
                ),
                "finite": assume(at_most(E(G, d), 1), Whole("k", 0), every="k"),
                "end": END,
            },
            RESPONSE,
        ),
        Statement(
            "homogeneous",
            "what follows the first output has p1 times its value at the threshold"
            " g q1/p1: at the weights u and v, u times that at v/u",
            equal(E(S, maximum(u * x - v * y, 0)), u * h),
            homogeneous,
            ("u > 0",),
            {"value": assume(equal(E(S, excess(x, y, v / u)), h), "u > 0")},
        ),
        Statement(
            "following",
            "releases of one pair, wherever they run, and a best choice of the others"
            " given their outputs",
            at_most(E(J, STICK), E(J, b)),
            following,
            ("0 <= k",),
            {
                "law": assume(equal(E(J, p1 * p2), 1)),
                "second": assume(at_most(E(J, STICK, ("p1", "q1", "b")), b)),
                "finite": assume(at_most(E(J, b), 1)),
            },
        ),
        Statement(
            "fixed first",
            "a choice after a release of one pair is at least as good as before it",
            at_most(E(F, w), E(F, s)),
            fixed_first,
            (),
            {
                "chosen before": assume(at_most(E(F, w), 1)),
                "best": assume(at_most(E(F, s), 1)),
            },
        ),
        Statement(
            "convex",
            "a mean of what is below its chord is below its chord",
            at_most(E(C, m), (1 - u) * E(C, a) + u * E(C, b)),
            convex,
            (),
            {
                name: assume(at_most(E(C, body), 1))
                for name, body in (("a", a), ("b", b), ("m", m))
            },
        ),
        Statement(
            "mass under Q",
            "the shipped atom at a dot of a convex polygon has a mass under Q that is"
            " not negative, and g times it under P",
            at_most(0, connect_the_dots(DOTS)[1][1]),
            rising,
            ("g1 < g2", "g2 < g3", "(g3 - g1)*h2 <= (g3 - g2)*h1 + (g2 - g1)*h3"),
        ),
        Statement(
            "all of Q",
            "and all of them together at most 1, as h is at least 1 - g",
            at_most((1 - h1) / g1, 1),
            by_prover("the slope from 1 at 0 is at least -1"),
            ("g1 > 0", "1 - g1 <= h1"),
        ),
        Statement(
            "larger",
            "so is the larger of two",
            at_most(maximum(z, m), (1 - u) * maximum(a, x) + u * maximum(b, y)),
            larger,
            ("0 <= u", "u <= 1", "z <= (1 - u)*a + u*b", "m <= (1 - u)*x + u*y"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a choice made before a release of one pair is as good as one made"
            " after it",
            at_most(E(TWO, maximum(a, b)), maximum(E(TWO, a), E(TWO, b))),
            instance=example(laws={"T": [((1, 0), "1/2"), ((0, 1), "1/2")]}),
        ),
    ),
    attacks=(Attack("random adversaries of two tables in either order", attack),),
    rules=(
        FinitePairs.best,
        best_next,
        ChoiceLattice._values,
        Points.enclosure,
        FittedGame.enclosure,
        Choices._after_fixed,
        run_last,
    ),
)
