"""Rounding at random that keeps the mean: a law above and one below, from the same masses.

Printed: not in the sources.
Proved: Let X be a ratio of two laws under the second, and let it be rounded at random to a point of
    a grid such that the mean of the point given X is X. The excess E max(X - k, 0) at each level,
    and E max(1 - k X, 0), are at most those of the point, and at least those of the mean of X given
    the point. The shipped share of a cell keeps its mean, and so does a point between two that goes
    to each in halves. What is rounded beyond the last point adds at most what is missing from its
    mean; what is left out adds at most its mass with the record, or without it. Masses that are
    rounded down with the record and up without it have smaller excesses. A ratio of N(mu, 1) to
    N(0, 1) has a logarithm of at most v up to the shipped output.
Idea: Chords above, Jensen's inequality below.
Source: original to this package; the two ends of one cell are those of connecting the dots.
"""

from rdpacct.book.words import (
    Falsehood, Iterator, Statement, Status, Step, Symbol, Theorem, at_most, by_prover, combine,
    equal, given_by, maximum, output_with_ratio, positive_part, proves, real, specialize, under,
    upper_share,
)  # fmt: skip

q, p, low, high, k, x, y, s, v, mu = map(
    Symbol, ("q", "p", "low", "high", "k", "x", "y", "s", "v", "mu")
)
u, z = map(Symbol, ("u", "z"))
SHARE = upper_share(q, p, low, high)
SHARES = ("0 <= s", "s <= 1")

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "share",
            "the shipped share keeps the mean of a cell",
            equal((1 - SHARE) * low + SHARE * high, p / q),
            by_prover("the definition"),
            ("0 < q", "low < high"),
        ),
        Statement(
            "no more than all",
            "which is a share if the mean is in the cell",
            at_most(SHARE, 1),
            by_prover("a quotient of at most 1"),
            ("0 < q", "low < high", "p <= high*q"),
        ),
        Statement(
            "chord",
            "two ends with the same mean have a larger excess",
            at_most(
                maximum((1 - s) * low + s * high - k, 0),
                (1 - s) * maximum(low - k, 0) + s * maximum(high - k, 0),
            ),
            given=SHARES,
        ),
        Statement(
            "pooled",
            "two outcomes that are not told apart have a smaller excess, if x and y are their p - k"
            " q",
            at_most(maximum(x + y, 0), maximum(x, 0) + maximum(y, 0)),
        ),
        Statement(
            "beyond",
            "at the last point only what is missing from the mean is lost",
            at_most(maximum(x - k, 0), maximum(high - k, 0) + x - high),
            given=("high <= x",),
        ),
        Statement(
            "left out",
            "an outcome adds at most its mass under the first law",
            at_most(maximum(p - k * q, 0), p),
            given=("0 <= p", "0 <= k", "0 <= q"),
        ),
        Statement(
            "rounded",
            "smaller masses under the first law and larger ones under the second have a smaller"
            " excess",
            at_most(maximum(u - k * z, 0), maximum(p - k * q, 0)),
            given=("u <= p", "q <= z", "0 <= k"),
        ),
        Statement(
            "output",
            "the logarithm of the ratio at the shipped output is v",
            equal(mu * output_with_ratio(v, mu) - mu**2 / 2, v),
            by_prover("the definition"),
            ("0 < mu",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a point in the middle of a cell has the excess of its two ends",
            equal(
                maximum((low + high) / 2 - k, 0),
                maximum(low - k, 0) / 2 + maximum(high - k, 0) / 2,
            ),
            ("low < high",),
        ),
        Falsehood(
            "equal shares of the two ends keep the mean of every cell",
            equal(SHARE, 1 / (1 + p / p)),
            ("0 < q", "low < high", "low*q < p", "p < high*q"),
        ),
    ),
    in_words=(
        "Sums of independent numbers, each rounded on its own, are compared one number after the"
        " other, given the rest; the sum of the points has the mean of the sum given the numbers,"
        " and its own rounding keeps that.",
        "The mean of X given the point is the ratio of the two masses of the point; any grouping of"
        " points at random is post-processing.",
        "Products of whole numbers are rounded down, and points at the ends are left out, so that"
        " what is lost is what the totals lack; all of it counts as told for certain above, and as"
        " nothing below. How much was rounded off is added up, and masses without the record are"
        " larger by that.",
    ),
    rules=(upper_share, output_with_ratio),
)


@proves("chord")
def chord(part: Statement) -> Iterator[Step]:
    """Each line is at most its positive part."""
    rest = real("0 <= (1 - s)*(max(u, 0) - u)", "s <= 1")
    share = real("0 <= s*(max(u, 0) - u)", "0 <= s")
    lines = (specialize(rest, u=low - k), specialize(share, u=high - k))
    none = real("0 <= (1 - s)*max(u, 0)", "s <= 1")
    some = real("0 <= s*max(u, 0)", "0 <= s")
    floors = (specialize(none, u=low - k), specialize(some, u=high - k))
    middle = (1 - s) * low + s * high - k
    upper = combine(at_most(middle, part.claim.right), *lines, given=part.given)
    lower = combine(at_most(0, part.claim.right), *floors, given=part.given)
    yield upper, "the line"
    yield lower, "and zero"
    yield under(positive_part(upper, lower, *part.given), *part.given), "the larger"


@proves("pooled")
def pooled(part: Statement) -> Iterator[Step]:
    """A positive part of a sum is at most the sum of those."""
    line = real("u <= max(u, 0)")
    floor = real("0 <= max(u, 0)")
    right = part.claim.right
    lines = (specialize(line, u=x), specialize(line, u=y))
    floors = (specialize(floor, u=x), specialize(floor, u=y))
    upper = combine(at_most(x + y, right), *lines)
    lower = combine(at_most(0, right), *floors)
    yield upper, "the lines"
    yield lower, "and zero"
    larger = positive_part(upper, lower)
    yield combine(part.claim, larger), "the larger of the two"


@proves("beyond")
def beyond(part: Statement) -> Iterator[Step]:
    """The excess rises no faster than the ratio."""
    line = specialize(real("u <= max(u, 0)"), u=high - k)
    floor = specialize(real("0 <= max(u, 0)"), u=high - k)
    far = real("high <= x", "high <= x")
    right = part.claim.right
    upper = combine(at_most(x - k, right), line, given=part.given)
    lower = combine(at_most(0, right), floor, far, given=part.given)
    yield upper, "the line"
    yield lower, "and zero"
    yield under(positive_part(upper, lower, *part.given), *part.given), "the larger"


@proves("left out")
def left_out(part: Statement) -> Iterator[Step]:
    """What is taken off is not negative."""
    upper = real("p - k*q <= p", "0 <= k", "0 <= q")
    yield upper, "less is taken off"
    rule = specialize(real("max(u, 0) <= v", "u <= v", "0 <= v"), u=p - k * q, v=p)
    yield under(given_by(rule, upper), *part.given), "the larger of the two"


@proves("rounded")
def rounded(part: Statement) -> Iterator[Step]:
    """The line is smaller."""
    line = specialize(real("u <= max(u, 0)"), u=p - k * q)
    floor = specialize(real("0 <= max(u, 0)"), u=p - k * q)
    more = real("0 <= k*(z - q)", "q <= z", "0 <= k")
    less = real("u <= p", "u <= p")
    right = part.claim.right
    upper = combine(at_most(u - k * z, right), line, more, less, given=part.given)
    lower = combine(at_most(0, right), floor, given=part.given)
    yield upper, "the line"
    yield lower, "and zero"
    yield under(positive_part(upper, lower, *part.given), *part.given), "the larger"
