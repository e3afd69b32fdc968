"""Several finite pairs to choose from: the least pair above them, and the value of several
releases.

Printed: not in the sources.
Proved: The profile of a finite pair at g is the largest P - g Q over the points (Q, P) of its test
    curve. (1) A point on or below the chord of two others has no larger P - g Q than the larger of
    theirs: so the largest of several profiles is that of the concave hull of all their points,
    which is the profile of a pair: with an output for each edge of the hull, of the masses by which
    Q and P grow along it, the excesses P - g Q of the outputs add up to the largest P - g Q of a
    corner, neither less nor more. (2) If the releases that follow have the profile of a pair W,
    then a pair of the next release has the profile of its product with W, and the best of them that
    of the hull of all products. So the value of several releases is the profile of a finite pair,
    found from the last release to the first.
Idea: A largest value of a linear function is taken at a corner of the hull.
Source: the test curves are those of Neyman and Pearson; the rest is not in the sources.
"""

from rdpacct.book.words import (
    Attack, Condition, E, Expr, Fact, Falsehood, FinitePairs, Fraction, Iterator, Law, Merged,
    Quantity, Real, Refused, Statement, Status, Step, Symbol, Theorem, Whole, any_pair, assume,
    at_most, combine, concave_hull, discharge, either, equal, excess, finite_excess, formula,
    fubini_one_by_one as one_by_one, game_pair, given_by, independent, independent_of, induct,
    integrable, lemma, maximum, merged, positive_part, random, real, relations, specialize, under,
)  # fmt: skip

g, u, P, P1, P2, Q1, Q2 = (
    Symbol(name) for name in ("g", "u", "P", "P1", "P2", "Q1", "Q2")
)
FIRST = P1 - g * Q1
SECOND = P2 - g * Q2
BELOW = "P <= (1 - u)*P1 + u*P2"
TRIES = 25


def chord(part: Statement) -> Iterator[Step]:
    """A mean of two numbers is at most the larger."""
    below = under(real(BELOW, BELOW), BELOW, "0 <= u", "u <= 1")
    yield below, "the point is below the chord"
    sides = [
        specialize(real(text), x=FIRST, y=SECOND)
        for text in ("x <= max(x, y)", "y <= max(x, y)")
    ]
    yield combine(part.claim, (below, 1), (sides[0], 1 - u), (sides[1], u)), "weighted"


j, M, s, t, e = map(Symbol, ("j", "M", "s", "t", "e"))


def corner(number: Real) -> Expr:
    """P - g Q at a corner of the hull, by its number."""
    return Quantity("T", (formula(number),))


def gained(number: Real) -> Expr:
    """The excesses of the outputs of the edges before a corner, added up."""
    return Quantity("S", (formula(number),))


def edge(number: Real) -> Expr:
    """By how much P - g Q grows along the edge after a corner."""
    return corner(formula(number) + 1) - corner(number)


HULL = {
    "start": assume(equal(gained(0), corner(0))),
    "outputs": assume(equal(gained(j + 1), gained(j) + maximum(edge(j), 0)), every="j"),
    "concave": assume(at_most(edge(j + 1), edge(j)), every="j"),
    "corners": assume(at_most(corner(j), M), every="j"),
}
"""The first corner has no outputs before it, each edge is an output, edges get flatter, and no
corner is above M.
"""


def no_less(part: Statement) -> Iterator[Step]:
    """Each edge adds at least its growth."""
    so_far = assume(at_most(corner(j), gained(j)))
    more = specialize(real("x <= max(x, 0)"), x=edge(j))
    step = combine(
        at_most(corner(j + 1), gained(j + 1)),
        so_far,
        more,
        (part.assuming["outputs"], -1),
    )
    yield step, "an edge adds at least its growth"
    base = combine(at_most(corner(0), gained(0)), (part.assuming["start"], -1))
    yield induct(base, step, "j"), "edge after edge"


