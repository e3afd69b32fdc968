"""Odometers: what the loss stays below at all times, with no budget that was fixed in advance.

Printed: not in the sources.
Proved: An adversary chooses each release after the outputs before it, and with it what it costs, e,
    without any limit: given all that was seen, E exp(t L) of its loss is at most exp(t f e). B is
    what the releases so far have cost; f is 1 for the Renyi divergence of order 1 + t, and 1 + t
    for a rho. A is 1 from the first time on at which the loss S of all releases reaches the shipped
    bound f B + log(1/share)/t. (1) That happens within the first k releases with probability at
    most the share, for every k: the bound holds at all times together, also at one that was chosen
    by looking. (2) Of several such bounds, each with an equal share of delta as shipped, some one
    is ever reached with probability at most delta: the smallest of them is a bound, whichever that
    is when one looks. (3) If the loss reaches eps with probability at most delta, the whole is
    ApproxDP(eps, delta), as shipped: so is an interaction that ends before the smallest bound
    exceeds an eps that was fixed in advance. What is spent alone is no such bound.
Idea: exp(t (S - f B)) does not rise on average, and starts at 1. So A + (1 - A) share exp(t (S - f
    B)) does not rise either: where the bound is reached it is at least 1, and stays 1.
Source: Rogers, Roth, Ullman and Vadhan (2016), Privacy odometers and filters; Whitehouse, Ramdas,
    Rogers and Wu (2023), Fully adaptive composition in differential privacy; Ville (1939) for
    supermartingales.
"""

from rdpacct.book.words import (
    E, Expr, Fact, Falsehood, Iterator, Law, Real, Statement, Status, Step, Theorem, Whole,
    approx_below_bound, assume, at_most, at_start, cases, chain, combine, dominated, equal, event,
    example, exp, expect, given_by, induct, integrable, linear, log, loss_stays_below, maximum,
    never_rises, one_more, proves, real, relations, share_of_an_order, specialize, spent_after,
    symbols, taken_in, under,
)  # fmt: skip


t, f, a, k, m, S, B, e, L, n = symbols("t f a k m S B e L n")
A, x, U, w, share, delta, eps, X = symbols("A x U w share delta eps X")
PAST: dict[str, tuple[Real, Expr]] = {
    "S": (0, S + L),
    "B": (0, spent_after(B, e)),
    "e": (a, n),
    "A": (0, A + (1 - A) * x),
}
"""The loss and the costs of the first k releases, the cost of the next one, and whether the bound
was reached so far.
"""
NEW = ("L", "n", "x")
"""The loss of the next release, the cost of the one after it, and whether the bound is reached."""
SHARES = relations("0 <= A", "A <= 1", "0 <= x", "x <= 1", "0 <= e")


def reached_only_at(bound: Expr) -> Expr:
    """What is not positive if x is 0 wherever the loss is below a bound."""
    return x * (bound - (S + L))


