"""Steps that proofs about smooth sensitivity share: order statistics by counting, and noise beyond a quantile."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import Fact, Quantity, assume, at_most, combine, given_by, real, specialize

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


def divided(claim: Comparison, product: Fact, positive: Fact) -> Fact:
    """From (left - right) y <= 0 and 0 < y: left <= right."""
    quotient = real("x <= z/y", "x*y <= z", "0 < y")
    found = specialize(quotient, x=claim.left - claim.right, y=positive.relation.right, z=0)
    return combine(claim, given_by(found, product, positive))
