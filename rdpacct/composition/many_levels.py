"""A profile at many levels at once: losses that are close together share work."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.invert import Curve
from rdpacct.exact.raw import floor_log, real, real_inner

NEAR, SHARE = 2.0**-20, 2.0**-10
"""The distance over which slopes are taken: at most this share of the way to the largest loss."""
MANY, FEW = 512, 2
"""How many values are taken at once if each is cheap, and if each is a sum itself."""
BITS = 144
"""The precision of levels: those next to a loss are told apart."""
NEGLIGIBLE = 2.0**-100
"""Values that are smaller than this share of the sum so far are not worked out."""


@dataclass(frozen=True)
class Values:
    """The values of a profile at rising levels, this many of them at once."""

    at: Callable[[Sequence[RealBall]], list[RealBall]]
    at_once: int


def values_of(curve: Curve) -> Values:
    """The enclosures of a curve, several at once if it has them so."""
    together: Values | None = getattr(curve, "enclosed", None)
    if together is not None:
        return together
    return Values(lambda levels: [curve.enclosure(level) for level in levels], FEW)


def estimates_of(curve: Curve) -> Values | None:
    """About the values of a curve that takes several at once; None for another."""
    estimates: Values | None = getattr(curve, "estimates", None)
    return estimates


def sums_over(
    atoms: Sequence[tuple[RealBall, RealBall]],
    levels: Sequence[RealBall],
    values: Values,
) -> list[RealBall]:
    """For each level, the sum over losses with their masses of the values beside them.

    A profile falls with epsilon: where its values are negligible beside what there is already, the
    next ones are at most the last one.
    """
    if not atoms:
        return [real(0)] * len(levels)
    asked = [level - loss for level in levels for loss, _ in atoms]
    planned = [float(level) for level in asked]
    order = sorted(range(len(asked)), key=planned.__getitem__)
    masses = [mass for _, mass in atoms]
    number = len(masses)
    deltas: list[RealBall] = [real(0)] * len(asked)
    largest = [real(0)] * len(levels)
    for start in range(0, len(order), values.at_once):
        chunk = order[start : start + values.at_once]
        for k, value in zip(chunk, values.at([asked[k] for k in chunk]), strict=True):
            deltas[k] = value
            size = value * masses[k % number]
            if size > largest[k // number]:
                largest[k // number] = size.lower()
        last = deltas[chunk[-1]].upper()
        if not all(last < NEGLIGIBLE * peak for peak in largest):
            continue
        small = last.union(real(0))
        edge = asked[chunk[-1]]
        for k in order[start + values.at_once :]:
            deltas[k] = small if asked[k] >= edge else values.at([asked[k]])[0]
        break
    return [
        real_inner(masses, deltas[first : first + number])
        for first in range(0, len(asked), number)
    ]


def planned_by(values: Values, epsilon: float, top: float) -> tuple[float, float]:
    """About log delta(epsilon) and its derivative, from values close together; ``top`` is about the
    largest loss.
    """
    step = NEAR
    if epsilon < top:
        step = min(step, SHARE * (top - epsilon))
    with precision(BITS):
        levels = [real(epsilon) - real(step), real(epsilon)]
    before, here = map(floor_log, values.at(levels))
    if not math.isfinite(here):
        return here, -1.0
    return here, min((here - before) / step, -NEAR)
