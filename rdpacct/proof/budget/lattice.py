"""delta(epsilon) of a sum of losses that are multiples of one unit: a product of polynomials."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_poly, ctx

from rdpacct.proof.budget.pairs import WorstPair, ball
from rdpacct.proof.budget.reading import Values, exactly, positive
from rdpacct.proof.budget.work import spend
from rdpacct.proof.check.effort import Rejected

MAX_DEGREE = 200_000
DEGREE_WORK, LOSS_WORK = 20, 3
"""The work of a coefficient of the product, and of adding up a loss."""
BLOCKS = 6
"""A coefficient takes one unit more each time that the masses of the product fall by this many
precisions: they are multiplied in blocks of about one size.
"""
THEOREMS = ("engine/atom-sums",)


@dataclass(frozen=True)
class LatticeSum:
    """The masses of the losses lowest, lowest + unit, lowest + 2 unit, and so on."""

    unit: Fraction
    lowest: Fraction
    masses: list[arb]
    unlisted: arb
    """At least the mass of sums with a loss that is not listed."""

    def above(self, epsilon: Fraction) -> arb:
        """At least the part of delta that finite losses make."""
        return (self._sum(epsilon) + self.unlisted).upper()

    def below(self, epsilon: Fraction) -> arb:
        """At most that part."""
        return self._sum(epsilon).lower()

    def _sum(self, epsilon: Fraction) -> arb:
        spend(LOSS_WORK * len(self.masses))
        total = arb(0)
        for index, mass in enumerate(self.masses):
            excess = self.lowest + index * self.unit - epsilon
            if excess > 0:
                total += mass * (1 - (-ball(excess)).exp())
        return total


def lattice_of(given: Values, pairs: Sequence[tuple[WorstPair, int]]) -> LatticeSum:
    """The law of the sum, for the unit that a certificate names."""
    unit = positive(
        exactly(given, {"method", "unit", "reach"}, "a lattice")["unit"], "a unit"
    )
    law = arb_poly([1])
    lowest = Fraction(0)
    unlisted = arb(0)
    smaller = 0.0
    for pair, count in pairs:
        rows = pair.lattice()
        if rows is None:
            raise Rejected("a release has losses that are not rational.")
        least = min(loss for loss, _ in rows)
        steps = [(loss - least) / unit for loss, _ in rows]
        if any(step.denominator != 1 for step in steps):
            raise Rejected("a loss is not a multiple of the unit.")
        degree = int(max(steps))
        if law.degree() + count * degree > MAX_DEGREE:
            raise Rejected("the sum has too many different losses.")
        smaller += count * range_of(rows)
        spend(product_work(law.degree() + count * degree, smaller))
        masses = [arb(0)] * (degree + 1)
        for step, (_, mass) in zip(steps, rows, strict=True):
            masses[int(step)] += mass
        law *= arb_poly(masses) ** count
        lowest += count * least
        unlisted += count * pair.unlisted()
    return LatticeSum(unit, lowest, law.coeffs(), unlisted)


def product_work(degree: int, smaller: float) -> int:
    """The work of a product of this degree, whose masses differ by this many bits in size."""
    return degree * (DEGREE_WORK + math.ceil(smaller / (BLOCKS * ctx.prec)))


def range_of(rows: Sequence[tuple[Fraction, arb]]) -> float:
    """About by how many bits the smallest mass is smaller than the largest."""
    sizes = [float(mass.log()) for _, mass in rows if mass > 0]
    return (max(sizes) - min(sizes)) / math.log(2) if sizes else 0.0
