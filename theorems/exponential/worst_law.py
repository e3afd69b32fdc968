"""The exponential mechanism has bounded range, and the law that dominates every pair of bounded
range.

Printed: not in the sources.
Proved: Any two losses of one pair of neighbors differ by at most eps, for scores that move by at
    most their sensitivity either way, and for monotone scores with twice the rate. The law on
    [-eps, eps] of density exp((l - eps)/2)/(2 - 2 exp(-eps)) has E max(0, 1 - exp(at - l)) equal to
    the largest delta(at) of such a pair (exponential/delta) for 0 <= at <= eps, and E exp(rate l)
    equal to the shipped form for every rate but -1/2. Exchanging a pair keeps its range and the law
    is symmetric, so that its curve is the largest at negative epsilons too: it dominates every such
    pair, and no law below it does.
Idea: The scores enter each loss by a term of the candidate and one that all share. The rest are
    integrals.
Source: Durfee and Rogers, Practical differentially private top-k selection, for bounded range;
    Dong, Durfee and Rogers.
"""

from rdpacct.book.words import (
    Density, E, Exponential, Expr, Falsehood, Fraction, Iterator, Statement, Status, Step, Stretch,
    Symbol, Theorem, at_most, bounded_range_L as L, bounded_range_MASS as MASS_OF_PAIR,
    bounded_range_P as PAIR, by_prover, combine, discharge, equal, exists_by, exp, expect,
    exponential_delta as delta, exponential_log_moment as log_moment, formula, given_by, instance,
    integrable, integrate, lemma, linear, maximum, one_release, parts_LOSS as LOSS,
    questions_exchanged as exchanged, real, specialize, tilt, tilted, under, worst_law,
)  # fmt: skip

eta = Symbol("eta")
eps, at, t, loss, w, d, c = (
    Symbol(name) for name in ("eps", "at", "rate", "loss", "w", "d", "c")
)
(PART,) = worst_law(eps).parts
DENSITY = PART.density.at(**{LOSS.name: loss})  # type: ignore[attr-defined]
SCALE = 1 / (1 - exp(-eps))
MASS = exp((loss - eps) / 2) * SCALE
WHOLE = Density("W", ("loss",), (), (Stretch(-eps, eps, DENSITY),))
CUT = Density(
    "W", ("loss",), (), (Stretch(-eps, at, DENSITY), Stretch(at, eps, DENSITY))
)
EXCESS = maximum(0, 1 - exp(at - loss))
MOMENT = equal(E(WHOLE, exp(t * loss)), exp(log_moment(eps, t)))
TWO_SIDED = ("eps > 0", "w > 0", "d <= w", "-w <= c")
ONE_SIDED = ("eps > 0", "w > 0", "d <= w", "0 <= c")


def curve(part: Statement) -> Iterator[Step]:
    """Integrate from at on."""
    above = MASS + exp(at - loss / 2 - eps / 2) * SCALE
    beyond = "at <= loss"
    low = (real(equal(EXCESS, 0), "loss <= at"),)
    high = (
        real(equal(EXCESS, 1 - exp(at - loss)), beyond),
        real(at_most(0, 1 - exp(at - loss)), beyond),
    )
    yield high[0], "a loss above at has this excess"
    total = integrate(
        CUT, EXCESS, (formula(0), above), (MASS, MASS), *part.given, on=(low, high)
    )
    yield total, "the losses above at"
    yield combine(part.claim, total), "a square"


def moment(part: Statement) -> Iterator[Step]:
    """One exponential."""
    total = integrate(
        WHOLE,
        exp(t * loss),
        (exp(t * loss) * MASS / (2 * t + 1),),
        (MASS,),
        *part.given,
    )
    yield total, "the antiderivative"
    yield combine(part.claim, total), "at the ends"


TURNED = tilted("Q", PAIR, exp(-L))
"""The other law of the pair, under which the loss of the exchanged pair is -L."""
BELOW = Density(
    "W", ("loss",), (), (Stretch(-eps, -at, DENSITY), Stretch(-at, eps, DENSITY))
)
INSIDE = ("eps > 0", "0 <= at", "at <= eps", "0 <= eta", "eta <= eps")

