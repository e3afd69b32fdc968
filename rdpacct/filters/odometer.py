"""An odometer: what the loss of an interaction stays below, at all times, with no budget fixed in
advance.

Every release is counted and none is refused. What an odometer says is not a guarantee: it depends
on the outputs: with probability at least 1 - delta, the loss is below every number that it has said
so far, and that it will say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, decimal_text, rational, shorten
from rdpacct.filters.amounts import Amounts, added_up, enclosed, written
from rdpacct.filters.filtered import pure_behind_filter
from rdpacct.filters.orders import LARGEST, names_of, read_orders
from rdpacct.filters.priced import Priced, PricedRelease
from rdpacct.filters.running import loss_stays_below, share_of_an_order
from rdpacct.filters.units import InDivergences, InEpsilon, InRho
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt

ADD_OR_REMOVE = Relation.ADD_OR_REMOVE_ONE
DOUBLING = tuple(1 + Fraction(2) ** power for power in range(-2, 10))
"""The orders of an odometer of rho, if none are given: 1 + 1/4, 1 + 1/2, and so on, to 513."""


@dataclass(frozen=True, slots=True)
class OdometerReading:
    """What an odometer shows after some releases."""

    of: "Odometer"
    spent: Amounts
    releases: int
    theorems: frozenset[str] = field(default=frozenset(), compare=False)
    """What the prices of these releases rest on."""

    @property
    def delta(self) -> Fraction:
        """The probability that some reading is too small."""
        return self.of.delta

    @property
    def epsilon(self) -> Bound:
        """The loss is at most this after these releases, and at most every other reading at its
        time.
        """
        level = self.of.level(self.spent)
        return level.resting_on(level.rests_on | self.theorems)

    def __str__(self) -> str:
        sure = f" but for{written(('',), (self.delta,))}" if self.delta else ""
        spent = written(self.of.names, self.spent)
        return (
            f"the loss is at most {self.epsilon.short()} at all times{sure};"
            f" spent {spent} by {_counted(self.releases)}"
        )


class Odometer(Priced):
    """What was spent so far, and what the loss stays below."""

    delta: Fraction
    orders: tuple[Expr, ...]
    """The orders of which each has a bound; which one is the smallest depends on what is spent."""

    def __init__(self, relation: Relation | str) -> None:
        super().__init__(relation)
        self._spent: Amounts = self.nothing

    def levels(self, spent: Amounts) -> list[Expr]:
        """Bounds of the loss after this much was spent; all of them hold."""
        raise NotImplementedError

    def spend(self, release: PricedRelease) -> OdometerReading:
        """The reading with one release more; it is counted whatever it costs."""
        price = self.full_price(release)
        with self._lock:
            self._spent = tuple(map(added_up, self._spent, price.amounts))
            self.releases += 1
            self._rely_on(price)
            return self._now()

    def reading(self) -> OdometerReading:
        """What is shown now."""
        with self._lock:
            return self._now()

    def _now(self) -> OdometerReading:
        return OdometerReading(self, self._spent, self.releases, self.theorems)

    def bound(self) -> Bound:
        """A bound on the loss at every time, except with probability delta."""
        return self.reading().epsilon

    @property
    def spent(self) -> Amounts:
        """What was spent so far, added up."""
        return self._spent

    def level(self, spent: Amounts) -> Bound:
        """The smallest of the bounds of the loss after this much was spent."""
        with attempt() as used:
            ends = [enclosed(level) for level in self.levels(spent)]
        low = min(end.lower for end in ends)
        high = min(end.upper for end in ends)
        how = f"the smallest of {len(ends)} bounds" if ends[1:] else "one bound"
        return Bound(low, high, how, frozenset(used))

    def __str__(self) -> str:
        return f"{type(self).__name__}: {self.reading()}"

    def __repr__(self) -> str:
        return str(self)

    def to_json(self) -> str:
        """The state of this odometer as a text, with every number exact."""
        from rdpacct.filters.odometer_state import written_state

        return written_state(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The odometer of a text; anything that ``to_json`` does not write is refused."""
        from rdpacct.filters.odometer_state import read_state

        return read_state(cls, text)


class PureOdometer(InEpsilon, Odometer):
    """The sum of the largest losses: the loss is at most that at every time (adaptive/pure)."""

    delta = Fraction(0)
    orders = ()

    def __init__(self, *, relation: Relation | str = ADD_OR_REMOVE) -> None:
        super().__init__(relation)

    def levels(self, spent: Amounts) -> list[Expr]:
        return [pure_behind_filter(spent[0]).epsilon]


class RenyiOdometer(InDivergences, Odometer):
    """The sums of the Renyi divergences of some orders, and the smallest of the bounds that they
    give (adaptive/odometer).
    """

    def __init__(
        self,
        orders: Number | Sequence[Number],
        delta: Number,
        *,
        relation: Relation | str = ADD_OR_REMOVE,
    ) -> None:
        self.orders = read_orders(orders)
        self.delta = small_share(delta)
        self.names = names_of(self.orders)
        super().__init__(relation)

    def levels(self, spent: Amounts) -> list[Expr]:
        share = share_of_an_order(self.delta, len(self.orders))
        return [
            loss_stays_below(amount, order - 1, 1, share)
            for order, amount in zip(self.orders, spent, strict=True)
        ]


class ZCDPOdometer(InRho, Odometer):
    """The sum of the rhos, and the smallest of the bounds that it gives at some orders
    (adaptive/odometer).
    """

    def __init__(
        self,
        delta: Number,
        *,
        orders: Number | Sequence[Number] = DOUBLING,
        relation: Relation | str = ADD_OR_REMOVE,
    ) -> None:
        self.orders = read_orders(orders)
        self.delta = small_share(delta)
        super().__init__(relation)

    def levels(self, spent: Amounts) -> list[Expr]:
        share = share_of_an_order(self.delta, len(self.orders))
        return [
            loss_stays_below(spent[0], order - 1, order, share) for order in self.orders
        ]


def _counted(releases: int) -> str:
    return "1 release" if releases == 1 else f"{releases} releases"


def small_share(given: Number) -> Fraction:
    """A probability above 0 and below 1."""
    delta = rational(given, "delta")
    if not 0 < delta < 1:
        raise InputError(
            f"delta is {shorten(decimal_text(delta))}; give a number above 0 and below 1."
        )
    if delta.denominator > LARGEST:
        raise InputError(
            f"delta is {shorten(decimal_text(delta))}, of which the denominator is above"
            " 2**1100; give a shorter number."
        )
    return delta
