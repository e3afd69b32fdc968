"""Composition of random differential privacy.

Printed: If Q is (alpha, gamma)- and Q' is (alpha', gamma')-random DP, then C(Z, Z' | X) = Q(Z | X)
    Q'(Z' | X) is (alpha + alpha', gamma + gamma')-random DP; k releases that are (alpha/k, gamma/k)
    each are (alpha, gamma) together; "a similar result holds" for (alpha, eta, gamma).
Proved: For releases that are independent given the data: (alpha + alpha', eta + eta' - eta eta',
    gamma + gamma'), for one order of the neighbors and so, applied twice with the same bad data,
    for both. By induction on this, for k releases alphas and gammas add up and 1 - eta multiplies;
    equal ones have 1 - (1 - eta)**k <= k eta. An adaptive choice of the second release is allowed
    if its bad data are the same whatever the first output was. A release is given by densities p, q
    with respect to a law that dominates its output laws on the two neighbors, and a 0-1 variable
    that marks the data on which nothing is promised.
Idea: With l = min(p1, k1 q1) and k = k1 k2: max(p1 p2 - k q1 q2, 0) <= l max(p2 - k2 q2, 0) +
    max(p1 - k1 q1, 0) p2, where the mean of l is 1 less the first hockey stick. Bad data of the
    pair are bad for one: the union bound.
Source: Hall, Rinaldo and Wasserman, Random differential privacy, Proposition 4.2.
Finding: Holds, and eta + eta' can be replaced by eta + eta' - eta eta', which is attained; so are
    alpha + alpha' and gamma + gamma'. It does not extend to an adaptive choice of the second
    release, although the text motivates it by interactive access: let Z be uniform on m > 2 symbols
    and the second release the exact number of records equal to Z. On uniform data each fixed symbol
    gives (0, 0, 2(m-1)/m**2), the pair fails for every alpha with probability 1 - 1/m: 2/3 against
    the claimed 4/9 for m = 3 and one record. What is bad must not depend on what was seen first.
"""

from rdpacct.book.words import (
    E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Levels, MARKS, OUTPUTS, On, Quantity,
    RandomDP, Releases, SEEN, Statement, Status, Step, Symbol, Table, Theorem, Whole, assume,
    at_first, at_most, at_start, below, by_prover, chain, combine, compose_random,
    compose_random_adaptively, equal, event, example, exp, expect, for_all, formula, good_outputs,
    independent_of, integrable, later, maximum, minimum, one_more, product, proves,
    random_dp_B1 as B1, random_dp_B2 as B2, random_dp_D as D, random_dp_DATA as DATA,
    random_dp_M as M, random_dp_M1 as M1, random_dp_M2 as M2, random_dp_at_most_one as at_most_one,
    random_dp_p1 as p1, random_dp_p2 as p2, random_dp_q1 as q1, random_dp_q2 as q2, real, relations,
    repeat_random, sequences_sums as sums, symbols, tabled, union_bound,
)  # fmt: skip

k = Symbol("k")
m = Symbol("m")
FIRST = RandomDP(Symbol("alpha1"), Symbol("eta1"), gamma=Symbol("gamma1"))
SECOND = RandomDP(Symbol("alpha2"), Symbol("eta2"), gamma=Symbol("gamma2"))
PAIR = compose_random(FIRST, SECOND)
RELEASES = Releases(exp(FIRST.alpha), exp(SECOND.alpha), exp(PAIR.alpha))
ONE = RELEASES.one
TWO = RELEASES.two
BOTH = RELEASES.both
EITHER = B1 + B2 - B1 * B2
HYPOTHESES = {
    "first release": assume(at_most(E(D, (1 - B1) * ONE, DATA), FIRST.eta)),
    "first density": assume(equal(E(D, p1, DATA), 1)),
    "second release": assume(at_most(E(D, (1 - B2) * TWO, SEEN), SECOND.eta)),
    "second density": assume(equal(E(D, p2, SEEN), 1)),
}
kept, eta_k = (Quantity(name, (k,)) for name in ("kept", "eta"))
"""The product of the 1 - eta of the first k releases, and the eta of the next one."""
A_0, A_K, A_NEXT = (Quantity("A", (formula(count),)) for count in (0, k, k + 1))
"""The alphas of the releases are the steps of A."""
eta, gamma, alpha = symbols("eta gamma alpha")
REPEATED = repeat_random(RandomDP(alpha, eta, gamma=gamma), k)
u, v, w = symbols("u v w")
ANY_LEVELS = Levels(u - w, v - u, v - w, {"u": A_K, "v": A_NEXT, "w": A_0})
EQUAL_LEVELS = Levels(REPEATED.alpha, alpha, REPEATED.alpha.at(k=k + 1))
DENSITY = assume(equal(E(OUTPUTS, p2, OUTPUTS.past), 1), Whole("k", 0), every="k")
MARKED = chain("X", {"B1": (0, EITHER)}, ("B2",), k, relations(*MARKS))
"""Data, with a mark if they are bad for one of the first k releases, and one if they are bad for
the next.
"""
((GAMMA, GAMMAS),) = sums("G")
"""The gammas of the releases are the steps of G."""


