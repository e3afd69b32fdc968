"""A pair with smaller hockey sticks has a smaller mean loss, and divergences of orders below 1.

Printed: not in the sources.
Proved: Let L and M be the losses of two pairs, and let the hockey stick of the first be at most
    that of the second at every real eps. F and K are 1 where they are finite and 0 elsewhere. (1)
    If M is finite and has a finite mean, L is almost surely finite, and E L <= E M. (2) For -1 < t
    < 0 both may be infinite, where exp(t L) counts as 0, and E exp(t L) >= E exp(t M): the Renyi
    divergence of order 1 + t is no larger.
Idea: Integrate max(0, 1 - exp(e - x)) over the levels e >= 0 and max(0, exp(e - x) - 1), which is
    the same less 1 - exp(e - x), over e <= 0: the integral is exp(-x) - 1 + x; and with the weight
    exp(t e) it is (exp(t x) - 1 - t + t exp(-x))/(t (t + 1)). By Tonelli's theorem the means are
    integrals of hockey sticks, and of the masses E exp(-L), which cancel.
Source: the representation of f-divergences by hockey sticks: Liese and Vajda (2006), On divergences
    and informations in statistics and information theory; Sason and Verdu (2016), f-divergence
    inequalities.
"""

from rdpacct.book.words import (
    Attack, DOMINATED, E, EVEN, Expr, Fact, Falsehood, Iterator, LEVEL, Law, STICK, Sides,
    Statement, Status, Step, Symbol, Theorem, assume, at_most, both, closed, combine, dominated,
    equal, exp, finite, given_by, infinite_share, integrable, is_law, lemma, linear, module, placed,
    profile_sides_P as P, profile_sides_Q as Q, profiles_named as named, profiles_stick as stick,
    real, relations, share_at_most_one, share_is_finite, share_stick, specialize, sqrt,
)  # fmt: skip

t, x, eps, mu, e, a, b, f, k, slack = (
    Symbol(name) for name in ("t", "x", "eps", "mu", "e", "a", "b", "f", "k", "slack")
)
L, F, M, K = (Symbol(name) for name in ("L", "F", "M", "K"))
WIDE = Law("Q", ("M", "K"), relations("0 <= K", "K <= 1"))
WIDE_STICK = share_stick(K, M, eps)
WIDELY = assume(at_most(E(P, STICK), E(WIDE, WIDE_STICK)), every="eps")
MEAN = assume(at_most(E(Q, M), mu))
ORDERED = module("profile/moments")
MASSES = {
    "first mass": assume(at_most(E(P, F * exp(-L)), 1)),
    "second mass": assume(at_most(E(Q, exp(-M)), 1)),
}
WIDE_MASS = assume(at_most(E(WIDE, K * exp(-M)), 1))
LOW = ("-1 < t", "t < 0")
NUMBERS = (
    (f, P, F),
    (k, WIDE, K),
    (a, P, F * exp(-L)),
    (b, WIDE, K * exp(-M)),
)
"""Names for the shares of finite losses, and for the masses of the second laws there."""


def finite_by_mean(part: Statement) -> Iterator[Step]:
    """The same with a hockey stick that is at most linear."""
    mean = part.assuming["mean"]
    mass = part.assuming["second mass"]
    known = integrable(mean, E(Q, M)), integrable(mass, E(Q, exp(-M)))
    line = real(at_most(stick(eps, M), (M + 2 * exp(-M)) / eps), "eps > 0")
    yield line, "a hockey stick at eps is at most (m + 2 exp(-m))/eps"
    factors = {M: 1 / eps, exp(-M): 2 / eps}
    total = linear(Q, line.relation.right, factors, *known, where=("eps > 0",))
    part_of = infinite_share(part.assuming["dominated"], line, total)
    small = combine(
        at_most(E(P, 1 - F), (mu + 2) / eps),
        part_of,
        (mean, 1 / eps),
        (mass, 2 / eps),
    )
    yield small, "so the probability of an infinite loss is small"
    square = (mu + 2) ** 2 + 1
    there = placed(small, "0 < slack", eps=square / slack)
    rest = slack * (square - (mu + 2)) / square
    almost = combine(at_most(E(P, 1 - F), 0 + slack), there, rest=rest)
    yield closed(almost, "slack"), "smaller than any number"


