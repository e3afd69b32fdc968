"""A filter: a budget that releases are made from, one after the other, each chosen on the way.

What all filters share: a release has a price, prices add up, and a release is made only if the sum
stays within the budget. A theorem for each kind of price says what the whole interaction is
promised then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, shorten
from rdpacct.filters.amounts import Amounts, added_up, cap_of, on_grid, written
from rdpacct.filters.filtered import spent_for_record
from rdpacct.filters.parts import PartOfData
from rdpacct.filters.priced import Price, Priced, PricedRelease
from rdpacct.filters.reserved import given_back, reserved
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
    rests_on: frozenset[str] = frozenset()
    """The theorems behind what was asked, and behind what is spent where that is for one part."""
    assumptions: tuple[str, ...] = ()
    """What was asked takes this for granted, as sentences."""

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
        with attempt() as used:
            self.caps = self.all_caps()
        self.behind_caps = frozenset(used)
        """What the budget in the numbers that add up rests on."""
        self._spent: Amounts = self.nothing
        """What was spent on all of the data."""
        self._parts = dict[str, Amounts]()
        """What was spent on each part beside that."""
        self.lender: Filter | None = None
        """The budget that this one was reserved from."""

    def most(self) -> tuple[Expr, ...]:
        """The budget in the numbers that add up."""
        return self.limits(self.budget)

    def all_caps(self) -> Amounts:
        """The budget as exact rationals, rounded down where it is not rational."""
        return tuple(map(cap_of, self.most()))

    def whole(self) -> Guarantee:
        """What the theorem of this filter promises of the whole interaction."""
        raise NotImplementedError

    def guarantee(self) -> Guarantee:
        """What the whole interaction is promised, whatever is spent on the way, and when."""
        with attempt() as used:
            whole = self.whole()
        return whole.resting_on(self.theorems | self.behind_caps | used)

    def asked(
        self, release: PricedRelease, delta: Number | Expr | None = None
    ) -> Price:
        """What a release costs; only a budget of epsilon and delta takes a delta."""
        if delta is not None:
            raise InputError(
                f"a delta is given, and {self.budget} does not spend any; leave it out."
            )
        return self.full_price(release)

    def spend(
        self, release: PricedRelease, delta: Number | Expr | None = None
    ) -> Decision:
        """Whether a release may be made: if so its price is spent, and otherwise nothing is.

        From a budget of epsilon and delta it is spent at this delta, with the epsilon that goes
        with it.
        """
        return self.pay(self.asked(release, delta))

    def _rely_on(self, price: Price) -> None:
        """Keep what a price rests on that is paid, as also the budget does that this is a share
        of; only under the lock.
        """
        super()._rely_on(price)
        if self.lender is not None:
            with self.lender._lock:
                self.lender._rely_on(price)

    def part(self, name: str) -> PartOfData:
        """The records of one of several disjoint parts of the data, to spend releases on."""
        return PartOfData(self, name)

    def parallel(self, parts: Sequence[PricedRelease]) -> Decision:
        """The same for releases on disjoint parts of the data: they cost as much as the worst
        part.
        """
        if isinstance(parts, str) or not isinstance(parts, Sequence):
            raise InputError(
                f"the parts are {shorten(repr(parts))}; give a list with the releases on"
                " each."
            )
        plans = Parallel([self.stated(part) for part in parts]).parts
        prices = list(map(self._priced, plans))
        amounts = [price.amounts for price in prices]
        used = frozenset({"composition/parallel"})
        said = (sentence for price in prices for sentence in price.assumptions)
        worst = Price(
            tuple(map(max, *amounts, amounts[0])),
            used.union(*(price.theorems for price in prices)),
            tuple(dict.fromkeys(said)),
        )
        return self.pay(worst)

    def reserve(self, share: Guarantee | str) -> "Filter":
        """A filter with a share of this budget, which is set aside for it; an error if there is
        not as much left.
        """
        return reserved(self, share)

    def give_back(self) -> Amounts:
        """Return what is left of a share that was reserved to the budget that it is from."""
        return given_back(self)

    def fits(self, release: PricedRelease, delta: Number | Expr | None = None) -> bool:
        """Whether a release could be made now; nothing is spent."""
        return self._sum(self.asked(release, delta).amounts) is not None

    @property
    def spent(self) -> Amounts:
        """What was granted so far, added up; with parts, the most for any record."""
        totals = [self.spent_on(name) for name in self._parts]
        return tuple(map(max, self._spent, *totals)) if totals else self._spent

    def spent_on(self, part: str) -> Amounts:
        """What was spent for a record of a part: on that part, and on all of the data."""
        return _total(self._spent, self._parts.get(part, self.nothing))

    @property
    def remaining(self) -> Amounts:
        """What is left of the budget."""
        return self.left(self.spent)

    def left(self, spent: Amounts) -> Amounts:
        """What is left once this much is spent."""
        return tuple(
            max(cap - amount, 0 * cap)
            for cap, amount in zip(self.caps, spent, strict=True)
        )

    def affords(self, total: Amounts) -> bool:
        """Whether this much may be spent."""
        return all(amount <= cap for amount, cap in zip(total, self.caps, strict=True))

    def all_within(self) -> bool:
        """Whether what is spent is within the budget, for every record."""
        return self._sum(self.nothing) is not None

    def adds_up_as(self, other: "Filter") -> bool:
        """Whether the numbers of another filter add up with those of this one."""
        return type(self) is type(other) and self.names == other.names

    def pay(self, price: Price) -> Decision:
        """The decision on a price that every record pays."""
        with self._lock, attempt() as used:
            total = self._sum(price.amounts)
            price = price.also_by(used)
            if total is not None:
                self._spent = total
                self.releases += 1
                self._rely_on(price)
            now = self.spent
        return self._decided(total is not None, price, now)

    def _decided(self, granted: bool, price: Price, now: Amounts) -> Decision:
        return Decision(
            granted,
            self.names,
            price.amounts,
            now,
            self.left(now),
            price.theorems,
            price.assumptions,
        )

    def drain(self) -> Amounts:
        """Spend all that is left, and say how much that was."""
        with self._lock:
            rest = self.remaining
            self._spent = tuple(map(added_up, self._spent, rest))
        return rest

    def refund(self, rest: Amounts) -> None:
        """Take back what was reserved and not spent."""
        with self._lock:
            self._spent = tuple(
                on_grid(amount - part)
                for amount, part in zip(self._spent, rest, strict=True)
            )

    def _sum(self, price: Amounts) -> Amounts | None:
        """What would be spent with this price; None if it does not fit, for some record."""
        total = tuple(map(added_up, self._spent, price))
        parts = self._parts.values()
        if not self.affords(total):
            return None
        if all(self.affords(_total(total, own)) for own in parts):
            return total
        return None

    def take_on(self, part: str, price: Price) -> Decision:
        """The decision on a price that is paid by the records of one part."""
        with self._lock, attempt() as used:
            own = self.fits_on(part, price.amounts)
            price = price.also_by(used)
            if own is not None:
                self._parts[part] = own
                self.releases += 1
                self._rely_on(price)
            now = self.spent_on(part)
        return self._decided(own is not None, price, now)

    def fits_on(self, part: str, price: Amounts) -> Amounts | None:
        """What would be spent on a part with this price; None if it does not fit."""
        own = _total(self._parts.get(part, self.nothing), price)
        return own if self.affords(_total(self._spent, own)) else None

    def __str__(self) -> str:
        return (
            f"{type(self).__name__}({self.budget}):"
            f" spent {written(self.names, self.spent)};"
            f" remaining {written(self.names, self.remaining, down=True)}"
        )

    def __repr__(self) -> str:
        return str(self)

    def _own_fields(self) -> dict[str, Any]:
        """What the state of a filter of this kind holds beside what all hold."""
        return {}

    def to_json(self) -> str:
        """The state of this filter as a text, with every number exact."""
        from rdpacct.filters.state import written_state

        return written_state(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The filter of a text; anything that ``to_json`` does not write is refused."""
        from rdpacct.filters.state import read_state

        return read_state(cls, text)


def _total(common: Amounts, own: Amounts) -> Amounts:
    """What a record pays: on all of the data, and on its part."""
    return tuple(map(on_grid, map(spent_for_record, common, own)))
