"""Groups and the Gaussian mechanism: the shift is multiplied by the size of the group.

Printed: The Gaussian mechanism with noise magnitude sigma satisfies ((s Delta/sigma)**2/2, s
    Delta)-MeanCDP for groups of size s.
Proved: Data sets that are k steps apart have values at most k Delta apart, by induction. At the
    distance s Delta the mean of the loss is (s Delta/sigma)**2/2 and its centered moment exp(t**2
    (s Delta/sigma)**2/2), for all real t, and at smaller distances they are at most that: the
    mechanism is ((s Delta/sigma)**2/2, s Delta/sigma)-MeanCDP for groups, tight in both entries.
    The printed pair holds exactly when sigma >= 1.
Idea: Theorem 2 with the sensitivity s Delta.
Source: Dwork and Rothblum, Corollary 2.
Finding (misprint): The second entry must be s Delta/sigma. As printed it is false for every sigma <
    1 (s = Delta = 1, sigma = 1/2: the loss has standard deviation 2, not 1) and weaker than what
    holds for sigma > 1.
"""

from rdpacct.book.words import (
    E, Falsehood, Gaussian, Iterator, Quantity, Statement, Status, Step, Theorem, Whole, assume,
    at_most, below, by_prover, combine, equal, exp, formula, gaussian_mean as mean, induct, lemma,
    normal, proves, specialize, statement, symbols, tau, terms_replace as replace,
)  # fmt: skip

t, s, D, sigma, x, k, q = symbols("t s D sigma x k q")
N = normal.standard_normal()
SHIFT = Gaussian(sigma, sensitivity=s * D).shift
LOSS = normal.loss(SHIFT, x)
DISTANCE, NEXT, NONE = (Quantity("d", (formula(steps),)) for steps in (k, k + 1, 0))

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "distance",
            "values k steps apart differ by at most k Delta; d(k) is the largest"
            " difference",
            at_most(DISTANCE, k * D),
            given=(Whole("k", 0),),
            assuming={
                "nowhere": assume(equal(NONE, 0)),
                "step": assume(at_most(NEXT, DISTANCE + D), Whole("k", 0), every="k"),
            },
        ),
        Statement(
            "mean",
            "the mean at the distance s Delta",
            equal(E(N, LOSS), mean(SHIFT)),
            given=("sigma > 0",),
        ),
        Statement(
            "moment",
            "the centered moment at the distance s Delta",
            equal(E(N, exp(t * (LOSS - mean(SHIFT)))), exp(t**2 * tau(SHIFT) ** 2 / 2)),
            given=("sigma > 0",),
        ),
        *(
            Statement(
                name,
                f"{what} at any distance up to s Delta",
                replace(statement("cdp/gaussian", name), {"D": s * D}),
                given=("sigma > 0", "0 <= s*D + d", "d <= s*D"),
            )
            for name, what in (
                ("nearer-mean", "the mean"),
                ("nearer", "the centered moment"),
            )
        ),
        Statement(
            "printed",
            "for sigma >= 1 the printed s Delta is large enough",
            at_most(tau(q / sigma), q),
            by_prover("q stands for s Delta"),
            ("sigma >= 1", "q >= 0"),
        ),
    ),
    sharp=(
        Statement(
            "too-small",
            "for sigma < 1 the printed s Delta is too small",
            below(q, tau(q / sigma)),
            by_prover("q stands for s Delta"),
            ("0 < sigma", "sigma < 1", "q > 0"),
        ),
    ),
)


@proves("mean", "moment", "nearer-mean", "nearer")
def at_group(part: Statement) -> Iterator[Step]:
    """Theorem 2 with the sensitivity s Delta."""
    found = specialize(lemma("cdp/gaussian", part.name), D=s * D)
    yield found, "the Gaussian mechanism with the sensitivity s Delta"


@proves("distance")
def distance(part: Statement) -> Iterator[Step]:
    """The triangle inequality, step by step."""
    base = combine(at_most(NONE, 0 * D), part.assuming["nowhere"])
    yield base, "no step"
    before = assume(part.claim, Whole("k", 0))
    step = combine(at_most(NEXT, (k + 1) * D), part.assuming["step"], before)
    yield step, "one more step"
    yield induct(base, step, "k"), "by induction"


FALSEHOODS = (
    Falsehood(
        "as printed: tau = s Delta",
        at_most(exp(t**2 * tau(SHIFT) ** 2 / 2), exp(t**2 * (s * D) ** 2 / 2)),
        ("sigma > 0", "D > 0", "s >= 1"),
    ),
)