BOUND = loss_stays_below(B + e, t, f, share)
G = chain("G", PAST, NEW, k, (*SHARES, at_most(reached_only_at(BOUND), 0)))
SPENT_ONLY = at_most(reached_only_at(f * (B + e)), 0)
NAIVE = chain("F", PAST, NEW, k, (*SHARES, *relations("e == a"), SPENT_ONLY))
"""The same with what is spent as the bound, where each release costs a."""
ORDERS = chain(
    "U",
    {"U": (0, U + (1 - U) * w)},
    ("w",),
    k,
    relations("0 <= U", "U <= 1", "0 <= w", "w <= 1"),
)
"""Whether one of the first k bounds is ever reached, and whether the next one is."""
END = Law("P", ("S",))
HIGH = event(END, "X", at_most(eps, S))
WHOLE = approx_below_bound(eps, delta)
GIVEN = ("0 < t", "0 < share")
EACH = at_most(E(G, exp(t * L), G.past), exp(t * f * e))

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "odometer",
            "the bound is reached within any number k of releases with probability at most"
            " the share",
            at_most(E(G, A), share),
            given=(Whole("k", 0), *GIVEN),
            assuming={"each": assume(EACH, Whole("k", 0), *GIVEN, every="k")},
            witness=example(
                {"k": 2, "t": 1, "f": 1, "a": 1, "share": "1/2"},
                {"G": [((0, 0, 0), 1)]},
            ),
        ),
        Statement(
            "some of the bounds",
            "each is ever reached with probability at most its share; so is one of the"
            " first k with at most k shares",
            at_most(E(ORDERS, U), k * share),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(at_most(E(ORDERS, w), share), Whole("k", 0), every="k")
            },
        ),
        Statement(
            "shares",
            "the shipped shares of m bounds add up to delta",
            equal(m * share_of_an_order(delta, m), delta),
            given=("0 < m",),
        ),
        Statement(
            "stopped",
            "a loss that reaches eps with probability at most delta",
            at_most(E(HIGH, maximum(0, 1 - exp(WHOLE.epsilon - S))), WHOLE.delta),
            assuming={"rarely": assume(at_most(E(HIGH, X), delta))},
        ),
    ),
    in_words=(
        "The hypothesis of `some of the bounds` is the part `odometer`, for each of them,"
        " and the end of an interaction is a time.",
    ),
    rules=(loss_stays_below, share_of_an_order, approx_below_bound),
)
SPENT = exp(t * (S - f * B))
VALUE = A + (1 - A) * share * SPENT
"""At least whether the bound was reached; it does not rise on average."""


@proves("odometer")
def odometer(part: Statement) -> Iterator[Step]:
    """Where the bound is reached the value is at least 1, and it stays 1 from then on."""
    each = part.assuming["each"]
    rises = exp(t * (S + L - f * (B + e)))
    reached = _paid_at_bound(rises)
    yield reached, "where the bound is reached, share exp(t (S - f B)) is at least 1"
    after = taken_in(G, VALUE)
    middle = A + (1 - A) * share * rises
    factor = under(real("0 <= 1 - A", "A <= 1"), *G.support)
    line = combine(at_most(after, middle), (reached, 1 - A), (factor, 0))
    yield line, "to stay at 1 there is no more than to go on"
    release = _paid(each, line, middle, after)
    yield release, "given what was seen, the next release is paid for"
    steps = list(never_rises(G, VALUE, share, release, _not_negative(after), *GIVEN))
    yield from steps
    whole = steps[-1][0]
    last = real(at_most(A, VALUE), *G.support, *GIVEN)
    bound = integrable(whole, E(G, VALUE))
    least = under(real("0 <= A", "0 <= A"), *G.support)
    over = expect(last, G, dominated(last, G, bound, lower=least), bound)
    yield combine(part.claim, over, whole), "averaged"


def _not_negative(after: Expr) -> Fact:
    """Neither part of the next value is negative."""
    given = ("0 <= A", "A <= 1", "0 <= x", "x <= 1", "0 < share", "0 <= z")
    line = real("0 <= A + (1 - A)*x + (1 - A)*(1 - x)*share*z", *given)
    rises = exp(t * (S + L - f * (B + e)))
    line = given_by(specialize(line, z=rises), real(at_most(0, rises)))
    return under(combine(at_most(0, after), line), *G.support, *GIVEN)


def _paid_at_bound(rises: Expr) -> Fact:
    """exp(u) is at least 1 + u, and u is at least 0 where x is not 0."""
    beyond = t * (S + L - f * (B + e)) + log(share)
    line = specialize(under(real("1 - exp(u) <= -u"), *GIVEN), u=beyond)
    same = real(equal(exp(beyond), share * rises), *GIVEN)
    only = real(at_most(reached_only_at(BOUND), 0), *G.support, *GIVEN)
    sign = under(real("0 <= x", "0 <= x"), *G.support)
    return combine(
        at_most(x * (1 - share * rises), 0),
        (line, x),
        (same, x),
        (only, t),
        (sign, 0),
        given=relations(*GIVEN),
    )


