"""Laplace noise on the frequencies of a histogram, for data sets that differ in one record.

Printed: z_j = theta_j + 2/(n alpha) L, with L a standard Laplace variable, is the noise of a
    differentially private histogram; here theta_j is the fraction of the n records in cell j, and
    one record may be replaced.
Proved: Replacing one record moves two frequencies by 1/n, up and down, or none. The density of the
    outputs, over all k cells or in the two that differ, then changes by a factor of at most
    exp(alpha), so the release is alpha-DP; the factor is attained, so the scale is the smallest.
Idea: abs(u - 1/n) <= abs(u) + 1/n in the one cell, abs(v + 1/n) <= abs(v) + 1/n in the other.
Source: Hall, Rinaldo and Wasserman, Random differential privacy, Section 5 (the noise in equation
    (5)).
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Theorem, absolute, assume, at_most,
    by_prover, combine, dominated, equal, example, excess, excess_is_positive, exp, expect,
    given_by, noise_scale, on_average, positive_part, proves, real, specialize, symbols, under,
)  # fmt: skip

u, v, n, alpha, d, k, z, p, q = symbols("u v n alpha d k z p q")
SCALE = noise_scale(n, alpha)
BEFORE, AFTER = absolute(u) + absolute(v), absolute(u - 1 / n) + absolute(v + 1 / n)
"""The noise in the two cells, in absolute values, as it looks from the one data set and from the
other.
"""
RATIO = exp((AFTER - BEFORE) / SCALE)
Z = Law("Z", ("u", "v"))
"""The law of the noise on the second data set, of which the density is exp(-after/scale), but for a
constant.
"""
CELLS = Law("C", ("z", "p", "q"))
"""A cell that is drawn at random from k: the output there, and the frequencies in the two data
sets.
"""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "ratio",
            "moving one record from one cell to another changes the density by a factor"
            " of at most exp(alpha)",
            at_most(RATIO, exp(alpha)),
            given=("n >= 1", "alpha > 0"),
        ),
        Statement(
            "all cells",
            "the log ratio of the densities over all k cells is at most alpha, if the"
            " frequencies differ by at most 2/n in all",
            at_most(
                k * (E(CELLS, absolute(z - q)) - E(CELLS, absolute(z - p))) / SCALE,
                alpha,
            ),
            given=("n >= 1", "alpha > 0", "k >= 1"),
            assuming={
                "moved": assume(at_most(k * E(CELLS, absolute(p - q)), 2 / n)),
                "finite": assume(at_most(0, E(CELLS, absolute(z - p)))),
            },
            witness=example(
                {"n": 2, "alpha": 1, "k": 2},
                {"C": [((0, 1, "1/2"), "1/2"), ((0, 0, "1/2"), "1/2")]},
            ),
        ),
        Statement(
            "private",
            "so the hockey stick at exp(alpha) is 0",
            at_most(E(Z, excess(RATIO, 1, exp(alpha))), 0),
            given=("n >= 1", "alpha > 0"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "below the frequency of the one cell and above that of the other, both"
            " triangle inequalities are equations",
            equal(absolute(u - d) - absolute(u) + absolute(v + d) - absolute(v), 2 * d),
            by_prover("the signs are known"),
            ("u <= 0", "v >= 0", "d >= 0"),
        ),
    ),
    rules=(noise_scale,),
)


@proves("ratio")
def ratio(part: Statement) -> Iterator[Step]:
    """Two triangle inequalities, multiplied by n alpha/2."""
    given = tuple(one for one in part.given if isinstance(one, str))
    one = under(real("abs(u - d) <= abs(u) + d", "d >= 0"), "d >= 0", "n >= 1")
    two = specialize(
        under(real("abs(u - d) <= abs(u) + abs(d)"), "n >= 1"), u=v, d=-1 / n
    )
    one = under(specialize(one, d=1 / n), *given)
    yield one, "the cell that gains a record"
    size = real("abs(-1/n) == 1/n", *given)
    two = combine(
        at_most(absolute(v + 1 / n), absolute(v) + 1 / n), two, size, given=given
    )
    yield two, "the cell that loses one"
    bound = combine(
        at_most((AFTER - BEFORE) / SCALE, alpha),
        (one, 1 / SCALE),
        (two, 1 / SCALE),
        given=given,
    )
    yield bound, "the sum"
    grows = specialize(real("exp(x) <= exp(y)", "x <= y"), y=alpha)
    yield (
        given_by(
            specialize(under(grows, "x <= alpha", *given), x=(AFTER - BEFORE) / SCALE),
            bound,
        ),
        "exp grows",
    )


@proves("all cells")
def all_cells(part: Statement) -> Iterator[Step]:
    """The triangle inequality in each cell, summed."""
    far, near = absolute(z - q), absolute(z - p)
    moved = part.assuming["moved"]
    line = specialize(
        real("abs(u) <= abs(v) + abs(w)", "u == v + w"), u=z - q, v=z - p, w=p - q
    )
    line = combine(
        at_most(far, near + absolute(p - q)),
        given_by(line, real(equal(z - q, z - p + (p - q)))),
    )
    yield line, "the triangle inequality in each cell"
    over = on_average(line, CELLS, part.assuming["finite"], moved)
    yield over, "over all cells"
    terms = (over, k / SCALE), (moved, 1 / SCALE)
    yield (
        combine(part.claim, *terms, given=part.given),
        "the frequencies differ by 2/n in all",
    )


@proves("private")
def private(part: Statement) -> Iterator[Step]:
    """A ratio that is nowhere above exp(alpha) exceeds it nowhere."""
    *_, (bound, _) = ratio(part)
    yield bound, "the ratio of the densities"
    zero = combine(at_most(RATIO - exp(alpha) * 1, 0), bound)
    given = tuple(one for one in part.given if isinstance(one, str))
    nowhere = positive_part(zero, real("0 <= 0"), *given)
    over = dominated(nowhere, Z, lower=excess_is_positive(RATIO, 1, exp(alpha), *given))
    yield expect(nowhere, Z, over), "so no event gains anything"


FALSEHOODS = (
    Falsehood(
        "half the scale is enough, as it is for adding or removing a record",
        at_most(exp(2 / n / (SCALE / 2)), exp(alpha)),
        ("n >= 1", "alpha > 0"),
    ),
)
