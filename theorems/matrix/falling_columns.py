"""Strategies whose columns are one falling sequence, moved down: the earliest steps are worst.

Printed: not in the sources.
Proved: The product of the columns of two steps is the sum of a(t + gap) a(t) over the t that are
    left from the later of them. If a >= 0 never rises, a smaller gap has larger factors, and an
    earlier step more terms (`closer`); the steps of the earliest pattern are nowhere later and no
    further apart (matrix/participation), so that no other pattern has a larger sum of products. The
    entries of the sum of its columns are the shipped ones. Coefficients of any sign have products
    at most those of a sequence above their sizes. Coefficients that end before a record takes part
    again have orthogonal columns, the earliest of which are the longest. The coefficients of the
    square root of the prefix sums, as shipped, are positive and fall.
Idea: Term by term.
Source: Kalinin and Lampert (2024), Banded square root matrix factorization for differentially
    private model training; Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta and Xu (2023),
    (Amplified) banded matrix factorization.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Symbol, Theorem, assume, at_most, below,
    by_prover, combine, dominated, equal, expect, formula, given_by, integrable, next_coefficient,
    next_sum, proves, real, relations, specialize, under,
)  # fmt: skip

near, far, own, kept, G, stays, left, f, k, s, t, u, v, x, y = map(
    Symbol,
    (
        *("near", "far", "own", "kept", "G", "stays", "left", "f", "k", "s", "t"),
        *("u", "v", "x", "y"),
    ),
)
TERMS = ("0 <= far", "far <= near", "0 <= own", "0 <= kept", "kept <= 1")
S = Law("S", ("near", "far", "own", "kept"), relations(*TERMS))
"""The terms of a product of columns: the factor at the smaller and at the larger gap, the factor of
the later step, and whether the term is there for a later step still.
"""

THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "The product of two columns is the sum of its terms, which is their mean times their"
        " number.",
    ),
    parts=(
        Statement(
            "closer",
            "columns that are further apart, or later, have a smaller product",
            at_most(E(S, kept * far * own), G),
            assuming={"product": assume(equal(E(S, near * own), G))},
        ),
        Statement(
            "sum",
            "an entry of the sum of the earliest columns: those that stay from one separation"
            " before, and the first column",
            equal(next_sum(own, stays + left, left), own + stays),
            by_prover("as it stands"),
        ),
        Statement(
            "above",
            "products of coefficients are at most those of a sequence above their sizes",
            at_most(x * y, u * v),
            given=("x <= u", "-u <= x", "y <= v", "-v <= y"),
        ),
        Statement(
            "longer",
            "an earlier column has at least the square of a later one",
            at_most(s, s + t**2),
            by_prover("a square"),
        ),
        Statement(
            "square root",
            "the coefficients of the square root fall",
            below(next_coefficient(f, k), f),
            by_prover("(2 k - 1)/(2 k) is below 1"),
            ("0 < f", "1 <= k"),
        ),
        Statement(
            "square root, positive",
            "and are positive",
            below(0, next_coefficient(f, k)),
            by_prover("as 2 k - 1 is"),
            ("0 < f", "1 <= k"),
        ),
    ),
    rules=(next_sum, next_coefficient),
)


@proves("closer")
def closer(part: Statement) -> Iterator[Step]:
    """Term by term."""
    product = part.assuming["product"]
    bound = integrable(product, E(S, near * own))
    line = real("kept*far*own <= near*own", *TERMS)
    yield line, "term by term"
    least = real("0 <= kept*far*own", *TERMS)
    finite = dominated(line, S, bound, lower=least)
    mean = expect(line, S, finite, bound)
    yield combine(part.claim, mean, product), "added up"


@proves("above")
def above(part: Statement) -> Iterator[Step]:
    """Twice the difference is (u - x) (v + y) + (u + x) (v - y)."""
    rule = real("0 <= s*t", "0 <= s", "0 <= t")
    half = formula(1) / 2
    products = []
    for one, other in ((u - x, v + y), (u + x, v - y)):
        signs = [real(at_most(0, each), *part.given) for each in (one, other)]
        products.append((given_by(specialize(rule, s=one, t=other), *signs), half))
    yield products[0][0], "both factors are at least 0"
    yield under(combine(part.claim, *products), *part.given), "half of the sum"


FALSEHOODS = (
    Falsehood(
        "products fall also where coefficients change their sign",
        at_most(kept * far * own, near * own),
        ("far <= near", "own <= 0", "0 <= kept", "kept <= 1"),
    ),
    Falsehood(
        "the coefficients of the square root fall by a half each",
        at_most(next_coefficient(f, k), f / 2),
        ("0 < f", "1 <= k"),
    ),
)
