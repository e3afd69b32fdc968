"""Many confidence limits at once: for all tested events, at all looks, against a whole curve.

Printed: not in the sources.
Proved: (1) If each of m limits is wrong with probability at most share, the number of wrong ones
    has a mean of at most m share, so that (2) with the shipped share err/m one of them is wrong
    with probability at most err. (3) With the shipped share err/(m c (c + 1)) at the look c all
    limits of the first C looks together have at most err, for every C: the sum is err (1 - 1/(C +
    1)). (4) If no limit is wrong, a true claim p <= growth q + slack is not contradicted by a lower
    limit L of p and an upper limit U of q: L > growth U + slack shows that one of the two is wrong.
    A claim is a family of such half planes, and all of them are compared with the same two limits,
    so that the whole curve costs nothing more.
Idea: The union bound, and 1/(c (c + 1)) = 1/c - 1/(c + 1).
Source: Bonferroni's inequality; Clopper and Pearson for one limit (statistics/clopper-pearson).
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Quantity, Real, Statement, Status, Step, Theorem, Whole, assume,
    at_most, at_start, below, chain, combine, contradicted, equal, equal_share, example, formula,
    induct, integrable, linear, on_average, one_more, proves, real, relations, share_at_look,
    symbols, under,
)  # fmt: skip

k, m, B, w, wrong, share, err, C, c = symbols("k m B w wrong share err C c")
p, q, L, U, growth, slack = symbols("p q L U growth slack")
LIMITS = chain(
    "B", {"B": (0, B + w)}, ("w",), k, relations("0 <= B", "0 <= w", "w <= 1")
)
"""How many of the first k limits are wrong, and whether the next one is."""
ANY = Law("A", ("wrong", "B"), relations("0 <= wrong", "wrong <= 1", "wrong <= B"))
"""Whether some limit is wrong, and how many are."""


def spent(looks: Real) -> Quantity:
    """The errors of all limits of so many looks together."""
    return Quantity("V", (formula(looks),))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "number of wrong limits",
            "the mean number of wrong limits among m",
            at_most(E(LIMITS, B), k * share),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(at_most(E(LIMITS, w), share), Whole("k", 0), every="k")
            },
        ),
        Statement(
            "any wrong",
            "with the shipped share one of m limits is wrong with probability at most err",
            at_most(E(ANY, wrong), err),
            given=("0 < m",),
            assuming={
                "number": assume(at_most(E(ANY, B), m * equal_share(err, m)), "0 < m")
            },
        ),
        Statement(
            "looks",
            "the shipped shares of m limits at the first C looks add up to err (1 - 1/(C +"
            " 1))",
            equal(spent(C), err * (1 - 1 / (C + 1))),
            given=(Whole("C", 0), "0 < m"),
            assuming={
                "no look": assume(equal(spent(0), 0)),
                "next look": assume(
                    equal(spent(C + 1), spent(C) + m * share_at_look(err, m, C + 1)),
                    Whole("C", 0),
                    "0 < m",
                    every="C",
                ),
            },
        ),
        Statement(
            "contradicted",
            "limits that contradict a true claim are not both right",
            below(p, L),
            assuming={
                "true": assume(at_most(p, growth * q + slack)),
                "upper": assume(at_most(q, U)),
                "grows": assume(at_most(0, growth)),
                "contradicted": assume(below(0, contradicted(L, U, growth, slack))),
            },
        ),
    ),
    rules=(equal_share, share_at_look, contradicted),
)


@proves("number of wrong limits")
def number(part: Statement) -> Iterator[Step]:
    """Linearity, limit after limit."""
    each = part.assuming["each"]
    before = assume(at_most(E(LIMITS, B), k * share), Whole("k", 0))
    finite = [integrable(before, E(LIMITS, B)), integrable(each, E(LIMITS, w))]
    total = linear(LIMITS, B + w, {B: 1, w: 1}, *finite)
    yield total, "one limit more"
    taken = one_more(LIMITS, B, integrable(total, E(LIMITS, B + w)))
    claim = at_most(E(LIMITS.next, B), (k + 1) * share)
    step = combine(claim, taken, total, before, each)
    first = at_start(LIMITS.sequence, B)
    base = combine(at_most(E(LIMITS.sequence, B), 0 * share), first)
    yield induct(base, under(step, Whole("k", 0)), "k"), "limit after limit"


@proves("any wrong")
def any_wrong(part: Statement) -> Iterator[Step]:
    """The indicator of a wrong limit is at most their number."""
    count = part.assuming["number"]
    line = real("wrong <= B", "wrong <= B")
    yield line, "one wrong limit counts as one"
    over = on_average(line, ANY, count)
    yield over, "averaged"
    yield combine(part.claim, over, count), "m shares"


@proves("looks")
def looks(part: Statement) -> Iterator[Step]:
    """A telescoping sum."""
    known = ("0 < m",)
    before = assume(equal(spent(C), err * (1 - 1 / (C + 1))), Whole("C", 0), *known)
    claim = equal(spent(C + 1), err * (1 - 1 / (C + 2)))
    step = combine(claim, part.assuming["next look"], before, given=known)
    yield step, "one look more"
    start = combine(
        equal(spent(0), err * (1 - 1 / formula(1))), part.assuming["no look"]
    )
    yield induct(under(start, *known), under(step, Whole("C", 0), *known), "C"), "so"


@proves("contradicted")
def not_both(part: Statement) -> Iterator[Step]:
    """The upper limit is at least q."""
    known = part.assuming
    uses = (known["true"], (known["upper"], growth), known["contradicted"])
    yield combine(part.claim, *uses, (known["grows"], 0)), "so L is wrong"


FALSEHOODS = (
    Falsehood(
        "limits of error err each are all right but for err",
        at_most(E(ANY, wrong), err),
        assuming={"number": assume(at_most(E(ANY, B), 2 * err))},
        instance=example({"err": "1/4"}, {"A": [((1, 1), "1/2"), ((0, 0), "1/2")]}),
    ),
)
