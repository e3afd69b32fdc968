"""The outputs of two runs with the same noise, and what a replay cannot see."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.auditing.replay.compare import LOST, compare_calls, square
from rdpacct.auditing.replay.declared import DeclaredNoise, draws
from rdpacct.auditing.replay.exact_values import finite, is_comparable, moves, same
from rdpacct.auditing.replay.finding import FindingKind, NoiseFinding
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog, brief


def compare_outputs(
    first: NoiseLog,
    other: NoiseLog,
    declared: DeclaredNoise,
    calls: list[NoiseFinding],
) -> Iterator[NoiseFinding]:
    """What the output of a run on D' says beyond the noisy values, which are those of the run on
    D.
    """
    lost = any(finding.kind in LOST for finding in calls)
    if lost or same(first.output, other.output):
        return
    if not is_comparable(first.output):
        return
    differ = f"{brief(first.output)} on D, but {brief(other.output)} on D'"
    unclear = _possible_noise(first, other)
    if not first.called:
        text = f"the output is {differ}, without a call of the noise"
        yield NoiseFinding(FindingKind.NO_NOISE, text)
    elif not unclear:
        text = f"the output is {differ}, with the same noisy values"
        yield NoiseFinding(FindingKind.OUTPUT, text)
    else:
        yield from _moved_output(first, other, declared, unclear[0])


def _moved_output(
    first: NoiseLog, other: NoiseLog, declared: DeclaredNoise, unclear: NoiseCall
) -> Iterator[NoiseFinding]:
    """An output with noise that was not followed: it moves as the value does to which the noise was
    added.
    """
    move = declared.of(unclear, 0) if draws(first) or declared.count is None else None
    moved = moves(first.output, other.output)
    if move is None or moved is None:
        return
    steps = [Fraction(step) for step in moved if step != float("inf")]
    if len(steps) < len(moved):
        text = f"{brief(first.output)} on D, but {brief(other.output)} on D'"
        yield NoiseFinding(FindingKind.NOT_FINITE, f"the output is {text}")
    elif reason := move.exceeded(steps):
        text = f"in the output, with the same noise, {reason}"
        measured = move.measured(steps)
        yield NoiseFinding(
            FindingKind.SENSITIVITY, text, unclear.index, unclear.place, measured
        )


def output_square(
    first: NoiseLog, other: NoiseLog, declared: DeclaredNoise
) -> Fraction:
    """The square of the move of an output whose noise was not followed, against what is
    declared.
    """
    unclear = _possible_noise(first, other)
    moved = moves(first.output, other.output)
    if not unclear or moved is None or not finite(moved):
        return Fraction(0)
    return square(declared.of(unclear[0], 0), [Fraction(step) for step in moved])


HIDDEN = (
    "noise of another source: two runs on the same data with the same noise differ, so"
    " that nothing is concluded from them"
)


def unseen(first: NoiseLog, other: NoiseLog) -> Iterator[str]:
    """What the replay of a run on other data says nothing about, in words."""
    if not first.called:
        yield "any noise: the source that the mechanism is given was never called"
    if not is_comparable(first.output):
        yield (
            "the output: it has objects that are equal to themselves only; return"
            " numbers"
        )
    places = Counter((call.kind, call.place) for call in _possible_noise(first, other))
    for (kind, place), count in places.items():
        calls = f"{count} calls of {kind}" if count > 1 else kind
        yield f"what the outcome of {calls} ({place}) is added to; only the output tells"


def is_hidden(first: NoiseLog, again: NoiseLog) -> bool:
    """Whether two runs on the same data with the same noise differ: in their calls, in what noise
    is added to, or in their outputs.
    """
    if compare_calls(first, again, DeclaredNoise(0)):
        return True
    inputs = [
        same(a.inputs, b.inputs) for a, b in zip(first.calls, again.calls, strict=False)
    ]
    if not all(inputs):
        return True
    return is_comparable(first.output) and not same(first.output, again.output)


def _possible_noise(first: NoiseLog, other: NoiseLog) -> list[NoiseCall]:
    """The draws and choices that may be noise which was not followed: draws around zero in both
    runs that were added to nothing.
    """
    seen = {call.index for call in (*first.calls, *other.calls) if call.is_seen}
    drawn = [call for call in first.calls if call.index not in seen]
    return drawn + [call for call in first.others if not call.selects]
