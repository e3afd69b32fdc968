"""Smooth sensitivity is the smallest smooth upper bound on the local sensitivity.

Printed: S*(x) is the maximum over y of LS(y) exp(-beta d(x, y)). A beta-smooth upper bound
    satisfies S(x) >= LS(x) for all x and S(x) < exp(beta) S(y) whenever d(x, y) = 1; S* is one, and
    S* <= S for each of them.
Proved: With <= in place of <, for beta >= 0, LS >= 0 and the distance of a graph (the number of
    steps on a shortest path, as for data sets that differ in single rows): S* is a beta-smooth
    upper bound, and LS(y) exp(-beta k) <= S(x) for each such bound S whenever a path of k unit
    steps leads from y to x; so S* <= S. Where the maximum is a supremum, the parts say that each
    LS(y) exp(-beta d(x, y)) obeys the bound.
Idea: The triangle inequality, and induction along the path.
Source: Lecture 13 (smoothed sensitivity and median), Definition 13.3.1 and Lemma 13.1; Nissim,
    Raskhodnikova, Smith.
Finding (false): With < the lemma is false: a constant query has S* = 0, and at any two neighbors on
    a shortest path to the y that attains S* both sides are equal.
Finding (gap): Minimality is false on a general finite metric space: three points, two at distance 1
    with f = 0 and 1, the third at distance 2 from both; LS = (1, 1, 0) is itself smooth, and S* of
    the third is exp(-2 beta). The distance must be that of a graph.
Finding (misprint): The sign of beta is printed as an arrow: beta > 0 is meant.
"""

from rdpacct.book.words import (
    Callable, Condition, Expr, Fact, Falsehood, FiniteQuery, Iterator, Quantity, Real, Refutation,
    Statement, Status, Step, Theorem, Whole, assume, at_most, below, combine, equal, example, exp,
    formula, given_by, induct, instance_points as points, lemma, proves, real, specialize, symbols,
)  # fmt: skip

beta, k, x, y, z = symbols("beta k x y z")


def named(name: str) -> Callable[..., Expr]:
    """A quantity that depends on data sets, each known by its name only, or by its place on a
    path.
    """

    def quantity(*places: Real) -> Expr:
        return Quantity(name, tuple(map(formula, places)))

    return quantity


LS = named("LS")
S = named("S")
STAR = named("Star")
D = named("D")
DEFINED = assume(at_most(LS(y) * exp(-beta * D(x, y)), STAR(x)), every=("x", "y"))
POSITIVE = assume(at_most(0, LS(y)), every="y")
SMOOTH = Statement(
    "smooth",
    "S*(x) <= exp(beta) S*(z) at neighbors x and z; y attains the maximum at x",
    claim=at_most(STAR(x), exp(beta) * STAR(z)),
    given=("beta >= 0",),
    assuming={
        "maximum": DEFINED,
        "positive": POSITIVE,
        "attained": assume(at_most(STAR(x), LS(y) * exp(-beta * D(x, y)))),
        "triangle": assume(at_most(D(z, y), D(z, x) + D(x, y)), every=("x", "y", "z")),
        "neighbors": assume(at_most(D(z, x), 1)),
    },
)

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "upper-bound",
            "LS(x) <= S*(x)",
            claim=at_most(LS(x), STAR(x)),
            given=("beta >= 0",),
            assuming={
                "maximum": DEFINED,
                "positive": POSITIVE,
                "itself": assume(at_most(D(x, x), 0)),
            },
        ),
        SMOOTH,
        Statement(
            "least",
            "along a path with places 0, ..., k each smooth upper bound S has LS(0)"
            " exp(-beta k) <= S(k)",
            claim=at_most(LS(0) * exp(-beta * k), S(k)),
            given=(Whole("k", 0),),
            assuming={
                "upper bound": assume(at_most(LS(k), S(k)), every="k"),
                "smooth": assume(at_most(S(k), exp(beta) * S(k + 1)), every="k"),
            },
        ),
        Statement(
            "optimal",
            "S* <= S: the maximum at the place k is attained at the place 0 of a shortest"
            " path, of k steps",
            claim=at_most(STAR(k), S(k)),
            given=(Whole("k", 0),),
            assuming={
                "attained": assume(at_most(STAR(k), LS(0) * exp(-beta * k))),
                "upper bound": assume(at_most(LS(k), S(k)), every="k"),
                "smooth": assume(at_most(S(k), exp(beta) * S(k + 1)), every="k"),
            },
            witness=example(
                {"beta": 1, "k": 1}, LS=("k", 0), S=("k", 0), Star=("k", 0)
            ),
        ),
    ),
    rules=(FiniteQuery.smooth_by_definition,),
)


