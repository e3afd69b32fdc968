"""Renyi divergences of releases add up, at every order.

Printed: not in the sources.
Proved: With t = order - 1 and moments E exp(t L), the exponentials of t times the divergence. (1)
    The moment of the sum of two independent losses is the product of theirs, for every real t: the
    divergences of the product pair, which is what is shipped, are the sums. (2) If E exp(t L1) <=
    exp(t a) and, given the first loss, E exp(t L2) <= exp(t b), then E exp(t (L1 + L2)) <= exp(t (a
    + b)): an adaptive choice of the second release does no worse, at orders above 1. (3) At order
    infinity the largest losses add up. (4) The same of k releases: S is the loss of the first k,
    the steps of A are the divergences of the releases, and each is bounded given the loss so far;
    where each has its moment whatever the loss so far, as independent releases have, the moment of
    all is the product. (5) A pair that is dominated by another, which is that its hockey sticks are
    no larger, has at most its divergences, of every order (profile/moments, profile/low-orders): so
    the product of dominating pairs, which dominates an adaptive sequence
    (composition/dominating-pairs), bounds its divergences too.
Idea: Moments of independent variables multiply; given the first output the second factor is at most
    a constant.
Source: Mironov (2017), Renyi differential privacy, Proposition 1; van Erven and Harremoes (2014),
    Theorem 28.
"""

from rdpacct.book.words import (
    Attack, ComposedLoss, E, Falsehood, FiniteMechanism, Fraction, Iterator, Law, On, Plan,
    Quantity, Refused, RenyiDP, Statement, Status, Step, Symbol, Theorem, Whole, any_pair, assume,
    at_most, by_prover, carried, combine, compose_renyi, composed_losses,
    dataclasses_replace as replace, dominated, either, equal, exp, expect, given_by, independent,
    independent_of, integrable, lemma, linear, losses, maximum, one_by_one, products, random, real,
    sequences_sums as sums, specialize, taken_in, theorem, tower, worst,
)  # fmt: skip

t, a, b, k = (Symbol(name) for name in ("t", "a", "b", "k"))
P = Law("P", ("L1", "L2"))
L1 = P.symbol("L1")
L2 = P.symbol("L2")
ONE = Law("P1", ("L1",))
TWO = Law("P2", ("L2",))
BOTH = independent_of(ONE, TWO)
TOGETHER = compose_renyi(RenyiDP(1 + t, a), RenyiDP(1 + t, b))
FIRST = exp(t * L1)
SECOND = exp(t * L2)
SUM = exp(t * (L1 + L2))


def product(part: Statement) -> Iterator[Step]:
    """Moments of independent losses multiply."""
    one = part.assuming["first"]
    two = part.assuming["second"]
    finite = integrable(one, E(ONE, FIRST)), integrable(two, E(TWO, SECOND))
    both = independent(BOTH, FIRST, SECOND, *finite)
    yield both, "independent losses"
    same = expect(
        real(equal(FIRST * SECOND, SUM)),
        BOTH,
        integrable(both, E(BOTH, FIRST * SECOND)),
    )
    uses = (one, E(TWO, SECOND)), (two, exp(t * a))
    yield combine(part.claim, same, both, *uses), "the loss of the pair is the sum"


def adaptive(part: Statement) -> Iterator[Step]:
    """One tower."""
    first = part.assuming["first"]
    second = part.assuming["second"]
    body = FIRST * SECOND
    limit = exp(t * b)
    pulled = linear(
        P, body, {SECOND: FIRST}, integrable(second, E(P, SECOND, "L1")), given="L1"
    )
    inner = combine(at_most(E(P, body, "L1"), FIRST * limit), pulled, (second, FIRST))
    yield inner, "given the first loss its factor is a constant"
    scaled = linear(P, FIRST * limit, {FIRST: limit}, integrable(first, E(P, FIRST)))
    bound = integrable(scaled, E(P, FIRST * limit))
    positive = real(at_most(0, body))
    least = expect(positive, P, integrable(pulled, E(P, body, "L1")), given="L1")
    finite = dominated(inner, P, bound, lower=least)
    outer = expect(inner, P, finite, bound)
    whole = tower(P, body, "L1", finite, positive)
    joined = combine(
        at_most(E(P, body), exp(t * a) * limit), whole, outer, scaled, (first, limit)
    )
    yield joined, "averaged"
    same = expect(real(equal(body, SUM)), P, integrable(joined, E(P, body)))
    yield combine(part.claim, same, joined), "the loss of the pair is the sum"


DOMINATED = (
    ("dominated", "profile/moments", "moments"),
    ("dominated-finite", "profile/moments", "finite"),
    ("dominated-low-orders", "profile/low-orders", "moments"),
    ("dominated-largest", "profile/moments", "largest"),
)
"""A pair that is dominated by another has at most its divergences, of every order."""


