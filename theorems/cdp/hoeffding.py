"""Hoeffding's lemma: a centered variable in an interval is subgaussian.

Printed: If E X = 0 and a <= X <= b, then E exp(t X) <= exp(t**2 (b - a)**2/8).
Proved: The same for a < b, and E exp(t X) = 1 for a = b; for all real t. So a loss with values in
    an interval of length eps is (eps/2)-subgaussian about its mean: this is the tau of the
    exponential mechanism.
Idea: exp(t X) lies below its chord over [a, b], whose mean is that of a law on the two ends; with u
    = t (b - a) and the weight p = -a/(b - a) that is 1 - p + p exp(u) <= exp(p u + u**2/8).
Source: Dwork and Rothblum, Lemma 4.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Table, Theorem, assume, at_most, below,
    combine, cosh, discharge, dominated, equal, example, exp, expect, exponential_tau as tau,
    formula, given_by, hoeffding, instance, integrable, linear, log, on_average, proves, real,
    relations, specialize, symbols, table, under, without,
)  # fmt: skip

a, b, c, m, t, X, L, eps = symbols("a b c m t X L eps")
P = Law("P", ("X",), relations("a <= X", "X <= b"))
POINT = Law("P", ("X",), relations("a <= X", "X <= a"))
LOSS = Law("P", ("L",), relations("c <= L", "L <= c + eps"))
FAIR = Table(
    "P",
    ("L",),
    rows=tuple(
        ((log(cosh(eps / 2)) + end,), formula(1) / 2) for end in (-eps / 2, eps / 2)
    ),
)
COIN = Table(
    "P",
    ("X",),
    rows=(((formula(-1),), formula(1) / 2), ((formula(1),), formula(1) / 2)),
)
HOEFFDING = Statement(
    "hoeffding",
    "a centered variable with values in [a, b] has E exp(t X) <= exp(t**2 (b -"
    " a)**2/8)",
    at_most(E(P, exp(t * X)), exp(t**2 * (b - a) ** 2 / 8)),
    given=("a < b",),
    assuming={"centered": assume(equal(E(P, X), 0))},
)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        HOEFFDING,
        Statement(
            "point",
            "a centered constant has E exp(t X) <= 1",
            at_most(E(POINT, exp(t * X)), 1),
            given=(),
            assuming={"centered": assume(equal(E(POINT, X), 0))},
        ),
        Statement(
            "bounded-range",
            "a loss with values in an interval of length eps is subgaussian about its"
            " mean, with tau = eps/2",
            at_most(E(LOSS, exp(t * (L - m))), exp(t**2 * tau(eps) ** 2 / 2)),
            given=("eps > 0",),
            assuming={"mean": assume(equal(E(LOSS, L), m))},
        ),
    ),
    sharp=(
        Statement(
            "coin",
            "for the fair coin on -1 and 1 the exponent cannot shrink by any factor: 1"
            " - t**2 is too small",
            below(exp((1 - t**2) * t**2 * 2**2 / 8), E(COIN, exp(t * X))),
            given=("t > 0",),
        ),
        Statement(
            "fair-loss",
            "the coin on log cosh(eps/2) -+ eps/2 is the loss of a pair, so that tau ="
            " eps/2 is reached",
            equal(E(FAIR, exp(-L)), 1),
        ),
    ),
    rules=(tau, hoeffding),
)


@proves("hoeffding")
def proof(part: Statement) -> Iterator[Step]:
    """The chord, averaged, and then a claim in two variables."""
    mean = part.assuming["centered"]
    body = exp(t * X)
    tangent = real("1 + x <= exp(x)")
    ends = (b * exp(t * a) - a * exp(t * b)) / (b - a)
    slope = (exp(t * b) - exp(t * a)) / (b - a)
    lower = specialize(tangent, x=t * (a - X))
    upper = specialize(tangent, x=t * (b - X))
    weight = (X - a) / (b - a)
    chord = combine(
        at_most(body, ends + slope * X),
        (lower, (1 - weight) * body),
        (upper, weight * body),
        given=(*P.support, *part.given),
    )
    yield chord, "the exponential lies below its chord"
    over = on_average(chord, P, mean, where=part.given)
    chords = combine(at_most(E(P, body), ends), over, mean)
    yield chords, "which is linear, and X has mean 0"
    low, high = (real(side, *P.support) for side in (at_most(a, X), at_most(X, b)))
    above = combine(at_most(a, 0), on_average(low, P, mean), mean)
    under_ = combine(at_most(0, b), on_average(high, P, mean), mean)
    yield above, "so that 0 lies in the interval"
    two = real("1 - p + p*exp(u) <= exp(p*u + u**2/8)", "0 <= p", "p <= 1")
    yield two, "a law on two points"
    moved = specialize(
        under(two, *two.domain, *part.given), p=-a / (b - a), u=t * (b - a)
    )
    moved = under(moved, "a <= 0", "0 <= b", *part.given)
    moved = given_by(moved, above, under_)
    yield (
        combine(part.claim, chords, (moved, exp(t * a))),
        "with p = -a/(b - a) and u = t (b - a)",
    )


@proves("point")
def point(part: Statement) -> Iterator[Step]:
    """A centered constant is 0."""
    mean = part.assuming["centered"]
    is_a = real(equal(X, a), *POINT.support)
    nought = combine(
        equal(a, 0), (expect(is_a, POINT, integrable(mean, E(POINT, X))), -1), mean
    )
    yield nought, "X is a, and has mean 0"
    tangent = specialize(real("1 + x <= exp(x)"), x=-t * X)
    body = exp(t * X)
    is_zero = combine(equal(X, 0), is_a, nought)
    value = combine(at_most(body, 1), (tangent, body), (is_zero, t * body))
    yield value, "so X is 0"
    finite = dominated(value, POINT, lower=real(at_most(0, exp(t * X))))
    yield expect(value, POINT, finite), "everywhere"


@proves("bounded-range")
def centered(part: Statement) -> Iterator[Step]:
    """The lemma for L - m, which lies in an interval of length eps."""
    mean = part.assuming["mean"]
    lemma = specialize(THEOREM.part("hoeffding").fact(), a=c - m, b=c - m + eps)
    yield lemma, "the lemma"
    there = instance(
        lemma, P.at(a=c - m, b=c - m + eps), LOSS, {"X": L - m}, *part.given
    )
    yield there, "for L - m"
    shifted = linear(LOSS, L - m, {L: 1}, integrable(mean, E(LOSS, L)), constant=-m)
    zero = combine(equal(E(LOSS, L - m), 0), shifted, mean)
    there = under(discharge(there, zero), *part.given)
    yield combine(part.claim, there), "which has mean 0"


@proves("coin")
def coin(part: Statement) -> Iterator[Step]:
    """The fair coin at a small t."""
    moment = table(COIN, exp(t * X))
    yield moment, "the moment of a fair coin"
    grow = real("exp((1-t**2)*t**2/2) < (exp(t) + exp(-t))/2", *part.given)
    yield grow, "in one variable"
    yield combine(part.claim, moment, grow), "together"


@proves("fair-loss")
def a_loss(part: Statement) -> Iterator[Step]:
    """Its mean of exp(-L) is 1."""
    mass = table(FAIR, exp(-L))
    yield mass, "the sum"
    yield combine(part.claim, mass), "exp(-log cosh(eps/2)) cosh(eps/2) is 1"


FALSEHOODS = (
    Falsehood(
        "the constant 1/8 can be lowered to 1/9, here for the fair coin on -1 and 1",
        at_most((exp(t) + exp(-t)) / 2, exp(t**2 * 2**2 / 9)),
    ),
    without(
        HOEFFDING,
        "centered",
        "X need not be centered",
        example({"a": 0, "b": 1, "t": 1}, {"P": [(1, 1)]}),
    ),
)
