"""Audits of the grid: whether all outputs are multiples of one declared step, whatever the data
are.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.arrays import generator
from rdpacct.auditing.replay.exact_values import exact, flat, is_finite, is_real
from rdpacct.auditing.replay.recorded_runs import Noisy
from rdpacct.auditing.verdict import HasOutcome, Outcome
from rdpacct.errors import InputError
from rdpacct.exact.number import Number, decimal_text, rational, shorten, whole

MOST_RUNS = 10**6
LARGEST_SEED = 2**64


@dataclass(frozen=True, repr=False)
class GridVerdict(HasOutcome):
    """FAILS if an output is not on the grid; else UNDECIDED, since other outputs may not be."""

    step: Fraction
    outcome: Outcome
    output: Any
    """A number that is not on the grid, as the code gave it; None if there was none."""
    data: Any
    """The data set that gave it."""
    outputs: int
    """How many outputs were looked at."""

    def title(self) -> str:
        """The grid."""
        return f"multiples of {decimal_text(self.step)}"

    def lines(self) -> list[str]:
        """The output that is not on the grid, or how many outputs were."""
        if self.fails:
            where = shorten(repr(self.data))
            return [f"the output {self.output!r} on {where} is not one"]
        return [f"all of {self.outputs} outputs are"]


def audit_grid(
    mechanism: Noisy,
    data_sets: Sequence[Any],
    step: Number,
    *,
    runs: int = 100,
    seed: int = 0,
    source: Any = None,
) -> GridVerdict:
    """Whether every number in the outputs of ``mechanism(data, rng)`` is a multiple of a step, the
    same one for all data sets.

    Numbers are the exact rationals that they are: the double 0.1 is not a multiple of "0.1", and is
    one of 0.1. ``rng`` is a generator of NumPy, or with ``source=random.Random`` one of Python.
    """
    width = rational(step, "the step")
    if width <= 0:
        raise InputError(
            f"the step is {step}, but must be above 0; give one such as 1/1024."
        )
    count = whole(runs, "the number of runs", 1, MOST_RUNS)
    start = whole(seed, "the seed", 0, LARGEST_SEED)
    looked_at = 0
    for data in data_sets:
        rng: Any = random.Random(start)
        if source is not random.Random:
            rng = generator(start)
        for _ in range(count):
            output = mechanism(data, rng)
            looked_at += 1
            for number in flat(output):
                if not _is_multiple(number, width):
                    return GridVerdict(width, Outcome.FAILS, number, data, looked_at)
    return GridVerdict(width, Outcome.UNDECIDED, None, None, looked_at)


def _is_multiple(number: Any, step: Fraction) -> bool:
    if not is_real(number):
        raise InputError(
            f"an output is {shorten(repr(number))}, which is not a number; give a"
            " mechanism whose outputs are numbers or lists of them."
        )
    return is_finite(number) and (exact(number) / step).denominator == 1