def each_release(levels: Levels, bound: Expr, *given: str) -> Fact:
    """The hockey stick of the next release, whatever the outputs before."""
    left = E(OUTPUTS, levels.next_stick(), OUTPUTS.past)
    return assume(at_most(left, bound), Whole("k", 0), *given, every="k")


def tells(eta_: Expr, told: int) -> tuple[Expr, Expr]:
    """The densities, to a fair coin, of an output that tells the record with probability eta, and
    else nothing.
    """
    if told:
        return (2 * eta_, formula(0))
    return (2 - 2 * eta_, formula(2))


TELLS = Table(
    "T",
    ("p1", "q1", "p2", "q2"),
    (),
    tuple(
        ((*tells(FIRST.eta, one), *tells(SECOND.eta, two)), formula(Fraction(1, 4)))
        for one, two in product((0, 1), repeat=2)
    ),
)
"""Two releases that tell the record with probability eta1 and eta2."""
APART = Table(
    "A",
    ("B1", "B2"),
    (),
    tuple(
        ((formula(one), formula(two)), mass)
        for one, two, mass in ((1, 0, gamma), (0, 1, gamma), (0, 0, 1 - 2 * gamma))
    ),
)
"""Bad data that are never bad for both releases."""

THEOREM = Theorem(
    verdict=Status.SHARPENED,
    parts=(
        Statement(
            "fixed data",
            "on any two data sets the hockey stick of two independent releases is at"
            " most h1 + h2 - h1 h2",
            at_most(E(M, BOTH), E(M1, ONE) + E(M2, TWO) - E(M1, ONE) * E(M2, TWO)),
            assuming={
                "first density": assume(equal(E(M1, p1), 1)),
                "second density": assume(equal(E(M2, p2), 1)),
            },
        ),
        Statement(
            "good data",
            "on data good for both, whatever was seen first, the hockey stick of the"
            " pair is at most the composed eta",
            at_most(E(D, (1 - B1) * (1 - B2) * BOTH, DATA), PAIR.eta),
            given=("0 <= eta2 <= 1", On(D)),
            assuming=HYPOTHESES,
        ),
        Statement(
            "bad data",
            "data that are bad for one of the two have at most the composed gamma",
            at_most(E(D, EITHER), PAIR.gamma),
            assuming={
                "first": assume(at_most(E(D, B1), FIRST.gamma)),
                "second": assume(at_most(E(D, B2), SECOND.gamma)),
            },
        ),
        Statement(
            "k releases, eta",
            "on data good for k releases, whatever was seen before, alphas add up and 1 -"
            " eta multiplies",
            at_most(E(OUTPUTS, ANY_LEVELS.stick()), 1 - kept),
            given=(Whole("k", 0),),
            assuming={
                "density": DENSITY,
                "each release": each_release(ANY_LEVELS, eta_k),
                "eta is a probability": assume(
                    at_most(eta_k, 1), Whole("k", 0), every="k"
                ),
                "nothing kept back": assume(equal(kept.at(k=0), 1)),
                "kept": assume(
                    equal(kept.at(k=k + 1), kept * (1 - eta_k)),
                    Whole("k", 0),
                    every="k",
                ),
            },
        ),
        Statement(
            "k releases, gamma",
            "data that are bad for one of k releases: gammas add up",
            at_most(E(MARKED, B1), minimum(1, GAMMAS)),
            given=(Whole("k", 0),),
            assuming={
                "each release": assume(
                    at_most(E(MARKED, B2), GAMMA), Whole("k", 0), every="k"
                )
            },
        ),
        Statement(
            "equal releases",
            "k equal releases, as shipped: k alpha and 1 - (1 - eta)**k on good data",
            at_most(E(OUTPUTS, EQUAL_LEVELS.stick()), REPEATED.eta),
            given=("0 <= eta < 1", Whole("k", 0)),
            assuming={
                "density": DENSITY,
                "each release": each_release(EQUAL_LEVELS, eta, "0 <= eta < 1"),
            },
        ),
        Statement(
            "equal releases, gamma",
            "and k gamma, as shipped",
            at_most(E(MARKED, B1), REPEATED.gamma),
            given=(Whole("k", 0),),
            assuming={
                "each release": assume(
                    at_most(E(MARKED, B2), gamma), Whole("k", 0), every="k"
                )
            },
        ),
        Statement(
            "k eta",
            "which is at most k eta",
            at_most(REPEATED.eta, k * eta),
            by_prover("Bernoulli"),
            ("0 <= eta < 1", "k >= 1"),
        ),
    ),
    sharp=(
        Statement(
            "eta is attained",
            "two releases that tell all with probability eta1 and eta2 reach the"
            " composed eta",
            equal(E(TELLS, BOTH.at(alpha1=0, alpha2=0)), PAIR.eta),
            given=("0 <= eta1 <= 1", "0 <= eta2 <= 1"),
        ),
        Statement(
            "gamma is attained",
            "two releases whose bad data are never bad for both have 2 gamma",
            equal(E(APART, EITHER), 2 * gamma),
            given=("0 <= gamma <= 1/2",),
        ),
        Statement(
            "the adaptive pair",
            "for every m > 2 the adaptive pair of the finding has more bad data than"
            " claimed",
            below(2 * (m - 1) / m**2, 1 - 1 / m),
            by_prover("2/m is below 1"),
            ("m > 2",),
        ),
        Statement(
            "alpha is attained",
            "where each release reaches its ratio, so does the pair",
            equal(
                exp(FIRST.alpha) * q1 * (exp(SECOND.alpha) * q2),
                exp(PAIR.alpha) * (q1 * q2),
            ),
            by_prover("the ratios multiply"),
        ),
    ),
    rules=(compose_random, repeat_random, compose_random_adaptively),
)


