"""How far counts of reports tilt the two laws: Z = tilt times the sum of the signs of the telling
reports.

The two laws have densities 1 + Z and 1 - Z, and every divergence is a convex function of Z in the
mean. So a larger law in the convex order is worse. Given how many reports tell for one of the two
values, Z is a tilt that depends on the neutral ones, times a sum of fair signs.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rdpacct.exact.ball import Ball, RealBall
from rdpacct.exact.binomial_tails import exactly
from rdpacct.exact.formula import ZERO, Scalar
from rdpacct.exact.raw import current_bits, real
from rdpacct.mechanisms.shuffled.clones import Clones
from rdpacct.mechanisms.shuffled.sign_sums import LEAST, at_least
from rdpacct.privacy.constants import value
from rdpacct.provenance import by

MOST_BLOCKS, FINE_BLOCKS = 64, 256
"""The most blocks of numbers of telling reports: for many reports, and for few."""
FEW_SIGNS = 3 * 10**5
"""About how many masses of sums of signs are worked out."""
SPREADS = (3.0, 7.0, 14.0)
"""The widths of the first, the second and the last range of tilts, in standard deviations of the
neutral reports.
"""


@dataclass(frozen=True)
class CountBlock:
    """The mass of the numbers of telling reports between two, and the mean of the tilt there."""

    fewest: int
    most: int
    mass: RealBall
    tilt: RealBall


@dataclass(frozen=True)
class Weighing:
    """The weights of the kinds of reports: those that tell have gap and both, neutral ones one of
    their own.

    The two densities are in the ratio of 1 + Z to 1 - Z for Z = gap (first - second)/(both (first +
    second) + 2 neutral_weight neutral).
    """

    gap: RealBall
    both: RealBall
    neutral_weight: RealBall
    clone: RealBall
    """The probability of each telling kind, for another person."""
    neutral: RealBall

    @classmethod
    def of(cls, clones: Clones) -> "Weighing":
        """At the current precision."""
        ratio = value(clones.epsilon).exp()
        scale = value(clones.telling) / value(clones.clone)
        own = value(clones.own_neutral)
        neutral = value(clones.neutral)
        weight = real(0) if clones.neutral == ZERO else own / neutral
        return cls(
            (ratio - 1) * scale,
            (ratio + 1) * scale,
            weight,
            value(clones.clone),
            neutral,
        )

    def tilt(self, telling: int, neutral: RealBall) -> RealBall:
        """The tilt for counts of telling and neutral reports."""
        return tilt(self.gap, self.both, self.neutral_weight, real(telling), neutral)

    def largest(self) -> RealBall:
        """The largest Z."""
        return self.gap / self.both

    @property
    def given_neutral(self) -> RealBall:
        """The probability that a report that does not tell is a neutral clone."""
        return self.neutral / (1 - 2 * self.clone)


class Counts:
    """The number of telling reports among ``people``, with the weights that the two laws have in
    the mean.
    """

    def __init__(self, clones: Clones, people: int) -> None:
        self.weighing = Weighing.of(clones)
        self.people = people
        self.has_neutral = clones.neutral != ZERO

    def masses(self) -> tuple[int, list[RealBall]]:
        """The first number of telling reports that counts, and the probability of each from there
        on, in draws of which none is that of the person.
        """
        bits = current_bits()
        p = 2 * self.weighing.clone
        q = 1 - p
        people = self.people
        if not q > 0:
            return people, [real(1)]
        center = min(max(int(people * float(p)), 0), people)
        middle = exactly(center, people, Ball(p, bits), Ball(q, bits)).raw
        up = [middle]
        k = center
        while k < people and self._counts_at(k, up[-1]):
            up.append(up[-1] * (people - k) * p / ((k + 1) * q))
            k += 1
        down = [middle]
        k = center
        while k > 0 and self._counts_at(k, down[-1]):
            down.append(down[-1] * k * q / ((people - k + 1) * p))
            k -= 1
        return k, [*reversed(down), *up[1:]]

    def _counts_at(self, telling: int, mass: RealBall) -> bool:
        """Whether this number of telling reports is likely enough in the mean of the two laws."""
        weight = max(1.0, float(self.weighing.both) * telling / self.people)
        return float(mass) * weight > LEAST

    def blocks(self) -> Iterator[CountBlock]:
        """Blocks of numbers of telling reports, with their mass in the mean of the two laws."""
        first, masses = self.masses()
        signs = 7 * math.isqrt(first + len(masses)) + 1
        number = max(8, min(MOST_BLOCKS, FEW_SIGNS // signs))
        if len(masses) * signs <= FEW_SIGNS:
            number = min(len(masses), FINE_BLOCKS)
        width = -(-len(masses) // number)
        for start in range(0, len(masses), width):
            chunk = masses[start : start + width]
            fewest = first + start
            total = sum(chunk[1:], start=chunk[0])
            moment = sum(
                (m * (fewest + k) for k, m in enumerate(chunk[1:], 1)),
                start=chunk[0] * fewest,
            )
            weight = self._weight(total, moment)
            if weight > 0:
                tilts = mean_tilt(self.weighing.gap, real(self.people), total, weight)
                yield CountBlock(fewest, fewest + len(chunk) - 1, weight, tilts)

    def _weight(self, mass: RealBall, moment: RealBall) -> RealBall:
        """The mass of a block in the mean of the two laws."""
        w = self.weighing
        if not self.has_neutral:
            return mean_weight(w.both, real(0), real(self.people), mass, moment)
        others = w.neutral_weight * w.given_neutral
        return mean_weight(w.both, others, real(self.people), mass, moment)

    def spread(self, block: CountBlock) -> Iterator[tuple[RealBall, RealBall]]:
        """Tilts with shares of a block, whose law is above that of its tilts; what is left of the
        shares has any tilt.
        """
        if block.most == 0:
            yield real(0), real(1)
            return
        ranges = [(*self._range(block, spread),) for spread in self._spreads(block)]
        small, large, out = ranges[0]
        if not large > small:
            yield small.union(large), real(1)
            return
        more = larger_share(block.tilt, small, large, out)
        if not (more > 0 and more < 1 - out):
            more = real(1) - out
        yield small, 1 - out - more
        yield large, more
        for (_, _, outer), (_, tilt, inner) in pairwise(ranges):
            yield tilt, outer - inner

    def _spreads(self, block: CountBlock) -> tuple[float, ...]:
        return SPREADS if self.has_neutral and block.fewest < self.people else (0.0,)

    def _range(
        self, block: CountBlock, spread: float
    ) -> tuple[RealBall, RealBall, RealBall]:
        """The smallest and the largest tilt within a number of standard deviations, and at least
        the share of the block beyond.
        """
        if not spread:
            nothing = real(0)
            fewest = max(block.fewest, 1)
            most = self.weighing.tilt(block.most, nothing)
            return most, self.weighing.tilt(fewest, nothing), nothing
        p = self.weighing.given_neutral
        least = self.people - block.most
        greatest = self.people - block.fewest
        deviation = spread * math.sqrt(greatest * float(p) * max(1 - float(p), 0.0)) + 1
        low = max(math.floor(least * float(p) - deviation), 0)
        high = min(math.ceil(greatest * float(p) + deviation), greatest)
        out = beyond(low, high, least, greatest, p)
        small = self.weighing.tilt(block.most, real(high))
        return small, self.weighing.tilt(max(block.fewest, 1), real(low)), out


def beyond(low: int, high: int, least: int, greatest: int, p: RealBall) -> RealBall:
    """At least the share of numbers of neutral reports below ``low`` or above ``high``, among
    ``least`` to ``greatest`` reports, where larger numbers weigh more.
    """
    total = real(0)
    if low > 0:
        total = total + at_least(least - low + 1, least, 1 - p, p)
    if high < greatest:
        total = total + at_least(high, greatest, p, 1 - p)
    return total


@by("shuffling/tilts")
def tilt(
    gap: Scalar, both: Scalar, neutral_weight: Scalar, telling: Scalar, neutral: Scalar
) -> Scalar:
    """Z for each telling report that the first value has more than the second; formulas or
    balls.
    """
    return gap / (both * telling + 2 * neutral_weight * neutral)


@by("shuffling/tilts")
def mean_weight(
    both: Scalar, others: Scalar, people: Scalar, mass: Scalar, moment: Scalar
) -> Scalar:
    """The mass of numbers of telling reports in the mean of the two laws, from their mass among
    reports of which none is that of the person, and from the sum of them with that mass.
    """
    return (both / 2 * moment + others * (people * mass - moment)) / people


@by("shuffling/tilts")
def mean_tilt(gap: Scalar, people: Scalar, mass: Scalar, weight: Scalar) -> Scalar:
    """The mean of the tilt where the mass of the two laws, in the mean, is the weight."""
    return gap * mass / (2 * people) / weight


@by("shuffling/tilts")
def larger_share(mean: Scalar, small: Scalar, large: Scalar, out: Scalar) -> Scalar:
    """The share of the larger of two tilts that have at least the mean of all tilts between them;
    the share ``out`` of these is left out.
    """
    return (mean - small * (1 - out)) / (large - small)
