"""The error of the sparse histogram.

Printed: If 2k <= gamma n and theta has r nonzero cells, 1 <= r < k, then norm(theta - delta(z)) =
    O_P(r/(alpha n)), in L1. In the proof: the event that all L_j > -n alpha theta_j/2 fails with
    exponentially small probability, and on it norm(delta(z) - z) <= r/n <= r/(alpha n).
Proved: Let delta(z) be an L1-nearest histogram to z. Then norm(delta(z) - theta) <= 2 norm(z -
    theta) = 4 G/(alpha n), where G is a sum of r independent standard exponential variables. So the
    mean error is at most 4 r/(alpha n), and with probability at least 1 - exp(-r y**2/2) the error
    is below (4 r/(alpha n)) (1 + y + y**2/2), for every y >= 0. The positive parts of z divided by
    their sum are such a nearest histogram: with s the sum of the positive parts and m that of the
    negative ones, without sign, they are at distance m + abs(s - 1), and no histogram is nearer.
    With y = sqrt(2 log(1/beta)) and r >= 1 that probability is at least 1 - beta: O_P(r/(alpha n))
    with its constant.
Idea: theta is itself a histogram, so delta(z) is no further from z than theta is. The exponential
    moment of abs(L) is 1/(1 - t); Chernoff at t = y/(1 + y).
Source: Hall, Rinaldo and Wasserman, Random differential privacy, Theorem 5.2.
Finding (gap): The conclusion holds; each of the two steps of the printed proof holds in one reading
    only. "Exponentially small" is right for a fixed theta, as n grows; for the frequencies of a
    sample it is not: at theta_j = 1/n, the smallest nonzero one, the event fails with probability
    exp(-alpha/2)/2 in that cell alone, however large n is. And norm(delta(z) - z) <= r/n depends on
    what delta(z) is: equation (2), which defines it, is not in the section. If delta(z) is the
    nearest histogram, the reading taken here, it is false: for theta = (1, 0) it is 2 abs(L)/(n
    alpha), above 1/n if abs(L) > alpha/2. Also r/n <= r/(alpha n) needs alpha <= 1.
"""

from rdpacct.book.words import (
    Density, E, Fact, Falsehood, Fraction, Iterator, LAPLACE, Quantity, Refutation, Statement,
    Status, Step, Stretch, Symbol, Theorem, Whole, absolute, assume, at_most, below, by_prover,
    cases, chain, combine, dominated, equal, event, example, exp, expect, finite, formula,
    integrable, integrate, lowest, marginal, nearest_histogram, on_average, one_by_one, proves,
    real, renewed, sequences_averaged as averaged, specialize, sum_by_sum, symbols, tail_level,
    tower, under,
)  # fmt: skip

