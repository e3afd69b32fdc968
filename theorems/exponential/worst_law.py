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
    Density, E, Exponential, Falsehood, Fraction, Iterator, Statement, Status, Step, Stretch,
    Symbol, Theorem, at_most, by_prover, combine, equal, exp, exponential_delta as delta,
    exponential_log_moment as log_moment, formula, integrate, maximum, one_release,
    parts_LOSS as LOSS, real, worst_law,
)  # fmt: skip

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


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "negative epsilons, by exchanging the pair, and that a law with the largest"
            " curve dominates"
        ),
    ),
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
