"""Laplace noise is admissible: it slides exactly, and dilates but for the tail beyond a quantile.

Printed: For eps, delta in (0, 1) the density exp(|z|_1)/2**d is (alpha, beta)-admissible with alpha
    = eps/2 and beta = eps/(2 rho), rho the upper delta/2-quantile of |Z|_1; beta = eps/(4 (d +
    ln(2/delta))) suffices, and for d = 1 beta = eps/(2 ln(2/delta)).
Proved: With the density exp(-|z|_1)/2**d, N = |Z|_1, T the indicator of any set, or a test. Slide:
    delta = 0, in the norm |.|_1. Dilation by exp(l) or exp(-l), 0 <= l <= beta = eps/(2 rho), where
    P(N > rho) <= delta/2: with delta/2 for all eps <= 1, delta <= 1 and d >= 1. For d <= rho also
    for larger eps: by exp(l) for eps <= 2 b d whenever exp(b) <= 1 + 2 b, by exp(-l) with delta = 0
    for every eps. The explicit rule: for eps <= 4 u d whenever exp(u) <= 1 + 3 u/2, and every delta
    < 1. For d = 1 rho = ln(2/delta). Of the noise in d dimensions it is proved, one coordinate
    after the other, that E exp(N/2) = 2**d, that the density ratio to the dilated noise has mean 1,
    and that d P(N <= rho) <= rho.
Idea: Dilation changes the log density by (exp(l) - 1) N - d l: at most rho beta for N <= rho, by
    the chord of exp. A quantile below d is at least d/2: the sums of the coordinates are arrivals,
    of which on average rho come before rho, and the d-th is the rarest of the first d.
Source: Lecture 13 (smoothed sensitivity and median), Lemma 13.3.
Finding (misprint): The sign of the exponent is misprinted: exp(|z|_1) is no density.
Finding: eps < 1 can be relaxed to eps <= 2.51 d for quantiles rho >= d, and to eps <= 3.048 d in
    the explicit rule, for every delta < 1. Without a bound on eps the lemma is false.
"""

from rdpacct.book.words import (
    Density, Dilation, E, Falsehood, Iterator, Statement, Status, Step, Stretch, Symbol, Theorem,
    at_most, by_prover, combine, equal, event, exact_quantile, exp, formula, integrate,
    laplace_admissible, printed_laplace_admissible, proves, quantile_beta, relation, smooth_A as A,
    smooth_N as N, symbols,
)  # fmt: skip

alpha, beta, rho, d, eps = symbols("alpha beta rho d eps")
u = Symbol("u")
v = Symbol("v")
EXPONENTIAL = Density("Exp", ("N",), (), (Stretch(formula(0), None, exp(-N)),))
BEYOND = event(EXPONENTIAL, "A", "rho < N")

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "slide",
            "the density at z is at most exp(alpha) times that at z + D, |D| <= alpha;"
            " u = |z|, v = |z + D|",
            claim=at_most(exp(-u), exp(alpha) * exp(-v)),
            given=("v <= u + alpha",),
            proof=by_prover("the triangle inequality"),
        ),
        *Dilation(1).coordinates(),
        *Dilation(1).parts(),
        *Dilation(1).rules(),
        *exact_quantile.parts(),
        Statement(
            "tail-1",
            "in one dimension P(N > rho) = exp(-rho), so rho = ln(2/delta)",
            equal(E(BEYOND, A), exp(-rho)),
            given=("0 <= rho",),
        ),
        Statement(
            "shrunk-1",
            "in one dimension the condition of shrunk holds for all eps <= 1 and delta"
            " < 1, at beta = eps/(2 rho)",
            claim=at_most(
                (exp(quantile_beta(eps, rho)) - 1) * rho,
                (rho + 1) * quantile_beta(eps, rho),
            ),
            given=("0 < eps", "eps <= 1", "log(2) <= rho"),
            proof=by_prover("two variables"),
        ),
        Statement(
            "small-1",
            "and that of small-quantile, beta = eps/(2 rho), delta/2 = exp(-rho)",
            claim=at_most((1 - rho) / (2 * rho), exp(-rho)),
            given=("log(2) <= rho",),
            proof=by_prover("at most 0.23 against 0.36"),
        ),
    ),
    sharp=(
        Statement(
            "slide-attained",
            "on one side of 0 the ratio of a slide is exp(alpha)",
            claim=equal(exp(-u), exp(alpha) * exp(-(u + alpha))),
            proof=by_prover("an identity"),
        ),
        Statement(
            "root",
            "b = 1.2564 will do: eps <= 2.5128 d",
            relation("exp(1.2564) <= 1 + 2*1.2564"),
            by_prover("balls"),
        ),
        Statement(
            "explicit-root",
            "u = 0.762: eps <= 3.048 d",
            relation("exp(0.762) <= 1 + 3*0.762/2"),
            by_prover("balls"),
        ),
    ),
    rules=(laplace_admissible, printed_laplace_admissible, quantile_beta),
)


@proves("tail-1")
def tail(part: Statement) -> Iterator[Step]:
    """The antiderivative beyond rho."""
    found = integrate(
        BEYOND, A, (0, -exp(-N)), (-exp(-N), -exp(-N)), *part.given, cuts=(rho,)
    )
    yield combine(part.claim, found), "the antiderivative of exp(-N)"


t = Symbol("t")

FALSEHOODS = (
    Falsehood(
        "exp(|z|)/2 is a density: its mass up to |z| = t is at most 1",
        at_most(exp(t) - 1, 1),
        ("0 < t",),
    ),
    Falsehood(
        "for every eps, d = 1: the exact excess of the dilation by exp(beta) is at"
        " most delta/2 = exp(-rho)",
        at_most((1 - exp(-beta)) * exp(-(rho + 1) * beta / (exp(beta) - 1)), exp(-rho)),
        ("0 < beta", "log(2) < rho"),
    ),
)