def spared(part: Statement) -> Fact:
    """(S(j) - T(j)) max(edge(j), 0) <= 0: once something was left out, no edge rises."""
    outputs = part.assuming["outputs"]
    less = part.assuming["concave"]
    *_, (above, _) = no_less(part)
    n = gained(j) - corner(j)
    so_far = assume(at_most(n * maximum(edge(j), 0), 0))
    rise = maximum(edge(j), 0)
    over = specialize(real("0 <= max(x, 0) - x"), x=edge(j))
    upper = combine(at_most(edge(j + 1), rise), less, over)
    falls = positive_part(upper, specialize(real("0 <= max(x, 0)"), x=edge(j)))
    none = specialize(real("(max(x, 0) - x)*max(x, 0) == 0"), x=edge(j))
    apart = combine(
        at_most((rise - edge(j)) * maximum(edge(j + 1), 0), 0),
        (falls, rise - edge(j)),
        none,
        (over, 0),
    )
    after = gained(j + 1) - corner(j + 1)
    step = combine(
        at_most(after * maximum(edge(j + 1), 0), 0),
        (outputs, maximum(edge(j + 1), 0)),
        apart,
        (falls, n),
        so_far,
        (above, 0),
    )
    base = combine(
        at_most((gained(0) - corner(0)) * maximum(edge(0), 0), 0),
        (part.assuming["start"], maximum(edge(0), 0)),
        (specialize(part.assuming["corners"], j=1), 0),
    )
    return induct(base, step, "j")


def no_more(part: Statement) -> Iterator[Step]:
    """An edge adds to what the corners have, or nothing."""
    rest = spared(part)
    yield rest, "once an edge fell, no edge rises"
    so_far = assume(at_most(gained(j), M))
    generic = bounded()
    yield generic, "an edge adds to what the corners have, or nothing"
    here = part.assuming["corners"]
    after = specialize(here, j=j + 1)
    room = given_by(
        specialize(
            real("max(x, 0) <= y", "x <= y", "0 <= y"), x=edge(j), y=M - corner(j)
        ),
        combine(at_most(edge(j), M - corner(j)), after, (here, 0)),
        combine(at_most(0, M - corner(j)), here),
    )
    rise = maximum(edge(j), 0)
    top = given_by(
        specialize(generic, s=gained(j), t=corner(j), e=rise),
        so_far,
        room,
        combine(at_most(rise * (gained(j) - corner(j)), 0), rest),
    )
    step = combine(at_most(gained(j + 1), M), top, part.assuming["outputs"])
    base = combine(
        at_most(gained(0), M),
        part.assuming["start"],
        specialize(part.assuming["corners"], j=0),
    )
    yield induct(base, step, "j"), "edge after edge"


def bounded() -> Fact:
    """s + e <= M, from s <= M, e <= M - t and e (s - t) <= 0."""
    known = ("s <= M", "e <= M - t", "e*(s - t) <= 0")
    first, room = (real(one, one) for one in known[:2])
    low = combine(at_most(s + e, M), room, real("s <= t", "s <= t"))
    share = specialize(real("x <= z/y", "x*y <= z", "0 < y"), x=e, y=s - t, z=0)
    high = combine(at_most(s + e, M), first, share)
    return either(under(low, *known, "s <= t"), under(high, *known, "t < s"))


p, q, x, y, t = map(Symbol, "pqxyt")
NEXT = Law("T", ("p", "q"), relations("0 < p", "0 <= q"))
"""A pair of the next release, by its densities; an output that P does not have adds nothing."""
AFTER = Law("S", ("x", "y"), relations("0 <= x", "0 <= y"))
"""The pair of what follows."""
PRODUCT = independent_of(NEXT, AFTER)


def profile(at: Real) -> Expr:
    """The profile of what follows."""
    return Quantity("h", (formula(at),))


