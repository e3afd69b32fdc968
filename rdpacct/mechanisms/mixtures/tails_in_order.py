"""The tails and the profile of two mixtures at many rising levels: where they lie close together,
by polynomials that hold many of them.
"""

import math
from collections.abc import Iterator, Sequence

from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.raw import current_bits, real
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.tail_pieces import (
    TailPiece,
    TailPieces,
    planned_disk,
)
from rdpacct.work import spend

FEWEST = 6
"""With this many levels or more, a piece takes less time than the levels one by one."""
PIECE_WORK, LEVEL_WORK = 500, 100
"""The work of a piece, and of a level for itself."""
BEFORE = 0.95
"""How far before its middle a piece begins, as a part of its planned radius."""

Events = tuple[RealBall, RealBall]
MORE_BITS = 8
"""Tails that are below 1 by this many bits more than the precision count as all of the mass."""


def events_in_order(pair: MixturePair, levels: Sequence[RealBall]) -> list[Events]:
    """The probabilities under P and Q that the loss exceeds each level."""
    first, events = _nearly_all(pair, levels)
    for run, piece in _runs(pair, levels[first:]):
        if piece is None:
            spend(LEVEL_WORK * len(run))
            events += pair.events_in_order(run)
        else:
            events += [piece.events(level) for level in run]
    return events


def profiles_in_order(pair: MixturePair, levels: Sequence[RealBall]) -> list[RealBall]:
    """delta at each level."""
    first, events = _nearly_all(pair, levels)
    deltas = _profiles(levels[:first], events)
    for run, piece in _runs(pair, levels[first:]):
        if piece is None:
            spend(LEVEL_WORK * len(run))
            deltas += _profiles(run, pair.events_in_order(run))
        else:
            deltas += [piece.profile(level) for level in run]
    nothing = real(0)
    return [delta.max(nothing) for delta in deltas]


def _profiles(levels: Sequence[RealBall], events: list[Events]) -> list[RealBall]:
    rows = zip(levels, events, strict=True)
    return [p - level.exp() * q for level, (p, q) in rows]


def _nearly_all(
    pair: MixturePair, levels: Sequence[RealBall]
) -> tuple[int, list[Events]]:
    """How many levels are so low that nearly all of both laws is above them, to within the
    precision, and the probabilities of that.
    """
    bits = current_bits()
    far = math.sqrt(2 * math.log(2) * (bits + MORE_BITS))
    first, second = pair.first, pair.second
    x = real(min(first.planned_ends[0], second.planned_ends[0]) - far)
    lowest = first.balls().log(x) - second.balls().log(x)
    number = 0
    while number < len(levels) and levels[number] <= lowest:
        number += 1
    if number == 0:
        return 0, []
    events = [
        mixture.total() - mixture.mirrored().beyond(-x).union(real(0))
        for mixture in (first, second)
    ]
    return number, [(events[0], events[1])] * number


def _runs(
    pair: MixturePair, levels: Sequence[RealBall]
) -> Iterator[tuple[Sequence[RealBall], TailPiece | None]]:
    """All levels in turn: runs that a piece holds, and runs of others, which are not close
    together.
    """
    walk = _Walk(pair, [float(level) for level in levels])
    done = 0
    at = 0
    while at < len(levels):
        piece = walk.piece(at)
        if piece is None:
            at += 1
            continue
        end = at
        while end < len(levels) and piece.holds(levels[end]):
            end += 1
        if end == at:  # planned too far off, as that at the next ones would be
            at += FEWEST
            continue
        if done < at:
            yield levels[done:at], None
        yield levels[at:end], piece
        done = at = end
    if done < len(levels):
        yield levels[done:], None


class _Walk:
    """Plans pieces for rising levels, in doubles."""

    def __init__(self, pair: MixturePair, levels: Sequence[float]) -> None:
        self.pair = pair
        self.levels = levels
        self.limits = pair.limits()
        self.guess: float | None = None

    @cached_property
    def pieces(self) -> TailPieces:
        """Makes the pieces."""
        return TailPieces(self.pair.first, self.pair.second)

    def piece(self, at: int) -> TailPiece | None:
        """A piece from a level on, if several ones are close."""
        last = at + FEWEST - 1
        if last >= len(self.levels):
            return None
        start = self.levels[at]
        if not self.limits[0] < start <= self.levels[last] < self.limits[1]:
            return None
        self.guess = self.pair.planned_crossing(start, self.guess)
        near = self._disk(self.guess)[1]
        if self.levels[last] > start + 2 * BEFORE * near:
            return None
        place = self._place(start + BEFORE * near)
        radius, reach = self._disk(place)
        if reach < near:
            place = self._place(start + BEFORE * reach)
            radius, reach = self._disk(place)
        spend(PIECE_WORK)
        return self.pieces.about(place, radius)

    def _disk(self, place: float) -> tuple[float, float]:
        return planned_disk(self.pair.first, self.pair.second, place)

    def _place(self, level: float) -> float:
        """Where the loss passes a level, or the last one."""
        level = min(level, self.levels[-1])
        return self.pair.planned_crossing(level, self.guess)
