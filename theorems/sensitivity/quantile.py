"""A new value above a sample quantile: how likely that is.

Printed: With D the empirical distribution of m = n/2 independent values of h, d the smallest d with
    D(d) = 1 - delta, and delta < delta': P(h > d) <= delta' + 2 exp(-(delta' - delta)**2 n).
Proved: With d the k-th smallest of the m values, P(h > d) <= (m + 1 - k)/(m + 1), ties allowed. If
    k >= (1 - delta) m that is at most delta + (1 - delta)/(m + 1), which is below delta' +
    exp(-(delta' - delta)**2 n), the printed bound without its factor 2, for every delta' >= delta.
    The value h and the m values need only be exchangeable. If h is that of the two records in which
    X and X' differ, P(h > min(d(X), d(X'))) <= (m + 1 - k)/m: X and X' have m - 1 values in common,
    and d is at least the smallest but k - 2 of these; or all m, if n is odd and the replaced record
    is in no pair.
Idea: Among m + 1 exchangeable values each is equally likely to be the new one, and at most m + 1 -
    k of them have k strictly below them.
Source: Hall, Rinaldo and Wasserman, section 6, after equation (12).
Finding (gap): "The smallest d with D(d) = 1 - delta" need not exist (two values, delta = 1/4: D
    takes 0, 1/2 and 1); read >=.
Finding: The bound is then true, but weak: no DKW inequality is needed, and the excess over delta is
    at most 1/(m + 1), not of the order sqrt(log(n)/n).
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Nested, Sample, Statement, Status, Step, Symbol, Table, Theorem, Whole,
    all_zero, at_most, beyond_rank, combine, disjoint_bad, either, equal, example, exp, formula,
    given_by, maximum, order_statistics_k as k, proves, ranked, real, specialize, symbols, table,
    under,
)  # fmt: skip

m, delta, larger, y = symbols("m delta larger y")
V = ranked("V", m + 1, k)
ABOVE = E(V, Symbol("last"))
COMMON = Nested(Sample("few", "F", m - 1), Sample("many", "M", m))
"""The values that X and X' have in common, and those of one of them."""
RANK = ("1 <= m", "k <= m + 1")
LEVEL = (*RANK, "(1 - delta)*m <= k")
PAIR = Table(
    "W",
    ("first", "new"),
    rows=tuple(((formula(a), formula(1 - a)), formula(1) / 2) for a in (0, 1)),
)
UP = maximum(Symbol("new") - Symbol("first"), 0)