def mean(part: Statement) -> Iterator[Step]:
    """exp(-l) - 1 + l is an integral of turned hockey sticks."""
    value = exp(-x) - 1 + x
    bound = part.assuming["mean"]
    mass = integrable(part.assuming["second mass"], E(Q, exp(-M)))
    factors = {exp(-M): 1, M: 1}
    known = integrable(bound, E(Q, M))
    of_large = linear(Q, value.at(x=M), factors, mass, known, constant=-1)
    first_mass = integrable(part.assuming["first mass"], E(P, F * exp(-L)))
    none = lemma("profile/low-orders", "finite")
    yield none, "the loss is almost surely finite"
    rest = linear(P, 1 - F, {F: -1}, share_is_finite(P, F), constant=1)
    upper = share_at_most_one(P, F)
    lower = combine(at_most(1, E(P, F)), none, rest)
    sure = both(upper, lower)
    names = [
        assume(equal(E(P, F * exp(-L)), a)),
        assume(equal(E(Q, exp(-M)), b)),
    ]
    sides = Sides(P, Q, 1, EVEN, e - exp(e - x), value, ())
    tails = [(sides.below, a - b, sides.integral_below(exp(e)))]
    found = yield from sides.compare(
        part.assuming["dominated"],
        finite(of_large),
        tails,
        [sure, *names],
        [first_mass, mass],
    )
    back = integrable(found, E(P, F * value.at(x=L)))
    factors = {F * value.at(x=L): 1, F * exp(-L): -1, F: 1}
    split = linear(P, F * L, factors, back, first_mass, share_is_finite(P, F))
    whole = combine(part.claim, split, found, of_large, bound, sure, *names)
    whole = named(whole, first_mass, a=E(P, F * exp(-L)))
    whole = named(whole, mass, b=E(Q, exp(-M)))
    yield given_by(whole, is_law(LEVEL)), "the means of both sides"


def low_orders(part: Statement) -> Iterator[Step]:
    """The same with the weight exp(t e), and with losses that may be infinite on both sides."""
    value = (exp(t * x) - 1 - t + t * exp(-x)) / (t * (t + 1))
    rows = {}
    for law, share, loss, name in (
        (P, F, L, "first mass"),
        (WIDE, K, M, "second mass"),
    ):
        mass = integrable(part.assuming[name], E(law, share * exp(-loss)))
        rows[law] = _low_value(law, share, loss, value, mass)
        yield rows[law][0], "the mean of the function, in terms of the moment"
    names = [assume(equal(E(law, body), name)) for name, law, body in NUMBERS]
    primitive = exp(t * e) / t - exp((t + 1) * e - x) / (t + 1)
    sides = Sides(P, WIDE, K, exp(t * e) * EVEN, primitive, value, part.given)
    tails = [
        (sides.below, a - b, sides.integral_below(exp((t + 1) * e) / (t + 1))),
        (sides.above, f - k, sides.integral_above(exp(t * e) / t)),
    ]
    masses = [rows[P][1], rows[WIDE][1]]
    promise = part.assuming["dominated"]
    known = finite(rows[WIDE][0])
    found = yield from sides.compare(promise, known, tails, names, masses)
    scale = -t * (t + 1)
    means = [rows[P][0], rows[WIDE][0]]
    whole = combine(part.claim, (found, scale), *means, *names)
    for number, law, body in NUMBERS:
        known = share_is_finite(law, body) if body in (F, K) else rows[law][1]
        whole = named(whole, known, **{str(number): E(law, body)})
    yield given_by(whole, is_law(LEVEL)), "the means of both sides"


def _low_value(
    law: Law, share: Expr, loss: Expr, value: Expr, mass: Fact
) -> tuple[Fact, Fact]:
    """The mean of the share of the function, and that the share of exp(-loss) has one."""
    line = real("exp(t*x) <= 1 + exp(-x)", *LOW)
    body = share * exp(t * loss)
    bound = combine(
        at_most(body, share + share * exp(-loss)),
        (specialize(line, x=loss), share),
        given=(at_most(0, share),),
    )
    both_ = linear(
        law,
        share + share * exp(-loss),
        {share: 1, share * exp(-loss): 1},
        share_is_finite(law, share),
        mass,
    )
    lower = combine(
        at_most(0, body), real("0 <= 0"), rest=body, given=(at_most(0, share),)
    )
    moment = dominated(bound, law, finite(both_), lower=lower)
    scale = 1 / (t * (t + 1))
    factors = {body: scale, share: -(1 + t) * scale, share * exp(-loss): t * scale}
    known = moment, share_is_finite(law, share), mass
    found = linear(law, share * value.at(x=loss), factors, *known, where=LOW)
    return found, mass


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "finite",
            "a loss with smaller hockey sticks than one with a finite mean is almost surely finite",
            at_most(E(P, 1 - F), 0),
            finite_by_mean,
            (),
            {
                "dominated": DOMINATED,
                "mean": MEAN,
                "second mass": MASSES["second mass"],
            },
        ),
        Statement(
            "mean",
            "the mean of the loss with smaller hockey sticks",
            at_most(E(P, F * L), mu),
            mean,
            (),
            {"dominated": DOMINATED, "mean": MEAN, **MASSES},
        ),
        Statement(
            "moments",
            "the moment at a rate between -1 and 0 is no smaller, where both losses may"
            " be infinite",
            at_most(E(WIDE, K * exp(t * M)), E(P, F * exp(t * L))),
            low_orders,
            LOW,
            {
                "dominated": WIDELY,
                "first mass": MASSES["first mass"],
                "second mass": WIDE_MASS,
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "moments at t = -1/2 are no larger either, here for no loss against"
            " randomized response",
            at_most(1, 2 * sqrt(x * (1 - x))),
            ("1/2 < x", "x < 1"),
        ),
    ),
    attacks=(
        Attack("random pairs, one with the smaller hockey sticks", ORDERED.attack),
    ),
)
