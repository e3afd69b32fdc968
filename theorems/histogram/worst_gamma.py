"""The largest probability of bad data of a sparse histogram, over all populations on k cells.

Printed: not in the sources.
Proved: Let U be the mass of the cells that the first n - 1 draws leave empty, and V the sum of the
    squares of their masses. Bad data have probability E[2U - U**2 - V], which is at most level**2 +
    sum_j h(p_j) for every real level, with h(p) = p (1-p)**(n-1) (2 - 2 level - p). The function h
    falls away from its one peak as long as it is positive. The largest cell has mass 1/k or more,
    so this bounds the supremum over all populations, within a share of order 1/n. That all cells
    are small is excluded by a line: if h(p) <= top - slope (p - start) for all of them, the sum is
    at most k top - slope (1 - k start). If a population reaches g, each cell of a worst population
    but the largest has h(p) >= peak - (bound - g); where these p form an interval on which the
    probability of bad data is concave along p_i + p_j = constant, which balls decide, they are
    equal, and one variable is left.
Idea: Given the first n - 1 draws the two last ones are bad if they differ and one is in an empty
    cell. U**2 is above its tangent, 2 level U - level**2: that is Jensen's inequality. The
    logarithm of h is a sum of concave ones.
Source: new here. The population of k - 1 cells of mass 1/(n+1) is that of histogram/privacy.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Falsehood, Fraction, Iterator, Law, Quantity, Random, Refused, Statement,
    Status, Step, Symbol, Theorem, Whole, absolute, assume, at_most, bad_probability, by_prover,
    cell_height, closed, combine, dominated, equal, exp, expect, formula, given_by, induct,
    integrable, linear, log, masses, real, relations, separable_bound, specialize, spread_bound,
    tower, under, worst_gamma,
)  # fmt: skip

U, V, level, p, y, n, u, v = map(Symbol, ("U", "V", "level", "p", "y", "n", "u", "v"))
D = Law("D", ("U", "V"), relations("0 <= U <= 1", "0 <= V <= 1"))
"""The mass of the cells that n - 1 draws leave empty, and the sum of the squares of their
masses.
"""
SLACK = Symbol("slack")
k, h, top, slope, start = map(Symbol, ("k", "h", "top", "slope", "start"))
C = Law(
    "C", ("h", "p"), (*relations("-1 <= h <= 1"), at_most(h, top - slope * (p - start)))
)
"""What a cell adds, and its mass, for a cell chosen at random among the k."""
BAD = 2 * U - U**2 - V
MEAN = (2 - 2 * level) * E(D, U) - E(D, V)
HERE, THERE = p * (1 - p) ** (n - 1) * u, y * (1 - y) ** (n - 1) * v
"""The height at p and at y, where u is 2 - 2 level - p and v is 2 - 2 level - y, both positive."""
LOGS = tuple(
    log(one) + (n - 1) * log(1 - one) + log(last) for one, last in ((p, u), (y, v))
)
AWAY = (p - y) / y + (n - 1) * (y - p) / (1 - y) + (u - v) / v
"""The slope of the logarithm at y, times p - y: there u - v is y - p."""


I1, I2, SAME, empty, x, z, w, c = map(
    Symbol, ("I1", "I2", "same", "empty", "x", "z", "w", "c")
)
PAST = ("U", "V")
DRAWS = Law(
    "D",
    (*PAST, "I1", "I2", "same"),
    relations(
        *(f"0 <= {one} <= 1" for one in (*PAST, "I1", "I2", "same")),
    ),
)
"""The first n - 1 draws by U and V, whether each of the last two is in a cell that they leave
empty, and whether both are in the same one of these.
"""
MISSED = Quantity("M", (n,))
"""The probability that n draws miss a cell."""
CELLS = Law("C", ("p", "empty"), relations("0 <= p", "p < 1", "0 <= empty <= 1"))
"""A cell chosen at random, by its mass, and whether n - 1 draws leave it empty."""


def along(at: Expr) -> Expr:
    """A function of one variable."""
    return Quantity("f", (at,))


def pair(part: Statement) -> Iterator[Step]:
    """Given the first draws, and then over them."""
    parts = {I1: 1, I2: 1, I1 * I2: -1, SAME: -1}
    body = I1 + I2 - I1 * I2 - SAME
    known = [integrable(fact, fact.relation.left) for fact in part.assuming.values()]
    split = linear(DRAWS, body, parts, *known, given=PAST)
    uses = zip(part.assuming.values(), parts.values(), strict=True)
    inner = combine(equal(E(DRAWS, body, PAST), BAD), split, *uses)
    yield inner, "given the first draws"
    marks = "0 <= I1 <= 1", "0 <= I2 <= 1", "0 <= same <= 1"
    size = dominated(real(at_most(absolute(body), 4), *marks), DRAWS)
    joined = tower(DRAWS, body, PAST, size)
    over = expect(inner, DRAWS, integrable(joined, joined.relation.left))
    yield combine(part.claim, (joined, -1), over), "averaged over them"


def missed(part: Statement) -> Iterator[Step]:
    """One draw more."""
    so_far = assume(equal(MISSED, (1 - p) ** n), "p < 1")
    step = combine(
        equal(MISSED.at(n=n + 1), (1 - p) ** (n + 1)),
        part.assuming["one more"],
        (so_far, 1 - p),
        given=("p < 1",),
    )
    yield step, "it misses too"
    base = combine(
        equal(MISSED.at(n=0), 1), part.assuming["no draws"], given=("p < 1",)
    )
    yield induct(base, step, "n"), "draw after draw"


def cells(part: Statement) -> Iterator[Step]:
    """Given the cell, and then over the cells."""
    known = part.assuming["empty"]
    body = (2 - 2 * level) * (p * empty) - p**2 * empty
    factor = (2 - 2 * level) * p - p**2
    split = linear(
        CELLS, body, {empty: factor}, integrable(known, known.relation.left), given="p"
    )
    height = cell_height(p, n, level)
    inner = combine(equal(E(CELLS, body, "p"), height), split, (known, factor))
    yield inner, "given the cell"
    share = dominated(
        real("p*empty <= 1", "0 <= p", "p < 1", "0 <= empty <= 1"),
        CELLS,
        lower=real("0 <= p*empty", "0 <= p", "0 <= empty"),
    )
    square = dominated(
        real("p**2*empty <= 1", "0 <= p", "p < 1", "0 <= empty <= 1"),
        CELLS,
        lower=real("0 <= p**2*empty", "0 <= empty"),
    )
    whole = linear(
        CELLS, body, {p * empty: 2 - 2 * level, p**2 * empty: -1}, share, square
    )
    joined = tower(CELLS, body, "p", integrable(whole, E(CELLS, body)))
    over = expect(inner, CELLS, integrable(joined, joined.relation.left))
    yield combine(part.claim, (joined, -1), over), "averaged over the cells"


def middle(part: Statement) -> Iterator[Step]:
    """Half of each end."""
    same = part.assuming["symmetric"]
    yield (
        combine(part.claim, part.assuming["concave"], (same, Fraction(1, 2))),
        "the mean of two equal values",
    )


def tangent(part: Statement) -> Iterator[Step]:
    """A short way along the segment."""
    chord = part.assuming["concave"]
    smooth = part.assuming["derivative"]
    near = combine(
        at_most(along(y), along(x) + slope * (y - x) + c * w),
        (under(chord, "0 < w", "w <= 1"), 1 / w),
        (under(smooth, "0 < w", "w <= 1"), 1 / w),
    )
    yield near, "a share w of the way"
    share = SLACK / (1 + SLACK) / (1 + c**2)
    there = under(
        specialize(under(near, *near.domain, "slack > 0"), w=share), "slack > 0"
    )
    less = combine(
        at_most(along(y), along(x) + slope * (y - x) + SLACK),
        there,
        rest=SLACK - c * share,
    )
    yield closed(less, SLACK.name), "and w as small as we like"


def separable(part: Statement) -> Iterator[Step]:
    """The square is above its tangent at the level."""
    tangent = real(at_most(BAD, separable_bound(level, (2 - 2 * level) * U - V)))
    yield tangent, "(U - level)**2 is not negative"
    one, two = (
        dominated(real(f"abs({one}) <= 1", f"0 <= {one} <= 1"), D) for one in ("U", "V")
    )
    inside = dominated(
        real("abs(2*U - U**2 - V) <= 3", "0 <= U <= 1", "0 <= V <= 1"), D
    )
    line = linear(
        D,
        tangent.relation.right,
        {U: 2 - 2 * level, V: formula(-1)},
        one,
        two,
        constant=level**2,
    )
    over = expect(tangent, D, inside, integrable(line, E(D, tangent.relation.right)))
    yield combine(part.claim, over, line), "the mean of both sides"


def falls(part: Statement) -> Iterator[Step]:
    """Three tangents of the logarithm."""
    given = tuple(map(str, part.given))
    tangent = real("log(a) <= log(b) + (a - b)/b", "a > 0", "b > 0")
    one, two, three = (
        under(
            specialize(under(tangent, "a > 0", "b > 0", *given), a=at, b=near), *given
        )
        for at, near in ((p, y), (1 - p, 1 - y), (u, v))
    )
    yield three, "the logarithm lies below its tangents"
    sum_ = combine(
        at_most(LOGS[0], LOGS[1] + AWAY), one, (two, n - 1), three, given=given
    )
    yield sum_, "their slopes add up to that of the logarithm of h"
    top = sum_.relation.right
    grows = real("exp(a) <= exp(b)", "a <= b", *given)
    grows = given_by(specialize(specialize(grows, a=LOGS[0]), b=top), sum_)
    ends = (
        real(equal(HERE, exp(LOGS[0])), *given),
        real(equal(THERE * exp(AWAY), exp(top)), *given),
    )
    yield combine(part.claim, grows, *ends), "exp grows"


def beyond(part: Statement) -> Iterator[Step]:
    """The last factor is not positive."""
    given = tuple(map(str, part.given))
    last = real("2 - 2*level - p <= 0", *given)
    yield last, "the last factor"
    yield (
        combine(part.claim, (last, p * (1 - p) ** (n - 1)), given=given),
        "times the others",
    )


def spread(part: Statement) -> Iterator[Step]:
    """The mean over the cells, each with the same weight."""
    mass = part.assuming["mass"]
    line = real(
        at_most(h, top - slope * (p - start)), at_most(h, top - slope * (p - start))
    )
    finite = integrable(mass, E(C, p))
    ends = dominated(real("abs(h) <= 1", "-1 <= h <= 1"), C)
    right = linear(
        C, line.relation.right, {p: -slope}, finite, constant=top + slope * start
    )
    over = expect(line, C, ends, integrable(right, E(C, line.relation.right)))
    yield over, "cell by cell"
    given = tuple(map(str, part.given))
    mean = combine(
        at_most(E(C, h), top + slope * start - slope / k),
        over,
        right,
        (mass, -slope),
        given=given,
    )
    yield mean, "the masses add up to 1"
    yield (
        combine(part.claim, (mean, k), given=given),
        "k times the mean, and the square of the level",
    )


def attack(seed: int) -> int:
    """Random populations, and some near the worst one, against the bound."""
    rng = Random(seed)
    for _ in range(40):
        size = rng.randint(2, 6)
        records = rng.choice((1, 2, 3, 5, 10, 30, 60))
        most = worst_gamma(records, size).upper
        near = [
            Fraction(rng.randint(70, 130), 100 * (records + size))
            for _ in range(size - 1)
        ]
        for cells in (masses(rng, size), (*near, 1 - sum(near, Fraction(0)))):
            if bad_probability(cells, records) > most:
                raise Refused(
                    f"{cells} and {records} records have more bad data than"
                    f" {float(most)}."
                )
    return 80


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "a worst population exists, as the probability is continuous on a compact set",
        "a function whose second derivative is nowhere positive is concave: balls"
        " enclose it, with the rules for products and powers, on pieces of the interval",
    ),
    parts=(
        Statement(
            "pair",
            "bad data have the probability E[2U - U**2 - V]: one of the last two draws"
            " is in an empty cell, and they are not in the same one",
            equal(E(DRAWS, I1 + I2 - I1 * I2 - SAME), E(DRAWS, BAD)),
            pair,
            (),
            {
                "first": assume(equal(E(DRAWS, I1, PAST), U)),
                "second": assume(equal(E(DRAWS, I2, PAST), U)),
                "both": assume(equal(E(DRAWS, I1 * I2, PAST), U**2)),
                "same": assume(equal(E(DRAWS, SAME, PAST), V)),
            },
        ),
        Statement(
            "missed",
            "n independent draws miss a cell of mass p with probability (1 - p)**n",
            equal(MISSED, (1 - p) ** n),
            missed,
            ("p < 1", Whole("n", 0)),
            {
                "no draws": assume(equal(MISSED.at(n=0), 1)),
                "one more": assume(
                    equal(MISSED.at(n=n + 1), (1 - p) * MISSED), every="n"
                ),
            },
        ),
        Statement(
            "cells",
            "what a cell chosen at random adds to (2 - 2 level) U - V, in the mean over"
            " the draws that leave it empty: U is the sum of the masses p of the empty"
            " ones, and V of their squares",
            equal(
                E(CELLS, (2 - 2 * level) * (p * empty) - p**2 * empty),
                E(CELLS, cell_height(p, n, level)),
            ),
            cells,
            (),
            {"empty": assume(equal(E(CELLS, empty, "p"), (1 - p) ** (n - 1)))},
        ),
        Statement(
            "middle",
            "a function that is concave along a segment, and the same at its two ends,"
            " is at least as large in the middle",
            at_most(along(x), along(z)),
            middle,
            (),
            {
                "concave": assume(at_most((along(x) + along(y)) / 2, along(z))),
                "symmetric": assume(equal(along(x), along(y))),
            },
        ),
        Statement(
            "tangent",
            "a concave function with a derivative lies below its tangent",
            at_most(along(y), along(x) + slope * (y - x)),
            tangent,
            (),
            {
                "concave": assume(
                    at_most((1 - w) * along(x) + w * along(y), along(x + w * (y - x))),
                    "0 <= w",
                    "w <= 1",
                    every="w",
                ),
                "derivative": assume(
                    at_most(
                        along(x + w * (y - x)),
                        along(x) + w * slope * (y - x) + c * w**2,
                    ),
                    "0 <= w",
                    "w <= 1",
                    every="w",
                ),
            },
        ),
        Statement(
            "separable",
            "for every level, bad data are at most as likely as a sum over the cells",
            at_most(E(D, BAD), separable_bound(level, MEAN)),
            separable,
        ),
        Statement(
            "one cell",
            "what a cell of mass p adds to the sum",
            equal(
                (2 - 2 * level) * (p * (1 - p) ** (n - 1)) - p**2 * (1 - p) ** (n - 1),
                cell_height(p, n, level),
            ),
            by_prover("p (1-p)**(n-1) is a factor"),
            ("p < 1",),
        ),
        Statement(
            "falls away from the peak",
            "log h lies below its tangent at y, so that h(p) <= h(y) where the slope"
            " there leads from p towards y",
            at_most(HERE, THERE * exp(AWAY)),
            falls,
            ("0 < p < 1", "0 < y < 1", "u > 0", "v > 0", "n >= 1"),
        ),
        Statement(
            "not positive beyond",
            "a cell of mass 2 - 2 level or more adds nothing",
            at_most(cell_height(p, n, level), 0),
            beyond,
            ("0 <= p < 1", "2 - 2*level <= p"),
        ),
        Statement(
            "spread",
            "if every cell adds at most top - slope (p - start), so does their sum",
            at_most(
                separable_bound(level, k * E(C, h)),
                spread_bound(k, level, start, top, slope),
            ),
            spread,
            ("k >= 1",),
            {"mass": assume(equal(E(C, p), 1 / k))},
        ),
        Statement(
            "light cells",
            "in a population that reaches g, a light cell adds at least the peak less"
            " the distance of g from the bound",
            at_most(
                Symbol("peak")
                - (level**2 + Symbol("rest") + Symbol("peak") - Symbol("g")),
                Symbol("h"),
            ),
            by_prover("the rest adds no more than in the bound"),
            ("g <= level**2 + rest + h",),
        ),
    ),
    sharp=(
        Statement(
            "no draws before",
            "for n = 1 all cells are empty, and the bound at level 1 is the probability"
            " that two draws differ",
            equal(separable_bound(1, -V), 1 - V),
            by_prover("1 - V"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the square of the level may be left out",
            at_most(2 * U - U**2 - V, (2 - 2 * level) * U - V),
            ("0 <= U <= 1", "0 <= V <= 1", "0 <= level <= 1"),
        ),
    ),
    attacks=(Attack("random populations, and some near the worst", attack),),
    rules=(worst_gamma, separable_bound, spread_bound, cell_height),
)
