"""Where one of two data sets has a record more: coins that are thrown for each record go with their
record.
"""

from dataclasses import dataclass
from typing import Any

from rdpacct.auditing.replay.exact_values import same
from rdpacct.auditing.replay.noise_log import NoiseCall


@dataclass(frozen=True, slots=True)
class OneRecordMore:
    """The place of the record that only one of two data sets has."""

    place: int
    first_size: int
    second_size: int

    def origin(self, index: int) -> int | None:
        """Where a record of the second data set stands in the first; None for the new one."""
        if self.second_size < self.first_size:
            return index + (index >= self.place)
        if index == self.place:
            return None
        return index - (index > self.place)

    def moved_coins(self, coins: Any, earlier: Any) -> Any:
        """An array of coins for the records of the second data set, with those of the first for all
        records that it has; as it is if the coins are not one for each record.
        """
        if not (hasattr(coins, "shape") and hasattr(earlier, "shape")):
            return coins
        if earlier.shape != (self.first_size, *coins.shape[1:]):
            return coins
        if coins.shape != (self.second_size, *coins.shape[1:]):
            return coins
        for index in range(self.second_size):
            origin = self.origin(index)
            if origin is not None:
                coins[index] = earlier[origin]
        return coins

    def earlier_coin(self, number: int, earlier: list[NoiseCall]) -> int | None:
        """The index of the earlier choice for the record that choice ``number`` at a line is for;
        None if the line makes no fixed number of choices for each record.
        """
        times, rest = divmod(len(earlier), self.first_size)
        if self.first_size < 2 or rest or not times:
            return None
        record, again = divmod(number, times)
        origin = self.origin(record)
        if origin is None or origin * times + again >= len(earlier):
            return None
        return earlier[origin * times + again].index


def one_record_more(first: Any, second: Any) -> OneRecordMore | None:
    """Where two sequences differ by one record more in one of them; None if they do not."""
    if not (hasattr(first, "__getitem__") and hasattr(second, "__getitem__")):
        return None
    if not (hasattr(first, "__len__") and hasattr(second, "__len__")):
        return None
    if abs(len(first) - len(second)) != 1 or isinstance(first, dict):
        return None
    rows = sorted((list(first), list(second)), key=len)
    place = next(
        (i for i, record in enumerate(rows[0]) if not same(record, rows[1][i])),
        len(rows[0]),
    )
    if not same(rows[0][place:], rows[1][place + 1 :]):
        return None
    return OneRecordMore(place, len(first), len(second))
