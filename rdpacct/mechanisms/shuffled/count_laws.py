"""The losses of counts of reports on a grid: a law that is certainly above theirs, and one that is
certainly below.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real, whole_part
from rdpacct.mechanisms.shuffled.clones import Clones
from rdpacct.mechanisms.shuffled.sign_sums import SignSums
from rdpacct.mechanisms.shuffled.tilts import Counts
from rdpacct.privacy.grid import FINE, Cells, Masses
from rdpacct.provenance import remembered
from rdpacct.work import spend

BITS = 192
HALF_CELLS = 1024
"""The number of cells of losses on each side of the one about 0."""

Tilted = tuple[SignSums, RealBall, RealBall]
"""A sum of signs, its tilt, and the mass of the two."""


@remembered(32)
def above_law(clones: Clones, people: int) -> Masses:
    """Each block with the most signs of its numbers and with spread tilts; what is cut off is told
    for certain.
    """
    with precision(BITS):
        return _cells(list(_above(Counts(clones, people))), True).above()


@remembered(32)
def below_law(clones: Clones, people: int) -> Masses:
    """Each block with the fewest signs of its numbers and with the mean of its tilts; what is cut
    off tells nothing.
    """
    with precision(BITS):
        return _cells(list(_below(Counts(clones, people))), False).below()


def _above(counts: Counts) -> Iterator[Tilted]:
    for block in counts.blocks():
        signs = SignSums(block.most)
        for tilt, share in counts.spread(block):
            yield signs, tilt, share * block.mass


def _below(counts: Counts) -> Iterator[Tilted]:
    for block in counts.blocks():
        yield SignSums(block.fewest), block.tilt, block.mass


def _cells(laws: list[Tilted], above: bool) -> Cells:
    """The masses of the cells under both laws."""
    spend(3 * HALF_CELLS * len(laws))
    step = _step(laws)
    edges = [(real(step * (2 * k + 1)) / 4).tanh() for k in range(HALF_CELLS + 1)]
    nothing = real(0)
    heights = [nothing] * len(edges)
    moments = [nothing] * len(edges)
    whole = nothing
    for signs, tilt, mass in laws:
        whole = whole + mass * (1 - 2 * signs.cut)
        if signs.count == 0:
            continue
        for k, edge in enumerate(edges):
            height, moment = _beyond(signs, tilt, edge)
            if height == 0:
                break
            heights[k] = heights[k] + mass * height
            moments[k] = moments[k] + mass * tilt * moment
    return _sorted_out(heights, moments, whole, step, above)


def _beyond(
    signs: SignSums, tilt: RealBall, edge: RealBall
) -> tuple[RealBall, RealBall]:
    """The mass of the sums that are at least an edge over the tilt, and their mean there."""
    place = (edge / tilt + signs.count) / 2
    about = float(place)
    if math.isfinite(about):
        before = math.floor(about)
        if before < place < before + 1:  # almost always, and quicker than the two ends
            return signs.tail(before + 1), signs.moment(before + 1)
    high = -whole_part(-place)
    low = min(whole_part(place) + 1, high)
    moments = (signs.tail(low), signs.moment(low))
    if low == high:
        return moments
    return moments[0].union(signs.tail(high)), moments[1].union(signs.moment(high))


def _sorted_out(
    heights: list[RealBall],
    moments: list[RealBall],
    whole: RealBall,
    step: Fraction,
    above: bool,
) -> Cells:
    """The cells from what lies beyond each edge on one side; the other side is its mirror image.

    What is cut off lies beyond all cells for the law above, and at 0 for the one below.
    """
    if not (above or heights[-1] == 0):
        raise UndecidedError("some sums of signs lie beyond the grid of losses.")
    cut = (1 - whole).max(real(0))
    first = [(a - b).max(real(0)) for a, b in pairwise(heights)]
    second = [(a - b).max(real(0)) for a, b in pairwise(moments)]
    right = [(p + z, (p - z).max(real(0))) for p, z in zip(first, second, strict=True)]
    left = [(q, p) for p, q in reversed(right)]
    middle = (whole - 2 * heights[0]).max(real(0))
    if not above:
        middle = middle + cut
    origin = -step * (2 * len(right) + 1) / 2
    inside = [*left, (middle, middle), *right]
    if not above:
        return Cells(origin, step, inside, None, None)
    far = (cut + heights[-1] + moments[-1], real(0))
    return Cells(origin, step, inside, far, far)


def _step(laws: list[Tilted]) -> Fraction:
    """The width of the cells, about, such that they hold all sums that are not cut off."""
    farthest = max(
        float(tilt) * (2 * signs.last - signs.count) for signs, tilt, _ in laws
    )
    inside = min(max(farthest, 1e-12), 1 - 1e-12)
    # near 1 a double of Z says little about the loss
    reach = 2 * math.atanh(inside) * (1 + 1e-14) + 1e-15 / (1 - inside)
    return Fraction(math.ceil(reach / (HALF_CELLS + 0.5) / float(FINE))) * FINE
