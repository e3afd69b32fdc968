"""The least law that dominates several pairs: its profile is the largest of theirs.

Printed: not in the sources.
Proved: The largest of several profiles is convex in g = exp(epsilon), so that it is the profile of
    a law, the least one that dominates all (composition/adaptive-choice, engine/connect-the-dots).
    (1) At g, let one of the profiles be the largest, and minus s the mass of its losses above log
    g under Q. The line through its value with the slope s is nowhere above it, nor above the
    largest profile, which it meets at g: so the masses above log g of that pair, under P and under
    Q, are those of the law, or share the mass of an atom of the law at log g with the losses
    below. (2) If all losses are finite, E exp(t L) of the law for t > 0 is at least that of each
    pair, and at most 1 and what those of the pairs exceed 1 by, as shipped: each profile is at
    least max(0, 1 - g), and E exp(t L) is an integral of profiles with weights that are not
    negative. (3) A law by the corners of a concave test curve, as shipped, has at each g the
    largest P - g Q of its corners. A point on an edge between two corners has no larger one than
    both.
Idea: A tangent of one of several convex functions, where that is the highest.
Source: not in the sources.
"""

from rdpacct.book.words import (
    Atom, Attack, E, Falsehood, Fraction, Iterator, Law, PrivacyLoss, Random, Refused, Statement,
    Status, Step, Symbol, Theorem, any_pair, assume, at_most, by_prover, combine, equal, example,
    expect, formula, given_by, integrable, law_through, least_law_least_law as least_law,
    least_of_atoms, linear, maximum, most_together, real, relations, specialize,
)  # fmt: skip

a, b, c, d, g, p, q, s, u, v, w, x, y = (
    Symbol(name)
    for name in ("a", "b", "c", "d", "g", "p", "q", "s", "u", "v", "w", "x", "y")
)
W = Law("W", ("a", "b", "c"), relations("c <= a", "c <= b"))
"""Two profiles at a level, and max(0, 1 - g)."""
CURVE = law_through([(formula(0), d), (q, p)])
LINE = "v + s*(y - g) <= u"
TWO = Law("T", ("a", "b"))


def supporting(part: Statement) -> Iterator[Step]:
    """The line is below one of the two."""
    line = real(LINE, LINE)
    yield line, "a tangent of one profile"
    yield (
        combine(part.claim, line, real("u <= max(u, w)")),
        "which is not the larger one",
    )


def together(part: Statement) -> Iterator[Step]:
    """Each of the two is at most the sum without what both have."""
    total = a + b - c
    most = specialize(real("max(x, y) <= z", "x <= z", "y <= z"), x=a, y=b, z=total)
    ends = (
        combine(at_most(a, total), real("c <= b", "c <= b")),
        combine(at_most(b, total), real("c <= a", "c <= a")),
    )
    line = given_by(most, *ends)
    yield line, "at each level"
    rows = {name: part.assuming[str(name)] for name in (a, b, c)}
    finite = [integrable(fact, E(W, name)) for name, fact in rows.items()]
    mean = linear(W, total, {a: formula(1), b: formula(1), c: formula(-1)}, *finite)
    larger = integrable(part.assuming["larger"], E(W, maximum(a, b)))
    over = expect(line, W, larger, integrable(mean, mean.relation.left))
    yield over, "averaged over the levels"
    known = [
        (part.assuming[name], sign) for name, sign in (("a", 1), ("b", 1), ("c", -1))
    ]
    yield combine(part.claim, over, mean, *known), "the rest has 1"


def gained(part: Statement) -> Iterator[Step]:
    """Nothing, the first edge, and both are each at most the positive parts."""
    total = part.claim.right
    first, second = real("x <= max(0, x)"), real("y <= max(0, y)")
    zero_x, zero_y = real("0 <= max(0, x)"), real("0 <= max(0, y)")
    one = combine(at_most(x, total), first, zero_y)
    two = combine(at_most(x + y, total), first, second)
    none = combine(at_most(0, total), zero_x, zero_y)
    most = real("max(u, v) <= w", "u <= w", "v <= w")
    inner = given_by(specialize(most, u=x, v=x + y, w=total), one, two)
    yield inner, "the first edge, or both"
    whole = specialize(most, u=formula(0), v=maximum(x, x + y), w=total)
    yield given_by(whole, none, inner), "or nothing"


