"""The losses of unary encodings: epsilon, -epsilon and 0.

Printed: not in the sources.
Proved: Let the bit X of the true value be 1 with probability keep, and that of another value, Y,
    with probability stray, independently. If keep (1 - stray) = e**eps stray (1 - keep), then on
    the two values the loss is eps (X - Y), and it is 0 with probability keep stray + (1 - keep) (1
    - stray). Both shipped encodings have such bits; for the optimized one that probability is 1/2.
Idea: Four outcomes of two bits; all other bits have the same law on both values.
Source: Erlingsson, Pihur and Korolova, RAPPOR (2014); Wang, Blocki, Li and Jha, Locally
    differentially private protocols for frequency estimation (2017), Section 4.3.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Statement, Status, Step, Symbol, Table, Theorem, at_most, by_prover,
    combine, equal, equal_bits, exp, formula, one_stray, optimized_bits, proves, symbols,
    symmetric_bits, table,
)  # fmt: skip

eps = Symbol("epsilon")
keep, stray, X, Y = symbols("keep stray X Y")
ONE = formula(1)
ZERO = formula(0)
P = Table(
    "P",
    ("X", "Y"),
    (),
    (
        ((ONE, ONE), keep * stray),
        ((ONE, ZERO), keep * (1 - stray)),
        ((ZERO, ONE), (1 - keep) * stray),
        ((ZERO, ZERO), (1 - keep) * (1 - stray)),
    ),
)
"""The two bits on the true value."""
BITS = ("0 <= keep", "keep <= 1", "0 <= stray", "stray <= 1")
THIRD = Table(
    "R",
    ("X", "Y"),
    (),
    (
        ((ONE, ONE), stray**2),
        ((ONE, ZERO), stray * (1 - stray)),
        ((ZERO, ONE), (1 - stray) * stray),
        ((ZERO, ZERO), (1 - stray) ** 2),
    ),
)
"""The two bits on a third value."""
SYMMETRIC = symmetric_bits(eps)
OPTIMIZED = optimized_bits(eps)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "neutral",
            "the two bits are equal with the shipped probability",
            equal(E(P, 1 - (X - Y) ** 2), equal_bits(keep, stray)),
            given=BITS,
        ),
        Statement(
            "third value",
            "on a third value the first bit is 1 and the second 0 with the shipped probability",
            equal(E(THIRD, X * (1 - Y)), one_stray(stray)),
            given=BITS[2:],
        ),
        Statement(
            "telling",
            "the bits 1 and 0 have e**eps times the probability that they have on the"
            " other value, and the bits 0 and 1 its inverse, with symmetric bits",
            equal(
                SYMMETRIC[0] * (1 - SYMMETRIC[1]),
                exp(eps) * SYMMETRIC[1] * (1 - SYMMETRIC[0]),
            ),
            by_prover("the square of exp(eps/2)"),
        ),
        Statement(
            "telling, optimized",
            "the same with optimized bits",
            equal(
                OPTIMIZED[0] * (1 - OPTIMIZED[1]),
                exp(eps) * OPTIMIZED[1] * (1 - OPTIMIZED[0]),
            ),
            by_prover("one half cancels"),
        ),
    ),
    sharp=(
        Statement(
            "half",
            "optimized bits are equal as often as not",
            equal(equal_bits(*OPTIMIZED), formula(1) / 2),
            by_prover("stray/2 + (1 - stray)/2"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "symmetric bits that are flipped with probability 1/(1 + e**eps) have the loss eps",
            at_most(
                symmetric_bits(2 * eps)[0] * (1 - symmetric_bits(2 * eps)[1]),
                exp(eps)
                * symmetric_bits(2 * eps)[1]
                * (1 - symmetric_bits(2 * eps)[0]),
            ),
            ("epsilon > 0",),
        ),
        Falsehood(
            "symmetric bits are equal as often as not",
            at_most(formula(1) / 2, equal_bits(*SYMMETRIC)),
            ("epsilon > 0",),
        ),
    ),
    in_words=(
        "All bits but those of the two values have the same law on both, and are independent"
        " of these; equal bits have the same probability on both values.",
    ),
    rules=(equal_bits, one_stray, symmetric_bits, optimized_bits),
)


@proves("neutral")
def neutral(part: Statement) -> Iterator[Step]:
    """The sum over the four outcomes."""
    total = table(P, 1 - (X - Y) ** 2, *part.given)
    yield total, "four outcomes"
    yield combine(part.claim, total), "added up"


@proves("third value")
def third_value(part: Statement) -> Iterator[Step]:
    """The sum over the four outcomes."""
    total = table(THIRD, X * (1 - Y), *part.given)
    yield total, "four outcomes"
    yield combine(part.claim, total), "one of them counts"