def _dominated(name: str, entry: str, part: str) -> Statement:
    """A part of an entry on pairs with smaller hockey sticks, for use here."""

    def proof(_: Statement) -> Iterator[Step]:
        yield lemma(entry, part), f"{entry}, {part}"

    (there,) = [one for one in theorem(entry).parts if one.name == part]
    return replace(there, name=name, proof=proof)


RELEASES = losses()
S = RELEASES.symbol("S")
L = RELEASES.symbol("L")
A = Quantity("A", (k,))
((D, TOTAL_D),) = sums("A")
"""The divergence of a release, and the sum of those of the first k."""
MOMENT = exp(t * S)
EACH = exp(t * L)
OVER = maximum(0, S - TOTAL_D)
"""By how much the loss is above the sum of the largest ones."""


def moments(part: Statement) -> Iterator[Step]:
    """Induction on the number of releases."""
    yield from one_by_one(part.claim, RELEASES, EACH, part.assuming["each"])


def never_above(part: Statement) -> Iterator[Step]:
    """The excess over the sum does not grow."""
    here = S - TOTAL_D
    after = taken_in(RELEASES, here.at(k=k + 1))
    rises = either(
        *(real("max(0, v) <= max(0, u)", "v <= u", one) for one in ("v <= 0", "0 <= v"))
    )
    line = specialize(rises, u=here, v=after)
    less = specialize(
        real("S + L - (y - z) <= S - (x - z)", "L <= y - x"),
        **{name: A.at(k=n) for name, n in (("x", k), ("y", k + 1), ("z", 0))},
    )
    line = given_by(line, given_by(less, part.assuming["each"]))
    yield line, "no more is added than to the sum"
    positive = specialize(real("0 <= max(0, u)"), u=after)
    yield from carried(part.claim, RELEASES, line, positive)


def attack(seed: int) -> int:
    """The shipped divergences of two random tables at orders 1/2, 2 and 3, against those of their
    products.
    """
    rng = random.Random(seed)
    for _ in range(5):
        tables = [any_pair(rng, 2), any_pair(rng, 3)]
        losses = composed_losses(
            Plan.of(*(FiniteMechanism([one.p, one.q]) for one in tables))
        )
        wholes = [FiniteMechanism(rows).loss() for rows in products(*tables)]
        for order in (Fraction(1, 2), 2, 3):
            wanted = worst([whole.renyi(order) for whole in wholes])
            if not worst([loss.renyi(order) for loss in losses]).overlaps(wanted):
                raise Refused(
                    f"the divergence of order {order} of {tables} is not {wanted}."
                )
    return 15


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "product",
            "the moments of independent losses, exp(t a) and exp(t b), multiply; for"
            " every real t",
            equal(E(BOTH, SUM), exp(t * (a + b))),
            product,
            (),
            {
                "first": assume(equal(E(ONE, FIRST), exp(t * a))),
                "second": assume(equal(E(TWO, SECOND), exp(t * b))),
            },
        ),
        Statement(
            "adaptive",
            "a second release that is chosen after the first output, with the"
            " shipped sum",
            at_most(E(P, SUM), exp(t * TOGETHER.epsilon)),
            adaptive,
            (),
            {
                "first": assume(at_most(E(P, FIRST), exp(t * a))),
                "second": assume(at_most(E(P, SECOND, "L1"), exp(t * b))),
            },
        ),
        Statement(
            "k releases",
            "k releases, each bounded given the loss so far, with the steps of A as"
            " divergences",
            at_most(E(RELEASES, MOMENT), exp(t * TOTAL_D)),
            moments,
            (Whole("k", 0),),
            {
                "each": assume(
                    at_most(E(RELEASES, EACH, "S"), exp(t * D)),
                    Whole("k", 0),
                    every="k",
                )
            },
        ),
        Statement(
            "k independent releases",
            "where the moment of each is the same whatever the loss so far, the"
            " divergences are the sums",
            equal(E(RELEASES, MOMENT), exp(t * TOTAL_D)),
            moments,
            (Whole("k", 0),),
            {
                "each": assume(
                    equal(E(RELEASES, EACH, "S"), exp(t * D)),
                    Whole("k", 0),
                    every="k",
                )
            },
        ),
        Statement(
            "largest",
            "at order infinity: losses of at most a and b come to at most a + b",
            at_most(L1 + L2, a + b),
            by_prover("added up"),
            ("L1 <= a", "L2 <= b"),
        ),
        Statement(
            "k largest",
            "the loss of k releases is almost surely at most the sum of the largest ones",
            at_most(E(RELEASES, OVER), 0),
            never_above,
            (Whole("k", 0),),
            {"each": assume(at_most(L, D), Whole("k", 0), On(RELEASES), every="k")},
        ),
        *(_dominated(*row) for row in DOMINATED),
    ),
    falsehoods=(
        Falsehood(
            "the larger divergence decides",
            at_most(exp(t * (a + b)), exp(t * maximum(a, b))),
            ("t > 0", "a > 0", "b > 0"),
        ),
    ),
    attacks=(Attack("the shipped divergences of two random tables", attack),),
    rules=(ComposedLoss.renyi, compose_renyi),
)
