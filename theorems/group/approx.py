"""Approximate differential privacy of groups.

Printed: not in the sources.
Proved: If P_j(S) <= exp(epsilon) P_{j+1}(S) + delta along a chain of neighbors, then for every k
    P_0(S) <= exp(k epsilon) P_k(S) + delta (exp(k epsilon) - 1)/(exp(epsilon) - 1), and P_0(S) <=
    P_k(S) + k delta at epsilon = 0, both with the shipped parameters.
Idea: Induction along the chain; the factor of delta is the sum of exp(i epsilon) for i < k.
Source: Vadhan, The complexity of differential privacy, Lemma 2.2, with the sum in place of k exp((k
    - 1) epsilon).
"""

from rdpacct.book.words import (
    ApproxDP, Attack, Fact, Falsehood, Fraction, Iterator, Quantity, Random, Refused, Statement,
    Status, Step, Symbol, Theorem, Whole, ZERO, assume, at_most, by_prover, chained, combine, equal,
    exp, group_approx, induct, log, real, specialize,
)  # fmt: skip

k, epsilon, delta, K = map(Symbol, ("k", "epsilon", "delta", "K"))
P = Quantity("P", (k,))
"""The probability of an event on the k-th data set of a chain."""
GROWN, SLIPS = chained(epsilon, delta, k)
AT_ZERO = chained(ZERO, delta, k)


def chain(part: Statement) -> Iterator[Step]:
    """One neighbor more multiplies by exp(epsilon), and adds delta times what was multiplied so
    far.
    """
    one = part.assuming["neighbors"]
    bound = part.claim.right
    given = tuple(item for item in part.given if isinstance(item, str))
    before = assume(part.claim, *part.given)
    claim = at_most(P.at(k=0), bound.at(k=k + 1))
    first = at_most(P.at(k=0), bound.at(k=1))
    if given:
        unit = real(equal((exp(epsilon) - 1) / (exp(epsilon) - 1), 1), *given)
        step = combine(
            claim,
            before,
            (one, exp(k * epsilon)),
            (unit, -delta * exp(k * epsilon)),
            given=given,
        )
    else:
        step = combine(claim, before, one)
    yield step, "one neighbor more"
    base = combine(first, specialize(one, k=0), given=given)
    yield base, "one neighbor"
    yield induct(base, step, "k"), "from one on"


def attack(seed: int) -> int:
    """Random chains of binary laws that use all of delta, against the shipped rule."""
    rng = Random(seed)
    for _ in range(150):
        size = rng.randint(1, 6)
        ratio = Fraction(rng.randint(4, 9), 4)
        small = Fraction(rng.randint(0, 9), rng.choice((40, 200)))
        promise = group_approx(ApproxDP(log(ratio), small), size)
        first = last = Fraction(rng.randint(1, 99), 100)
        for _ in range(size):
            low = max(
                (last - small) / ratio, 1 - ratio * (1 - last) - small, Fraction(0)
            )
            high = min(
                ratio * last + small, 1 - (1 - last - small) / ratio, Fraction(1)
            )
            last = low + (high - low) * Fraction(rng.choice((0, 0, 1, 2, 4, 4)), 4)
        for one, other in (
            (first, last),
            (last, first),
            (1 - first, 1 - last),
            (1 - last, 1 - first),
        ):
            if (
                (exp(promise.epsilon) * other + promise.delta)
                .bound()
                .certainly_below(one)
            ):
                raise Refused(f"a chain of {size} goes from {other} to {one}.")
    return 150


def neighbors(at_zero: bool) -> Fact:
    """The promise for one step of the chain."""
    return assume(
        at_most(P, (1 if at_zero else exp(epsilon)) * P.at(k=k + 1) + delta), every="k"
    )


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "chain",
            "epsilon is multiplied by the length of the chain, delta by a"
            " geometric sum",
            at_most(P.at(k=0), exp(GROWN) * P + SLIPS),
            chain,
            ("epsilon > 0", Whole("k", 1)),
            {"neighbors": neighbors(False)},
        ),
        Statement(
            "chain at epsilon = 0",
            "delta is multiplied by the length of the chain",
            at_most(P.at(k=0), exp(AT_ZERO[0]) * P + AT_ZERO[1]),
            chain,
            (Whole("k", 1),),
            {"neighbors": neighbors(True)},
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "events of probabilities (K + 1) delta, delta and 0, with K = exp(epsilon),"
            " reach it at size 2",
            equal((K + 1) * delta, delta * (K**2 - 1) / (K - 1)),
            by_prover("the geometric sum"),
            ("K > 1",),
        ),
        Statement(
            "a chain of neighbors",
            "and the complements of these events are within the promise as well, for"
            " small delta",
            at_most(1 - delta, K * (1 - (K + 1) * delta) + delta),
            by_prover("linear in delta, and true at both ends"),
            ("K > 1", "delta <= 1/(K + 2)"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "delta is multiplied by the length of the chain only",
            at_most((K + 1) * delta, 2 * delta),
            ("K > 1", "delta > 0", "(K + 2)*delta <= 1"),
        ),
    ),
    attacks=(Attack("random chains of binary laws", attack),),
    rules=(chained,),
)
