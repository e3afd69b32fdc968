"""Data sets as tuples of records, and pairs of them that a relation makes neighbors."""

from typing import Any, TypeAlias

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole
from rdpacct.privacy.relation import Relation
from rdpacct.testing.strategies.installed import DrawFn, SearchStrategy, st

DataSet: TypeAlias = tuple[Any, ...]
MOST_RECORDS = 10_000


def datasets(
    records: SearchStrategy[Any] | None = None, *, min_size: int = 0, max_size: int = 6
) -> SearchStrategy[DataSet]:
    """Tuples of records; a record is a whole number from 0 to 9 unless a strategy is given."""
    smallest, largest = _sizes(min_size, max_size)
    each = _records(records)
    return st.lists(each, min_size=smallest, max_size=largest).map(tuple)


def neighbors(
    relation: Relation | str,
    records: SearchStrategy[Any] | None = None,
    *,
    min_size: int = 0,
    max_size: int = 6,
    null: Any = None,
) -> SearchStrategy[tuple[DataSet, DataSet]]:
    """Pairs of neighboring data sets, either way round, whose sizes are within the limits.

    For ``add_or_remove_one`` one data set has one record more than the other, at any place; for
    ``replace_one`` one record is another one; for ``zero_out`` it is the record ``null``, such as
    0, which adds nothing to any query.
    """
    smallest, largest = _sizes(min_size, max_size)
    asked = relation if isinstance(relation, Relation) else Relation.named(relation)
    each = _records(records)
    one_more = asked is Relation.ADD_OR_REMOVE_ONE
    if largest == 0 or (smallest == largest and one_more):
        raise InputError(
            f"no two neighbors have from {smallest} to {largest} records; give a"
            " larger max_size."
        )
    if one_more:
        return _one_more(each, smallest, largest)
    data = datasets(each, min_size=max(smallest, 1), max_size=largest)
    if asked is Relation.REPLACE_ONE:
        return _one_replaced(data, each)
    if asked is Relation.ZERO_OUT and null is None:
        raise InputError(
            "zero_out has a null record in the place of another; give null, such as 0."
        )
    if asked is Relation.ZERO_OUT:
        return _one_nulled(data, null)
    raise InputError(
        f"neighbors of the relation {asked} are not drawn; give add_or_remove_one,"
        " replace_one or zero_out."
    )


@st.composite
def _one_more(
    draw: DrawFn, records: SearchStrategy[Any], smallest: int, largest: int
) -> tuple[DataSet, DataSet]:
    data = draw(datasets(records, min_size=smallest, max_size=largest - 1))
    place = draw(st.integers(0, len(data)))
    more = (*data[:place], draw(records), *data[place:])
    return (more, data) if draw(st.booleans()) else (data, more)


@st.composite
def _one_replaced(
    draw: DrawFn, sets: SearchStrategy[DataSet], records: SearchStrategy[Any]
) -> tuple[DataSet, DataSet]:
    data = draw(sets)
    place = draw(st.integers(0, len(data) - 1))
    other = draw(records.filter(lambda record: record != data[place]))
    return data, _with(data, place, other)


@st.composite
def _one_nulled(
    draw: DrawFn, sets: SearchStrategy[DataSet], null: Any
) -> tuple[DataSet, DataSet]:
    data = draw(sets)
    place = draw(st.integers(0, len(data) - 1))
    less = _with(data, place, null)
    return (less, data) if draw(st.booleans()) else (data, less)


def _with(data: DataSet, place: int, record: Any) -> DataSet:
    return (*data[:place], record, *data[place + 1 :])


def _records(given: SearchStrategy[Any] | None) -> SearchStrategy[Any]:
    if given is None:
        return st.integers(0, 9)
    if not isinstance(given, SearchStrategy):
        raise InputError(
            f"the records are {shorten(repr(given))}; give a strategy of hypothesis,"
            " such as hypothesis.strategies.booleans()."
        )
    return given


def _sizes(min_size: int, max_size: int) -> tuple[int, int]:
    smallest = whole(min_size, "min_size", 0, MOST_RECORDS)
    largest = whole(max_size, "max_size", 0, MOST_RECORDS)
    if smallest > largest:
        raise InputError(
            f"min_size is {smallest}, but max_size is {largest}; give a max_size that"
            " is not smaller."
        )
    return smallest, largest