BEYOND = ("eps > 0", "eps <= at", "0 <= eta", "eta <= eps")


def excess(exponent: Expr) -> Expr:
    """max(0, 1 - exp(y))."""
    return maximum(0, 1 - exp(exponent))


def dominates(part: Statement) -> Iterator[Step]:
    """Both sides are known."""
    most = lemma("exponential/delta", "near")
    yield most, "the largest delta of a bounded range"
    here = lemma("exponential/worst-law", "curve")
    yield under(combine(part.claim, most, (here, -1)), *INSIDE), "which the law has"


def exchanged_pair(part: Statement) -> Iterator[Step]:
    """The losses of the exchanged pair lie in an interval of the same length."""
    mass = part.assuming["ratio of laws"]
    one = linear(PAIR, exp(-L) * exp(L), {}, constant=1)
    other = tilt(TURNED, exp(L), mass, integrable(one, E(PAIR, exp(-L) * exp(L))))
    total = combine(equal(E(TURNED, exp(L)), 1), other, one)
    yield total, "the ratio of the exchanged pair has mean 1"
    most = specialize(lemma("exponential/delta", "near"), eta=eps - eta)
    law = PAIR.at(eta=eps - eta)
    moved = instance(most, law, TURNED, {"L": -L})
    there = under(discharge(moved, total), *INSIDE)
    there = given_by(there, exists_by(TURNED, mass))
    yield there, "its delta, which is at most that of its range"
    loss_there = excess(at + L)
    back = tilt(TURNED, loss_there, mass, integrable(there, E(TURNED, loss_there)))
    yield back, "under P"
    text = "max(0, 1 - exp(x)) == 1 - exp(x) + exp(x)*max(0, 1 - exp(y))"
    split = specialize(real(text, "x == -y"), x=-at - L, y=at + L)
    split = given_by(split, real(equal(-at - L, -(at + L))))
    yield split, "at each output"
    shape = linear(
        PAIR,
        split.relation.right,
        {exp(-L): -exp(-at), exp(-L) * loss_there: exp(-at)},
        integrable(mass, E(PAIR, exp(-L))),
        integrable(back, E(PAIR, exp(-L) * loss_there)),
        constant=1,
    )
    mean = expect(split, PAIR, integrable(shape, shape.relation.left))
    upper = combine(
        at_most(mean.relation.left, exchanged(at, delta(eps, at))),
        mean,
        shape,
        (mass, -exp(-at)),
        (back, -exp(-at)),
        (there, exp(-at)),
    )
    yield upper, "so at -at"
    values = lemma("exponential/worst-law", "negative curve")
    yield (
        under(combine(part.claim, upper, (values, -1)), *INSIDE),
        "which the law has",
    )


def negative_curve(part: Statement) -> Iterator[Step]:
    """Integrate from -at on."""
    body = excess(-at - loss)
    above = MASS + exp(-at - loss / 2 - eps / 2) * SCALE
    beyond = "-at <= loss"
    low = (real(equal(body, 0), "loss <= -at"),)
    high = (
        real(equal(body, 1 - exp(-at - loss)), beyond),
        real(at_most(0, 1 - exp(-at - loss)), beyond),
    )
    total = integrate(
        BELOW, body, (formula(0), above), (MASS, MASS), *part.given, on=(low, high)
    )
    yield total, "the losses above -at"
    yield combine(part.claim, total), "a square"