def _paid(each: Fact, line: Fact, middle: Expr, after: Expr) -> Fact:
    """The mean of the next value given what was seen is at most the value."""
    factor = (1 - A) * share * exp(t * (S - f * B) - t * f * e)
    moment = integrable(each, each.relation.left)
    top = linear(G, middle, {exp(t * L): factor}, moment, constant=A, given=G.past)
    bound = integrable(top, top.relation.left)
    finite = dominated(line, G, bound, lower=_not_negative(after), given=G.past)
    over = expect(line, G, finite, bound, given=G.past)
    sign = real(at_most(0, factor), *G.support, *GIVEN)
    return combine(
        at_most(over.relation.left, VALUE), over, top, (each, factor), (sign, 0)
    )


@proves("some of the bounds")
def some(part: Statement) -> Iterator[Step]:
    """The union bound, one after the other."""
    each = part.assuming["each"]
    before = assume(at_most(E(ORDERS, U), k * share), Whole("k", 0))
    finite = [integrable(before, E(ORDERS, U)), integrable(each, E(ORDERS, w))]
    total = linear(ORDERS, U + w, {U: 1, w: 1}, *finite)
    after = U + (1 - U) * w
    line = real(at_most(after, U + w), *ORDERS.support)
    yield line, "one of two is reached at most as often as both are together"
    bound = integrable(total, E(ORDERS, U + w))
    least = real(at_most(0, after), *ORDERS.support)
    there = dominated(line, ORDERS, bound, lower=least)
    over = expect(line, ORDERS, there, bound)
    taken = one_more(ORDERS, U, integrable(over, E(ORDERS, after)))
    claim = at_most(E(ORDERS.next, U), (k + 1) * share)
    step = combine(claim, taken, over, total, before, each)
    first = at_start(ORDERS.sequence, U)
    base = combine(at_most(E(ORDERS.sequence, U), 0 * share), first)
    yield induct(base, under(step, Whole("k", 0)), "k"), "bound after bound"


@proves("shares")
def shares(part: Statement) -> Iterator[Step]:
    """A product."""
    yield real(part.claim, *part.given), "m times delta/m"


@proves("stopped")
def stopped(part: Statement) -> Iterator[Step]:
    """A loss below eps costs nothing, and any other at most 1."""
    rarely = part.assuming["rarely"]
    gain = maximum(0, 1 - exp(eps - S))
    inside = cases(HIGH, at_most(gain, X))
    yield inside, "a loss costs at most 1, and nothing below eps"
    positive = specialize(real("0 <= max(0, g)"), g=1 - exp(eps - S))
    bound = integrable(rarely, E(HIGH, X))
    over = expect(inside, HIGH, dominated(inside, HIGH, bound, lower=positive), bound)
    yield combine(part.claim, over, rarely), "averaged"


FALSEHOODS = (
    Falsehood(
        "what is spent is a bound of the loss, but for a small probability",
        at_most(E(NAIVE, A), share),
        (Whole("k", 0), *GIVEN),
        assuming={
            "each": assume(
                at_most(E(NAIVE, exp(t * L), NAIVE.past), exp(t * f * e)),
                Whole("k", 0),
                every="k",
            )
        },
        instance=example(
            {"k": 1, "t": 1, "f": 1, "a": 1, "share": "1/8"},
            {"F": [((2, 1, 1), "1/4"), ((0, 1, 0), "3/4")]},
        ),
    ),
    Falsehood(
        "bounds that are each reached with probability at most share are together",
        at_most(E(ORDERS, U), share),
        (Whole("k", 0),),
        assuming={
            "each": assume(at_most(E(ORDERS, w), share), Whole("k", 0), every="k")
        },
        instance=example({"k": 2, "share": "1/2"}, {"U": [(1, "1/2"), (0, "1/2")]}),
    ),
)
