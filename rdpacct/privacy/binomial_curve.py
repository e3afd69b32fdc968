"""The profile of repeated draws of two atoms, without quadrature."""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real
from rdpacct.provenance import by
from rdpacct.work import spend

MOST_DRAWS, DRAW_WORK = 4000, 1.5
"""The most draws, and the work of one of the losses that they have."""


@dataclass(frozen=True)
class BinomialCurve:
    """The profile of ``count`` draws of two atoms: piecewise linear in exp(epsilon)."""

    count: int
    high: tuple[RealBall, RealBall]
    """The mass and the loss of the upper atom."""
    low: tuple[RealBall, RealBall]

    @classmethod
    def of(
        cls,
        first: tuple[RealBall, RealBall],
        second: tuple[RealBall, RealBall],
        count: int,
    ) -> "BinomialCurve | None":
        """The curve of a number of draws of two atoms, each with its mass and its loss, if they
        differ.
        """
        if count > MOST_DRAWS:
            return None
        if first[1] > second[1]:
            return cls(count, first, second)
        if second[1] > first[1]:
            return cls(count, second, first)
        return None

    @property
    def top(self) -> float:
        """About the largest loss."""
        return self.count * float(self.high[1])

    def loss(self, lower: int) -> RealBall:
        """The loss with this number of lower atoms."""
        return self.high[1] * (self.count - lower) + self.low[1] * lower

    @by("engine/binomial")
    def above(self, number: int) -> tuple[RealBall, RealBall]:
        """The masses under P and Q of the ``number`` largest losses."""
        spend(DRAW_WORK * number)
        (p, x), (r, y) = self.high, self.low
        mass_p = p**self.count
        mass_q = (p * (-x).exp()) ** self.count
        up = r / p
        down = (r * (-y).exp()) / (p * (-x).exp())
        total_p = total_q = real(0)
        for lower in range(number):
            total_p = total_p + mass_p
            total_q = total_q + mass_q
            share = real(self.count - lower) / (lower + 1)
            mass_p = mass_p * (up * share)
            mass_q = mass_q * (down * share)
        return total_p, total_q

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon); where it is open whether a loss exceeds epsilon,
        both are.
        """
        gap = (self.loss(0) - epsilon) / (self.high[1] - self.low[1])
        if not gap.is_finite():
            return real(0).union(real(1))
        ends = (float(gap.lower()), -2), (float(gap.upper()), 2)
        first, last = (
            min(max(math.ceil(end) + k, 0), self.count + 1) for end, k in ends
        )
        while first < last and self.loss(first) > epsilon:
            first += 1
        while first < last and self.loss(last - 1) <= epsilon:
            last -= 1
        growth = epsilon.exp()
        delta = [p - growth * q for p, q in map(self.above, range(first, last + 1))]
        result = delta[0]
        for other in delta[1:]:
            result = result.union(other)
        return result

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        gap = (self.top - epsilon) / float(self.high[1] - self.low[1])
        p, q = self.above(min(max(math.ceil(gap), 1), self.count + 1))
        growth = real(epsilon).exp()
        delta = p - growth * q
        if delta > 0:
            return (float(delta.log()), float(-growth * q / delta))
        return (-math.inf, -1.0)

    def invert(self, target: RealBall) -> RealBall | None:
        """The epsilon at which delta is the target, by the one linear piece that holds it."""
        number = self._piece(target)
        p, q = self.above(number)
        epsilon = ((p - target) / q).log()
        inside = epsilon <= self.loss(number - 1) and (
            number > self.count or epsilon >= self.loss(number)
        )
        return epsilon if inside else None

    def _piece(self, target: RealBall) -> int:
        """How many losses exceed the epsilon of the target, about: a walk down the losses in
        doubles.
        """
        log_mass = self.count * float(self.high[0].log())
        log_target = float(target.log())
        up = float((self.low[0] / self.high[0]).log())
        step = float(self.high[1] - self.low[1])
        excess_p = 0.0
        excess_q = 0.0
        scale = log_mass
        for lower in range(self.count + 1):
            # delta at the loss of ``lower``, relative to exp(scale); masses under Q are taken times
            # exp(that loss)
            if (
                excess_p > excess_q
                and math.log(excess_p - excess_q) + scale > log_target
            ):
                return lower
            shrink = math.exp(scale - log_mass) if lower else 1.0
            excess_p = excess_p * shrink + 1.0
            excess_q = (excess_q * shrink + 1.0) * math.exp(-step)
            scale = log_mass
            log_mass += (
                up + math.log((self.count - lower) / (lower + 1))
                if lower < self.count
                else 0.0
            )
        return self.count + 1
