"""The moments of the loss of randomized response, and so its Renyi divergences.

Printed: not in the sources.
Proved: With k = others + 2 answers, E exp(rate L) is (e**((1 + rate) eps) + e**(-rate eps) + k -
    2)/(e**eps + k - 1), for every real rate.
Idea: A finite sum.
Source: Mironov, Renyi differential privacy, Proposition 5, for two answers.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Statement, Status, Step, Symbol, Table, Theorem, at_most, by_prover,
    combine, equal, exp, formula, randomized_response_log_moment as log_moment, table,
)  # fmt: skip

eps = Symbol("epsilon")
others = Symbol("others")
L = Symbol("L")
t = Symbol("rate")
k = others + 2
TOTAL = exp(eps) + (k - 1)
P = Table(
    "P",
    ("L",),
    (),
    (
        ((eps,), exp(eps) / TOTAL),
        ((-eps,), 1 / TOTAL),
        ((formula(0),), (k - 2) / TOTAL),
    ),
)


def proof(part: Statement) -> Iterator[Step]:
    """The sum over the three losses."""
    total = table(P, exp(t * L), *part.given)
    yield total, "three losses"
    yield combine(part.claim, total), "added up"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "moment",
            "the moments with k answers",
            equal(E(P, exp(t * L)), exp(log_moment(eps, k, t))),
            proof,
            ("others >= 0",),
        ),
    ),
    sharp=(
        Statement(
            "symmetric",
            "the law of the loss does not change when the pair is exchanged",
            equal(log_moment(eps, k, -1 - t), log_moment(eps, k, t)),
            by_prover("the same sum"),
            ("others >= 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the divergence of order 2 is at most eps**2/2 for two answers",
            at_most(log_moment(eps, 2, formula(1)), eps**2 / 2),
            ("epsilon > 0",),
        ),
        Falsehood(
            "the moments for three answers are at least those for two",
            at_most(log_moment(eps, 2, t), log_moment(eps, 3, t)),
            ("epsilon > 0", "rate > 0"),
        ),
    ),
    rules=(log_moment,),
)
