"""Exact output laws of noisy releases on small data: what their guarantees are compared with.

Two-sided geometric noise gives the integer x a probability proportional to decay**|x|; with a
rational decay, exp(-epsilon) for one step, everything is rational.
"""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

Output = TypeVar("Output", bound=Hashable)
ExactLaw = dict[Output, Fraction]


def at_least(decay: Fraction, need: int) -> Fraction:
    """The probability that the noise is at least an integer."""
    if need >= 1:
        return decay**need / (1 + decay)
    return 1 - decay ** (1 - need) / (1 + decay)


def spread(value: int, decay: Fraction, low: int, high: int) -> ExactLaw[int]:
    """The law of a value with noise, in which ``low`` stands for all outputs up to it, and ``high``
    for all from it on.

    If the values compared lie from low to high, no event beyond can tell more.
    """
    inside = {
        out: (1 - decay) / (1 + decay) * decay ** abs(out - value)
        for out in range(low + 1, high)
    }
    return {
        low: at_least(decay, value - low),
        **inside,
        high: at_least(decay, high - value),
    }


def guarded(
    passes: Fraction, law: Mapping[Output, Fraction]
) -> ExactLaw[Output | None]:
    """The law of a release that happens with that probability, and is None otherwise."""
    return {None: 1 - passes, **{out: passes * mass for out, mass in law.items()}}