THEOREM = Theorem(
    verdict=Status.SHARPENED,
    parts=(
        Statement(
            "coverage",
            "at the k-th smallest value",
            at_most(ABOVE, (m + 1 - k) / (m + 1)),
            given=RANK,
        ),
        Statement(
            "level",
            "at the level delta",
            at_most(ABOVE, delta + (1 - delta) / (m + 1)),
            given=LEVEL,
        ),
        Statement(
            "common",
            "the k-th smallest of the m values is at least the smallest but k - 2 of the"
            " m - 1 common ones",
            at_most(COMMON.few.value(k - 1), COMMON.many.value(k)),
            given=(Whole("k", 2), Whole("m", 1), "k <= m"),
            assuming=COMMON.definition(),
            witness=all_zero({"m": 3, "k": 2, "x": 0}, COMMON.few, COMMON.many),
        ),
        Statement(
            "shared",
            "the replaced pair, if m - 1 values are common to X and X'",
            at_most(E(ranked("V", m, k - 1), Symbol("last")), disjoint_bad(m, k)),
            given=RANK,
        ),
        Statement(
            "unpaired",
            "the replaced pair, if all m are",
            at_most(ABOVE, disjoint_bad(m, k)),
            given=RANK,
        ),
        Statement(
            "below printed",
            "the new bound is below the printed one, even without its factor 2",
            at_most(
                delta + (1 - delta) / (m + 1),
                larger + exp(-2 * m * (larger - delta) ** 2),
            ),
            given=("1 <= m", "0 <= delta", "delta <= larger"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "for m = k = 1 by two values in random order",
            equal(E(PAIR, UP), formula(1) / 2),
        ),
    ),
    rules=(disjoint_bad,),
)


@proves("coverage")
def coverage(part: Statement) -> Iterator[Step]:
    """Exchange the new value with the others."""
    found = beyond_rank(m + 1, k, *part.given)
    yield found, "each value is equally likely to be the new one"
    yield combine(part.claim, found), "counted"


@proves("level")
def level(part: Statement) -> Iterator[Step]:
    """k >= (1 - delta) m."""
    found = beyond_rank(m + 1, k, *part.given)
    yield found, "each value is equally likely to be the new one"
    rank = real(at_most((1 - delta) * m, k), *part.given)
    yield (
        combine(part.claim, found, (rank, 1 / (m + 1)), given=part.given),
        "at this rank",
    )


@proves("common")
def common(part: Statement) -> Iterator[Step]:
    """One value less raises a rank by one at most."""
    found = specialize(COMMON.few_at_most(), k=k - 1)
    yield under(found, *part.given), "k - 1 of the common values are at most d"


@proves("shared")
def shared(part: Statement) -> Iterator[Step]:
    """The k - 1-st smallest of m - 1 common values."""
    found = beyond_rank(m, k - 1, *part.given)
    yield (
        found,
        (
            "each of the m - 1 common values and the new one is equally likely to be"
            " the new one"
        ),
    )
    yield combine(part.claim, found), "counted"


@proves("unpaired")
def unpaired(part: Statement) -> Iterator[Step]:
    """The k-th smallest of m common values; one value less makes the bound larger."""
    found = beyond_rank(m + 1, k, *part.given)
    yield found, "each value is equally likely to be the new one"
    room = real("0 <= m + 1 - k", *part.given)
    yield (
        combine(part.claim, found, (room, 1 / (m * (m + 1))), given=part.given),
        "1/(m + 1) <= 1/m",
    )


@proves("below printed")
def printed(part: Statement) -> Iterator[Step]:
    """Either the printed margin is at least 1/(m + 1), or its exponential is more than 1/2."""
    claim = at_most(1 / (m + 1), y + exp(-2 * m * y**2))
    wide = real(claim, "1 <= m", "0 <= y", "1/(m + 1) <= y")
    rate = real("2*m*y**2 <= 1/2", "1 <= m", "0 <= y", "y <= 1/(m + 1)")
    yield rate, "a small margin has a small exponent"
    curve = specialize(real("1/2 <= exp(-x)", "x <= 1/2"), x=2 * m * y**2)
    half = under(given_by(curve, rate), "1 <= m", "0 <= y", "y <= 1/(m + 1)")
    small = combine(
        claim, half, real("1/(m + 1) <= 1/2", "1 <= m"), real("0 <= y", "0 <= y")
    )
    joined = either(wide, under(small, "1 <= m", "0 <= y", "y <= 1/(m + 1)"))
    yield joined, "in both cases"
    moved = under(specialize(joined, y=larger - delta), *part.given)
    more = real(at_most(0, delta / (m + 1)), *part.given)
    yield combine(part.claim, moved, more), "for the margin delta' - delta"


@proves("attained")
def attained(part: Statement) -> Iterator[Step]:
    """Two values in random order."""
    yield combine(part.claim, table(PAIR, UP)), "0 and 1, or 1 and 0"


FALSEHOODS = (
    Falsehood(
        "the chance is at most 1 - k/m, as if the new value were one of the sample",
        at_most(ABOVE, 1 - k / m),
        RANK,
        instance=example({"m": 1, "k": 1}, {"V": [((0, 1), "1/2"), ((1, 0), "1/2")]}),
    ),
    Falsehood(
        "the bound at the level delta is delta itself",
        at_most(delta + (1 - delta) / (m + 1), delta),
        ("1 <= m", "0 <= delta", "delta < 1"),
    ),
)
