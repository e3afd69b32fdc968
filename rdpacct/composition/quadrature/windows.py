"""Where the transform of a sum of lattice losses is not small: near common multiples of the periods
of all.

At the node m of a line, the height is m d/W turns of a loss on a lattice of spacing d, if W is the
period of the quadrature. Its transform is periodic in turns, and small away from whole ones. So a
product of several is small except at the m for which all m d/W are near whole numbers, and these
are few.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import pi, real, whole_part
from rdpacct.privacy.constants import about, common_spacing, value
from rdpacct.privacy.transform import Transform
from rdpacct.work import spend

TURN_BITS = 128
TURN = 1 << TURN_BITS
"""One turn, in the fixed point in which turns are counted; the least of its units is the error of a
rate.
"""
NATS = 1 << 20
"""One nat, in the fixed point in which losses of size are counted, rounded down."""
CELLS = 24
WINDOW_WORK = 3
"""The work of a closer look at a window."""
FEW = 4
"""Up to this many nodes in a row are kept without a closer look."""


@dataclass(frozen=True)
class Fading:
    """How far, at least, the transform of some draws falls with the distance from a whole turn."""

    rate: int
    """How much of a turn one node is."""
    width: int
    """The width of a cell of distances."""
    nats: list[int]
    """For each cell, how many nats below its value at the tilt the transform certainly is; the last
    value holds from there on.
    """

    @property
    def reach(self) -> int:
        """The distance of the last cell."""
        return self.width * (len(self.nats) - 1)

    def fallen(self, first: int, last: int) -> int:
        """How far it has fallen, at least, at every node from the first to the last."""
        start = (first * self.rate) & (TURN - 1)
        end = start + (last - first) * self.rate
        # a rate is below the true one by less than two units
        end += 2 * last
        if end >= TURN:
            return 0
        nearest = min(start, TURN - end)
        return self.nats[min(nearest // self.width, len(self.nats) - 1)]


def fadings(terms: Terms, tilt: float, period: Expr, needed: float) -> list[Fading]:
    """The fading of each factor on a lattice of its own, those with the fewest nodes near whole
    turns first.

    The period is that of the quadrature, and a factor is looked at until it is this many nats
    smaller.
    """
    known = []
    for transform, count in terms.factors:
        lattice = transform.lattice()
        spacing = None if lattice is None else common_spacing(lattice[1])
        if spacing is not None:
            known.append(_fading(transform, count, spacing, tilt, period, needed))
    return sorted(
        (fading for fading in known if fading.nats[-1] > 0),
        key=lambda fading: fading.reach / fading.nats[-1],
    )


def _fading(
    transform: Transform,
    count: int,
    spacing: Expr,
    tilt: float,
    period: Expr,
    needed: float,
) -> Fading:
    size = about(spacing)

    def planned(turns: float) -> float:
        return -count * transform.planned_lattice_decay(
            tilt, 2 * math.pi * turns / size, size
        )

    low = 0.0
    high = 0.5
    if planned(high) > needed:
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (low, middle) if planned(middle) > needed else (middle, high)
    width = (
        math.ceil(high * 1.01 * TURN / CELLS) if high < 0.49 else TURN // (2 * CELLS)
    )
    with precision(2 * TURN_BITS):
        rate = whole_part(value(spacing) * TURN / value(period))
    at = real(tilt)
    turn = 2 * pi() / value(spacing)
    nats = []
    for cell in range(CELLS + 1):
        height = turn * real(width * cell) / TURN
        decay = transform.lattice_decay(at, height, spacing) if cell > 0 else real(1)
        lost = -decay.min(real(1)).log() * count * NATS
        nats.append(max(0, whole_part(lost.lower())) if lost.is_finite() else 0)
    return Fading(rate, width, nats)


def kept_nodes(windows: Sequence[Fading], last: int, needed: float) -> Iterator[int]:
    """The nodes from 1 to the last at which the product may be less than this many nats below its
    value at the tilt.
    """
    least = math.ceil(needed * NATS)
    for start, end in _windows(windows[0], last, least):
        stack = [(start, end)]
        while stack:
            first, final = stack.pop()
            spend(WINDOW_WORK)
            fallen = 0
            for fading in windows:
                fallen += fading.fallen(first, final)
                if fallen >= least:
                    break
            else:
                if final - first < FEW:
                    yield from range(first, final + 1)
                else:
                    middle = (first + final) // 2
                    stack += ((middle + 1, final), (first, middle))


def _windows(lead: Fading, last: int, least: int) -> Iterator[tuple[int, int]]:
    """Intervals outside of which one factor is small enough on its own, without the node 0."""
    if lead.nats[-1] < least or 2 * lead.reach >= TURN or lead.rate <= 4 * last:
        yield 1, last
        return
    turn = 0
    before = 0
    while before < last:
        start = max(before + 1, (turn * TURN - lead.reach) // lead.rate - 1)
        end = min(last, (turn * TURN + lead.reach) // lead.rate + 1)
        if start > last:
            return
        if start <= end:
            yield start, end
            before = end
        turn += 1
