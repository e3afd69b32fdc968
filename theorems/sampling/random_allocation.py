"""Random allocation: a record in one of several steps, drawn uniformly, against none.

Printed: not in the sources.
Proved: Given the batches of all other records, which do not depend on that of the record, let R_i
    be the ratio of step i with the record to step i without it, given the outputs before. The
    density of all outputs with the record in one of t steps over those without it is the mean of
    R_1, ..., R_t. The excess at a level is a convex function of each R_i, whatever the others are:
    c + w R_i above a level is w times R_i above another one. Given the outputs before, that is
    largest if step i moves by mu standard deviations, the largest move, whatever was released; so
    from the last step back each R_i may be replaced by an independent ratio of N(mu, 1) to N(0, 1).
    So the mean of t independent ones dominates all steps, also those that depend on the outputs
    before; steps that all move by mu attain it. Adding the record has the excess 1 - k + k E
    max(mean - 1/k, 0), so that the same law decides both ways. One ratio alone is worse than the
    mean of several. A record in m of t steps is, given a random division of steps into m blocks of
    the same size and a rest, in one step of each block: its density is a mean of products of means,
    and each factor is again c + w R_i in each ratio; so m independent ones of a block dominate, and
    with one ratio alone for each, m steps that have the record for certain. The sum of all outputs
    has the shipped move, whatever the steps are that have the record.
Idea: Convex functions, one step after the other.
Source: Feldman and Shenfeld (2025), Privacy amplification by random allocation; Chua, Ghazi,
    Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha and Zhang (2025), Balls-and-bins sampling for
    DP-SGD.
"""

from rdpacct.book.words import (
    Falsehood, Iterator, RandomAllocation, Statement, Status, Step, Symbol, Theorem, added_shift,
    at_most, by_prover, combine, equal, gaussian_delta, lemma, maximum, positive_part, proves, real,
    specialize, sqrt, under, weight_of_each,
)  # fmt: skip

c, w, r, k, x, y, d, u = map(Symbol, ("c", "w", "r", "k", "x", "y", "d", "u"))
mu, eps, D, t, m = map(Symbol, ("mu", "eps", "D", "t", "m"))
SHARES = ("0 <= w", "0 <= d", "w + d == 1")

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "weights",
            "the shipped weights of t ratios add up to 1, so that their mean is a density",
            equal(t * weight_of_each(t), 1),
            by_prover("the definition"),
            ("0 < t",),
        ),
        Statement(
            "another level",
            "with all other ratios as they are, a mean is above a level where one ratio is above"
            " another",
            equal(c + w * r - k, w * (r - (k - c) / w)),
            by_prover("the definition"),
            ("0 < w",),
        ),
        Statement(
            "one step",
            "and its excess is that of the one ratio, times its weight",
            equal(maximum(w * u, 0), w * maximum(u, 0)),
            by_prover("a factor above 0"),
            ("0 < w",),
        ),
        Statement(
            "shorter",
            "at every level above 0 that is largest for the longest move",
            at_most(gaussian_delta(d, eps), gaussian_delta(mu, eps)),
            given=("0 < d", "d <= mu"),
        ),
        Statement(
            "low levels",
            "and at other levels it is a line, whose mean is the same for every move",
            equal(maximum(r - k, 0), r - k),
            by_prover("a ratio is not negative"),
            ("0 <= r", "k <= 0"),
        ),
        Statement(
            "adding",
            "for u = k r, the excess of adding the record is, but for a line, k times that of"
            " removing it at 1/k",
            equal(maximum(1 - u, 0), 1 - u + maximum(u - 1, 0)),
            by_prover("positive and negative parts"),
        ),
        Statement(
            "mean of two",
            "a mean has at most the mean of the excesses, so that one step on all is worse",
            at_most(
                maximum(w * x + d * y - k, 0),
                w * maximum(x - k, 0) + d * maximum(y - k, 0),
            ),
            given=SHARES,
        ),
        Statement(
            "sum of all outputs",
            "the sum of t outputs, m of which move by D, over the root of t, moves by the shipped"
            " length",
            equal(added_shift(D, t, m) * sqrt(t), m * D),
            by_prover("the definition"),
            ("0 < t",),
        ),
    ),
    in_words=(
        "The batches of the other records are independent of that of the record, and are given; the"
        " density of all outputs is the product over the steps of densities given the outputs"
        " before, and a record in one step changes one factor.",
        "Ratios are replaced from the last step back: given the outputs before, the mean over the"
        " last of them is taken; the others are as they were, and independent of what has been put"
        " in already.",
        "The means of t ratios are by `mean of two` and by induction at most those of one, so that"
        " m steps that have the record for certain dominate a record in m of t steps.",
        "A uniform choice of m of t steps is that of one in each of m blocks, if the blocks are"
        " drawn uniformly, with what is left over given away; a mean over divisions has at most the"
        " mean of the excesses.",
    ),
    rules=(weight_of_each, added_shift, RandomAllocation._on_all),
)


@proves("shorter")
def shorter(_: Statement) -> Iterator[Step]:
    """The best test of the shorter move has more power for the longer one."""
    yield lemma("gaussian/worst-pair", "delta"), "the excess rises with the move"


@proves("mean of two")
def mean_of_two(part: Statement) -> Iterator[Step]:
    """Each line is at most its positive part."""
    above = real("0 <= w*(max(u, 0) - u)", "0 <= w")
    least = real("0 <= w*max(u, 0)", "0 <= w")
    lines = [specialize(above, u=x - k), specialize(above, w=d, u=y - k)]
    floors = [specialize(least, u=x - k), specialize(least, w=d, u=y - k)]
    right = part.claim.right
    total = real("w + d == 1", "w + d == 1")
    middle = w * x + d * y - k
    upper = combine(at_most(middle, right), *lines, (total, -k), given=part.given)
    lower = combine(at_most(0, right), *floors, given=part.given)
    yield upper, "the line"
    yield lower, "and zero"
    yield under(positive_part(upper, lower, *part.given), *part.given), "the larger"


FALSEHOODS = (
    Falsehood(
        "the mean of two ratios has the mean of their excesses",
        equal(
            maximum((x + y) / 2 - k, 0),
            maximum(x - k, 0) / 2 + maximum(y - k, 0) / 2,
        ),
        ("0 <= x", "0 <= y"),
    ),
    Falsehood(
        "adding the record has the excess of removing it",
        equal(maximum(1 - k * r, 0), maximum(r - k, 0)),
        ("0 < k", "0 <= r"),
    ),
    Falsehood(
        "the sum of all outputs moves by all that the record is moved",
        at_most(m * D, added_shift(D, t, m)),
        ("0 < D", "1 <= m", "2 <= t"),
    ),
)