@proves("fixed data")
def on_fixed_data(part: Statement) -> Iterator[Step]:
    """Integrate the pointwise bound over the product of the two dominating laws."""
    yield from RELEASES.independent(
        part.assuming["first density"], part.assuming["second density"]
    )


@proves("good data")
def on_good_data(part: Statement) -> Iterator[Step]:
    """Integrate over the second output, then over the first, given the data."""
    yield from RELEASES.in_turn(
        part.assuming, *(one for one in part.given if isinstance(one, str))
    )


@proves("bad data")
def union(part: Statement) -> Iterator[Step]:
    """The union bound, and that no probability is above 1."""
    gammas = union_bound(
        D, EITHER, (part.assuming["first"], part.assuming["second"]), *MARKS
    )
    yield gammas, "bad for the pair is bad for one of the two"
    one = expect(real(at_most(EITHER, 1), *MARKS), D, integrable(gammas, E(D, EITHER)))
    yield at_most_one(one, gammas), "no probability is above 1"


@proves("k releases, eta")
def on_outputs(part: Statement) -> Iterator[Step]:
    """Induction over the releases, on data that are good for all of them."""
    most, none, more = (
        part.assuming[name]
        for name in ("eta is a probability", "nothing kept back", "kept")
    )
    yield from good_outputs(
        part.claim,
        ANY_LEVELS,
        part.assuming["density"],
        part.assuming["each release"],
        more,
        (most, 0),
        start=(none,),
    )


@proves("equal releases")
def equal_outputs(part: Statement) -> Iterator[Step]:
    """The same with one eta."""
    yield from good_outputs(
        part.claim,
        EQUAL_LEVELS,
        part.assuming["density"],
        part.assuming["each release"],
        given=("0 <= eta < 1",),
    )


@proves("k releases, gamma", "equal releases, gamma")
def marked(part: Statement) -> Iterator[Step]:
    """The union bound, one release after the other."""
    each = part.assuming["each release"]
    total = GAMMAS if part.name == "k releases, gamma" else k * gamma
    claim = at_most(E(MARKED, B1), total)
    base = combine(at_first(claim, "k"), at_start(MARKED.sequence, B1))
    before = assume(claim, Whole("k", 0))
    union = union_bound(MARKED, EITHER, (before, each), *MARKS)
    yield union, "bad for k + 1 is bad for the first k or for the next"
    taken = one_more(MARKED, B1, integrable(union, E(MARKED, EITHER)))
    step = combine(later(claim, "k"), taken, union)
    found = for_all(base, step, "k")
    yield found, "gammas add up"
    one = expect(
        real(at_most(B1, 1), *MARKS[:1]), MARKED, integrable(found, E(MARKED, B1))
    )
    yield at_most_one(one, found), "no probability is above 1"


@proves("eta is attained")
def reaches_eta(part: Statement) -> Iterator[Step]:
    """Four cases."""
    given = tuple(one for one in part.given if isinstance(one, str))
    yield (
        tabled(TELLS, BOTH.at(alpha1=0, alpha2=0), PAIR.eta, *given),
        "all that is told is excess",
    )


@proves("gamma is attained")
def reaches_gamma(part: Statement) -> Iterator[Step]:
    """Three cases."""
    given = tuple(one for one in part.given if isinstance(one, str))
    yield tabled(APART, EITHER, 2 * gamma, *given), "the union is disjoint"


X = Symbol("x")
Y = Symbol("y")
RECORDS = independent_of(Law("X", ("x",)), Law("Y", ("y",)))
ONE_IS_0 = below(3 * minimum(X, Y), maximum(X, Y))
"""Of two of the symbols 0, 1, 2, exactly one is 0: a release that tells 0 shows the exchange."""
TOLD = event(event(RECORDS, "fixed", ONE_IS_0), "pair", below(0, (X - Y) ** 2))
UNIFORM = [(symbol, "1/3") for symbol in range(3)]

FALSEHOODS = (
    Falsehood(
        "an adaptively chosen second release adds no more bad data than the worst"
        " fixed one, here for one record and releases that tell a symbol",
        at_most(E(TOLD, Symbol("pair")), E(TOLD, Symbol("fixed"))),
        instance=example(laws={"X": UNIFORM, "Y": UNIFORM}),
    ),
    Falsehood(
        "the larger eta is enough",
        at_most(PAIR.eta, maximum(FIRST.eta, SECOND.eta)),
        ("0 < eta1 < 1", "0 < eta2 < 1"),
    ),
)
