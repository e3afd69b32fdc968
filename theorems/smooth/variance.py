"""Smooth sensitivity of the variance: which means the other records can have.

Printed: not in the sources.
Proved: Let n records lie in [a, b], let x be one of them and c the mean of the others. (1) If x
    becomes y, the variance grows by the shipped (n - 1)/n**2 ((y - c)**2 - (x - c)**2). (2) Where y
    lies in the range, this is at most with y at the end beyond which c is not, and it falls at most
    with y = c. (3) With y at the upper end b it falls as c grows, so that c should be as small as
    it can be; so it is for the fall if x moves to the mean from above it. Turned round, the same
    holds for the lower end. (4) Within k replaced records, x is one of the records that are kept,
    and the others are n - 1 - k kept ones and k free ones; or x is free as well, and the others are
    n - k kept ones and k - 1 free ones. The smallest mean is that of the smallest ones that are
    kept, with the free ones at a. (5) If x is kept and moves to b, c is the rest of a total C
    without x, and the growth rises with x up to the shipped (C + b)/(n + 1), and falls beyond: the
    best of several records is one of the two beside it. (6) No variance moves by more than (n -
    1)/n**2 (b - a)**2.
Idea: A parabola in the record that moves, whose lowest point is the mean of the others.
Source: the authors of this package; smooth sensitivity is of Nissim, Raskhodnikova and Smith
    (2007).
"""

from rdpacct.book.words import (
    Attack, Expr, Fact, Falsehood, FiniteQuery, Iterator, Refused, Statement, Status, Step, Theorem,
    Variance, at_most, best_record, by_prover, combine, equal, given_by, least_mean, random, real,
    specialize, square_move, symbols, under,
)  # fmt: skip

n, x, y, a, b, c, d, p, T, Q, C = symbols("n x y a b c d p T Q C")
SHARE = (n - 1) / n**2


def spread(total: Expr, squares: Expr) -> Expr:
    """The variance from the sum and the sum of squares."""
    return squares / n - (total / n) ** 2


MEAN = least_mean(T, 0 * n, n)
TOTAL = (n + 1) * p - b
"""The total whose peak is p."""
REST = least_mean(TOTAL, -x, n)
NEXT = least_mean(TOTAL, -y, n)
FACTORS = {
    "to the upper end": (b - y, b + y - 2 * c),
    "to the lower end": (y - a, 2 * c - a - y),
    "smaller mean": (b - x, d - c),
    "to the mean": (d - c, 2 * x - c - d),
    "up to the peak": (y - x, 2 * p - x - y),
    "beyond the peak": (x - y, x + y - 2 * p),
    "largest": (b - a - (y - c), b - a + (y - c)),
}
"""Of each statement, the two factors of the difference of its sides."""


def _product(first: Expr, second: Expr, *given: str) -> Fact:
    """The product of two numbers that are not negative."""
    line = specialize(real("0 <= u*v", "0 <= u", "0 <= v"), u=first, v=second)
    signs = [real(at_most(0, one), *given) for one in (first, second)]
    return given_by(under(line, *given), *signs)


def weighted(part: Statement, weight: Expr) -> Iterator[Step]:
    """The product of the factors, with a weight."""
    given = tuple(map(str, part.given))
    signs = _product(*FACTORS[part.name], *given)
    yield signs, "two factors that are not negative"
    sign = real(at_most(0, weight), "1 < n")
    yield combine(part.claim, (signs, weight), (sign, 0), given=given), "their product"


def once(part: Statement) -> Iterator[Step]:
    """A difference of squares is a product."""
    yield from weighted(part, SHARE)


def twice(part: Statement) -> Iterator[Step]:
    """Twice the product."""
    yield from weighted(part, 2 * SHARE)


def peaked(part: Statement) -> Iterator[Step]:
    """Both records are on one side of the peak of a parabola."""
    yield from weighted(part, SHARE * (n + 1) / (n - 1))


