"""Tilted laws on one lattice: what is left of P exp(tilt L)/M(tilt) where the ends are cut off."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import polynomial_product


def planned_support(
    rows: Sequence[tuple[float, float]], count: int, nats: float
) -> float:
    """About how many points of a lattice hold a number of draws, but for what is so many nats
    smaller; a row is a mass, up to a common factor, and its place.
    """
    total = sum([mass for mass, _ in rows])
    mean = sum([mass * place for mass, place in rows]) / total
    variance = sum([mass * (place - mean) ** 2 for mass, place in rows]) / total
    farthest = max([place for _, place in rows])
    near = 2 * math.sqrt(2 * nats * count * variance) + nats
    return min(count * farthest, near) + 1


@dataclass(frozen=True)
class LatticeLaw:
    """The losses first, first + spacing, and so on, with tilted masses; all masses of the whole law
    add up to one.
    """

    first: RealBall
    spacing: RealBall
    masses: Sequence[RealBall]

    def losses(self) -> list[RealBall]:
        """The losses themselves."""
        return [self.first + self.spacing * k for k in range(len(self.masses))]

    def trimmed(self, least: float) -> "LatticeLaw":
        """The law without the ends whose masses are below the least; itself if that is 0."""
        if least <= 0:
            return self
        masses = self.masses
        low = 0
        high = len(masses)
        while low < high - 1 and float(masses[low]) < least:
            low += 1
        while low < high - 1 and float(masses[high - 1]) < least:
            high -= 1
        return LatticeLaw(
            self.first + self.spacing * low, self.spacing, masses[low:high]
        )

    def added(self, other: "LatticeLaw") -> "LatticeLaw":
        """The law of a sum of two independent losses on the same lattice, but for an origin."""
        masses = polynomial_product(self.masses, other.masses)
        return LatticeLaw(self.first + other.first, self.spacing, masses)

    def repeated(self, count: int, least: float) -> "LatticeLaw":
        """The law of a sum of a number of independent losses, cut off at the ends on the way."""
        power = self.trimmed(least)
        product = None
        while True:
            if count & 1:
                product = (
                    power if product is None else product.added(power).trimmed(least)
                )
            count >>= 1
            if not count:
                return product if product is not None else power
            power = power.added(power).trimmed(least)
