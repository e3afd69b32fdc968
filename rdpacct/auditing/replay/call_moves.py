"""How far the values of a call move between two runs: by how much each drawn number would have to
move to make up for it.
"""

from collections.abc import Iterator
from fractions import Fraction

from rdpacct.auditing.replay.exact_values import Move, finite, flat, moves
from rdpacct.auditing.replay.finding import FindingKind
from rdpacct.auditing.replay.noise_log import NoiseCall, brief

ZERO = Fraction(0)


class NoLength(Exception):
    """The move of a value has no length; ``kind`` and ``text`` say why."""

    def __init__(self, kind: FindingKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


def moved_values(call: NoiseCall, again: NoiseCall) -> list[Fraction]:
    """How far the value of each drawn number moved, for those that moved at all.

    All values that a drawn number was added to have to move together; then their noise is that of
    one value.
    """
    location = _exact_moves(call.value, again.value)
    uses = [
        _exact_moves(use.value, other.value)
        for use, other in zip(call.uses, again.uses, strict=True)
    ]
    touched = set(_touched(call, location, uses))
    if not touched:
        return []
    if any(x == 0 for x in flat(call.scale)):
        raise NoLength(FindingKind.NO_NOISE, "the value moved, and its noise is zero")
    shifts = _shifts(call, location, uses, touched)
    unit = abs(call.uses[0].factor) if call.uses else Fraction(1)
    return [unit * shift for shift in shifts]


def _exact_moves(before: object, after: object) -> list[Fraction]:
    moved = moves(before, after)
    text = f"the value is {brief(before)} on D, but {brief(after)} on D'"
    if moved is None:
        raise NoLength(FindingKind.DRAWS, text)
    if not finite(moved):
        raise NoLength(FindingKind.NOT_FINITE, text)
    return list(map(_rational, moved))


def _rational(move: Move) -> Fraction:
    return move if isinstance(move, Fraction) else Fraction(move)


def _touched(
    call: NoiseCall, location: list[Fraction], uses: list[list[Fraction]]
) -> Iterator[int]:
    """The drawn numbers around which something moved."""
    if any(location):
        numbers = max(call.size, len(location))
        yield from (cell for cell in range(numbers) if location[cell % len(location)])
    for use, moved in zip(call.uses, uses, strict=True):
        yield from (cell for cell, move in zip(use.cells, moved, strict=True) if move)


def _shifts(
    call: NoiseCall,
    location: list[Fraction],
    uses: list[list[Fraction]],
    touched: set[int],
) -> Iterator[Fraction]:
    """The one shift of each touched number that makes up for the moves of all its values."""
    shifts: dict[int, set[Fraction]] = {}
    if not call.uses:
        shifts = {cell: {location[cell % len(location)]} for cell in touched}
    for use, moved in zip(call.uses, uses, strict=True):
        for cell, move in zip(use.cells, moved, strict=True):
            if cell not in touched:
                continue
            if use.factor == 0 and move:
                text = "the value moved, and its noise is multiplied by zero"
                raise NoLength(FindingKind.NO_NOISE, text)
            if use.factor:
                shift = move / use.factor + location[cell % len(location)]
                shifts.setdefault(cell, set()).add(shift)
    if any(len(apart) > 1 for apart in shifts.values()):
        raise NoLength(FindingKind.SHARED, _shared(call))
    return (shift for apart in shifts.values() for shift in apart)


def _shared(call: NoiseCall) -> str:
    if call.size == 1:
        numbers = sum(len(use.cells) for use in call.uses)
        return f"one draw is added to {numbers} numbers that move apart"
    return "one draw is added to several values that move apart"
