"""Candidate events of a pilot, with how often each happened on both inputs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.added_odds import added_odds
from rdpacct.auditing.running.interval_sets import interval_sets
from rdpacct.auditing.running.output_events import OneOf, OneSide, OneValue, OutputEvent
from rdpacct.auditing.running.outputs import OutputKind, Outputs
from rdpacct.auditing.running.scores import (
    Coordinate,
    EqualPairs,
    Projection,
    Score,
    TheNumber,
)
from rdpacct.auditing.running.value_sets import GROWTHS, Counted, row_sets, value_sets

THRESHOLDS = 400
"""The number of thresholds of a score that are tried."""
ATOMS = 40
"""The number of repeated values that are tried."""
COORDINATES = 32
"""The number of coordinates of a vector that are tried one by one: those that differ most."""
LONGEST = 512
"""The longest vectors for which the discriminant is worked out."""
CATEGORIES = 60
OutputsPair = tuple[Outputs, Outputs]


@dataclass(frozen=True)
class Candidates:
    """Events and their hits on each input, out of a number of trials."""

    events: tuple[OutputEvent, ...]
    hits: Any
    """An array with two rows: hits on x and on the neighbor."""
    trials: int


def candidates(pilot: OutputsPair) -> Candidates:
    """The events that are worth a look, for outputs of this kind."""
    np = load()
    counted = list(_events(np, pilot))
    events = tuple(event for event, _, _ in counted)
    hits = np.array([[first, second] for _, first, second in counted], dtype=float).T
    return Candidates(events, hits, len(pilot[0]))


def _events(np: Any, pilot: OutputsPair) -> Iterator[Counted]:
    if pilot[0].kind is OutputKind.CATEGORY:
        yield from _sets(pilot)
        return
    if pilot[0].kind is OutputKind.NUMBER:
        yield from _of_score(np, TheNumber(), pilot)
        return
    yield from _of_vectors(np, pilot)


def _of_score(np: Any, score: Score, pilot: OutputsPair) -> Iterator[Counted]:
    values = (score.of(pilot[0]), score.of(pilot[1]))
    yield from _thresholds(np, score, values)
    yield from _atoms(np, score, values)
    yield from value_sets(np, score, values)
    yield from interval_sets(np, score, values)


def _of_vectors(np: Any, pilot: OutputsPair) -> Iterator[Counted]:
    """Coordinates, repeats and whole vectors; and directions that one half of the pilot chooses
    and the other half counts.
    """
    yield from row_sets(np, pilot)
    first, second = pilot[0].values, pilot[1].values
    half = len(first) // 2
    for place in _coordinates(np, first, second):
        yield from _of_score(np, Coordinate(place), pilot)
    if first.shape[1] > 1:
        yield from _of_score(np, EqualPairs(), pilot)
        rest = tuple(
            Outputs(each.kind, each.values[half:], each.length) for each in pilot
        )
        for score in _directions(np, first[:half], second[:half]):
            values = (score.of(rest[0]), score.of(rest[1]))
            yield from _scaled(_thresholds(np, score, values), pilot, half)
            yield from _scaled(_atoms(np, score, values), pilot, half)


def _scaled(
    counted: Iterator[Counted], pilot: OutputsPair, half: int
) -> Iterator[Counted]:
    """Hits of a part of the pilot, as if all of it had been counted."""
    trials = len(pilot[0])
    for event, first, second in counted:
        yield (
            event,
            first * trials // (trials - half),
            second * trials // (trials - half),
        )


def _coordinates(np: Any, first: Array, second: Array) -> list[int]:
    """The coordinates that differ most, relative to their spread."""
    with np.errstate(all="ignore"):
        apart = np.nan_to_num(first.mean(axis=0) - second.mean(axis=0))
        spread = np.nan_to_num(first.std(axis=0) + second.std(axis=0))
        order = np.argsort(-np.abs(apart) / (spread + 1e-300), kind="stable")
    return [int(place) for place in order[:COORDINATES]]


def _directions(np: Any, first: Array, second: Array) -> Iterator[Score]:
    """The odds of the coordinates, added up; and linear functions: along the difference of the
    means, and Fisher's discriminant.
    """
    if not (len(first) and np.isfinite(first).all() and np.isfinite(second).all()):
        return
    odds = added_odds(np, first, second, _coordinates(np, first, second))
    if odds is not None:
        yield odds
    apart = first.mean(axis=0) - second.mean(axis=0)
    if apart.any():
        yield Projection(tuple(map(float, apart / np.abs(apart).max())))
        yield from _discriminant(np, first, second, apart)


def _discriminant(
    np: Any, first: Array, second: Array, apart: Array
) -> Iterator[Score]:
    """The direction that separates the means best, relative to the spread (Fisher)."""
    if first.shape[1] > LONGEST or len(first) < 2:
        return
    within = np.cov(first, rowvar=False) + np.cov(second, rowvar=False)
    ridge = 1e-9 * (np.trace(within) / len(within) + 1e-300)
    try:
        weights = np.linalg.solve(within + ridge * np.eye(len(within)), apart)
    except np.linalg.LinAlgError:
        return
    size = np.abs(weights).max()
    if np.isfinite(size) and size > 0:
        yield Projection(tuple(map(float, weights / size)))


def _thresholds(
    np: Any, score: Score, values: tuple[Array, Array]
) -> Iterator[Counted]:
    """Both sides of order statistics, which are dense at both ends."""
    ordered = [np.sort(each) for each in values]
    trials = len(ordered[0])
    pooled = np.sort(np.concatenate(ordered))
    marks = _marks(np, len(pooled))
    at = np.unique(pooled[marks])
    below = [np.searchsorted(each, at, side="right") for each in ordered]
    for threshold, first, second in zip(at, *below, strict=True):
        yield OneSide(score, float(threshold), False), int(first), int(second)
        yield (
            OneSide(score, float(threshold), True),
            int(trials - first),
            int(trials - second),
        )


def _marks(np: Any, count: int) -> Array:
    """Ranks: even ones in the middle, and ones that grow like powers from both ends."""
    even = np.linspace(0, count - 1, THRESHOLDS // 2)
    ends = np.geomspace(1, max(count / 2, 1), THRESHOLDS // 4) - 1
    ranks = np.concatenate([even, ends, count - 1 - ends])
    return np.unique(np.clip(ranks.round().astype(int), 0, count - 1))


def _atoms(np: Any, score: Score, values: tuple[Array, Array]) -> Iterator[Counted]:
    """Values that occurred more than once on an input."""
    counts: Counter[float] = Counter()
    for each in values:
        distinct, times = np.unique(each, return_counts=True)
        often = np.argsort(-times, kind="stable")[:ATOMS]
        for place in often:
            if times[place] > 1:
                counts[float(distinct[place])] += int(times[place])
    for value, _ in counts.most_common(ATOMS):
        first, second = (int(np.count_nonzero(each == value)) for each in values)
        trials = len(values[0])
        yield OneValue(score, value), first, second
        yield OneValue(score, value, False), trials - first, trials - second


def _sets(pilot: OutputsPair) -> Iterator[Counted]:
    """Single categories, and sets of those with large odds, which one half of the pilot chooses and
    the other half counts.
    """
    counts = [Counter(outputs.values) for outputs in pilot]
    trials = len(pilot[0])
    total = counts[0] + counts[1]
    for category, _ in total.most_common(CATEGORIES):
        yield from _both(frozenset([category]), counts, trials)
    half = trials // 2
    choosing = [Counter(outputs.values[:half]) for outputs in pilot]
    counting = [Counter(outputs.values[half:]) for outputs in pilot]
    for chosen in _likely_sets(choosing):
        yield from _scaled(iter(_both(chosen, counting, trials - half)), pilot, half)


def _likely_sets(counts: list[Counter[Any]]) -> Iterator[frozenset[Any]]:
    """Categories with large odds between the inputs, in either order."""
    total = counts[0] + counts[1]
    for likely, rare in (counts, counts[::-1]):
        for growth in GROWTHS:
            chosen = frozenset(
                each for each in total if likely[each] > growth * (rare[each] + 0.5)
            )
            if 1 < len(chosen) < len(total):
                yield chosen


def _both(
    chosen: frozenset[Any], counts: list[Counter[Any]], trials: int
) -> Iterable[Counted]:
    first, second = (sum(each[category] for category in chosen) for each in counts)
    return (
        (OneOf(chosen), first, second),
        (OneOf(chosen, False), trials - first, trials - second),
    )
