"""A pair made small: fewer records, and simpler ones, as long as it stays as bad."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rdpacct.auditing.neighbors.pair import RecordPair
from rdpacct.privacy.relation import Relation

Bad = Callable[[RecordPair], bool]
FEWEST = 6
"""This many of the simplest records are tried in a place, and about as many of the others."""


def shrunk(
    pair: RecordPair,
    is_as_bad: Bad,
    records: Sequence[Any],
    smallest: int,
    free: bool,
) -> RecordPair:
    """The smallest pair that is reached by leaving out records and taking simpler ones, one at a
    time, each time as bad as before.

    Simpler records are those of ``records``, and rounded numbers too if these are ``free``.
    """
    before = ""
    while before != pair.key():
        before = pair.key()
        pair = _fewer(pair, is_as_bad, smallest)
        pair = _simpler(pair, is_as_bad, records, free)
    return pair


def _fewer(pair: RecordPair, is_as_bad: Bad, smallest: int) -> RecordPair:
    """Halves are left out first, then single records."""
    size = len(pair.row) // 2
    while size:
        places = list(pair.common())
        for start in range(0, len(places), size):
            cut = pair
            for index in places[start : start + size]:
                cut = cut.without(index)
            if len(cut.row) >= max(smallest, 1) and is_as_bad(cut):
                pair = cut
                break
        else:
            size //= 2
    return pair


def _simpler(
    pair: RecordPair, is_as_bad: Bad, records: Sequence[Any], free: bool
) -> RecordPair:
    if pair.turned and is_as_bad(replace(pair, turned=False)):
        pair = replace(pair, turned=False)
    for index in range(len(pair.row)):
        for record in simpler_records(pair.row[index], records, free):
            if is_as_bad(pair.with_record(index, record)):
                pair = pair.with_record(index, record)
                break
    if pair.relation is Relation.REPLACE_ONE:
        for record in simpler_records(pair.other, records, free):
            if is_as_bad(replace(pair, other=record)):
                return replace(pair, other=record)
    return pair


def simpler_records(record: Any, records: Sequence[Any], free: bool) -> list[Any]:
    """Records that are simpler than a given one, the simplest first."""
    candidates = [*records, *(_rounded(record) if free else ())]
    size = simplicity(record)
    simpler = [each for each in candidates if simplicity(each) < size]
    simpler.sort(key=simplicity)
    few = simpler[:FEWEST]
    stride = max(len(simpler) // FEWEST, 1)
    return [*few, *simpler[FEWEST::stride]]


def simplicity(record: Any) -> tuple[float, int, str]:
    """Small where a record is easy to read: few digits, near zero, not negative."""
    text = repr(record)
    if isinstance(record, int | float) and _is_usual(record):
        near = min(abs(float(record)), 1e300)
        digits = len(text.lstrip("-").removesuffix(".0"))
        return (digits + math.log1p(near) / 1000, int(record < 0), text)
    return (len(text), 0, text)


def _is_usual(number: float) -> bool:
    return -1e300 < number < 1e300


def _rounded(record: Any) -> Iterator[Any]:
    """Numbers near a number or near zero, and rows with one such number."""
    if isinstance(record, bool):
        return
    if isinstance(record, int):
        yield from (0, 1, -1, record // 2, record // 10 * 10)
    elif isinstance(record, float) and math.isfinite(record):
        yield from (0.0, 1.0, -1.0, float(math.trunc(record)), record / 2)
        yield from (round(record, digits) for digits in (0, 1, 2, 4))
    elif isinstance(record, tuple):
        for index, entry in enumerate(record):
            for simpler in _rounded(entry):
                yield (*record[:index], simpler, *record[index + 1 :])
