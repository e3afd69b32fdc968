"""A filter and an odometer for pure privacy: the epsilons add up, also if they are chosen on the
way.

Printed: not in the sources.
Proved: An adversary chooses each release after the outputs before it, and with it an epsilon e: its
    loss L is at most e, whatever was seen. B is the sum of the epsilons so far. (1) The loss of all
    releases is almost surely at most B, at every time, whether or not anything limits what is
    spent: B is an odometer. (2) If no release is made with which B would exceed c, the loss is
    almost surely at most c: the whole is PureDP(c), as shipped, after any number of releases. To
    stop, or to refuse, is a release that tells nothing and costs 0.
Idea: Added up, output by output.
Source: Rogers, Roth, Ullman and Vadhan (2016), Privacy odometers and filters.
"""

from rdpacct.book.words import (
    Chain, E, Expr, Fact, Falsehood, Iterator, On, Statement, Status, Step, Symbol, Theorem, Whole,
    assume, at_most, carried, chain, combine, dominated, either, example, expect, given_by,
    integrable, maximum, module, proves, pure_behind_filter, real, relations, specialize, taken_in,
)  # fmt: skip

c, S, B, L, e = map(Symbol, ("c", "S", "B", "L", "e"))
RENYI = module("adaptive/renyi")
G = RENYI.G
OPEN = chain("H", RENYI.PAST, RENYI.NEW, Symbol("k"), relations("0 <= e"))
"""Behind no filter: each release costs what it may."""
FREE = RENYI.FREE
WHOLE = pure_behind_filter(c)
WHOLE_SO_FAR = pure_behind_filter(B)
EACH = {"each": assume(at_most(L, e), Whole("k", 0), On(G), every="k")}

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "odometer",
            "the loss is almost surely at most what was spent, at every time",
            at_most(E(OPEN, maximum(0, S - WHOLE_SO_FAR.epsilon)), 0),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(at_most(L, e), Whole("k", 0), On(OPEN), every="k")
            },
            witness=example({"k": 2, "a": 1}, {"H": [((0, 1), 1)]}),
        ),
        Statement(
            "spent",
            "the same behind the filter",
            at_most(E(G, maximum(0, S - B)), 0),
            given=(Whole("k", 0),),
            assuming=EACH,
            witness=RENYI.NOTHING,
        ),
        Statement(
            "filter",
            "the loss is almost surely at most c, after any number k of releases",
            at_most(E(G, maximum(0, S - WHOLE.epsilon)), 0),
            given=(Whole("k", 0),),
            assuming=EACH,
            witness=RENYI.NOTHING,
        ),
    ),
    rules=(pure_behind_filter,),
)


@proves("odometer")
def odometer(part: Statement) -> Iterator[Step]:
    """Without a limit."""
    yield from paid(part, OPEN, B)


@proves("spent")
def spent(part: Statement) -> Iterator[Step]:
    """With a limit."""
    yield from paid(part, G, B)


def paid(part: Statement, law: Chain, spent: Expr) -> Iterator[Step]:
    """The loss beyond what was spent does not grow."""
    after = taken_in(law, S - spent)
    line = specialize(_larger(), u=S - spent, v=after)
    pays = combine(at_most(after, S - spent), part.assuming["each"])
    line = given_by(line, pays)
    yield line, "each release is paid for"
    positive = specialize(real("0 <= max(0, u)"), u=after)
    yield from carried(part.claim, law, line, positive)


def _larger() -> Fact:
    """The positive part of the larger of two numbers is the larger one."""
    return either(
        *(real("max(0, v) <= max(0, u)", "v <= u", one) for one in ("v <= 0", "0 <= v"))
    )


@proves("filter")
def limited(part: Statement) -> Iterator[Step]:
    """What was spent is at most c."""
    before = THEOREM.part("spent").fact()
    yield before, "the loss is at most what was spent"
    yield from within(part, G, B, before)


def within(part: Statement, law: Chain, spent: Expr, before: Fact) -> Iterator[Step]:
    """A loss that is at most what was spent is at most c."""
    less = real(at_most(S - c, S - spent), *law.support)
    line = given_by(specialize(_larger(), u=S - spent, v=S - c), less)
    yield line, "which is at most c"
    bound = integrable(before, before.relation.left)
    positive = specialize(real("0 <= max(0, u)"), u=S - c)
    over = expect(line, law, dominated(line, law, bound, lower=positive), bound)
    yield combine(part.claim, over, before), "so is the loss"


FALSEHOODS = (
    Falsehood(
        "each release may spend the whole budget",
        at_most(E(FREE, maximum(0, S - c)), 0),
        (Whole("k", 0),),
        assuming={"each": assume(at_most(L, e), Whole("k", 0), On(FREE), every="k")},
        instance=RENYI.BOTH,
    ),
)