x, t, y, r, g, n, alpha, A, a = symbols("x t y r g n alpha A a")
NOISE = Density(
    "L",
    ("x",),
    (),
    (Stretch(None, formula(0), exp(x) / 2), Stretch(formula(0), None, exp(-x) / 2)),
)
GAMMA = chain("G", {"g": (0, g + absolute(x))}, NOISE, r)
"""The sum g of the absolute values of the noise in r cells, of scale 1, and the noise in the next
cell, which is independent of it.
"""
LEVEL = tail_level(r, y)
FAR = event(GAMMA, "A", at_most(LEVEL, g))
s, m, taken, FAR_OFF = Symbol("s"), Symbol("m"), Symbol("taken"), Quantity("far", ())
"""The sums of the parts of z, what some histogram has where z is negative, and its distance from
z.
"""
D1, D2, D3 = (
    Quantity("delta_theta", ()),
    Quantity("delta_z", ()),
    Quantity("theta_z", ()),
)
"""The L1 distances of delta(z) and theta, of delta(z) and z, and of theta and z."""
HALF = Fraction(1, 2)
CELL = Statement(
    "one cell",
    "the moment of one absolute value",
    equal(E(NOISE, exp(t * absolute(x))), 1 / (1 - t)),
    given=("0 <= t < 1",),
)
MEAN = Statement("mean", "its mean", equal(E(NOISE, absolute(x)), 1))
CELLS = Statement(
    "all cells",
    "the moment of the sum over r cells",
    equal(E(GAMMA, exp(t * g)), (1 - t) ** (-r)),
    given=("0 <= t < 1", Whole("r", 0)),
)

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "nearest",
            "the nearest histogram is at most twice as far from theta as z is",
            at_most(D1, 2 * D3),
            assuming={
                "triangle": assume(at_most(D1, D2 + D3)),
                "theta is a histogram": assume(at_most(D2, D3)),
            },
        ),
        Statement(
            "scaled cells",
            "dividing the positive parts by their sum moves a cell by its share of"
            " abs(s - 1)",
            equal(absolute(x / s - x), x / s * absolute(s - 1)),
            by_prover("x/s - x is x/s times 1 - s"),
            ("x >= 0", "s > 0"),
        ),
        Statement(
            "no histogram is nearer",
            "the cells where z is negative move by m and what they get, the others by"
            " at least what is missing to 1",
            at_most(m + absolute(s - 1), FAR_OFF),
            given=("taken >= 0",),
            assuming={
                "distance": assume(
                    at_most(m + taken + absolute(s - 1 + taken), FAR_OFF)
                )
            },
        ),
        CELL,
        MEAN,
        CELLS,
        Statement(
            "mean of all",
            "the mean of the sum, so that the mean error is at most 4 r/(alpha n)",
            equal(E(GAMMA, g), r),
            given=(Whole("r", 0),),
        ),
        Statement(
            "tail",
            "the sum is r (1 + y + y**2/2) or more with a probability of at most exp(-r"
            " y**2/2)",
            at_most(E(FAR, A), exp(-r * y**2 / 2)),
            given=("y >= 0", "r >= 1", Whole("r", 0)),
        ),
    ),
    sharp=(
        Statement(
            "twice is attained",
            "for theta = (1/2, 1/2) and z = (1, 1/2), (1, 0) is as near to z as theta,"
            " and twice as far from theta",
            equal(
                absolute(1 - HALF) + absolute(0 - HALF),
                2 * (absolute(1 - HALF) + absolute(HALF - HALF)),
            ),
            by_prover("1 is twice 1/2"),
        ),
    ),
    rules=(nearest_histogram, tail_level),
)

MASS = (exp(x) / 2, -exp(-x) / 2)


@proves("nearest")
def twice(part: Statement) -> Iterator[Step]:
    """The triangle inequality, and that theta competes with delta(z)."""
    yield combine(part.claim, *part.assuming.values()), "theta is a histogram too"


@proves("no histogram is nearer")
def none_nearer(part: Statement) -> Iterator[Step]:
    """What a histogram has where z is negative is missing elsewhere."""
    given = tuple(one for one in part.given if isinstance(one, str))
    least = specialize(
        real("abs(u - taken) <= abs(u) + taken", *given), u=s - 1 + taken
    )
    yield least, "the triangle inequality"
    yield (
        combine(part.claim, least, part.assuming["distance"]),
        "and m is moved in any case",
    )


def _signs() -> tuple[tuple[Fact, ...], ...]:
    return (real("abs(x) == -x", "x <= 0"),), (real("abs(x) == x", "x >= 0"),)


@proves("one cell")
def one_cell(part: Statement) -> Iterator[Step]:
    """An antiderivative on each side of 0."""
    given = tuple(one for one in part.given if isinstance(one, str))
    sides = exp((1 - t) * x) / (2 * (1 - t)), -exp(-(1 - t) * x) / (2 * (1 - t))
    found = integrate(NOISE, exp(t * absolute(x)), sides, MASS, *given, on=_signs())
    yield found, "by antiderivatives"
    yield combine(part.claim, found, given=given), "the value"


