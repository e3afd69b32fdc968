"""A filter with a budget for each of several Renyi orders, which goes on while one of them has some
left.

Printed: not in the sources.
Proved: An adversary chooses each release after the outputs before it, and with it what it costs at
    each of m orders; B is what was spent at an order alpha. (1) E exp((alpha - 1) (S - B)) <= 1 for
    the loss S of all releases, after any number of them, whatever is spent. (2) Let c be the
    shipped cap of that order at eps, for a share of delta, and let J be 0 unless B is at most c in
    the end. Then E J max(0, 1 - exp(eps - S)) is at most the share. (3) If at every end some order
    has spent at most its cap, then E max(0, 1 - exp(eps - S)) is at most the m shares together,
    which with the shipped shares is delta: the whole is ApproxDP(eps, delta), as shipped. Which
    order that is may depend on the outputs. It is false if each order may add all of delta: with
    the orders 2 and 4, eps = log(30) and delta = 1/20 there is an interaction of two releases,
    within the cap of some order on each course, that has 3/50.
Idea: An end is paid for by the order that has some left, and each order pays at most its share, as
    exp((alpha - 1) (S - B)) does not rise on average.
Source: Lecuyer (2021), Practical privacy filters and odometers with Renyi differential privacy, for
    filters of several orders; Canonne, Kamath and Steinke (2020) for the conversion.
"""

from rdpacct.book.words import (
    Chain, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Statement, Status, Step, Symbol,
    Theorem, Whole, approx_behind_orders, assume, at_most, at_start, cap_of_an_order, chain,
    combine, dominated, equal, example, exp, expect, given_by, induct, integrable, lemma, linear,
    maximum, module, never_rises, one_more, product as cartesian, proves, real, relations,
    share_of_an_order, specialize, symbols, taken_in, under,
)  # fmt: skip

k, m, S, B, e, L, alpha = symbols("k m S B e L alpha")
eps, share, delta, J, U, w, g = symbols("eps share delta J U w g")
RENYI = module("adaptive/renyi")
OPEN = chain("H", RENYI.PAST, RENYI.NEW, k, relations("0 <= e"))
"""Without any limit."""
CAP = cap_of_an_order(eps, alpha, share)
END = Law(
    "W", ("S", "B", "J"), (*relations("0 <= J", "J <= 1"), at_most(J * (B - CAP), 0))
)
"""The end of an interaction: its loss, what was spent at an order, and whether that is within its
cap.
"""
GAIN = maximum(0, 1 - exp(eps - S))
ORDERS = chain("U", {"U": (0, U + w)}, ("w",), k, relations("0 <= U", "0 <= w"))
"""What the first k orders pay for, and what the next one does."""
ALL = Law("A", ("S", "U"), (*relations("0 <= U"), at_most(GAIN, U)))
"""The end again, where some order is within its cap, so that all of them pay for no less than the
gain.
"""
WHOLE = approx_behind_orders(eps, delta)
GIVEN = ("1 < alpha", "0 < share")

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "value",
            "after any number k of releases, at the order alpha",
            at_most(E(OPEN, exp((alpha - 1) * (S - B))), 1),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(
                    at_most(
                        E(OPEN, exp((alpha - 1) * L), OPEN.past), exp((alpha - 1) * e)
                    ),
                    Whole("k", 0),
                    every="k",
                )
            },
            witness=example({"k": 2, "alpha": 2, "a": 1}, {"H": [((0, 1), 1)]}),
        ),
        Statement(
            "one order",
            "what is gained where an order is within its shipped cap",
            at_most(E(END, J * GAIN), share),
            given=GIVEN,
            assuming={"value": assume(at_most(E(END, exp((alpha - 1) * (S - B))), 1))},
            witness=example(
                {"alpha": 2, "share": 1, "eps": 1}, {"W": [((0, 0, 1), 1)]}
            ),
        ),
        Statement(
            "all orders",
            "what the first k orders pay for is at most k shares",
            at_most(E(ORDERS, U), k * share),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(at_most(E(ORDERS, w), share), Whole("k", 0), every="k")
            },
        ),
        Statement(
            "some order",
            "the hockey stick, with the shipped shares of m orders",
            at_most(E(ALL, maximum(0, 1 - exp(WHOLE.epsilon - S))), WHOLE.delta),
            given=("0 < m",),
            assuming={
                "paid": assume(
                    at_most(E(ALL, U), m * share_of_an_order(delta, m)), "0 < m"
                )
            },
        ),
    ),
    in_words=(
        "The hypothesis of `one order` is the part `value` at the end of an interaction,"
        " and that of `all orders` is the part `one order`, with w = J max(0, 1 - exp(eps"
        " - S)): where some J is 1, their sum is at least max(0, 1 - exp(eps - S)).",
    ),
    rules=(cap_of_an_order, approx_behind_orders),
)


