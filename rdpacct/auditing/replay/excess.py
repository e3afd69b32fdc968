"""How far the noisy values of two runs move, against what is declared: one number to compare pairs
of data sets by.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rdpacct.auditing.replay.compare import value_steps
from rdpacct.auditing.replay.declared import DeclaredMove, DeclaredNoise, draws
from rdpacct.auditing.replay.exact_values import Move, finite, moves
from rdpacct.auditing.replay.noise_log import NoiseLog
from rdpacct.privacy.relation import Sensitivity


def largest_excess(
    first: NoiseLog, second: NoiseLog, declared: DeclaredNoise
) -> Fraction:
    """The largest square of a move, divided by that of its declared sensitivity if there is one.

    It is above 1 where a declared sensitivity is exceeded. What has no length does not count: calls
    of different kinds or sizes, and values that are not finite.
    """
    return max(_squares(first, second, declared), default=Fraction(0))


def _squares(
    first: NoiseLog, second: NoiseLog, declared: DeclaredNoise
) -> Iterator[Fraction]:
    numbers = {call.index: number for number, call in enumerate(draws(first))}
    for call, again in zip(first.calls, second.calls, strict=False):
        if call.kind != again.kind or call.index not in numbers:
            continue
        move = declared.of(call, numbers[call.index])
        yield _square(move, value_steps(call, again))
    for call, again in zip(first.calls, second.calls, strict=False):
        sensitivity = getattr(call.mechanism, "sensitivity", None)
        if call.kind == again.kind and isinstance(sensitivity, Sensitivity):
            move = DeclaredMove(sensitivity, sensitivity.norm)
            yield _square(move, moves(call.value, again.value))
    if not all(call.is_seen for call in first.calls) or not first.calls:
        unclear = [call for call in (*first.calls, *first.others) if not call.is_seen]
        outputs = moves(first.output, second.output)
        yield from (_square(declared.of(call, 0), outputs) for call in unclear[:1])


def _square(declared: DeclaredMove | None, steps: Sequence[Move] | None) -> Fraction:
    """The square of a length as a multiple of that of the declared one."""
    if steps is None or not finite(steps):
        return Fraction(0)
    exact = [Fraction(step) for step in steps]
    if declared is None:
        return sum((step**2 for step in exact), Fraction(0))
    square = Fraction((declared.norm.length(exact) ** 2).bound().lower)
    if declared.sensitivity is None:
        return square
    return square / Fraction(declared.sensitivity.value.bound().upper) ** 2