@proves("mean")
def mean(part: Statement) -> Iterator[Step]:
    """An antiderivative on each side of 0."""
    found = integrate(
        NOISE,
        absolute(x),
        ((1 - x) * exp(x) / 2, -(1 + x) * exp(-x) / 2),
        MASS,
        on=_signs(),
    )
    yield combine(part.claim, found), "by antiderivatives"


@proves("all cells")
def all_cells(part: Statement) -> Iterator[Step]:
    """The noise in the cells is independent."""
    each = renewed(GAMMA, THEOREM.part("one cell").fact())
    yield each, "one cell more, whatever the sum so far"
    size = exp(t * absolute(x))
    yield from one_by_one(part.claim, GAMMA, size, each, "0 <= t < 1", name="r")


@proves("mean of all")
def mean_of_all(part: Statement) -> Iterator[Step]:
    """Means add up."""
    each = renewed(GAMMA, THEOREM.part("mean").fact())
    positive = real(at_most(0, absolute(x)))
    least = expect(positive, GAMMA, finite(each), given="g")
    inside = dominated(
        combine(at_most(each.relation.left, 1), each), GAMMA, lower=least
    )
    whole = tower(GAMMA, absolute(x), "g", inside, positive)
    size = averaged(GAMMA, each, integrable(whole, E(GAMMA, absolute(x))))
    yield size, "the mean of one cell more"
    yield from sum_by_sum(part.claim, GAMMA, absolute(x), size, name="r")


@proves("tail")
def tail(part: Statement) -> Iterator[Step]:
    """Chernoff at the rate y/(1 + y)."""
    given = ("y >= 0", "r >= 1")
    rate = y / (1 + y)
    all_of_them = THEOREM.part("all cells").fact()
    moments = under(
        specialize(under(all_of_them, *all_of_them.domain, "y >= 0"), t=rate),
        *part.given,
    )
    yield moments, "the moment at the rate y/(1 + y)"
    above = cases(FAR, at_most(A, exp(rate * (g - LEVEL))), *given)
    yield above, "the indicator is below an exponential"
    body = exp(rate * g)
    same = marginal(FAR, GAMMA, body, integrable(moments, E(GAMMA, body)))
    flag = dominated(cases(FAR, at_most(absolute(A), 1), *given), FAR)
    apart = combine(at_most(A, exp(-rate * LEVEL) * body), above, given=given)
    over = on_average(apart, FAR, flag, same, where=given)
    value = real(
        at_most((1 - rate) ** (-r) * exp(-rate * LEVEL), exp(-r * y**2 / 2)), *given
    )
    yield value, "log(1 + y) <= (y + y**2/2)/(1 + y)"
    found = combine(part.claim, over, same, moments, value)
    yield under(found, *part.given), "Markov"


LOW = event(LAPLACE, "A", at_most(x, -a))


def not_small() -> Refutation:
    """The smallest nonzero frequency is 1/n: there n alpha theta/2 is alpha/2."""
    found = lowest(LOW, a, "a > 0")
    here = under(specialize(found, a=HALF))
    large = real(below(exp(formula(-3)), here.relation.right))
    fails = combine(below(exp(formula(-3)), here.relation.left), here, large)
    return Refutation(
        "theta_j = 1/n: the event fails with probability 0.303 at alpha = 1, for every"
        " n",
        (fails,),
    )


FALSEHOODS = (
    Falsehood(
        "the event of the printed proof fails with a probability that is"
        " exponentially small in n, here for theta_j = 1/n",
        at_most(E(LOW.at(a=alpha / 2), A), exp(-alpha * n * Fraction(3, 4))),
        ("alpha > 0", "n >= 4"),
        refutation=not_small,
        instance=example({"alpha": 1, "n": 4}),
    ),
    Falsehood(
        "norm(delta(z) - z) <= r/n, for theta = (1, 0) and r = 1",
        at_most(2 * x / (n * alpha), 1 / n),
        ("x > 0", "n >= 1", "alpha > 0"),
    ),
)
