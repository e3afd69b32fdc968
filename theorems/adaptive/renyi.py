"""A filter for Renyi divergences: what is spent adds up, also if it is chosen on the way.

Printed: not in the sources.
Proved: An adversary chooses each release after the outputs before it, and with it what it costs, e:
    given all that was seen, E exp(t L) of its loss is at most exp(t f e), where f is 1 for the
    Renyi divergence of order 1 + t. B is what the releases so far have cost, and none is made with
    which that would exceed c. Then E exp(t S) <= exp(t f c) for the loss S of all of them, after
    any number of releases. To stop, or to refuse, is a release that tells nothing and costs 0. For
    several orders, each with a budget, a release is made if it fits in all of them, and the
    statement holds at each order.
Idea: exp(t (S - f B)) does not rise on average, whatever is chosen next; it starts at 1, and B is
    at most c. That B depends on the outputs does not matter, as the choice is made before the
    output that it pays for.
Source: Feldman and Zrnic (2021), Individual privacy accounting via a Renyi filter.
"""

from rdpacct.book.words import (
    Chain, E, Expr, Falsehood, Iterator, Real, Statement, Status, Step, Symbol, Theorem, Whole,
    assume, at_most, chain, combine, dominated, equal, example, exp, expect, given_by, integrable,
    linear, never_rises, proves, real, relations, renyi_behind_filter, specialize, spent_after,
    taken_in,
)  # fmt: skip

t, f, a, c, k, S, B, e, L, n = map(
    Symbol, ("t", "f", "a", "c", "k", "S", "B", "e", "L", "n")
)
PAST: dict[str, tuple[Real, Expr]] = {
    "S": (0, S + L),
    "B": (0, spent_after(B, e)),
    "e": (a, n),
}
"""The loss and the costs of the first k releases, and the cost of the next one, which is chosen
with what was seen.
"""
NEW = ("L", "n")
"""The loss of the next release, and the cost of the one after it."""
G = chain("G", PAST, NEW, k, relations("0 <= e", "B + e <= c"))
"""Behind the filter: no release is made with which the costs exceed c."""
FREE = chain("F", PAST, NEW, k, relations("e == c"))
"""Behind no filter: each release costs c."""
SIGNS = ("0 <= t", "0 <= f")
WHOLE = renyi_behind_filter(1 + t, f * c)
NOTHING = example({"k": 2, "t": 1, "f": 1, "a": 1, "c": 1}, {"G": [((0, 0), 1)]})
"""Releases that tell nothing and cost nothing."""
BOTH = example({"k": 2, "t": 1, "f": 1, "a": 1, "c": 1}, {"F": [((1, 1), 1)]})
"""Releases that cost 1 each."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "filter",
            "after any number k of releases, with f c the budget of the order 1 + t",
            at_most(E(G, exp(t * S)), exp(t * WHOLE.epsilon)),
            given=(Whole("k", 0), *SIGNS),
            assuming={
                "each": assume(
                    at_most(E(G, exp(t * L), G.past), exp(t * f * e)),
                    Whole("k", 0),
                    every="k",
                )
            },
            witness=NOTHING,
        ),
    ),
    rules=(renyi_behind_filter,),
)


@proves("filter")
def proof(part: Statement) -> Iterator[Step]:
    """The loss less its costs."""
    yield from behind_filter(part, G, B, e)


def behind_filter(
    part: Statement, law: Chain, spent: Expr, cost: Expr
) -> Iterator[Step]:
    """The loss less its costs, in an exponential, does not rise on average."""
    each = part.assuming["each"]
    value = exp(t * (S - f * spent))
    after = taken_in(law, value)
    factor = exp(t * (S - f * spent) - t * f * cost)
    moment = integrable(each, each.relation.left)
    pulled = linear(law, after, {exp(t * L): factor}, moment, given=law.past)
    same = real(equal(factor * exp(t * f * cost), value))
    release = combine(
        at_most(pulled.relation.left, value), pulled, (each, factor), same
    )
    yield release, "given what was seen, the next release is paid for"
    steps = list(never_rises(law, value, 1, release, real(at_most(0, after))))
    yield from steps
    whole = steps[-1][0]
    room = exp(t * f * c)
    top = value * room
    line = real(at_most(exp(t * S), exp(t * (S - f * a)) * room), "a <= c", *SIGNS)
    less = real(at_most(spent, c), *law.support)
    line = given_by(specialize(line, a=spent), less)
    yield line, "no more than c is spent"
    scaled = linear(law, top, {value: room}, integrable(whole, E(law, value)))
    bound = integrable(scaled, E(law, top))
    finite = dominated(line, law, bound, lower=real(at_most(0, exp(t * S))))
    over = expect(line, law, finite, bound)
    yield combine(part.claim, over, scaled, (whole, room)), "averaged"


FALSEHOODS = (
    Falsehood(
        "each release may spend the whole budget",
        at_most(E(FREE, exp(t * S)), exp(t * f * c)),
        (Whole("k", 0), *SIGNS),
        assuming={
            "each": assume(
                at_most(E(FREE, exp(t * L), FREE.past), exp(t * f * e)),
                Whole("k", 0),
                every="k",
            )
        },
        instance=BOTH,
    ),
)
