"""The moments of the loss of the Laplace mechanism, and so its Renyi divergences.

Printed: not in the sources.
Proved: For outputs x of density exp(-|x - s|)/2 and loss L = |x| - |x - s|, E exp(rate L) is ((1 +
    rate) exp(rate s) + rate exp(-(1 + rate) s))/(1 + 2 rate), for every real rate other than -1/2.
Idea: The loss is -s, 2x - s and s on three intervals.
Source: Mironov, Renyi differential privacy, Proposition 6.
"""

from rdpacct.book.words import (
    E, Falsehood, Fraction, Iterator, LEFT, RIGHT, Statement, Status, Step, Symbol, Theorem, around,
    at_most, average, by_prover, combine, equal, exp, formula, laplace_log_moment as log_moment,
    laplace_pair_LOSS as LOSS, laplace_pair_s as s, laplace_pair_x as x,
)  # fmt: skip

t = Symbol("rate")
P = around()
MOMENT = equal(E(P, exp(t * LOSS)), exp(log_moment(s, t)))


def proof(part: Statement) -> Iterator[Step]:
    """Piece by piece."""
    middle = exp(t * (2 * x - s)) * LEFT / (2 * t + 1)
    total = average(
        P,
        exp(t * LOSS),
        exp(-t * s) * LEFT,
        middle,
        -exp(t * s) * RIGHT,
        given=part.given,
    )
    yield total, "the antiderivatives on the three pieces"
    yield combine(part.claim, total), "added up"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "above",
            "the moment for rates above -1/2",
            MOMENT,
            proof,
            ("s > 0", "rate > -1/2"),
        ),
        Statement(
            "below",
            "the moment for rates below -1/2",
            MOMENT,
            proof,
            ("s > 0", "rate < -1/2"),
        ),
    ),
    sharp=(
        Statement(
            "symmetric",
            "the law of the loss does not change when the pair is exchanged",
            equal(log_moment(s, -1 - t), log_moment(s, t)),
            by_prover("both sides are the same fraction"),
            ("s > 0", "rate > -1/2"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the Renyi divergence of order 2 is at most s**2/2, that of order 1 of a"
            " Gaussian with this shift",
            at_most(log_moment(s, formula(1)), s**2 / 2),
            ("s > 0",),
        ),
        Falsehood(
            "the moments of a shift by s are at most those of a shift by 0.9 s",
            at_most(log_moment(s, t), log_moment(s, t).at(s=s * Fraction(9, 10))),
            ("s > 0", "rate > 0"),
        ),
    ),
    rules=(log_moment,),
)
