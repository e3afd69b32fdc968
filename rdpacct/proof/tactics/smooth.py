"""Steps that proofs about smooth sensitivity share: order statistics by counting, and noise beyond a quantile."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import Fact, Quantity, assume, at_most, below, combine, given_by, real, specialize

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Sample:
    """Finitely many numbers, named by their counting function and by their sorted values."""

    counter: str
    sorted: str

    def count(self, t: Real) -> Expr:
        """How many of the numbers are at most t."""
        return Quantity(self.counter, (formula(t),))

    def value(self, k: Real) -> Expr:
        """The k-th smallest of the numbers."""
        return Quantity(self.sorted, (formula(k),))

    def reached(self) -> Fact:
        """At least k numbers are at most the k-th smallest: half of ``value(k) <= t iff count(t) >= k``."""
        k = Symbol("k")
        return assume(at_most(k, self.count(self.value(k))), every="k")

    def least(self) -> Fact:
        """value(k) <= t if count(t) >= k, and value(k) >= t if not; a count is a whole number."""
        k, t = Symbol("k"), Symbol("t")
        return assume(at_most((self.value(k) - t) * (self.count(t) - k + HALF), 0), every=("k", "t"))

    def loses_one(self, other: "Sample") -> Fact:
        """The other sample has at most one number less below any point: it differs in one row."""
        t = Symbol("t")
        return assume(at_most(self.count(t), other.count(t) + 1), every="t")


def divided(claim: Comparison, product: Fact, positive: Fact) -> Fact:
    """From (left - right) y <= 0 and 0 < y: left <= right."""
    x, y = claim.left - claim.right, positive.relation.right
    found = specialize(real("x <= z/y", "x*y <= z", "0 < y"), x=x, y=y, z=0)
    return combine(claim, given_by(found, combine(at_most(x * y, 0), product), positive))


def other_factor(x: Expr, product: Fact, positive: Fact) -> Fact:
    """From 0 < x y and 0 < y: 0 < x."""
    y = positive.relation.right
    found = specialize(real("z/y < x", "z < x*y", "0 < y"), x=x, y=y, z=0)
    return given_by(found, combine(below(0, x * y), product), positive)


N, T, A = Symbol("N"), Symbol("T"), Symbol("A")
NOISE = Law("P", ("N", "T"), relations("0 <= T", "T <= 1"))
"""Noise: N is what its density ratio to the moved noise depends on, T is a set that it may lie in, or a test."""
NORM = Law("P", ("N", "T"), relations("0 <= N", "0 <= T", "T <= 1"))
"""The same where N is a norm."""


def far(law: Law, rho: Real) -> Event:
    """The noise with the indicator A of N > rho."""
    return event(law, "A", below(rho, N))


def kept(law: Law, ratio: Expr, pointwise: Fact, mass: Fact, *more: Fact) -> Fact:
    """E[T] <= c E'[T] + E[rest] from T <= c ratio T + rest, where E' is under the noise of this density ratio.

    ``pointwise`` holds on the law, or on one with the event of ``far``; ``more`` is what bounds E[rest].
    """
    raise NotImplementedError


