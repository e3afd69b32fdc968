"""Sets of values of a score, or of whole vectors, that one input gives more often than the other.

Where single values repeat but each is rare, as in arithmetic of few bits, a set of them can tell
what no single value and no threshold does. A set is chosen on one half of the pilot and counted on
the other, since it would look too good on the outputs that chose it.
"""

from collections.abc import Iterator
from typing import Any

from rdpacct.arrays import Array
from rdpacct.auditing.running.output_events import OutputEvent, SomeRows, SomeValues
from rdpacct.auditing.running.outputs import Outputs
from rdpacct.auditing.running.scores import RowCode, Score

GROWTHS = (1.0, 2.0, 4.0, 16.0)
"""A set has the values whose odds between the inputs are at least one of these."""
MOST_VALUES = 20_000
"""An event has at most this many distinct values."""
LEAST_REPEATED = 0.1
"""Values that repeat less than this share of the time are taken for continuous ones."""
Counted = tuple[OutputEvent, int, int]


def value_sets(np: Any, score: Score, values: tuple[Array, Array]) -> Iterator[Counted]:
    """Sets of values of a score with large odds, each with its hits on both inputs as if all of
    the pilot had been counted.
    """
    for chosen in _chosen(np, values):
        event = SomeValues(score, frozenset(map(float, chosen)))
        yield _counted(event, values)


def row_sets(np: Any, pilot: tuple[Outputs, Outputs]) -> Iterator[Counted]:
    """The same of whole vectors, for leaks that no linear function of them shows."""
    values = (RowCode().of(pilot[0]), RowCode().of(pilot[1]))
    codes, places = np.unique(np.concatenate(values), return_index=True)
    rows = np.concatenate([pilot[0].values, pilot[1].values])
    for chosen in _chosen(np, values):
        places_of_rows = places[np.searchsorted(codes, chosen)]
        event = SomeRows(frozenset(map(tuple, rows[places_of_rows].tolist())))
        yield _counted(event, values)


def _chosen(np: Any, values: tuple[Array, Array]) -> Iterator[Array]:
    """Sets of the values in the first half of the pilot, by their odds there."""
    half = len(values[0]) // 2
    choosing = [each[:half] for each in values]
    known = np.unique(np.concatenate(choosing))
    if not 2 < len(known) <= min((1 - LEAST_REPEATED) * 2 * half, MOST_VALUES):
        return
    counts = [_times(np, known, each) for each in choosing]
    for likely, rare in ((counts[0], counts[1]), (counts[1], counts[0])):
        for growth in GROWTHS:
            chosen = known[likely > growth * (rare + 0.5)]
            if 0 < len(chosen) < len(known):
                yield chosen


def _times(np: Any, known: Array, given: Array) -> Array:
    """How often each known value was given."""
    return np.bincount(np.searchsorted(known, given), minlength=len(known))


def _counted(event: SomeValues | SomeRows, values: tuple[Array, Array]) -> Counted:
    """An event with its hits in the second half of the pilot, scaled to all of it."""
    trials = len(values[0])
    shares = [event.among(each[trials // 2 :]).mean() for each in values]
    first, second = (round(float(share) * trials) for share in shares)
    return event, first, second
