"""A filter for approximate privacy by sums: epsilons and deltas add up, also if they are chosen on
the way.

Printed: not in the sources.
Proved: Outputs are drawn under P; y is the ratio of the probabilities under Q and P of the next
    output, 0 where Q does not have it, and r that of all outputs so far. An adversary chooses each
    release after the outputs before it, and with it an epsilon e and a delta u: given all that was
    seen, E max(1 - exp(e) y, 0) <= u. No release is made with which the epsilons A would exceed c,
    or the deltas D would exceed d. Then E max(1 - exp(c) r, 0) <= d, which is ApproxDP(c, d), as
    shipped, after any number of releases. To stop, or to refuse, is a release that tells nothing
    and costs 0.
Idea: max(1 - exp(A) r, 0) + d - D does not rise on average, as 1 - w z is at most the sum of the
    positive parts of 1 - w and 1 - z. It starts at d.
Source: Rogers, Roth, Ullman and Vadhan (2016), Privacy odometers and filters.
"""

from rdpacct.book.words import (
    Chain, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Real, Statement, Status, Step, Symbol,
    Theorem, Whole, approx_behind_filter, assume, at_most, chain, combine, dataclass, dominated,
    equal, example, excess, exp, expect, given_by, integrable, linear, maximum, never_rises,
    positive_part, product as cartesian, proves, real, relations, specialize, spent_after, taken_in,
)  # fmt: skip

NAMES = ("a", "b", "c", "d", "k", "r", "A", "D", "e", "u", "y", "n", "m")
a, b, c, d, k, r, A, D, e, u, y, n, m = map(Symbol, NAMES)
PAST: dict[str, tuple[Real, Expr]] = {
    "r": (1, r * y),
    "A": (0, spent_after(A, e)),
    "D": (0, spent_after(D, u)),
    "e": (a, n),
    "u": (b, m),
}
"""The ratio of the outputs so far, what they have cost, and what the next release costs."""
NEW = ("y", "n", "m")
"""The ratio of the next output, and what the release after it costs."""
SIGNS = ("0 <= r", "0 <= y", "0 <= e", "0 <= u")
CAPS = ("A + e <= c", "D + u <= d")
G = chain("G", PAST, NEW, k, relations(*SIGNS, *CAPS))
"""Behind the filter."""
FREE = chain("F", PAST, NEW, k, relations(*SIGNS[:3], "u == d", CAPS[0]))
"""Behind a filter that adds up epsilons only: each release has the delta d."""
NEXT = maximum(1 - exp(e) * y, 0)
"""What the next release exceeds its epsilon by."""
WHOLE = approx_behind_filter(c, d)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "filter",
            "after any number k of releases",
            at_most(E(G, maximum(1 - exp(WHOLE.epsilon) * r, 0)), WHOLE.delta),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(at_most(E(G, NEXT, G.past), u), Whole("k", 0), every="k")
            },
            witness=example(
                {"k": 2, "a": 1, "b": 1, "c": 1, "d": 1}, {"G": [((1, 0, 0), 1)]}
            ),
        ),
    ),
    rules=(approx_behind_filter,),
)


@dataclass(frozen=True)
class Sums:
    """A sequence with what was spent, epsilons and deltas, and what the next release costs."""

    law: Chain
    spent: Expr
    cost: Expr
    mass: Expr
    share: Expr

    @property
    def stick(self) -> Expr:
        """What was exceeded."""
        return maximum(1 - exp(self.spent) * r, 0)

    @property
    def next(self) -> Expr:
        """What the next release exceeds its epsilon by."""
        return maximum(1 - exp(self.cost) * y, 0)


def both_exceed(sums: Sums) -> Fact:
    """What all outputs with the next one exceed is at most what the two parts do."""
    line = real("1 - w*z <= max(1 - w, 0) + max(1 - z, 0)", "0 <= w", "0 <= z")
    first, second = exp(sums.spent) * r, exp(sums.cost) * y
    signs = [real(at_most(0, first), "0 <= r"), real(at_most(0, second), "0 <= y")]
    line = given_by(specialize(line, w=first, z=second), *signs)
    both = sums.stick + sums.next
    after = taken_in(sums.law, sums.spent)
    upper = combine(at_most(1 - exp(after) * r * y, both), line)
    least = [not_below_zero(one) for one in (sums.stick, sums.next)]
    return positive_part(upper, combine(at_most(0, both), *least))


def not_below_zero(part: Expr) -> Fact:
    """A positive part is not negative."""
    inside, _ = part.parts()
    return specialize(real("0 <= max(x, 0)"), x=inside)


def within(sums: Sums, whole: Expr, value: Expr) -> Fact:
    """What is exceeded at c is at most what is exceeded so far, and the delta that is left."""
    inside, _ = whole.parts()
    here, _ = sums.stick.parts()
    larger = specialize(real("x <= max(x, 0)"), x=here)
    less = real("1 - exp(c)*r <= 1 - exp(a)*r", "a <= c", "0 <= r")
    small = real(at_most(sums.spent, c), *sums.law.support)
    less = given_by(specialize(less, a=sums.spent), small)
    left = real(at_most(0, d - sums.mass), *sums.law.support)
    upper = combine(at_most(inside, value), less, larger, left)
    least = combine(at_most(0, value), not_below_zero(sums.stick), left)
    return positive_part(upper, least)


