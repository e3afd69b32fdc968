"""Sums of independent numbers that are rounded to a floating grid at random, keeping their means.

A positive number is rounded to a point of the grid beside it, with probabilities that keep the
mean. Rounded numbers are larger in the convex order, and what they tell of the numbers is less:
the law of the points is above that of the sum, and the mean of the sum given the point is below it.
So one walk over the sums gives both ends.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rdpacct.errors import UndecidedError
from rdpacct.mechanisms.allocation.stretch import NOTHING, GridStretch
from rdpacct.work import spend

POINT_WORK = 8
"""The work of a point of a product."""


@dataclass(frozen=True)
class RoundedSums:
    """The law of a sum of ``count`` numbers, rounded: octave e has the points k 2**(e - bits) for k
    from 2**bits up to twice that.

    Masses and moments are whole numbers of ``1/unit``; where they do not add up to 1 and to the
    mean of the sum, the rest was left out.
    """

    count: int
    bits: int
    unit: int
    octaves: dict[int, GridStretch]
    rounded: tuple[int, int]
    """At most how many units were rounded off from all masses, and from all moments."""

    def plus(self, other: "RoundedSums", finer: bool) -> "RoundedSums":
        """The sum with an independent one on the same grid; the grid may have twice as many points
        from then on.
        """
        before = _Smaller(self)
        after = before if other is self else _Smaller(other)
        size = 1 << self.bits
        octaves: dict[int, GridStretch] = {}
        floors = 0
        for octave in sorted(self.octaves.keys() | other.octaves.keys()):
            one = self.octaves.get(octave, NOTHING)
            two = other.octaves.get(octave, NOTHING)
            less = before(octave)
            fewer = after(octave)
            reach = one.length + two.length + less.length + fewer.length
            spend(POINT_WORK * (reach + 32))
            both = _sums(one, two, less, fewer).divided(self.unit)
            floors += 2 * both.length + less.length + fewer.length
            here = both.within(size, 2 * size)
            above = both.within(2 * size, 4 * size)
            octaves[octave] = octaves.get(octave, NOTHING) + (
                here.finer() if finer else here
            )
            octaves[octave + 1] = octaves.get(octave + 1, NOTHING) + (
                above if finer else above.coarser()
            )
        return RoundedSums(
            self.count + other.count,
            self.bits + finer,
            self.unit,
            _carried(octaves, size << finer),
            self._rounded_off(other, floors),
        )

    def _rounded_off(self, other: "RoundedSums", floors: int) -> tuple[int, int]:
        """The amounts rounded off in a sum: masses add up to at most 1, and moments to at most the
        counts.
        """
        mass, moment = self.rounded
        more, further = other.rounded
        means = mass * other.count + more * self.count
        both = floors * (1 + self.count + other.count)
        return mass + more + floors, moment + further + means + both

    def finer(self) -> "RoundedSums":
        """The same law on a grid with twice as many points."""
        octaves = {e: stretch.finer() for e, stretch in self.octaves.items()}
        return replace(self, bits=self.bits + 1, octaves=octaves)

    def without_ends(self, least: int) -> "RoundedSums":
        """The sums without the points at both ends that hold too little."""
        top, last = self._reached(sorted(self.octaves, reverse=True), least, -1)
        low, first = self._reached(sorted(self.octaves), least, 1)
        octaves = {e: kept for e, kept in self.octaves.items() if low <= e <= top}
        octaves[low] = octaves[low].within(first, 2 << self.bits)
        octaves[top] = octaves[top].within(0, last + 1)
        return replace(self, octaves=octaves)

    def _reached(self, octaves: Iterable[int], least: int, way: int) -> tuple[int, int]:
        """The first point, from one end, up to which there is this much: of the moments from above,
        and of the masses from below.
        """
        total = 0
        for octave in octaves:
            stretch = self.octaves[octave]
            column = stretch.masses if way > 0 else stretch.moments
            values = list(enumerate(column.coeffs()))
            for place, each in values[::way]:
                total += int(each)
                if total >= least:
                    return octave, stretch.start + place
        raise UndecidedError("the sum has too little mass for its grid.")


class _Smaller:
    """All octaves before one, on the grid of that one; asked in order."""

    def __init__(self, sums: RoundedSums) -> None:
        self.sums = sums
        self.octave = min(sums.octaves)
        self.stretch = NOTHING

    def __call__(self, octave: int) -> GridStretch:
        while self.octave < octave:
            here = self.sums.octaves.get(self.octave, NOTHING)
            self.stretch = (self.stretch + here).coarser()
            self.octave += 1
        return self.stretch


def _sums(
    one: GridStretch, two: GridStretch, less: GridStretch, fewer: GridStretch
) -> GridStretch:
    """The sums of two numbers of which at least one is in an octave, and the other there or
    before.
    """
    if two is one and fewer is less:
        return one * (one + less.twice())
    return one * (two + fewer) + two * less


def _carried(octaves: dict[int, GridStretch], size: int) -> dict[int, GridStretch]:
    """The octaves, with what is at the end of each moved to the beginning of the next one."""
    stretches: dict[int, GridStretch] = {}
    carried = NOTHING
    for octave in range(min(octaves), max(octaves) + 2):
        whole = carried + octaves.get(octave, NOTHING)
        end = whole.within(2 * size, 2 * size + 1)
        carried = GridStretch(size, end.masses, end.moments) if end.length else NOTHING
        inside = whole.within(size, 2 * size)
        if inside.length:
            stretches[octave] = inside
    return stretches