def largest(part: Statement) -> Iterator[Step]:
    """A square is not negative, and y is no farther from c than the ends are apart."""
    given = tuple(map(str, part.given))
    signs = _product(*FACTORS[part.name], *given)
    yield signs, "two factors that are not negative"
    square = real("0 <= (x - c)**2")
    sign = real(at_most(0, SHARE), "1 < n")
    found = combine(part.claim, (signs, SHARE), (square, SHARE), (sign, 0), given=given)
    yield found, "their product, and a square"


def exhaustive(seed: int) -> int:
    """The variance on all small data sets: never less than what grids of values show, at each
    distance.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(4):
        size = rng.randint(2, 4)
        values = sorted(rng.sample(range(13), rng.randint(2, 4)))
        fast = Variance(values[0], values[-1])
        slow = FiniteQuery.of_multisets(fast.value, values, size)
        for data in slow.steps:
            for distance in range(size + 1):
                found = fast.local_within(data, distance)
                if found < slow.local_within(data, distance):
                    raise Refused(f"{data} moves by more within {distance}.")
                tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "Of sums of so many kept records, without x, that of the smallest ones is the"
        " smallest, and free records add least at a: so is their mean. If x is none of the"
        " smallest ones, it should be the next of them, which is nearest to that mean.",
        "Each of these moves is that of a data set within k replaced records, so that the"
        " largest of them is attained.",
    ),
    parts=(
        Statement(
            "moved",
            "the variance of n records with the sums T and Q of the others and of their"
            " squares",
            equal(
                spread(T + y, Q + y**2) - spread(T + x, Q + x**2),
                square_move(y, x, MEAN, n),
            ),
            by_prover("algebra"),
            ("1 < n",),
        ),
        Statement(
            "to the upper end",
            "a record above the mean moves on to the end",
            at_most(square_move(y, x, c, n), square_move(b, x, c, n)),
            once,
            ("1 < n", "c <= y", "y <= b"),
        ),
        Statement(
            "to the lower end",
            "and one below it to the other end",
            at_most(square_move(y, x, c, n), square_move(a, x, c, n)),
            once,
            ("1 < n", "y <= c", "a <= y"),
        ),
        Statement(
            "smaller mean",
            "the growth by a record that moves to b falls with the mean of the others",
            at_most(square_move(b, x, d, n), square_move(b, x, c, n)),
            twice,
            ("1 < n", "c <= d", "x <= b"),
        ),
        Statement(
            "to the mean",
            "so does the fall by a record above it that moves to the mean",
            at_most(square_move(x, d, d, n), square_move(x, c, c, n)),
            once,
            ("1 < n", "c <= d", "d <= x"),
        ),
        Statement(
            "peak",
            "the shipped best record of a total C is p if C is (n + 1) p - b",
            equal(best_record(TOTAL, b, n), p),
            by_prover("algebra"),
            ("1 < n",),
        ),
        Statement(
            "up to the peak",
            "a kept record that moves to b, with the rest of the total: it rises up to the peak",
            at_most(square_move(b, x, REST, n), square_move(b, y, NEXT, n)),
            peaked,
            ("1 < n", "x <= y", "y <= p"),
        ),
        Statement(
            "beyond the peak",
            "and falls beyond",
            at_most(square_move(b, x, REST, n), square_move(b, y, NEXT, n)),
            peaked,
            ("1 < n", "y <= x", "p <= y"),
        ),
        Statement(
            "largest",
            "no variance moves by more",
            at_most(square_move(y, x, c, n), square_move(b, a, a, n)),
            largest,
            ("1 < n", "a <= c", "c <= b", "a <= y", "y <= b"),
        ),
    ),
    sharp=(
        Statement(
            "all at one end",
            "a record at b among others at b that moves to a",
            equal(square_move(a, b, b, n), square_move(b, a, a, n)),
            by_prover("the same square"),
            ("1 < n",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a record that is at b already moves the variance as much as one that moves"
            " there",
            at_most(square_move(b, x, c, n), square_move(b, b, c, n)),
            ("1 < n", "x <= b", "c <= b", "0 <= c"),
        ),
        Falsehood(
            "the peak is the mean of all n records",
            equal(best_record(C, b, n), C / n),
            ("1 < n",),
        ),
    ),
    attacks=(Attack("the variance on all small data sets", exhaustive),),
    rules=(square_move, least_mean, best_record),
)
