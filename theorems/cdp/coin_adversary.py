"""The coin and the responses: adaptive composition refuted in rationals.

Printed: not in the sources
Proved: A fair coin, and on heads five randomized responses with exp(eps) = 10, on tails nothing:
    the loss is log(10) times a score whose variance is 2425/484. It exceeds 5, so the loss is not
    sqrt(5) log(10)-subgaussian about its mean, though the coin is (0, 0)-MeanCDP and each response
    log(10)-DP, and so log(10)-subgaussian (Theorem 4).
Idea: The coin decides whether the mean of what follows is large or 0, and a mean of five responses
    outweighs their deviations. Five is the least number, and 10 the least whole ratio, that will
    do.
Source: This package; it sets Theorem 3 of Dwork and Rothblum against their Theorem 4
    (cdp/composition).
"""

from rdpacct.book.words import (
    Atom, Attack, E, Falsehood, Fraction, Iterator, Refused, Statement, Status, Step, Symbol, Table,
    Theorem, assume, at_most, below, coin_then_responses, combine, equal, example, exp, formula,
    lemma, linear, log, real, subgaussian, table,
)  # fmt: skip

t = Symbol("t")
S = Symbol("S")
EPS = log(10)
COIN = [one for one in coin_then_responses(10, 5).parts if isinstance(one, Atom)]
SCORES = (0, -5, -3, -1, 1, 3, 5)
C = Table(
    "C",
    ("S",),
    (),
    tuple(((formula(score),), one.p) for score, one in zip(SCORES, COIN, strict=True)),
)
MEAN = Fraction(45, 22)
VARIANCE = Fraction(2425, 484)
PROMISED = 5 * EPS**2
PRINTED = at_most(E(C, exp(t * (EPS * S - EPS * MEAN))), exp(t**2 * PROMISED / 2))


def scores(part: Statement) -> Iterator[Step]:
    """Exact sums; the losses are the scores times log(10)."""
    for score, one in zip(SCORES, COIN, strict=True):
        yield real(equal(one.loss, score * EPS)), "the losses are multiples of log(10)"
    yield combine(equal(E(C, S), MEAN), table(C, S)), "the mean of the score"
    yield combine(part.claim, table(C, (S - MEAN) ** 2)), "its variance"


def refuted(part: Statement) -> Iterator[Step]:
    """The variance of the score, against what a subgaussian loss may have."""
    square = SCORE.fact()
    body = (EPS * S - EPS * MEAN) ** 2
    scaled = linear(C, body, {(S - MEAN) ** 2: EPS**2}, subgaussian.finite(square))
    larger = combine(
        below(PROMISED, E(C, body)),
        scaled,
        (square, -(EPS**2)),
        rest=(VARIANCE - 5) * EPS**2,
    )
    yield larger, "the variance of the loss exceeds five times log(10)**2"
    yield from subgaussian.absurd(
        part.assuming["printed"],
        larger,
        lemma("cdp/variance", "variance"),
        C,
        EPS * S,
        EPS * MEAN,
    )


def by_search(seed: int) -> int:  # noqa: ARG001
    """The variance in units of eps**2, in rationals: five responses are enough from the ratio 10
    on, four never are.
    """
    enough = next(ratio for ratio in range(2, 50) if _variance(ratio, 5) > 5)
    if enough != 10 or any(_variance(10**power, 4) > 4 for power in range(1, 30)):
        raise Refused(
            f"five responses are enough from the ratio {enough} on, or four are."
        )
    return 38


def _variance(ratio: int, count: int) -> Fraction:
    bias = Fraction(ratio - 1, ratio + 1)
    return count * (1 - bias**2) / 2 + count**2 * bias**2 / 4


SCORE = Statement(
    "score", "the variance of the score", equal(E(C, (S - MEAN) ** 2), VARIANCE), scores
)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        SCORE,
        Statement(
            "refuted",
            "if the loss were sqrt(5) log(10)-subgaussian about its mean, then 0 < 0",
            below(0, 0),
            refuted,
            assuming={"printed": assume(PRINTED, every="t")},
        ),
        Statement(
            "four",
            "with four responses or fewer the variance stays within the promise, at"
            " every ratio",
            at_most(
                Symbol("n") * (1 - Symbol("b") ** 2) / 2
                + Symbol("n") ** 2 * Symbol("b") ** 2 / 4,
                Symbol("n"),
            ),
            lambda part: iter(
                [
                    (
                        real(part.claim, *part.given),
                        "in the bias b = (kappa - 1)/(kappa + 1)",
                    )
                ]
            ),
            ("0 <= b", "b <= 1", "0 <= n", "n <= 4"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the loss is sqrt(5) log(10)-subgaussian about its mean",
            PRINTED,
            instance=example({"t": "1/10"}),
        ),
    ),
    attacks=(Attack("the fewest responses, at ratios up to 10**29", by_search),),
    rules=(coin_then_responses,),
)
