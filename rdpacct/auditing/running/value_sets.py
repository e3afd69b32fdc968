"""Sets of values of a score that one input gives more often than the other.

Where single values repeat but each is rare, as in arithmetic of few bits, a set of them can tell
what no single value and no threshold does. A set is chosen on one half of the pilot and counted on
the other, since it would look too good on the outputs that chose it.
"""

from collections.abc import Iterator
from typing import Any

from rdpacct.arrays import Array
from rdpacct.auditing.running.events import Event, SomeValues
from rdpacct.auditing.running.scores import Score

GROWTHS = (1.0, 2.0, 4.0, 16.0)
"""A set has the values whose odds between the inputs are at least one of these."""
MOST_VALUES = 20_000
"""More distinct values are not kept as an event."""
LEAST_REPEATED = 0.1
"""Values that repeat less than this share of the time are taken for continuous ones."""


def value_sets(
    np: Any, score: Score, values: tuple[Array, Array]
) -> Iterator[tuple[Event, int, int]]:
    """Sets of values with large odds, each with its hits on both inputs as if all of the pilot had
    been counted.
    """
    half = len(values[0]) // 2
    choosing = [each[:half] for each in values]
    known = np.unique(np.concatenate(choosing))
    if not 2 < len(known) <= min((1 - LEAST_REPEATED) * 2 * half, MOST_VALUES):
        return
    counts = [_times(np, known, each) for each in choosing]
    trials = len(values[0])
    for likely, rare in ((counts[0], counts[1]), (counts[1], counts[0])):
        for growth in GROWTHS:
            chosen = known[likely > growth * (rare + 0.5)]
            if 1 < len(chosen) < len(known):
                event = SomeValues(score, frozenset(map(float, chosen)))
                hits = [event.among(each[half:]).mean() for each in values]
                one, two = (round(float(share) * trials) for share in hits)
                yield event, one, two


def _times(np: Any, known: Array, given: Array) -> Array:
    """How often each known value was given."""
    return np.bincount(np.searchsorted(known, given), minlength=len(known))
