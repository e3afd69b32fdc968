"""The sensitivity of an encoded stream: products of the columns of the strategy.

Printed: not in the sources.
Proved: Let c(i) be column i of the strategy C, and u(i) the move of a record in step i, of length
    at most 1 in any dimension. The product of two moves is between -1 and 1 (`moves`), so the sum
    over the pairs of steps of a pattern of the products of columns times those of moves is at most
    that of the sizes of the products of columns (`pairs`), as shipped; moves along one line have
    the shipped square, which is the same where no product of columns is negative. What a step can
    have at most with all others, added up over the steps of a pattern, is no less (`rows`). If each
    move is at most s, then C x moves by s times the root of the square. The release is one Gaussian
    with that sensitivity (gaussian/worst-pair); all that is worked out from it is processing
    (post-processing/divergences).
Idea: Cauchy and Schwarz for the moves.
Source: Denisov, McMahan, Rush, Smith and Thakurta (2022), Improved differential privacy for SGD via
    optimal private linear operators on adaptive streams; Choquette-Choo, McMahan, Rush and Thakurta
    (2023), Multi-epoch matrix factorization mechanisms for private machine learning.
"""

from rdpacct.book.words import (
    E, Expr, Falsehood, Iterator, Law, Statement, Status, Step, Symbol, Theorem, absolute, assume,
    at_most, by_prover, combine, dominated, equal, expect, formula, integrable, linear, proves,
    real, relations, square_at_most, square_of_moves, total_move,
)  # fmt: skip

x, y, g, w, row, most, G, R, X, Y = map(
    Symbol, ("x", "y", "g", "w", "row", "most", "G", "R", "X", "Y")
)
a, c, d, s, q = map(Symbol, ("a", "c", "d", "s", "q"))
D = Law("D", ("x", "y"))
"""The coordinates of two moves, scaled so that their squares have means in place of sums."""
P = Law("P", ("g", "w"), relations("-1 <= w", "w <= 1"))
"""The products of columns and those of moves, over the pairs of steps of a pattern."""
T = Law("T", ("row", "most"), relations("0 <= row", "row <= most"))
"""What a step has with all others of a pattern, and what it can have at most."""
LENGTHS = {
    "first": assume(equal(E(D, x**2), X)),
    "second": assume(equal(E(D, y**2), Y)),
    "first length": assume(at_most(X, 1)),
    "second length": assume(at_most(Y, 1)),
}
HALF = formula(1) / 2
TWO: list[list[Expr]] = [[a, c], [c, d]]
"""The products of two columns."""
SIZES = [[a, absolute(c)], [absolute(c), d]]

THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "The square of the length of C u is the sum over all pairs of steps of the product of"
        " their columns times the product of their moves; sums are means times the number of"
        " terms.",
        "If what is released at a step depends on the steps up to it alone, the stream may"
        " depend on what was released before: the square of the next shift is known then, and"
        " all of them add up to at most the square of the sensitivity (adaptive/gaussian).",
    ),
    parts=(
        Statement(
            "moves",
            "the product of two moves of length at most 1 is at most 1",
            at_most(E(D, x * y), 1),
            assuming=LENGTHS,
        ),
        Statement(
            "moves, below",
            "and at least -1",
            at_most(-1, E(D, x * y)),
            assuming=LENGTHS,
        ),
        Statement(
            "pairs",
            "products of moves between -1 and 1 add up to at most the sizes of the products"
            " of columns",
            at_most(E(P, g * w), G),
            assuming={"sizes": assume(equal(E(P, absolute(g)), G))},
        ),
        Statement(
            "rows",
            "what each step has with the others adds up to at most what each can have",
            at_most(E(T, row), R),
            assuming={"most": assume(equal(E(T, most), R))},
        ),
        Statement(
            "shipped",
            "the shipped bound for two steps",
            equal(square_at_most(SIZES, (0, 1)), a + 2 * absolute(c) + d),
            by_prover("as it stands"),
        ),
        Statement(
            "attained",
            "moves in one direction attain it where no product is negative",
            equal(square_of_moves(TWO, (0, 1), (1, 1)), square_at_most(SIZES, (0, 1))),
            by_prover("the sizes are the products"),
            ("0 <= c",),
        ),
        Statement(
            "opposite",
            "and moves in opposite directions for two steps with a negative product",
            equal(square_of_moves(TWO, (0, 1), (1, -1)), square_at_most(SIZES, (0, 1))),
            by_prover("the size is the opposite of the product"),
            ("c <= 0",),
        ),
        Statement(
            "scaled",
            "the square for moves by at most s",
            equal(total_move(s, q) ** 2, s**2 * q),
            by_prover("the square of a root"),
            ("0 <= q",),
        ),
    ),
    rules=(square_at_most, square_of_moves, total_move),
)


def product_of_moves(part: Statement, sign: int) -> Iterator[Step]:
    """Twice a product is at most the sum of the squares, in size."""
    known = part.assuming
    body = sign * x * y
    half = x**2 / 2 + y**2 / 2
    total = linear(
        D,
        half,
        {x**2: HALF, y**2: HALF},
        integrable(known["first"], E(D, x**2)),
        integrable(known["second"], E(D, y**2)),
    )
    bound = integrable(total, E(D, half))
    finite = dominated(real(at_most(absolute(body), half)), D, bound)
    mean = expect(real(at_most(body, half)), D, finite, bound)
    yield mean, "twice a product is at most the sum of the squares"
    uses = [mean, total, known["first"], known["second"]]
    if sign < 0:
        product = dominated(real(at_most(absolute(x * y), half)), D, bound)
        uses.append(linear(D, body, {x * y: -1}, product))
    lengths = [(known[name], HALF) for name in ("first length", "second length")]
    yield combine(part.claim, *uses, *lengths), "the lengths are at most 1"


@proves("moves")
def above(part: Statement) -> Iterator[Step]:
    """Cauchy and Schwarz."""
    yield from product_of_moves(part, 1)


@proves("moves, below")
def beneath(part: Statement) -> Iterator[Step]:
    """The same for the opposite of one move."""
    yield from product_of_moves(part, -1)


@proves("pairs")
def pairs(part: Statement) -> Iterator[Step]:
    """Each product is at most the size of that of the columns."""
    sizes = part.assuming["sizes"]
    bound = integrable(sizes, E(P, absolute(g)))
    size = real("abs(g*w) <= abs(g)", "-1 <= w", "w <= 1")
    line = real("g*w <= abs(g)", "-1 <= w", "w <= 1")
    mean = expect(line, P, dominated(size, P, bound), bound)
    yield mean, "pair by pair"
    yield combine(part.claim, mean, sizes), "added up"


@proves("rows")
def rows(part: Statement) -> Iterator[Step]:
    """Step by step."""
    most_of_all = part.assuming["most"]
    bound = integrable(most_of_all, E(T, most))
    line = real("row <= most", "row <= most", "0 <= row")
    finite = dominated(line, T, bound, lower=real("0 <= row", "0 <= row"))
    mean = expect(line, T, finite, bound)
    yield mean, "step by step"
    yield combine(part.claim, mean, most_of_all), "added up"


FALSEHOODS = (
    Falsehood(
        "the longest column decides for two participations",
        at_most(square_at_most(SIZES, (0, 1)), a),
        ("0 < a", "d <= a", "0 < d"),
    ),
    Falsehood(
        "moves in one direction are worst also for columns with a negative product",
        at_most(square_at_most(SIZES, (0, 1)), square_of_moves(TWO, (0, 1), (1, 1))),
        ("0 < a", "0 < d", "c**2 <= a*d"),
    ),
)
