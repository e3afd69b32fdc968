"""A filter: a budget that releases are made from, one after the other, each chosen on the way.

What all filters share: a release has a price, prices add up, and a release is made only if the sum
stays within the budget. A theorem for each kind of price says what the whole interaction is
promised then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.filters.amounts import Amounts, added_up, cap_of, written
from rdpacct.filters.priced import Priced, Release
from rdpacct.mechanisms.parallel import Parallel
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one request; it is true if the release may be made."""

    granted: bool
    names: tuple[str, ...]
    asked: Amounts
    spent: Amounts
    """What is spent now: with what was asked for if it was granted, otherwise as before."""
    remaining: Amounts

    def __bool__(self) -> bool:
        return self.granted

    def __str__(self) -> str:
        verdict = "granted" if self.granted else "refused"
        asked = written(self.names, self.asked)
        spent = written(self.names, self.spent)
        left = written(self.names, self.remaining, down=True)
        return f"{verdict}: asked {asked}; spent {spent}; remaining {left}"


class Filter(Priced):
    """A budget with what is spent of it; two threads cannot both take the last of it."""

    def __init__(self, budget: Guarantee, relation: Relation | str) -> None:
        super().__init__(relation)
        self.budget = budget
        self.caps: Amounts = tuple(map(cap_of, self.limits(budget)))
        self._spent: Amounts = self.nothing

    def whole(self) -> Guarantee:
        """What the theorem of this filter promises of the whole interaction."""
        raise NotImplementedError

    def guarantee(self) -> Guarantee:
        """What the whole interaction is promised, whatever is spent on the way, and when."""
        with attempt() as used:
            whole = self.whole()
        return whole.resting_on(frozenset(used) | self.theorems)

    def spend(self, release: Release) -> Decision:
        """Whether a release may be made: if so its price is spent, and otherwise nothing is."""
        return self._take(self.price(release))

    def parallel(self, parts: Sequence[Release]) -> Decision:
        """The same for releases on disjoint parts of the data: they cost as much as the worst
        part.
        """
        if isinstance(parts, str) or not isinstance(parts, Sequence):
            raise InputError(
                f"the parts are {shorten(repr(parts))}; give a list with the releases on"
                " each."
            )
        plans = Parallel([self._stated(part) for part in parts]).parts
        prices = list(map(self._priced, plans))
        with self._lock:
            self.theorems |= {"composition/parallel"}
        return self._take(tuple(map(max, *prices, prices[0])))

    def fits(self, release: Release) -> bool:
        """Whether a release could be made now; nothing is spent."""
        return self._sum(self.price(release)) is not None

    @property
    def spent(self) -> Amounts:
        """What was granted so far, added up."""
        return self._spent

    @property
    def remaining(self) -> Amounts:
        """What is left of the budget."""
        return self._left(self._spent)

    def _take(self, price: Amounts) -> Decision:
        with self._lock:
            total = self._sum(price)
            granted = total is not None
            if total is not None:
                self._spent = total
                self.releases += 1
            now = self._spent
        return Decision(granted, self.names, price, now, self._left(now))

    def _sum(self, price: Amounts) -> Amounts | None:
        """What would be spent with this price; None if it does not fit."""
        total = tuple(map(added_up, self._spent, price))
        if all(one <= cap for one, cap in zip(total, self.caps, strict=True)):
            return total
        return None

    def _left(self, spent: Amounts) -> Amounts:
        return tuple(cap - one for cap, one in zip(self.caps, spent, strict=True))

    def __str__(self) -> str:
        return (
            f"{type(self).__name__}({self.budget}):"
            f" spent {written(self.names, self.spent)};"
            f" remaining {written(self.names, self.remaining, down=True)}"
        )

    def __repr__(self) -> str:
        return str(self)

    def to_json(self) -> str:
        """The state of this filter as a text, with every number exact."""
        from rdpacct.filters.state import written_state

        return written_state(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The filter of a text; anything that ``to_json`` does not write is refused."""
        from rdpacct.filters.state import read_state

        return read_state(cls, text)