@proves("value")
def value(part: Statement) -> Iterator[Step]:
    """With what was spent so far."""
    yield from at_order(part, OPEN, B, e)


def at_order(part: Statement, law: Chain, spent: Expr, cost: Expr) -> Iterator[Step]:
    """It does not rise on average, and starts at 1."""
    each = part.assuming["each"]
    rate = alpha - 1
    held = exp(rate * (S - spent))
    after = taken_in(law, held)
    factor = exp(rate * (S - spent) - rate * cost)
    moment = integrable(each, each.relation.left)
    pulled = linear(law, after, {exp(rate * L): factor}, moment, given=law.past)
    same = real(equal(factor * exp(rate * cost), held))
    release = combine(at_most(pulled.relation.left, held), pulled, (each, factor), same)
    yield release, "given what was seen, the next release is paid for"
    yield from never_rises(law, held, 1, release, real(at_most(0, after)))


@proves("one order")
def one_order(part: Statement) -> Iterator[Step]:
    """A gain is below a power, and the power below what was paid."""
    mean = part.assuming["value"]
    held = exp((alpha - 1) * (S - B))
    power = _power()
    yield power, "a gain is at most a power, which is the share at the cap"
    within = _within(held)
    yield within, "where the order is within its cap, that is at most what it pays"
    sign = real("0 <= J", "0 <= J")
    line = combine(
        at_most(J * GAIN, share * held),
        (power, J),
        (within, share),
        (sign, 0),
        given=relations(*GIVEN),
    )
    yield line, "together"
    scaled = linear(END, share * held, {held: share}, integrable(mean, E(END, held)))
    bound = integrable(scaled, E(END, share * held))
    least = specialize(real("0 <= J*max(0, z)", "0 <= J"), z=1 - exp(eps - S))
    over = expect(line, END, dominated(line, END, bound, lower=least), bound)
    positive = under(real("0 < share", "0 < share"), *part.given)
    yield (
        combine(part.claim, over, scaled, (mean, share), (positive, 0)),
        "averaged",
    )


def _power() -> Fact:
    """max(0, 1 - exp(eps - S)) <= share exp((alpha - 1) (S - cap))."""
    found = under(
        specialize(lemma("conversion/renyi-to-approx", "power"), z=S - eps), *GIVEN
    )
    top = share * exp((alpha - 1) * (S - CAP))
    line = combine(at_most(1 - exp(eps - S), top), found, given=relations(*GIVEN))
    positive = real(at_most(0, top), *GIVEN)
    larger = specialize(
        under(real("max(0, y) <= z", "y <= z", "0 <= z"), "y <= z", "0 <= z", *GIVEN),
        y=1 - exp(eps - S),
        z=top,
    )
    return given_by(larger, line, positive)