FOLLOWED = {
    "next": assume(equal(E(NEXT, p), 1)),
    "after": assume(equal(E(AFTER, x), 1)),
    "profile": assume(
        equal(E(AFTER, excess(x, y, t)), profile(t)), "0 <= t", every="t"
    ),
}


def followed(part: Statement) -> Iterator[Step]:
    """Given the next output, what follows is at its profile; the outputs are independent."""
    signs: tuple[str | Condition, ...] = (*NEXT.support, "0 <= g")
    at = g * q / p
    anywhere = under(part.assuming["profile"], "0 <= t", *signs)
    value = under(specialize(anywhere, t=at), *signs)
    same = lemma("composition/adaptive-choice", "homogeneous")
    inner = under(specialize(same, u=p, v=g * q, h=profile(at)), *signs)
    inner = discharge(inner, value)
    yield inner, "given the next output"
    mass = independent(
        PRODUCT,
        p,
        x,
        integrable(part.assuming["next"], E(NEXT, p)),
        integrable(part.assuming["after"], E(AFTER, x)),
    )
    whole = integrable(mass, E(PRODUCT, p * x))
    finite = finite_excess(PRODUCT, p * x, q * y, g, whole, "0 <= g")
    shape = specialize(real("0 <= max(c, 0)"), c=p * x - g * q * y)
    yield one_by_one(PRODUCT, inner, shape, finite), "the outputs are independent"


def value(tables: list[Merged], count: int, at: Fraction) -> Fraction:
    """The value of the game by its definition, in rationals."""
    if count == 0:
        return max(Fraction(0), 1 - at)
    return max(
        sum(
            (p * (value(tables, count - 1, at * q / p) if q else 1) for p, q in table),
            start=Fraction(0),
        )
        for table in tables
    )


def attack(seed: int) -> int:
    """Random tables, two and three releases, against the definition of the game."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        drawn = [any_pair(rng, rng.randint(2, 3)) for _ in range(2)]
        tables = [merged(list(zip(one.p, one.q, strict=True))) for one in drawn]
        tables += [merged(list(zip(one.q, one.p, strict=True))) for one in drawn]
        count = rng.choice((2, 3))
        pair = game_pair(((FinitePairs(tuple(tables)), count),))
        at = Fraction(rng.randint(1, 30), 10)
        if pair is None or sum(
            (max(p - at * q, Fraction(0)) for p, q in pair), Fraction(0)
        ) != value(tables, count, at):
            raise Refused(f"{tables} have another value at {at}.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "chord",
            "a point below a chord is nowhere the only best one",
            at_most(P - g * ((1 - u) * Q1 + u * Q2), maximum(FIRST, SECOND)),
            chord,
            ("0 <= u", "u <= 1", BELOW),
        ),
        Statement(
            "no less",
            "the outputs of the edges up to a corner have at least its P - g Q",
            at_most(corner(j), gained(j)),
            no_less,
            (Whole("j", 0),),
            {name: HULL[name] for name in ("start", "outputs")},
        ),
        Statement(
            "no more",
            "and at most the largest of all corners: they have the profile of the hull",
            at_most(gained(j), M),
            no_more,
            (Whole("j", 0),),
            HULL,
        ),
        Statement(
            "followed",
            "the mean of what follows, which has the profile of a pair, is the profile"
            " of the product with that pair",
            equal(
                E(PRODUCT, maximum(p * x - g * q * y, 0)),
                E(PRODUCT, p * profile(g * q / p)),
            ),
            followed,
            ("0 <= g",),
            FOLLOWED,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the better of two pairs at one g is the better one at every g",
            at_most(
                FIRST.at(P1=1, Q1=1), SECOND.at(P2=Fraction(1, 2), Q2=Fraction(1, 4))
            ),
            ("g >= 0", "g <= 1"),
        ),
    ),
    attacks=(Attack("random tables against the definition of the game", attack),),
    rules=(concave_hull, game_pair),
)
