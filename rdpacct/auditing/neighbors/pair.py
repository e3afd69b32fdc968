"""Two neighbors as one row of records and a place in it, and how such a pair is changed a
little.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from rdpacct.auditing.neighbors.drawn import DrawnData
from rdpacct.privacy.relation import Relation

DataRow: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class RecordPair:
    """A row of records, in which one is left out, or is another one in the neighbor."""

    row: DataRow
    place: int
    other: Any
    """What stands in the place in the neighbor: another record, or a null record."""
    relation: Relation
    turned: bool = False
    """The neighbor comes first."""

    def rows(self) -> tuple[DataRow, DataRow]:
        """The two neighbors."""
        changed: DataRow = (self.other,)
        if self.relation is Relation.ADD_OR_REMOVE_ONE:
            changed = ()
        neighbor = (*self.row[: self.place], *changed, *self.row[self.place + 1 :])
        if self.turned:
            return neighbor, self.row
        return self.row, neighbor

    def key(self) -> str:
        """A text that is the same for equal pairs."""
        return repr((self.row, self.place, self.other, self.turned))

    def without(self, index: int) -> "RecordPair":
        """The pair without a record that both have."""
        row = (*self.row[:index], *self.row[index + 1 :])
        return replace(self, row=row, place=self.place - (index < self.place))

    def with_record(self, index: int, record: Any) -> "RecordPair":
        """The pair with another record in a place."""
        return replace(self, row=(*self.row[:index], record, *self.row[index + 1 :]))

    def with_more(self, index: int, record: Any) -> "RecordPair":
        """The pair with one record more, before a place."""
        row = (*self.row[:index], record, *self.row[index:])
        return replace(self, row=row, place=self.place + (index <= self.place))

    def with_others(self, records: Iterable[Any]) -> Iterator["RecordPair"]:
        """The pairs with another record in the place where they differ, then in any place."""
        kept = list(records)
        if self.relation is Relation.REPLACE_ONE:
            yield from (replace(self, other=record) for record in kept)
        for index in (self.place, *self.common()):
            yield from (self.with_record(index, record) for record in kept)

    def common(self) -> Iterator[int]:
        """The places of the records that both have, the last one first."""
        for index in reversed(range(len(self.row))):
            if index != self.place:
                yield index


@dataclass(frozen=True)
class RandomChanges:
    """Small changes of pairs, which keep to drawn records and to the sizes that were drawn."""

    drawn: DrawnData
    relation: Relation
    null: Any
    """The null record, for zero_out."""
    rng: random.Random

    def start(self, row: DataRow) -> RecordPair:
        """A random pair in which one data set is this row."""
        place = self.rng.randrange(len(row))
        return RecordPair(row, place, self._other(), self.relation, self._coin())

    def changed(self, pair: RecordPair) -> RecordPair:
        """The pair with one to three random changes."""
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            pair = self.rng.choice(CHANGES)(self, pair)
        return pair

    def other_record(self, pair: RecordPair) -> RecordPair:
        """Another record somewhere."""
        return pair.with_record(self.rng.randrange(len(pair.row)), self._record())

    def other_replacement(self, pair: RecordPair) -> RecordPair:
        """Another record in the neighbor."""
        return replace(pair, other=self._other())

    def other_place(self, pair: RecordPair) -> RecordPair:
        """The difference somewhere else."""
        return replace(pair, place=self.rng.randrange(len(pair.row)))

    def one_more(self, pair: RecordPair) -> RecordPair:
        """A drawn record more."""
        if len(pair.row) >= self.drawn.largest:
            return pair
        return pair.with_more(self.rng.randrange(len(pair.row) + 1), self._record())

    def copied(self, pair: RecordPair) -> RecordPair:
        """One of the records in the place of another."""
        record = self.rng.choice(pair.row)
        return pair.with_record(self.rng.randrange(len(pair.row)), record)

    def one_less(self, pair: RecordPair) -> RecordPair:
        """One of the records that both have left out."""
        places = list(pair.common())
        if len(pair.row) <= max(self.drawn.smallest, 1) or not places:
            return pair
        return pair.without(self.rng.choice(places))

    def swapped(self, pair: RecordPair) -> RecordPair:
        """Two records in each other's place."""
        first = self.rng.randrange(len(pair.row))
        second = self.rng.randrange(len(pair.row))
        records = pair.row[first], pair.row[second]
        return pair.with_record(first, records[1]).with_record(second, records[0])

    def turned(self, pair: RecordPair) -> RecordPair:
        """The two neighbors the other way round."""
        return replace(pair, turned=not pair.turned)

    def _record(self) -> Any:
        return self.rng.choice(self.drawn.records)

    def _other(self) -> Any:
        """What may stand in the place of a record in the neighbor."""
        if self.relation is Relation.ZERO_OUT:
            return self.null
        return self._record()

    def _coin(self) -> bool:
        return self.rng.random() < 0.5


CHANGES: tuple[Callable[[RandomChanges, RecordPair], RecordPair], ...] = (
    RandomChanges.other_record,
    RandomChanges.other_replacement,
    RandomChanges.other_place,
    RandomChanges.one_more,
    RandomChanges.copied,
    RandomChanges.one_less,
    RandomChanges.swapped,
    RandomChanges.turned,
)
