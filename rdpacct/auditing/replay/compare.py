"""Two runs with the same noise, call by call: what is not the same in both depends on the data."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rdpacct.auditing.replay.declared import DeclaredMove, DeclaredNoise
from rdpacct.auditing.replay.exact_values import Move, exact, finite, flat, moves, same
from rdpacct.auditing.replay.finding import FindingKind, NoiseFinding
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog, brief

LOST = (FindingKind.DRAWS, FindingKind.ORDER)
"""After these, the runs are not comparable further."""


def compare_calls(
    first: NoiseLog, second: NoiseLog, declared: DeclaredNoise
) -> list[NoiseFinding]:
    """The differences between the calls of a run on D and of its replay on D'."""
    found = list[NoiseFinding]()
    number = 0
    for call, again in zip(first.calls, second.calls, strict=False):
        if call.kind != again.kind:
            text = f"{call.kind} on D, but {again.kind} on D' ({again.place})"
            return [*found, _at(call, FindingKind.ORDER, text)]
        if call.is_part or again.is_part:
            continue
        if call.mechanism is not None:
            found += _release_findings(call, again)
            continue
        found += _draw_findings(call, again, declared.of(call, number))
        number += 1
    if len(first.calls) != len(second.calls):
        found.append(_other_number(first, second))
    return found


def _other_number(first: NoiseLog, second: NoiseLog) -> NoiseFinding:
    """The first call that only one of the runs has."""
    before = len(first.calls)
    after = len(second.calls)
    more = max(first.calls, second.calls, key=len)[min(before, after)]
    text = f"noise is drawn {before} times on D, but {after} times on D'"
    return _at(more, FindingKind.DRAWS, text)


def _at(
    call: NoiseCall, kind: FindingKind, text: str, measured: Any = None
) -> NoiseFinding:
    place = call.uses[0].place if call.uses else call.place
    return NoiseFinding(kind, text, call.index, place, measured)


def _release_findings(call: NoiseCall, again: NoiseCall) -> Iterator[NoiseFinding]:
    """Two releases by mechanisms of the package, which declare their neighbors themselves."""
    if call.mechanism != again.mechanism:
        text = f"{call.mechanism} on D, but {again.mechanism} on D'"
        yield _at(call, FindingKind.SCALE, text)
        return
    before = list(call.inputs)
    after = list(again.inputs)
    moved = moves(before, after)
    if moved is None:
        if not same(call.value, again.value):
            text = f"the inputs are {brief(before)} on D, but {brief(after)} on D'"
            yield _at(call, FindingKind.DRAWS, text)
        return
    if not finite(moved):
        yield _at(call, FindingKind.NOT_FINITE, _not_finite(before, after))
        return
    rows = [[exact(x) for x in flat(inputs)] for inputs in (before, after)]
    if reason := call.mechanism.uncovered(*rows):
        yield _at(call, FindingKind.SENSITIVITY, reason)


def _draw_findings(
    call: NoiseCall, again: NoiseCall, declared: DeclaredMove | None
) -> Iterator[NoiseFinding]:
    """Two draws: their sizes, their scales, and the values that they were added to."""
    if call.size != again.size:
        text = f"{call.size} numbers are drawn on D, but {again.size} on D'"
        yield _at(call, FindingKind.DRAWS, text)
        return
    if len(call.uses) != len(again.uses):
        text = (
            f"the draw is added to {len(call.uses)} values on D, but to"
            f" {len(again.uses)} on D'"
        )
        yield _at(call, FindingKind.DRAWS, text)
        return
    if not same(flat(call.scale), flat(again.scale)):
        text = f"the scale is {brief(call.scale)} on D, but {brief(again.scale)} on D'"
        yield _at(call, FindingKind.SCALE, text)
    yield from _factor_findings(call, again)
    yield from _move_findings(call, again, declared)


def _factor_findings(call: NoiseCall, again: NoiseCall) -> Iterator[NoiseFinding]:
    for use, other in zip(call.uses, again.uses, strict=True):
        if use.factor != other.factor:
            text = (
                f"the draw is multiplied by {brief(use.factor)} on D, but by"
                f" {brief(other.factor)} on D'"
            )
            yield _at(call, FindingKind.SCALE, text)


def _move_findings(
    call: NoiseCall, again: NoiseCall, declared: DeclaredMove | None
) -> Iterator[NoiseFinding]:
    for before, after in zip(call.values, again.values, strict=True):
        moved = moves(before, after)
        if moved is None:
            text = f"the value is {brief(before)} on D, but {brief(after)} on D'"
            yield _at(call, FindingKind.DRAWS, text)
            return
        if not finite(moved):
            yield _at(call, FindingKind.NOT_FINITE, _not_finite(before, after))
            return
    shifts = noise_shifts(call, again)
    if shifts is None:
        yield _at(call, FindingKind.NO_NOISE, "the value moved, and its noise is zero")
        return
    steps = _together(call, shifts)
    if steps is None:
        yield _at(call, FindingKind.SHARED, _shared(call))
    elif declared is not None and (reason := declared.exceeded(steps)):
        measured = declared.measured(steps)
        yield _at(call, FindingKind.SENSITIVITY, reason, measured)


def value_steps(call: NoiseCall, again: NoiseCall) -> list[Fraction] | None:
    """How far the value of each drawn number moved; None if it has no length, as for values of
    different shapes.
    """
    if call.size != again.size or len(call.uses) != len(again.uses):
        return None
    for before, after in zip(call.values, again.values, strict=True):
        moved = moves(before, after)
        if moved is None or not finite(moved):
            return None
    shifts = noise_shifts(call, again)
    if shifts is None:
        return None
    return _together(call, shifts)


def _together(
    call: NoiseCall, shifts: dict[int, list[Fraction]]
) -> list[Fraction] | None:
    """The one move of all values of each drawn number; None if they move apart."""
    if any(len(set(apart)) > 1 for apart in shifts.values()):
        return None
    unit = abs(call.uses[0].factor) if call.uses else Fraction(1)
    return [unit * apart[0] for apart in shifts.values()]


def noise_shifts(call: NoiseCall, again: NoiseCall) -> dict[int, list[Fraction]] | None:
    """By how much each drawn number would have to move to make up for the move of each value that
    it was added to; None if a value moved that has no noise.
    """
    location = moves(call.value, again.value) or [Fraction(0)]
    shifts: dict[int, list[Fraction]] = {}
    if not call.uses:
        numbers = max(call.size, len(location))
        for cell in range(numbers):
            shifts[cell] = [_rational(location[cell % len(location)])]
    for use, other in zip(call.uses, again.uses, strict=True):
        moved = moves(use.value, other.value) or []
        for cell, move in zip(use.cells, moved, strict=True):
            around = _rational(location[cell % len(location)])
            step = _rational(move)
            if use.factor:
                shifts.setdefault(cell, []).append(step / use.factor + around)
            elif step:
                return None
    if any(x == 0 for x in flat(call.scale)) and any(map(any, shifts.values())):
        return None
    return shifts


def _shared(call: NoiseCall) -> str:
    if call.size == 1:
        numbers = sum(len(use.cells) for use in call.uses)
        return f"one draw is added to {numbers} numbers that move apart"
    return "one draw is added to several values that move apart"


def _rational(move: Move) -> Fraction:
    return Fraction(move)


def _not_finite(before: Any, after: Any) -> str:
    return f"the value is {brief(before)} on D, but {brief(after)} on D'"
