"""Two runs with the same noise, call by call: what is not the same in both depends on the data."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from rdpacct.auditing.replay.call_moves import NoLength, moved_values
from rdpacct.auditing.replay.declared import DeclaredMove, DeclaredNoise, draws
from rdpacct.auditing.replay.exact_values import exact, finite, flat, moves, same
from rdpacct.auditing.replay.finding import FindingKind, NoiseFinding
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog, brief
from rdpacct.privacy.relation import Norm, Sensitivity

LOST = (FindingKind.DRAWS, FindingKind.ORDER)
"""After these, the runs are not comparable further."""


def compare_calls(
    first: NoiseLog, second: NoiseLog, declared: DeclaredNoise
) -> list[NoiseFinding]:
    """The differences between the calls of a run on D and of its replay on D'."""
    findings = list[NoiseFinding]()
    number = 0
    for call, again in zip(first.calls, second.calls, strict=False):
        if call.kind != again.kind:
            text = f"{call.kind} on D, but {again.kind} on D' ({again.place})"
            return [*findings, _at(call, FindingKind.ORDER, text)]
        if call.is_part or again.is_part:
            continue
        if call.mechanism is not None:
            findings += _release_findings(call, again)
            continue
        findings += _draw_findings(call, again, declared.of(call, number))
        number += 1
    if len(first.calls) != len(second.calls):
        findings.append(_other_number(first, second))
    return findings


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
        text = f"the inputs are {brief(before)} on D, but {brief(after)} on D'"
        yield _at(call, FindingKind.NOT_FINITE, text)
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
    try:
        steps = moved_values(call, again)
    except NoLength as reason:
        yield _at(call, reason.kind, reason.text)
        return
    if declared is not None and (reason_why := declared.exceeded(steps)):
        measured = declared.measured(steps)
        yield _at(call, FindingKind.SENSITIVITY, reason_why, measured)


def largest_square(
    first: NoiseLog, second: NoiseLog, declared: DeclaredNoise
) -> Fraction:
    """The largest square of the move of a value, divided by that of its declared sensitivity if
    there is one: above 1 where one is exceeded.

    What has no length does not count: calls of different kinds or sizes, values that are not
    finite.
    """
    return max(_squares(first, second, declared), default=Fraction(0))


def _squares(
    first: NoiseLog, second: NoiseLog, declared: DeclaredNoise
) -> Iterator[Fraction]:
    numbers = {call.index: number for number, call in enumerate(draws(first))}
    for call, again in zip(first.calls, second.calls, strict=False):
        if call.kind != again.kind or len(call.uses) != len(again.uses):
            continue
        sensitivity = getattr(call.mechanism, "sensitivity", None)
        move = None
        if call.index in numbers:
            move = declared.of(call, numbers[call.index])
        elif isinstance(sensitivity, Sensitivity):
            move = DeclaredMove(sensitivity, sensitivity.norm)
        try:
            yield square(move, moved_values(call, again))
        except NoLength:
            continue


def square(declared: DeclaredMove | None, steps: Sequence[Fraction]) -> Fraction:
    """The square of a length as a multiple of that of the declared one."""
    if declared is None:
        return Norm.L2.square(steps)
    length = declared.norm.square(steps)
    if declared.sensitivity is None:
        return length
    return length / Fraction(declared.sensitivity.value.bound().upper) ** 2
