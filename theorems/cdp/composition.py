"""Composition of concentrated differential privacy, one mechanism after the other.

Printed: If M1 is (mu1, tau1)-CDP and M2(., y) is (mu2, tau2)-CDP for every y, then the adaptive composition is
    (mu1 + mu2, sqrt(tau1**2 + tau2**2))-CDP.
Proved: If E exp(t (L1 - mu1)) <= exp(t**2 tau1**2/2) and, given the first output, E exp(t (L2 - mu2)) <=
    exp(t**2 tau2**2/2), both for all t >= 0, then E exp(t (L1 + L2 - mu1 - mu2)) <= exp(t**2 (tau1**2 + tau2**2)/2)
    for all t >= 0.
Idea: Condition on the first output: the second factor is at most a constant, whatever the adversary chose.
Source: Dwork and Rothblum, Theorem 3.
Finding: False as printed, for every tau1, tau2 > 0.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    E,
    Law,
    assume,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    integrable,
    linear,
    real,
    tower,
)
from rdpacct.proof.theorem import Part, Step, Theorem, Verdict

t, mu1, mu2, tau1, tau2 = (Symbol(name) for name in ("t", "mu1", "mu2", "tau1", "tau2"))
P = Law("P", ("L1", "L2"))
L1, L2 = P.symbol("L1"), P.symbol("L2")
FIRST, SECOND = exp(t * (L1 - mu1)), exp(t * (L2 - mu2))


def proof(part: Part) -> Iterator[Step]:
    """One tower, with the second mechanism bounded given the first loss."""
    first, second = part.assuming["first"], part.assuming["second"]
    product, limit = FIRST * SECOND, exp(t**2 * tau2**2 / 2)
    pulled = linear(P, product, {SECOND: FIRST}, integrable(second, E(P, SECOND, "L1")), given="L1")
    yield pulled, "given the first output, its factor is a constant"
    inner = combine(at_most(E(P, product, "L1"), FIRST * limit), pulled, (second, FIRST))
    yield inner, "the second mechanism, whichever it is"
    scaled = linear(P, FIRST * limit, {FIRST: limit}, integrable(first, E(P, FIRST)))
    bound = integrable(scaled, E(P, FIRST * limit))
    positive = real(at_most(0, product))
    inner_positive = expect(positive, P, integrable(pulled, E(P, product, "L1")), given="L1")
    finite = dominated(inner, P, bound, lower=inner_positive)
    outer = expect(inner, P, finite, bound)
    yield outer, "integrated over the first output"
    whole = tower(P, product, "L1", finite, positive)
    joined = combine(at_most(E(P, product), exp(t**2 * (tau1**2 + tau2**2) / 2)), whole, outer, scaled, first)
    yield joined, "the first mechanism"
    total = exp(t * (L1 + L2 - mu1 - mu2))
    same = expect(real(equal(product, total)), P, integrable(joined, E(P, product)))
    yield combine(part.claim, same, joined), "the loss of the pair is the sum of the losses"


THEOREM = Theorem(
    verdict=Verdict.CORRECTED,
    parts=(
        Part(
            "one-sided",
            "one-sided moment bounds compose, adaptively",
            claim=at_most(E(P, exp(t * (L1 + L2 - mu1 - mu2))), exp(t**2 * (tau1**2 + tau2**2) / 2)),
            given=("t >= 0",),
            assuming={
                "first": assume(at_most(E(P, FIRST), exp(t**2 * tau1**2 / 2)), "t >= 0", every="t"),
                "second": assume(at_most(E(P, SECOND, "L1"), exp(t**2 * tau2**2 / 2)), "t >= 0", every="t"),
            },
            proof=proof,
        ),
    ),
)
