"""Outputs that are sums of a value and noise, by replay: which of them the neighbor can have."""

from dataclasses import dataclass
from typing import Any

from rdpacct.auditing.replay.exact_values import flat, same
from rdpacct.auditing.replay.noise_log import NoiseCall, NoiseLog
from rdpacct.auditing.replay.recorded_runs import Noisy, record_noise, replay_noise
from rdpacct.auditing.support.doubles import is_a_sum, noise_of
from rdpacct.auditing.support.unreachable import UnreachableOutput, by_sum
from rdpacct.exact.number import shorten

SumsSeen = list[tuple[float, float, float]]
"""For each noisy double of a run: the value, the noisy value, and the value on the neighbor."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How many outputs were tried, how many of them the neighbor has and never has, and why others
    are not decided.
    """

    outputs: int
    reachable: int
    unreachable: int
    why: str = ""

    @property
    def decided(self) -> int:
        """The number of outputs of which it is known whether the neighbor has them."""
        return self.reachable + self.unreachable

    @property
    def unknown(self) -> int:
        """The number of outputs of which it is not known."""
        return self.outputs - self.decided

    def and_of(self, other: "Seen") -> "Seen":
        """What was tried in both orders of the data sets."""
        return Seen(
            self.outputs + other.outputs,
            self.reachable + other.reachable,
            self.unreachable + other.unreachable,
            self.why or other.why,
        )

    def __str__(self) -> str:
        text = (
            f"of {self.outputs} outputs the neighbor has {self.reachable} and never has"
            f" {self.unreachable}"
        )
        if not self.unknown:
            return text
        return f"{text}; of the others it is not known, since {self.why}"


def recorded_outputs(
    mechanism: Noisy, x: Any, x_neighbor: Any, outputs: int, seed: int, source: Any
) -> tuple[Seen, UnreachableOutput | None]:
    """Outputs on one data set, each compared with those that its neighbor can have."""
    counts = {True: 0, False: 0}
    witness: UnreachableOutput | None = None
    why = ""
    for number in range(outputs):
        log = record_noise(mechanism, x, seed=seed + number, source=source)
        other = replay_noise(mechanism, log, x_neighbor, source=source)
        try:
            impossible = _impossible(log, other)
        except Undecidable as reason:
            why = str(reason)
            continue
        counts[impossible is None] += 1
        witness = witness or impossible
    return Seen(outputs, counts[True], counts[False], why), witness


class Undecidable(Exception):
    """It is not known whether the neighbor has an output."""


def _impossible(log: NoiseLog, other: NoiseLog) -> UnreachableOutput | None:
    """A double of an output that the neighbor never has; None if it has the whole output."""
    if log.others or not log.calls:
        raise Undecidable("the noise is not a sum that was followed")
    if not same(log.output, other.output) or len(log.calls) != len(other.calls):
        raise Undecidable("the output depends on the data beyond the noisy values")
    sums = list[tuple[float, float, float]]()
    for call, again in zip(log.calls, other.calls, strict=True):
        sums += noisy_doubles(call, again)
    missing = [each for each in sums if not is_a_sum(each[2], each[1])]
    if not missing:
        return None
    released = [x for x in flat(log.output) if isinstance(x, float)]
    for value, noisy, neighbor in missing:
        noise = noise_of(value, noisy)
        if noisy in released and noise is not None:
            return by_sum(value, noise, neighbor)
    raise Undecidable("noisy values are not released as they are")


def noisy_doubles(call: NoiseCall, again: NoiseCall) -> SumsSeen:
    """The sums of values and noise in doubles that a call made; none where noise is whole."""
    if call.is_part:
        return []
    if call.mechanism is not None and not call.mechanism.same_outputs:
        sums = _doubles(call.inputs[0], call.outcome, again.inputs[0])
        if not sums:
            raise Undecidable(f"{call.kind} does not say which outputs it has")
        return sums
    if call.mechanism is not None:
        return []
    seen = call.is_seen or again.is_seen
    if not seen or len(call.uses) != len(again.uses):
        raise Undecidable("the noise is not a sum that was followed")
    if not call.uses:
        return _doubles(call.value, call.outcome, again.value)
    all_sums: SumsSeen = []
    for use, twin in zip(call.uses, again.uses, strict=True):
        sums = _doubles(use.value, use.noisy, twin.value)
        sign = -1 if use.negated else 1
        all_sums += [
            (sign * value, noisy, sign * other) for value, noisy, other in sums
        ]
    return all_sums


def _doubles(values: Any, noisy: Any, neighbors: Any) -> SumsSeen:
    precision = getattr(getattr(noisy, "dtype", None), "name", "float64")
    if precision.startswith("float") and precision != "float64":
        raise Undecidable(f"noise is added in {precision}, and not in doubles")
    released = flat(noisy)
    if not any(isinstance(x, float) for x in released):
        return []
    before = flat(values)
    after = flat(neighbors)
    if not len(before) == len(after) == len(released):
        raise Undecidable("values have several shapes")
    try:
        return [
            (float(v), x, float(w))
            for v, x, w in zip(before, released, after, strict=True)
        ]
    except (TypeError, ValueError, OverflowError):
        raise Undecidable(f"{shorten(repr(values))} has no doubles") from None
