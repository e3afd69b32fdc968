"""Outputs that are computed from one uniform double: which of them the neighbor can have."""

import random
from typing import Any

from rdpacct.auditing.replay.recorded_runs import Noisy
from rdpacct.auditing.support.chosen_source import NotInverted
from rdpacct.auditing.support.inversion import LAST, OneUniform
from rdpacct.auditing.support.recorded_sums import Seen
from rdpacct.auditing.support.unreachable import UnreachableOutput, by_inversion

NARROW, WIDE = 8, 1000
"""The number of neighbors of a uniform double that are tried, for each output and for the witness.
"""


def inverted_outputs(
    mechanism: Noisy,
    x: Any,
    x_neighbor: Any,
    outputs: int,
    rng: random.Random,
    source: Any,
) -> tuple[Seen, UnreachableOutput | None]:
    """Outputs on one data set, each looked for among all that its neighbor can have."""
    first = OneUniform(mechanism, x, source)
    second = OneUniform(mechanism, x_neighbor, source)
    try:
        for code in (first, second):
            for path in code.paths():
                code.check_monotone(path, rng)
        return _tried(first, second, outputs, rng)
    except NotInverted as reason:
        return Seen(outputs, 0, 0, str(reason)), None


def _tried(
    first: OneUniform, second: OneUniform, outputs: int, rng: random.Random
) -> tuple[Seen, UnreachableOutput | None]:
    paths = first.paths()
    missing = 0
    witness: UnreachableOutput | None = None
    for _ in range(outputs):
        path = rng.choice(paths)
        uniform = rng.randrange(LAST + 1)
        output = first.output(path, uniform)
        if second.never(output, NARROW) is None:
            continue
        missing += 1
        if witness is None and (straddles := second.never(output, WIDE)) is not None:
            witness = by_inversion(output, path, uniform, straddles, WIDE)
    return Seen(outputs, outputs - missing, missing), witness