@proves("upper-bound")
def upper(part: Statement) -> Iterator[Step]:
    """x is one of the data sets over which the maximum is taken."""
    here = specialize(part.assuming["maximum"], x=x, y=x)
    yield here, "x itself is among the data sets"
    near = specialize(
        real("v <= v*exp(-beta*d)", "0 <= v", "d <= 0", *part.given), v=LS(x), d=D(x, x)
    )
    near = given_by(
        near, specialize(part.assuming["positive"], y=x), part.assuming["itself"]
    )
    yield near, "at distance 0"
    yield (
        combine(part.claim, near, here),
        "so its local sensitivity is a term of the maximum",
    )


@proves("smooth")
def smooth(part: Statement) -> Iterator[Step]:
    """The maximum at x is at a y that is at most one step farther from z."""
    farther = combine(
        at_most(D(z, y), D(x, y) + 1),
        part.assuming["triangle"],
        part.assuming["neighbors"],
    )
    yield farther, "the triangle inequality"
    less = real(
        "v*exp(-beta*d) <= exp(beta)*(v*exp(-beta*c))",
        "0 <= v",
        "c <= d + 1",
        *part.given,
    )
    less = given_by(
        specialize(less, v=LS(y), d=D(x, y), c=D(z, y)),
        part.assuming["positive"],
        farther,
    )
    yield less, "so its term is smaller by a factor exp(beta) at most"
    there = specialize(part.assuming["maximum"], x=z)
    yield (
        combine(part.claim, part.assuming["attained"], less, (there, exp(beta))),
        "and it is a term at z",
    )


@proves("least")
def least(part: Statement) -> Iterator[Step]:
    """Induction along a path of unit steps from y, its place 0, to x, its place k."""
    base = specialize(real("a <= a"), a=S(0))
    reached = assume(at_most(S(0), exp(beta * k) * S(k)))
    next_ = at_most(S(0), exp(beta * (k + 1)) * S(k + 1))
    along = induct(
        base, combine(next_, reached, (part.assuming["smooth"], exp(beta * k))), "k"
    )
    yield along, "each step of the path costs a factor exp(beta)"
    start = specialize(part.assuming["upper bound"], k=0)
    yield (
        combine(part.claim, (start, exp(-beta * k)), (along, exp(-beta * k))),
        "and S is at least LS at its start",
    )


@proves("optimal")
def optimal(part: Statement) -> Iterator[Step]:
    """The term that attains the maximum is below S."""
    below_ = lemma("smooth/optimal", "least")
    yield below_, "along a shortest path from the y that attains the maximum"
    yield combine(part.claim, part.assuming["attained"], below_), "so S* <= S"


def of_two_points(name: str) -> tuple[str | Condition, ...]:
    """The points 0 and 1."""
    return Whole(name, 0), f"{name} <= 1"


def triangle() -> Fact:
    """Distances on a line."""
    return specialize(real("abs(a + b) <= abs(a) + abs(b)"), a=z - x, b=x - y)


FALSEHOODS = (
    Falsehood(
        "S*(x) < exp(beta) S*(z) at neighbors",
        below(STAR(x), exp(beta) * STAR(z)),
        SMOOTH.given,
        refutation=lambda: Refutation("data sets on a line", (triangle(),)),
        assuming=SMOOTH.assuming,
        instance=example(
            {"beta": 1, "x": 0, "y": 0, "z": 1},
            LS=("x", "exp(-x)"),
            Star=("x", "exp(-x)"),
            D=("x", "y", "abs(x - y)"),
        ),
    ),
    Falsehood(
        "S* <= S on every finite metric space, here on two points at the distance 2",
        at_most(STAR(x), S(x)),
        ("beta >= 0",),
        assuming={
            "maximum": assume(equal(STAR(x), LS(y) * exp(-2 * beta * (x - y)))),
            "upper bound": assume(at_most(LS(k), S(k)), *of_two_points("k"), every="k"),
            "smooth": assume(
                at_most(S(k), exp(beta) * S(z)),
                *of_two_points("k"),
                *of_two_points("z"),
                "2*abs(k - z) <= 1",
                every=("k", "z"),
            ),
        },
        instance=example(
            {"beta": 1, "x": 1, "y": 0},
            LS=points((0, 1), (1, 0)),
            S=points((0, 1), (1, 0)),
            Star=points((0, 1), (1, "exp(-2)")),
        ),
    ),
)
