"""The sum of the likelihood ratios of all steps, of which one may have the record.

Of Gaussian steps each ratio is log-normal with mean 1 without the record. With the record in a step
drawn at random, the density of all outputs is the mean of the ratios.
"""

import math
from itertools import pairwise

from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import Expr, Scalar
from rdpacct.exact.raw import real, whole_part
from rdpacct.mechanisms.allocation.rounded_sums import RoundedSums
from rdpacct.mechanisms.allocation.stretch import NOTHING, GridStretch
from rdpacct.privacy.constants import about, value
from rdpacct.provenance import by
from rdpacct.work import spend

REACH = 10.5
"""How many standard deviations the grid of one ratio has on each side."""
CELLS = 100
"""The number of cells into which a standard deviation is cut."""
FEW_OCTAVES = 0.75
"""Ratios that are less spread have few octaves, so that twice as many cells take little time."""
FEW_STEPS = 64
"""With at most this many steps, too, twice as many cells are used."""
CUT_BITS, SPARE_BITS = 80, 56
"""Points at the ends with less mass than 2**-CUT_BITS are left out, and units are SPARE_BITS bits
smaller than the smallest masses that count.
"""
EXTRA_BITS = 96
"""The precision has this many bits more than the units."""
EDGE_WORK = 60
"""The work of a point of the grid of one ratio."""


def ratio_sums(mu: Expr, steps: int) -> RoundedSums:
    """The sum of ``steps`` ratios, by doubling; the grid of a sum is finer, relative to its size,
    as the sum is less spread.
    """
    first = gaussian_ratio(mu, _bits(about(mu), steps))
    least = first.unit >> CUT_BITS
    total = ratio = first.without_ends(least)
    for doublings, bit in enumerate(f"{steps:b}"[1:], 1):
        total = total.plus(total, finer=doublings % 2 == 0).without_ends(least)
        if bit == "1":
            while ratio.bits < total.bits:
                ratio = ratio.finer()
            total = total.plus(ratio, finer=False).without_ends(least)
    return total


def _bits(width: float, steps: int) -> int:
    """How fine the grid of one ratio is."""
    bits = max(4, math.ceil(math.log2(CELLS / width)))
    return bits + (width < FEW_OCTAVES) + (steps <= FEW_STEPS)


def gaussian_ratio(mu: Expr, bits: int) -> RoundedSums:
    """The ratio of N(mu, 1) to N(0, 1) under the latter, rounded to a grid."""
    width = about(mu)
    far = REACH * width + width**2 / 2
    unit_bits = CUT_BITS + SPARE_BITS + math.ceil(far / math.log(2))
    places = _places(-far, far, bits)
    spend(EDGE_WORK * len(places))
    with precision(unit_bits + EXTRA_BITS):
        points = [real(2) ** (octave - bits) * place for octave, place in places]
        rows = _split(points, value(mu))
        wholes = [(_whole(q, unit_bits), _whole(p, unit_bits)) for q, p in rows]
    by_octave: dict[int, list[tuple[int, int, int]]] = {}
    for (octave, place), (mass, moment) in zip(places, wholes, strict=True):
        by_octave.setdefault(octave, []).append((place, mass, moment))
    octaves = {e: _stretch(listed) for e, listed in by_octave.items()}
    floors = 3 * len(places)
    return RoundedSums(1, bits, 1 << unit_bits, octaves, (floors, floors))


def _stretch(rows: list[tuple[int, int, int]]) -> GridStretch:
    if not any(mass or moment for _, mass, moment in rows):
        return NOTHING
    masses = [mass for _, mass, _ in rows]
    moments = [moment for _, _, moment in rows]
    return GridStretch.of(rows[0][0], masses, moments)


def _whole(mass: RealBall, unit_bits: int) -> int:
    """The mass in units, rounded down by less than three."""
    return max(whole_part(mass * real(2) ** unit_bits), 0)


def _places(low: float, high: float, bits: int) -> list[tuple[int, int]]:
    """The points of the grid between two logarithms, about, by octaves."""
    size = 1 << bits
    first = math.floor(low / math.log(2))
    last = math.floor(high / math.log(2))
    begin = math.floor(math.exp(low - first * math.log(2)) * size)
    end = math.ceil(math.exp(high - last * math.log(2)) * size)
    return [
        (octave, place)
        for octave in range(first, last + 1)
        for place in range(
            max(begin, size) if octave == first else size,
            min(end + 1, 2 * size) if octave == last else 2 * size,
        )
    ]


def _split(points: list[RealBall], mu: RealBall) -> list[tuple[RealBall, RealBall]]:
    """The masses and moments at each point: those of each cell go to its two ends, and what is
    before the first point or beyond the last one is left out.
    """
    edges = [(point, *_below(point, mu)) for point in points]
    rows = [(real(0), real(0))] * len(points)
    for k, ((low, mass, moment), (high, more, larger)) in enumerate(pairwise(edges)):
        inside = more - mass
        weighed = larger - moment
        if not inside > 0:
            continue
        share = upper_share(inside, weighed, low, high).max(real(0)).min(real(1))
        rest = 1 - share
        rows[k] = (rows[k][0] + inside * rest, rows[k][1] + weighed * rest)
        rows[k + 1] = (inside * share, weighed * share)
    return rows


def _below(point: RealBall, mu: RealBall) -> tuple[RealBall, RealBall]:
    """The probabilities that the ratio is at most a point, without the record and with it."""
    level = output_with_ratio(point.log(), mu)
    root = real(2).sqrt()
    return (-level / root).erfc() / 2, ((mu - level) / root).erfc() / 2


@by("sampling/rounded-ratios")
def output_with_ratio(log_ratio: Scalar, mu: Scalar) -> Scalar:
    """Where the ratio of N(mu, 1) to N(0, 1) has this logarithm; formulas or balls."""
    return log_ratio / mu + mu / 2


@by("sampling/rounded-ratios")
def upper_share(mass: Scalar, moment: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """The share of a cell that goes to its upper end, if the rest goes to the lower one and the
    mean is kept; formulas or balls.
    """
    return (moment / mass - low) / (high - low)
