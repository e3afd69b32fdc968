"""Smooth sensitivity of the number of triangles of a graph.

Printed: not in the sources. Nissim, Raskhodnikova and Smith have, for a common neighbors of two
    vertices and b vertices with exactly one of the two as a neighbor, that the local sensitivity
    within s changed edges is the largest min(a + floor((s + min(s, b))/2), n - 2).
Proved: The same. If s changed edges complete x of the b vertices, and join y of the others to both,
    then x + 2 y <= s and x <= b, so that a + x + y is at most the shipped bound; with x = min(s, b)
    and y as large as can be it is attained, up to rounding down, as long as there are vertices.
Idea: One change completes a vertex that is half joined, and two join one anew; so those that are
    half joined come first.
Source: Nissim, Raskhodnikova and Smith, Smooth sensitivity and sampling in private data analysis,
    the number of triangles.
"""

from rdpacct.book.words import (
    Attack, Falsehood, FiniteQuery, Fraction, Iterator, Refused, Statement, Status, Step, Symbol,
    Theorem, Triangles, at_most, by_prover, combinations, combine, equal, known,
    laplace_comparison_placed as placed, minimum, most_common, random, real, under,
)  # fmt: skip

a, b, s, x, y = map(Symbol, ("a", "b", "s", "x", "y"))
CHANGED = ("x + 2*y <= s", "x <= b", "0 <= x", "0 <= y")


def within(part: Statement) -> Iterator[Step]:
    """x is at most both s and b."""
    changed, _, _, more = (known(text, part) for text in CHANGED)
    few = combine(at_most(x, s), changed, (more, 2))
    yield few, "no more are completed than edges are changed"
    least = real("u <= min(s, b)", "u <= s", "u <= b")
    smaller = placed(least, part.given, under(few, *part.given), u=x)
    yield smaller, "nor than there are"
    halves = (changed, Fraction(1, 2)), (smaller, Fraction(1, 2))
    yield combine(part.claim, *halves, given=part.given), "half of the sum"


def graphs(seed: int) -> int:
    """Random graphs of four vertices, against the definition at each distance."""
    rng = random.Random(seed)
    pairs = list(combinations(range(4), 2))
    sets = [
        frozenset(chosen)
        for size in range(len(pairs) + 1)
        for chosen in combinations(pairs, size)
    ]
    fast = Triangles(4)
    slow = FiniteQuery.of(
        fast.value, sets, lambda graph: [graph ^ {pair} for pair in pairs]
    )
    tried = 0
    for graph in rng.sample(sets, 12):
        for distance in range(len(pairs) + 1):
            tried += 1
            if fast.local_within(graph, distance) != slow.local_within(graph, distance):
                raise Refused(f"the graph {sorted(graph)} is wrong within {distance}.")
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "an edge more or less changes the number of triangles by the number of common"
            " neighbors of its ends, which do not depend on that edge"
        ),
        (
            "a vertex becomes a common neighbor by one changed edge if it is half joined, and by"
            " two if it is not joined; vertices beyond n - 2 there are none"
        ),
    ),
    parts=(
        Statement(
            "within",
            "x of b vertices are completed, and y joined anew, by s changed edges",
            at_most(a + x + y, most_common(a, b, s)),
            within,
            CHANGED,
        ),
        Statement(
            "attained",
            "with as many completed as can be, and the others in pairs of changes",
            equal(a + minimum(s, b) + (s - minimum(s, b)) / 2, most_common(a, b, s)),
            by_prover("the same sum"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "each changed edge makes a common neighbor: s = 2, b = 0",
            at_most(a + 2, most_common(a, 0, 2)),
        ),
        Falsehood(
            "two changed edges are always needed: s = 2, b = 2",
            at_most(most_common(a, 2, 2), a + 1),
        ),
    ),
    attacks=(Attack("graphs of four vertices, at each distance", graphs),),
    rules=(most_common,),
)
