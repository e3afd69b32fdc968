"""Pure differential privacy of groups.

Printed: not in the sources.
Proved: If P_j(S) <= exp(epsilon) P_{j+1}(S) along a chain of neighbors, then P_0(S) <= exp(k
    epsilon) P_k(S).
Idea: Induction along the chain.
Source: Dwork and Roth, The algorithmic foundations of differential privacy, Theorem 2.2.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Iterator, PureDP, Quantity, Random, Refused, Statement, Status,
    Step, Symbol, Theorem, Whole, assume, at_most, by_prover, combine, equal, exp, group_pure,
    induct, log, specialize, under,
)  # fmt: skip

k, epsilon, p = map(Symbol, ("k", "epsilon", "p"))
P = Quantity("P", (k,))
"""The probability of an event on the k-th data set of a chain."""
NEIGHBORS = assume(at_most(P, exp(epsilon) * P.at(k=k + 1)), every="k")
CLAIM = at_most(P.at(k=0), exp(k * epsilon) * P)


def chain(part: Statement) -> Iterator[Step]:
    """One neighbor more multiplies by exp(epsilon)."""
    one = part.assuming["neighbors"]
    before = assume(CLAIM, *(item for item in part.given if isinstance(item, Whole)))
    claim = at_most(P.at(k=0), (exp(k * epsilon) * P).at(k=k + 1))
    step = combine(claim, before, (one, exp(k * epsilon)))
    yield step, "one neighbor more"
    yield induct(specialize(one, k=0), step, "k"), "from one on"


def shipped(part: Statement) -> Iterator[Step]:
    """The rule at size 3."""
    *_, (general, _) = chain(GENERAL)
    yield (
        under(combine(part.claim, specialize(general, k=3))),
        "the general statement at k = 3",
    )


GENERAL = Statement(
    "chain",
    "epsilon is multiplied by the length of the chain",
    CLAIM,
    chain,
    (Whole("k", 1),),
    {"neighbors": NEIGHBORS},
)


def attack(seed: int) -> int:
    """Random chains of binary laws with exact ratios, against the shipped rule."""
    rng = Random(seed)
    for _ in range(150):
        size = rng.randint(1, 8)
        ratio = Fraction(rng.randint(5, 12), 4)
        promise = group_pure(PureDP(log(ratio)), size)
        first = last = Fraction(rng.randint(1, 99), 100)
        for _ in range(size):
            ends = (
                max(last / ratio, 1 - ratio * (1 - last)),
                min(ratio * last, 1 - (1 - last) / ratio),
            )
            last = ends[0] + (ends[1] - ends[0]) * Fraction(
                rng.choice((0, 0, 1, 2, 4, 4)), 4
            )
        for one, other in (
            (first, last),
            (last, first),
            (1 - first, 1 - last),
            (1 - last, 1 - first),
        ):
            if exp(promise.epsilon).bound().certainly_below(one / other):
                raise Refused(f"a chain of {size} has the ratio {one / other}.")
    return 150


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        GENERAL,
        Statement(
            "the rule at size 3",
            "what the package computes, for three neighbors",
            at_most(P.at(k=0), exp(group_pure(PureDP(epsilon), 3).epsilon) * P.at(k=3)),
            shipped,
            assuming={"neighbors": NEIGHBORS},
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "events of probabilities p, p exp(-epsilon), p exp(-2 epsilon), ..."
            " reach it",
            equal(p, exp(k * epsilon) * (p * exp(-k * epsilon))),
            by_prover("the ratios multiply"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "three neighbors are enough for the ratio exp(4 epsilon)",
            at_most(
                p, exp(group_pure(PureDP(epsilon), 3).epsilon) * (p * exp(-4 * epsilon))
            ),
            ("epsilon > 0", "0 < p < 1"),
        ),
    ),
    attacks=(Attack("random chains of binary laws", attack),),
    rules=(group_pure,),
)
