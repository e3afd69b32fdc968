"""The mean loss of a pair with bounded log ratio, through maximally divergent pairs.

Printed: If the largest loss of D and D', in both directions, is eps, then KL(D || D') <= eps
    (exp(eps) - 1)/2.
Proved: If it is at most eps > 0 (for eps = 0 the laws are the same), then KL(D || D') <= eps
    tanh(eps/2), which is at most eps (exp(eps) - 1)/2. Randomized response attains the first bound.
Idea: Split each outcome into two, of losses eps and -eps (Lemma 7): the divergence only grows. For
    the split pair both divergences are the same (Lemma 8), so that each is half of their sum, which
    is at most 2 eps tanh(eps/2) (Lemma 5).
Source: Dwork and Rothblum, Lemma 6.
Finding: The printed bound can be replaced by eps tanh(eps/2), which is attained. For small eps both
    are eps**2/2 to first order; at eps = 1 it is 0.462 for 0.859, and for large eps it is eps
    instead of eps exp(eps)/2.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, RESPONSE, Statement, Status, Step, Theorem, assume, at_most,
    balanced, bounded, cases, combine, equal, example, exists, exp, formula, given_by, lemma,
    on_average, proves, ratios_B as B, ratios_L as L, ratios_M as M, ratios_MASS as MASS,
    ratios_P as P, ratios_eps as eps, real, relations, table, tanh,
)  # fmt: skip

BOUND = eps * tanh(eps / 2)
PRINTED = eps * (exp(eps) - 1) / 2

THEOREM = Theorem(
    verdict=Status.SHARPENED,
    parts=(
        Statement(
            "tanh",
            "the mean loss is at most eps tanh(eps/2)",
            at_most(E(P, L), BOUND),
            given=("eps > 0",),
            assuming={"mass": MASS},
        ),
        Statement(
            "printed",
            "the mean loss is at most eps (exp(eps) - 1)/2",
            at_most(E(P, L), PRINTED),
            given=("eps > 0",),
            assuming={"mass": MASS},
        ),
    ),
    sharp=(
        Statement(
            "response",
            "randomized response attains eps tanh(eps/2)",
            equal(E(RESPONSE, eps * B), BOUND),
        ),
    ),
)


@proves("tanh")
def proof(part: Statement) -> Iterator[Step]:
    """Lemma 7, then Lemma 8, then Lemma 5 for the split pair."""
    loss = eps * B
    back = eps * B * exp(-eps * B)
    grown = lemma("cdp/md-dominate", "divergence")
    yield grown, "Lemma 7: the divergence of the split pair is no smaller"
    mass = lemma("cdp/md-dominate", "mass")
    yield mass, "whose other side is a law"
    _, same = balanced(M, mass, *part.given)
    yield same, "Lemma 8: both divergences of the split pair are the same"
    line = cases(M, equal(loss - back, BOUND * (1 + exp(-eps * B))), *part.given)
    yield line, "Lemma 5 for the split pair, where the chord is reached"
    finite = [bounded(M, one, eps * exp(eps), *part.given) for one in (loss, back)]
    total = on_average(line, M, mass, *finite)
    half = formula(1) / 2
    halves = (same, half), (total, half), (mass, half * BOUND)
    value = combine(equal(E(M, loss), BOUND), *halves)
    yield value, "so each is half of their sum"
    whole = combine(part.claim, grown, value)
    yield given_by(whole, exists(M, *part.given)), "together"


@proves("printed")
def printed(part: Statement) -> Iterator[Step]:
    """The bound in print is larger."""
    sharper = THEOREM.part("tanh").fact()
    yield sharper, "the sharper bound"
    gap = real(at_most(BOUND, PRINTED), *part.given)
    yield gap, "which is smaller"
    yield combine(part.claim, sharper, gap), "than the printed one"


@proves("response")
def attained(part: Statement) -> Iterator[Step]:
    """A finite sum."""
    mean = table(RESPONSE, eps * B)
    yield mean, "the mean loss of randomized response"
    yield combine(part.claim, mean), "is the bound"


FROM_ABOVE = Law("P", ("L",), relations("L <= eps"))

FALSEHOODS = (
    Falsehood(
        "the mean loss is at most eps**2/3, here for randomized response",
        at_most(BOUND, eps**2 / 3),
        ("eps > 0",),
    ),
    Falsehood(
        "a bound on the loss from above is enough",
        at_most(E(FROM_ABOVE, L), PRINTED),
        ("eps > 0",),
        assuming={"mass": assume(equal(E(FROM_ABOVE, exp(-L)), 1))},
        instance=example(
            {"eps": "log(2)"}, {"P": [("log(2)", "14/15"), ("-log(8)", "1/15")]}
        ),
    ),
)