def falling(part: Statement) -> Iterator[Step]:
    """The first edge gains x, and the second more or not."""
    known = real("max(0, x) == x", "0 <= x")
    sums = real("x + max(0, y) == max(x, x + y)")
    yield sums, "the larger of two sums"
    yield combine(part.claim, known, sums), "so"


def attack(seed: int) -> int:
    """Random pairs of tables: the least law by its corners, against the larger profile."""
    rng = Random(seed)
    for _ in range(20):
        pairs = [any_pair(rng, rng.randint(2, 4)) for _ in range(2)]
        tables = [list(zip(pair.p, pair.q, strict=True)) for pair in pairs]
        losses = [
            PrivacyLoss(
                tuple(Atom.of(one, two) for one, two in table if one and two),
                formula(sum((one for one, two in table if not two), Fraction(0))),
                formula(sum((two for one, two in table if not one), Fraction(0))),
            )
            for table in tables
        ]
        laws = [least_of_atoms(losses), least_law(losses)]
        for law in laws:
            level = Fraction(rng.randint(-20, 20), 10)
            most = max(loss.delta(level).upper for loss in losses)
            least = max(loss.delta(level).lower for loss in losses)
            if law is None:
                continue
            found = law.delta(level)
            if found.certainly_above(most) or found.certainly_below(least):
                raise Refused(f"the law of {tables} has {found} at {level}.")
    return 20


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that E exp(t L) is an integral of hockey sticks with weights that are not negative"
        " (profile/moments), and that a curve of many corners has one more edge than that of one"
        " less",
    ),
    parts=(
        Statement(
            "supporting",
            "a tangent of one profile is nowhere above the largest",
            at_most(v + s * (y - g), maximum(u, w)),
            supporting,
            (LINE,),
        ),
        Statement(
            "there",
            "and meets it where that profile is the largest",
            equal(v, maximum(v, w)),
            by_prover("the larger of two"),
            ("w <= v",),
        ),
        Statement(
            "together",
            "the shipped bound on a moment, from profiles that are at least max(0, 1 - g)",
            at_most(E(W, maximum(a, b)), most_together([u, v])),
            together,
            (),
            {
                "a": assume(equal(E(W, a), u)),
                "b": assume(equal(E(W, b), v)),
                "c": assume(equal(E(W, c), 1)),
                "larger": assume(at_most(E(W, maximum(a, b)), w)),
            },
        ),
        Statement(
            "infinite",
            "the shipped law has the first corner at infinity",
            equal(CURVE.at_infinity, d),
            by_prover("by its form"),
        ),
        Statement(
            "edge",
            "and an outcome for each edge, here the first",
            equal(CURVE.parts[0].p - g * CURVE.parts[0].q, (p - g * q) - d),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "last edge",
            "and the last, to all of both laws",
            equal(CURVE.parts[1].p - g * CURVE.parts[1].q, (1 - g) - (p - g * q)),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "corners",
            "what outcomes gain together is at least what each corner has",
            at_most(maximum(0, maximum(x, x + y)), maximum(0, x) + maximum(0, y)),
            gained,
        ),
        Statement(
            "falling",
            "and no more than one of them, if an edge that gains follows one that does",
            at_most(maximum(0, x) + maximum(0, y), maximum(x, x + y)),
            falling,
            ("0 <= x",),
        ),
        Statement(
            "fallen",
            "or if the edge after it does not gain",
            at_most(maximum(0, x) + maximum(0, y), maximum(0, x)),
            by_prover("the second does not gain"),
            ("y <= 0",),
        ),
        Statement(
            "on an edge",
            "a point between two corners has no more than both",
            at_most((1 - s) * a + s * b, maximum(a, b)),
            by_prover("a mean of two"),
            ("0 <= s", "s <= 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the largest of several profiles is that of one of the pairs",
            at_most(E(TWO, maximum(a, b)), maximum(E(TWO, a), E(TWO, b))),
            instance=example(laws={"T": [((1, 0), "1/2"), ((0, 1), "1/2")]}),
        ),
        Falsehood(
            "the bound on a moment holds for any two numbers in place of profiles",
            at_most(E(TWO, maximum(a, b)), most_together([E(TWO, a), E(TWO, b)])),
            instance=example(laws={"T": [((1, 0), "1/2"), ((0, 1), "1/2")]}),
        ),
    ),
    attacks=(Attack("random tables and their least law", attack),),
    rules=(law_through, least_law, most_together),
)
