"""Noise for n queries: what N(0, n/eps**2) and N(0, n/eps) on each of them give.

Printed: N(0, n/eps**2) noise on each of n queries gives (eps (exp(eps) - 1)/2, eps)-MeanCDP; noise
    of magnitude sqrt(1/eps) gives (eps, sqrt(eps))-MeanCDP.
Proved: For n fixed queries of sensitivity 1 with noise N(0, sigma**2) on each, the mean is n/(2
    sigma**2) and the centered moment exp(t**2 n/(2 sigma**2)), for all real t. So sigma**2 =
    n/eps**2 gives (eps**2/2, eps), where eps**2/2 <= eps (exp(eps) - 1)/2, and sigma**2 = n/eps
    gives (eps/2, sqrt(eps)): both means are half of what is printed or less. For queries chosen
    adaptively, of sensitivity at most 1, the one-sided form holds with the same parameters
    (cdp/composition), and the printed centered form does not.
Idea: Squares of shifts add up: n (1/sigma)**2.
Source: Dwork and Rothblum, after Theorem 2.
Finding (false): For adaptively chosen queries of sensitivity at most 1 the centered claim fails
    already for n = 2: ask the second query only if the first loss is not low.
Finding (misprint): The magnitude sqrt(1/eps) must be sqrt(n/eps): as printed it gives (n eps/2,
    sqrt(n eps)), of which the second entry exceeds sqrt(eps) from n = 2 on, and the first one eps
    from n = 3 on.
Finding: Both means can be halved.
"""

from rdpacct.book.words import (
    E, Falsehood, Gaussian, Iterator, Refutation, Statement, Status, Step, Symbol, Theorem, Whole,
    at_most, by_prover, chain, compose_gaussian_shifts, equal, exp, gaussian_mean as mean, lemma,
    module, normal, one_by_one, proves, renewed, specialize, sqrt, symbols, tau,
    terms_replace as replace, under,
)  # fmt: skip

t, eps, n, sigma = symbols("t eps n sigma")
S = Symbol("S")
SHIFT = Gaussian(sigma, sensitivity=1).shift
NOISE = normal.standard_normal()
QUERIES = chain("Q", {"S": (0, S + tau(SHIFT) * Symbol("x"))}, NOISE, n)
"""The centered loss S of n queries, to which each adds its noise in units of sigma, times tau."""
FIRST, SECOND, PRINTED = (
    compose_gaussian_shifts([(Gaussian(noise, sensitivity=1).shift, n)])
    for noise in (sqrt(n) / eps, sqrt(n / eps), sqrt(1 / eps))
)
POSITIVE = ("eps > 0", "n > 0")
SQUARES = by_prover("the squares of the shifts add up")

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "moments",
            "the moment of the centered loss S of n queries",
            equal(E(QUERIES, exp(t * S)), exp(t**2 * (n * tau(SHIFT) ** 2) / 2)),
            given=(Whole("n", 0), "sigma > 0"),
        ),
        Statement(
            "first-tau",
            "sigma = sqrt(n)/eps gives tau = eps",
            equal(tau(FIRST), eps),
            SQUARES,
            POSITIVE,
        ),
        Statement(
            "first-mean",
            "and the mean eps**2/2",
            equal(mean(FIRST), eps**2 / 2),
            SQUARES,
            POSITIVE,
        ),
        Statement(
            "first-printed",
            "which is at most the printed one",
            at_most(eps**2 / 2, eps * (exp(eps) - 1) / 2),
            by_prover("exp(eps) >= 1 + eps"),
            ("eps >= 0",),
        ),
        Statement(
            "second-tau",
            "sigma = sqrt(n/eps) gives tau = sqrt(eps)",
            equal(tau(SECOND), sqrt(eps)),
            SQUARES,
            POSITIVE,
        ),
        Statement(
            "second-mean",
            "and half the printed mean",
            equal(mean(SECOND), eps / 2),
            SQUARES,
            POSITIVE,
        ),
        Statement(
            "as-printed",
            "sigma = sqrt(1/eps) gives the mean n eps/2",
            equal(mean(PRINTED), n * eps / 2),
            SQUARES,
        ),
    ),
)


@proves("moments")
def moments(part: Statement) -> Iterator[Step]:
    """Induction on the number of queries."""
    one = normal.exponential_moment(NOISE, t * tau(SHIFT), "sigma > 0")
    query = renewed(QUERIES, one)
    yield query, "the moment of one query, which is independent of the others"
    factor = exp(t * tau(SHIFT) * Symbol("x"))
    yield from one_by_one(part.claim, QUERIES, factor, query, "sigma > 0", name="n")


def adaptive() -> Refutation:
    """The skipping adversary at tau1 = tau2 = eps/sqrt(2), which are two queries with sigma**2 =
    2/eps**2.
    """
    absurd = lemma("cdp/skipping-adversary", "refuted")
    return Refutation(
        "two queries, the second only if the first loss is not 1 or more below its"
        " mean",
        (under(specialize(absurd, **BOTH), "eps > 0"),),
    )


ADVERSARY = module("cdp/skipping-adversary")
BOTH = {"tau1": eps / sqrt(2), "tau2": eps / sqrt(2)}

FALSEHOODS = (
    Falsehood(
        "sigma = sqrt(1/eps) on each of n queries gives a mean of at most eps",
        at_most(mean(PRINTED), eps),
        ("eps > 0", "n >= 1"),
    ),
    Falsehood(
        "and tau at most sqrt(eps)",
        at_most(tau(PRINTED), sqrt(eps)),
        ("eps > 0", "n >= 1"),
    ),
    Falsehood(
        "two queries of sensitivity at most 1 chosen adaptively, with noise N(0,"
        " 2/eps**2), are eps-subgaussian",
        replace(ADVERSARY.PRINTED, BOTH),
        ("eps > 0",),
        adaptive,
    ),
)
