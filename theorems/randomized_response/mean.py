"""The mean loss of randomized response.

Printed: not in the sources.
Proved: With k answers the loss is eps, -eps and 0 with probabilities e**eps/T, 1/T and (k - 2)/T,
    where T is e**eps + k - 1; its mean is eps (e**eps - 1)/T, which is eps tanh(eps/2) for two
    answers.
Idea: A finite sum.
Source: Warner, Randomized response; Kairouz, Oh and Viswanath, Extremal mechanisms for local
    differential privacy.
"""

from rdpacct.book.words import (
    Atom, Attack, E, Falsehood, Iterator, RandomizedResponse, Refused, Statement, Status, Step,
    Symbol, Table, Theorem, at_most, by_prover, combine, equal, exp, formula,
    randomized_response_mean as mean, table,
)  # fmt: skip

eps = Symbol("epsilon")
k = Symbol("k")
L = Symbol("L")
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
    total = table(P, L, *part.given)
    yield total, "three losses"
    yield combine(part.claim, total), "added up"


def attack(seed: int) -> int:  # noqa: ARG001
    """The shipped losses have the shipped mean."""
    count = 0
    for numerator in range(1, 11):
        for answers in (2, 3, 4, 7, 100):
            parts = (
                RandomizedResponse(formula(numerator) / 4, answers=answers).loss().parts
            )
            atoms = [one for one in parts if isinstance(one, Atom)]
            exact = sum((one.p * one.loss for one in atoms), formula(0))
            gap = (exact - mean(formula(numerator) / 4, answers)).ball(128)
            if gap.certainly_positive() or gap.certainly_negative():
                raise Refused(f"{answers} answers at {numerator}/4 have another mean.")
            count += 1
    return count


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "mean",
            "the mean loss with k answers",
            equal(E(P, L), mean(eps, k)),
            proof,
            ("k >= 2",),
        ),
        Statement(
            "binary",
            "for two answers it is eps tanh(eps/2)",
            equal(mean(eps, k).at(k=2), mean(eps, 2)),
            by_prover("the hyperbolic tangent by exponentials"),
            (),
        ),
    ),
    sharp=(
        Statement(
            "answers",
            "more answers have a smaller mean loss",
            at_most(mean(eps, k), mean(eps, 2)),
            by_prover("a larger total"),
            ("k >= 2",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the mean loss is at most eps/2",
            at_most(mean(eps, 2), eps / 2),
            ("epsilon > 0",),
        ),
        Falsehood(
            "a bound by eps**2/(2 k)",
            at_most(mean(eps, k), eps**2 / (2 * k)),
            ("epsilon > 0", "k >= 2"),
        ),
    ),
    attacks=(Attack("the shipped losses, for 2 to 100 answers", attack),),
    rules=(mean,),
)