def _within(held: Expr) -> Fact:
    """J exp((alpha - 1) (S - cap)) <= exp((alpha - 1) (S - B))."""
    at_cap = exp((alpha - 1) * (S - CAP))
    tangent = specialize(
        under(real("1 + z <= exp(z)"), *GIVEN), z=(alpha - 1) * (CAP - B)
    )
    only = real(at_most(J * (B - CAP), 0), *END.support, *GIVEN)
    small = real("J <= 1", "J <= 1")
    sign = real("0 <= J", "0 <= J")
    return combine(
        at_most(J * at_cap, held),
        (tangent, J * at_cap),
        (only, (alpha - 1) * at_cap),
        (small, held),
        (sign, 0),
        given=relations(*GIVEN),
    )


@proves("all orders")
def all_orders(part: Statement) -> Iterator[Step]:
    """Linearity, order after order."""
    each = part.assuming["each"]
    before = assume(at_most(E(ORDERS, U), k * share), Whole("k", 0))
    finite = [integrable(before, E(ORDERS, U)), integrable(each, E(ORDERS, w))]
    total = linear(ORDERS, U + w, {U: 1, w: 1}, *finite)
    taken = one_more(ORDERS, U, integrable(total, E(ORDERS, U + w)))
    claim = at_most(E(ORDERS.next, U), (k + 1) * share)
    step = combine(claim, taken, total, before, each)
    first = at_start(ORDERS.sequence, U)
    base = combine(at_most(E(ORDERS.sequence, U), 0 * share), first)
    yield induct(base, under(step, Whole("k", 0)), "k"), "order after order"


@proves("some order")
def some_order(part: Statement) -> Iterator[Step]:
    """All that is gained is paid for."""
    paid = part.assuming["paid"]
    line = real(at_most(GAIN, U), *ALL.support)
    yield line, "some order pays"
    bound = integrable(paid, E(ALL, U))
    least = specialize(real("0 <= max(0, z)"), z=1 - exp(eps - S))
    over = expect(line, ALL, dominated(line, ALL, bound, lower=least), bound)
    yield combine(part.claim, over, paid), "the shares add up to delta"


APPROX = module("adaptive/approx")
FIRST = APPROX.shares(4, 15, 1)
"""A first release, by its probabilities under P and, in the other order, Q."""
AFTER_ONE = APPROX.shares(90, 1, 9)
"""What follows its first output, within the cap of the order 4."""
AFTER_TWO = APPROX.shares(50, 949, 1)
"""What follows another output, within the cap of the order 2."""
TREE = APPROX.TREE
p, q, pa, qa, pb, qb, z = map(Symbol, TREE.variables)
"""The densities of the first release, of the one within order 4 and of the one within order 2; z is
1 where the former is chosen.
"""


def _outcomes() -> list[tuple[tuple[Fraction, ...], Fraction]]:
    """All outcomes of the three releases, by their densities to a uniform law, and the choice."""
    rows = []
    for one, first, second in cartesian(FIRST, AFTER_ONE, AFTER_TWO):
        densities = [3 * x for x in (*one, *first, *second)]
        rows.append(((*densities, Fraction(one is FIRST[0])), Fraction(1, 27)))
    return rows


def _moment(order: int, first: Expr, second: Expr) -> Expr:
    """What has the mean exp((order - 1) D) for the Renyi divergence D of two releases."""
    return (p * first) ** order / (q * second) ** (order - 1)


FALSEHOODS = (
    Falsehood(
        "go on while some order has some left, where each order may add all of delta: at"
        " the orders 2 and 4, the divergences of which alone give delta at log(g)",
        at_most(E(TREE, APPROX.chosen_at(g)), delta),
        ("0 < delta", "0 < g"),
        assuming={
            **APPROX.LAWS,
            "within order 4": assume(
                at_most(E(TREE, _moment(4, pa, qa)), delta * g**3 * 256 / 27)
            ),
            "within order 2": assume(
                at_most(E(TREE, _moment(2, pb, qb)), delta * g * 4)
            ),
        },
        instance=example({"delta": "1/20", "g": 30}, {"T": _outcomes()}),
    ),
)