def all_losses(part: Statement) -> Iterator[Step]:
    """Every loss is above -at."""
    mass = part.assuming["ratio of laws"]
    text = "max(0, 1 - exp(x)) == 1 - exp(x)"
    line = specialize(real(text, "x <= 0"), x=-at - L)
    signs = real("-at - L <= 0", *PAIR.support, *BEYOND)
    parts = linear(
        PAIR,
        1 - exp(-at - L),
        {exp(-L): -exp(-at)},
        integrable(mass, E(PAIR, exp(-L))),
        constant=1,
    )
    mean = expect(given_by(line, signs), PAIR, integrable(parts, parts.relation.left))
    yield mean, "of the pair"
    here = ("-eps <= loss", "loss <= eps", "eps > 0", "eps <= at")
    above = (
        under(specialize(real(text, "x <= 0"), x=-at - loss), *here),
        real(at_most(0, 1 - exp(-at - loss)), *here),
    )
    found = MASS + exp(-at - loss / 2 - eps / 2) * SCALE
    total = integrate(
        WHOLE,
        excess(-at - loss),
        (found,),
        (MASS,),
        "eps > 0",
        "eps <= at",
        on=(above,),
    )
    yield total, "and of the law"
    both = combine(part.claim, mean, parts, (mass, -exp(-at)), (total, -1))
    yield under(both, *BEYOND), "both are 1 - exp(-at)"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "range",
            "two losses differ by at most eps, for scores that move by d and c",
            at_most(Exponential(eps, sensitivity=w).rate * (d - c), eps),
            by_prover("what all candidates share cancels"),
            TWO_SIDED,
        ),
        Statement(
            "monotone",
            "the same for scores that move one way",
            at_most(Exponential(eps, sensitivity=w, monotone=True).rate * (d - c), eps),
            by_prover("the moves differ by at most w"),
            ONE_SIDED,
        ),
        Statement(
            "curve",
            "the law has the largest delta",
            equal(E(CUT, EXCESS), delta(eps, at)),
            curve,
            ("eps > 0", "0 <= at", "at <= eps"),
        ),
        Statement(
            "negative curve",
            "and at -at what a symmetric pair has",
            equal(E(BELOW, excess(-at - loss)), exchanged(at, delta(eps, at))),
            negative_curve,
            ("eps > 0", "0 <= at", "at <= eps"),
        ),
        Statement(
            "dominates",
            "a pair whose losses lie in an interval of length eps has no larger delta",
            at_most(E(PAIR, excess(at - L)), E(CUT, EXCESS)),
            dominates,
            INSIDE,
            {"ratio of laws": MASS_OF_PAIR},
        ),
        Statement(
            "dominates below 0",
            "nor at negative epsilons",
            at_most(E(PAIR, excess(-at - L)), E(BELOW, excess(-at - loss))),
            exchanged_pair,
            INSIDE,
            {"ratio of laws": MASS_OF_PAIR},
        ),
        Statement(
            "dominates beyond",
            "nor where every loss counts; where none does, delta is 0"
            " (exponential/delta)",
            at_most(E(PAIR, excess(-at - L)), E(WHOLE, excess(-at - loss))),
            all_losses,
            BEYOND,
            {"ratio of laws": MASS_OF_PAIR},
        ),
        Statement(
            "roots",
            "the same with the root of g exp(-eps), g = exp(at)",
            equal(one_release(exp(-eps), exp((at - eps) / 2)), delta(eps, at)),
            by_prover("the positive part is not needed"),
            ("eps > 0", "at <= eps"),
        ),
        Statement(
            "above",
            "its moments for rates above -1/2",
            MOMENT,
            moment,
            ("eps > 0", "rate > -1/2"),
        ),
        Statement(
            "below",
            "its moments for rates below -1/2",
            MOMENT,
            moment,
            ("eps > 0", "rate < -1/2"),
        ),
    ),
    sharp=(
        Statement(
            "symmetric",
            "the law does not change when the pair is exchanged",
            equal(DENSITY.at(loss=-loss), DENSITY * exp(-loss)),
            by_prover("the density of the exchanged loss"),
            ("eps > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "monotone scores at the rate for scores that move both ways have range"
            " eps/3",
            at_most(
                Exponential(eps, sensitivity=w).rate.at(eps=1, w=1) * (d - c),
                Fraction(1, 3),
            ),
            ("0 <= d", "d <= 1", "0 <= c", "c <= 1"),
        ),
        Falsehood(
            "scores that move both ways have range eps at the rate for monotone scores",
            at_most(
                Exponential(eps, sensitivity=w, monotone=True).rate.at(eps=1, w=1)
                * (d - c),
                1,
            ),
            ("-1 <= d", "d <= 1", "-1 <= c", "c <= 1"),
        ),
    ),
    rules=(worst_law, log_moment, one_release, Exponential.directions),
)
