"""Random differential privacy is a strict relaxation of differential privacy.

Printed: (alpha, gamma)-random DP is a strict relaxation of alpha-DP: a mechanism that is DP is
    random DP, and there are mechanisms that are random DP and not DP.
Proved: If E[max(p - exp(alpha) q, 0) | data] <= delta for all data, then it is at most eta at every
    larger alpha and every eta >= delta, with no data marked as bad, so for every population and
    every gamma. For every gamma > 0 there is a release that is (0, 0, gamma)-random DP for some
    population and not (alpha, delta)-DP for any alpha and any delta < 1: the exact number of
    records equal to a symbol of probability gamma/2.
Idea: The hockey stick falls as alpha grows. A count differs on X and X' only if just one of the two
    last draws is the symbol, with probability 2 s (1 - s); then its outputs exclude each other.
Source: Hall, Rinaldo and Wasserman, Random differential privacy, Proposition 4.1.
"""

from rdpacct.book.words import (
    ApproxDP, Data, E, Fact, Falsehood, Fraction, Iterator, Law, On, Refused, Refutation, Statement,
    Status, Step, Symbol, Table, Theorem, approx_to_random, assume, at_most, below, below_excess,
    by_prover, combine, conditional, equal, excess, excess_is_positive, exp, expect, finite_excess,
    formula, integrable, positive_part, proves, random_dp_Masses as Masses, real, relations,
    smallest_gamma, symbols, table, tabled, under, worst_gamma_of,
)  # fmt: skip

p, q, s, k, alpha, eta, gamma = symbols("p q s k alpha eta gamma")
D = Law("D", ("data", "p", "q"), relations("p >= 0", "q >= 0"))
PROMISE = ApproxDP(Symbol("epsilon"), Symbol("delta"))
SAME = approx_to_random(PROMISE)
LOOSE = excess(p, q, exp(alpha))
TIGHT = excess(p, q, exp(SAME.alpha))
COUNT = Table(
    "X",
    ("a", "b"),
    (),
    tuple(
        ((formula(a), formula(b)), (s if a else 1 - s) * (s if b else 1 - s))
        for a in (0, 1)
        for b in (0, 1)
    ),
)
"""Whether each of the two last draws is the symbol, of probability s."""
BAD = (Symbol("a") - Symbol("b")) ** 2
HALF = formula(Fraction(1, 2))
APART = Table(
    "M",
    ("p", "q"),
    (),
    (((formula(2), formula(0)), HALF), ((formula(0), formula(2)), HALF)),
)
"""Two laws that exclude each other, by densities with respect to their mean."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "relaxation",
            "on all data, a promise for all data holds at every larger alpha and eta",
            at_most(E(D, LOOSE, "data"), eta),
            given=("epsilon <= alpha", "delta <= eta", On(D)),
            assuming={
                "promise": assume(at_most(E(D, TIGHT, "data"), PROMISE.delta)),
                "mass": assume(equal(E(D, p), 1)),
            },
        ),
        Statement(
            "rarely bad",
            "the two last draws tell on a count with probability 2 s (1 - s)",
            equal(E(COUNT, BAD), 2 * s * (1 - s)),
            given=("0 <= s <= 1",),
        ),
        Statement(
            "as rarely as wanted",
            "which is at most gamma for s = gamma/2",
            at_most(2 * (gamma / 2) * (1 - gamma / 2), gamma),
            by_prover("1 - gamma/2 <= 1"),
        ),
        Statement(
            "not private",
            "outputs that exclude each other have the hockey stick 1 at every alpha",
            equal(E(APART, excess(p, q, exp(alpha))), 1),
        ),
    ),
    rules=(approx_to_random, worst_gamma_of),
)


@proves("relaxation")
def weaker(part: Statement) -> Iterator[Step]:
    """max(p - k q, 0) falls as k grows."""
    promise = part.assuming["promise"]
    mass = part.assuming["mass"]
    given = tuple(one for one in part.given if isinstance(one, str))
    lower = real(
        at_most(p - exp(alpha) * q, p - exp(PROMISE.epsilon) * q), *given, "q >= 0"
    )
    claim = at_most(p - exp(alpha) * q, TIGHT)
    upper = combine(claim, lower, below_excess(p, q, exp(PROMISE.epsilon)))
    falls = positive_part(upper, excess_is_positive(p, q, exp(PROMISE.epsilon)))
    yield falls, "the excess falls as alpha grows"
    whole = integrable(mass, E(D, p))
    loose, tight = (
        conditional(finite_excess(D, p, q, exp(one), whole), "data")
        for one in (alpha, PROMISE.epsilon)
    )
    over = expect(falls, D, loose, tight, given="data")
    rest = real(at_most(PROMISE.delta, eta), *given)
    yield (
        under(combine(part.claim, over, promise, rest), *part.given),
        "and eta is no less than delta",
    )


@proves("rarely bad")
def rarely(part: Statement) -> Iterator[Step]:
    """Four cases."""
    given = tuple(one for one in part.given if isinstance(one, str))
    yield (
        tabled(COUNT, BAD, 2 * s * (1 - s), *given),
        "just one of the two is the symbol",
    )


@proves("not private")
def apart(part: Statement) -> Iterator[Step]:  # noqa: ARG001
    """Two cases."""
    yield (
        tabled(APART, excess(p, q, exp(alpha)), formula(1)),
        "all of the one law is excess",
    )


def exact_count(data: Data) -> Masses:
    """The exact number of records equal to the symbol 1."""
    return {data.count(1): Fraction(1)}


def strictness() -> Refutation:
    """The count of a symbol of probability 1/4 among one record."""
    rare = {1: Fraction(1, 4), 0: Fraction(3, 4)}
    gamma_ = smallest_gamma(exact_count, rare, 1, Fraction(10**6), both_ways=True)
    if gamma_ != Fraction(3, 8):
        raise Refused(f"the enumeration gives {gamma_}.")
    return Refutation(
        "a symbol of probability 1/4, one record: (0, 0, 3/8), and delta = 1 at every"
        " alpha",
        (tells_all(),),
    )


def tells_all() -> Fact:
    """No delta below 1 will do, at any alpha."""
    delta = Symbol("delta")
    whole = _all()
    less = real(below(delta, whole.relation.right), "delta < 1")
    return combine(below(delta, whole.relation.left), whole, less)


def _all() -> Fact:
    return table(APART, excess(p, q, exp(alpha)))


FALSEHOODS = (
    Falsehood(
        "random DP with gamma below 1 implies DP, for some alpha and some delta"
        " below 1",
        at_most(E(APART, excess(p, q, exp(alpha))), Symbol("delta")),
        ("delta < 1",),
        refutation=strictness,
    ),
    Falsehood(
        "a count is bad no more often than its symbol is drawn",
        at_most(2 * s * (1 - s), s),
        ("0 <= s <= 1",),
    ),
)
