"""Smooth sensitivity, distance by distance.

Printed: S*(x) = max over k = 1, ..., n of 2**(-k eps) times the maximum of LS(y) over d(x, y) = k.
Proved: With A(k) the maximum of LS(y) over d(x, y) = k, S*(x) = max over k = 0, ..., n of exp(-k
    beta) A(k), for beta >= 0. Without the term k = 0 the result is smaller by a factor exp(beta) at
    most, because LS(x) <= A(1). With 2**(-k eps) it is the smooth sensitivity for beta = eps ln 2.
Idea: Each y is at one of the distances. A change of f between neighbors counts in the local
    sensitivity of both.
Source: Lecture 13 (smoothed sensitivity and median), last formula; Nissim, Raskhodnikova, Smith.
Finding (misprint): Misprinted twice: k must start at 0, and 2 stands for e. For the identity on one
    bit S* = 1, and the printed maximum is 2**(-eps): it is not even an upper bound on the local
    sensitivity.
"""

from rdpacct.book.words import (
    Expr, Falsehood, Iterator, Quantity, Query, Real, Statement, Status, Step, Theorem, assume,
    at_most, by_prover, combine, equal, exp, formula, given_by, log, proves, real, specialize,
    symbols,
)  # fmt: skip

beta, eps, k, y, M = symbols("beta eps k y M")
X, STAR = Quantity("x", ()), Quantity("Star", ())
"""The data set at hand, and its smooth sensitivity."""


def named(name: str, *places: Real) -> Expr:
    """LS(y) and D(y), the distance from x, of a data set; A(k), and P(k), a data set at distance k
    that attains it.
    """
    return Quantity(name, tuple(map(formula, places)))


POINT = named("P", k)
LOCAL = named("LS", y)
AWAY = named("D", y)

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "at-least",
            "exp(-k beta) A(k) <= S*(x) for each k",
            claim=at_most(named("A", k) * exp(-beta * k), STAR),
            given=("beta >= 0",),
            assuming={
                "maximum": assume(at_most(LOCAL * exp(-beta * AWAY), STAR), every="y"),
                "positive": assume(at_most(0, LOCAL), every="y"),
                "attained": assume(at_most(named("A", k), named("LS", POINT))),
                "near": assume(at_most(named("D", POINT), k)),
            },
        ),
        Statement(
            "at-most",
            "S*(x) <= M if exp(-k beta) A(k) <= M for each k; y attains S*(x)",
            claim=at_most(STAR, M),
            assuming={
                "attained": assume(at_most(STAR, LOCAL * exp(-beta * AWAY))),
                "largest": assume(at_most(LOCAL, named("A", AWAY))),
                "grouped": assume(
                    at_most(named("A", k) * exp(-beta * k), M), every="k"
                ),
            },
        ),
        Statement(
            "from-1",
            "exp(-beta) times the term k = 0 is at most the term k = 1; f changes most"
            " between x and y",
            claim=at_most(exp(-beta) * named("LS", X), exp(-beta) * named("A", 1)),
            assuming={
                "change": assume(at_most(named("LS", X), named("Change", X, y))),
                "of y too": assume(at_most(named("Change", X, y), LOCAL)),
                "largest": assume(at_most(LOCAL, named("A", 1))),
            },
        ),
        Statement(
            "base-2",
            "with 2**(-k eps) it is the smooth sensitivity for beta = eps ln 2",
            claim=equal(formula(2) ** (-k * eps), exp(-k * (eps * log(2)))),
            proof=by_prover("2 = exp(ln 2)"),
        ),
    ),
    rules=(Query.smooth,),
)


@proves("at-least")
def at_least(part: Statement) -> Iterator[Step]:
    """The data set at distance k that attains A(k) is a term of S*."""
    term = specialize(part.assuming["maximum"], y=POINT)
    yield term, "the data set that attains A(k) is one of all"
    same = real("v*exp(-beta*k) <= v*exp(-beta*d)", "0 <= v", "d <= k", *part.given)
    same = specialize(same, v=named("LS", POINT), d=named("D", POINT))
    same = given_by(
        same, specialize(part.assuming["positive"], y=POINT), part.assuming["near"]
    )
    yield same, "at distance k"
    attained = (part.assuming["attained"], exp(-beta * k))
    yield combine(part.claim, attained, same, term), "so S* is at least its term"


@proves("at-most")
def at_most_(part: Statement) -> Iterator[Step]:
    """The data set that attains S* is at some distance."""
    grouped = specialize(part.assuming["grouped"], k=AWAY)
    yield grouped, "the term of its distance"
    largest = part.assuming["largest"]
    attained = part.assuming["attained"]
    yield (
        combine(part.claim, attained, (largest, exp(-beta * AWAY)), grouped),
        "bounds the term of the data set",
    )


@proves("from-1")
def symmetric(part: Statement) -> Iterator[Step]:
    """The neighbor y for which f changes most has that change among its own."""
    facts = (part.assuming[name] for name in ("change", "of y too", "largest"))
    yield (
        combine(part.claim, *((fact, exp(-beta)) for fact in facts)),
        "y is at distance 1",
    )


FALSEHOODS = (
    Falsehood(
        "k may start at 1: one bit and its identity, with A(0) = A(1) = 1",
        at_most(1, exp(-beta)),
        ("0 < beta",),
    ),
    Falsehood(
        "2**(-k eps) <= exp(-k eps), so that it bounds the term for beta = eps",
        at_most(formula(2) ** (-k * eps), exp(-k * eps)),
        ("k >= 1", "eps > 0"),
    ),
)