@proves("filter")
def proof(part: Statement) -> Iterator[Step]:
    """With what was spent so far."""
    yield from behind_filter(part, Sums(G, A, e, D, u))


def behind_filter(part: Statement, sums: Sums) -> Iterator[Step]:
    """What was exceeded, and the delta that is left."""
    each = part.assuming["each"]
    both = both_exceed(sums)
    yield both, "what two releases exceed is at most what each of them does"
    law = sums.law
    value = sums.stick + (d - sums.mass)
    release, positive = _paid(each, both, sums, value)
    yield release, "given what was seen, the next release is paid for"
    steps = list(never_rises(law, value, d, release, positive))
    yield from steps
    whole = steps[-1][0]
    ended = maximum(1 - exp(c) * r, 0)
    last = within(sums, ended, value)
    yield last, "no more than c and d are spent"
    limit = integrable(whole, E(law, value))
    finite = dominated(last, law, limit, lower=not_below_zero(ended))
    end = expect(last, law, finite, limit)
    yield combine(part.claim, end, whole), "averaged"


def _paid(each: Fact, both: Fact, sums: Sums, value: Expr) -> tuple[Fact, Fact]:
    """The mean of the next value given what was seen is at most the value; it is not negative."""
    law = sums.law
    after = taken_in(law, value)
    line = combine(at_most(after, value - sums.share + sums.next), both)
    mean = integrable(each, each.relation.left)
    constant = value - sums.share
    right = line.relation.right
    top = linear(law, right, {sums.next: 1}, mean, constant=constant, given=law.past)
    bound = integrable(top, top.relation.left)
    left = real(at_most(0, d - (sums.mass + sums.share)), *law.support)
    stick = not_below_zero(both.relation.left)
    positive = combine(at_most(0, after), stick, left)
    finite = dominated(line, law, bound, lower=positive, given=law.past)
    over = expect(line, law, finite, bound, given=law.past)
    return combine(at_most(over.relation.left, value), over, top, each), positive


def _outcomes() -> list[tuple[tuple[Fraction, ...], Fraction]]:
    """All outcomes of the three releases, by their densities to a uniform law, and the choice."""
    rows = []
    for one, first, second in cartesian(FIRST, TELL_ALL, RESPONSE):
        densities = (*(3 * x for x in (*one, *first)), *(2 * x for x in second))
        chosen = Fraction(int(one[0] != one[1]))
        rows.append(((*densities, chosen), Fraction(1, 18)))
    return rows


def shares(*parts: int) -> list[tuple[Fraction, Fraction]]:
    """The outcomes of a release by their probabilities under P and, in the other order, Q."""
    shares = [Fraction(part, sum(parts)) for part in parts]
    return list(zip(shares, reversed(shares), strict=True))


FIRST = shares(3, 2, 1)
"""A first release, with three outputs."""
TELL_ALL = shares(1, 3, 0)
"""It tells all with probability 1/4, and nothing otherwise."""
RESPONSE = shares(3, 1)
"""Randomized response."""
DENSITIES = ("p", "q", "pa", "qa", "pb", "qb")
TREE = Law("T", (*DENSITIES, "z"))
"""A first release, and two others, of which the second one is run if z is 1, else the third."""
p, q, pa, qa, pb, qb, z = map(Symbol, TREE.variables)
LAWS = {f"{one} is a law": assume(equal(E(TREE, Symbol(one)), 1)) for one in DENSITIES}
EXACT = LAWS | {
    "the second one fits": assume(at_most(E(TREE, excess(p * pa, q * qa, 1)), d)),
    "the third one fits": assume(at_most(E(TREE, excess(p * pb, q * qb, 1)), d)),
}


def chosen_at(level: Real) -> Expr:
    """What the chosen releases exceed a level by."""
    return excess(p * (z * pa + (1 - z) * pb), q * (z * qa + (1 - z) * qb), level)


FALSEHOODS = (
    Falsehood(
        "compose exactly and stop: if the exact delta of the releases that were made is"
        " within the budget on every course, so is that of the interaction",
        at_most(E(TREE, chosen_at(1)), d),
        assuming=EXACT,
        instance=example({"d": "1/2"}, {"T": _outcomes()}),
    ),
    Falsehood(
        "the largest delta of a release is enough",
        at_most(E(FREE, maximum(1 - exp(c) * r, 0)), d),
        (Whole("k", 0),),
        assuming={
            "each": assume(
                at_most(E(FREE, NEXT, FREE.past), u), Whole("k", 0), every="k"
            )
        },
        instance=example(
            {"k": 2, "a": 0, "b": "1/2", "c": 0, "d": "1/2"},
            {"F": [((0, 0, "1/2"), "1/2"), ((1, 0, "1/2"), "1/2")]},
        ),
    ),
)
