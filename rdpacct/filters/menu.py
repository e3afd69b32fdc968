"""A filter for a menu: the releases that may be chosen from are fixed in advance, and their order
and number are not.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice, takewhile
from operator import attrgetter, ge
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, shorten
from rdpacct.filters.amounts import Amounts, enclosed
from rdpacct.filters.filter import Filter
from rdpacct.filters.filtered import approx_behind_menu
from rdpacct.filters.menu_items import (
    grounds_of,
    items_of,
    prices_of,
    release_of,
    ways_of,
)
from rdpacct.filters.menu_table import MenuTable
from rdpacct.filters.priced import PricedRelease
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.guarantee import ApproxDP, Guarantee
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt, record
from rdpacct.questions import Questions

MOST_ITEMS = 10
MOST_UNITS = 256
"""The most units of a budget."""
MOST_ROWS = 1000
"""The most means of a table that are worked out."""


class MenuFilter(Filter):
    """A budget of epsilon and delta for releases of a menu, each with a price in whole units
    (adaptive/menu).

    How many units the budget has is found from the privacy-loss distributions of the releases: the
    most for which no strategy, however it chooses among them, has more than delta at epsilon.
    Without prices, the price of a release is about inversely proportional to the number of times
    that it alone would fit.
    """

    names = ("units",)

    def __init__(
        self,
        menu: Sequence[PricedRelease],
        epsilon: Number | Expr,
        delta: Number | Expr,
        *,
        prices: Sequence[int] | None = None,
        relation: Relation | str = Relation.ADD_OR_REMOVE_ONE,
    ) -> None:
        self.whole_budget = ApproxDP(epsilon, delta)
        self.relation = Relation.named(str(relation))
        if isinstance(menu, str) or not 1 <= len(menu) <= MOST_ITEMS:
            raise InputError(
                f"the menu is {shorten(repr(menu))}; give a list of 1 to {MOST_ITEMS}"
                " releases."
            )
        self.menu = tuple(release_of(self.stated(release)) for release in menu)
        if len(set(self.menu)) < len(self.menu):
            raise InputError("a release stands twice on the menu; give it once.")
        level, share = self._target()
        self.item_prices = prices_of(self.menu, prices, level, share, MOST_UNITS)
        self.gains, used = _gains(self.menu, self.item_prices, level, share)
        super().__init__(self.whole_budget, relation)
        self.behind_caps = used.union(*map(grounds_of, self.menu))

    def _target(self) -> tuple[Expr, Fraction]:
        """The epsilon, and the delta rounded down."""
        share = enclosed(self.whole_budget.delta).lower
        if not isinstance(share, Fraction) or not 0 < share < 1:
            raise InputError(
                f"{self.whole_budget} has no delta to spend; give one above 0 and below"
                " 1."
            )
        return self.whole_budget.epsilon, share

    def all_caps(self) -> Amounts:
        """The units of the budget."""
        return (Fraction(len(self.gains) - 1),)

    def adds_up_as(self, other: Filter) -> bool:
        if not isinstance(other, MenuFilter):
            return False
        return (other.menu, other.item_prices) == (self.menu, self.item_prices)

    def _own_fields(self) -> dict[str, Any]:
        named = zip(map(str, self.menu), self.item_prices, strict=True)
        return {"menu": dict(named)}

    def affords(self, total: Amounts) -> bool:
        """Whether this many units may be spent; a unit has no parts."""
        whole = all(amount.denominator == 1 for amount in total)
        return whole and super().affords(total)

    def has_price(self, said: Guarantee) -> bool:  # noqa: ARG002
        """No promise says its price: what is on the menu has one."""
        return False

    def prices(self, mechanism: Mechanism) -> Amounts:
        if mechanism not in self.menu:
            known = ", ".join(map(str, self.menu))
            raise InputError(
                f"{shorten(str(mechanism), 120)} is not on the menu, and the budget says"
                f" nothing of it; choose among {shorten(known, 300)}, or spend it from a"
                " filter that takes any release, such as ZCDPFilter."
            )
        record(grounds_of(mechanism))
        return (Fraction(self.item_prices[self.menu.index(mechanism)]),)

    def whole(self) -> Guarantee:
        return approx_behind_menu(*self.budget.parameters().values())

    def worst_delta(self) -> Bound:
        """The delta of the best strategy at epsilon, with the whole budget: at least that of one
        release as often as it can be paid, and at most that of the table.
        """
        level = enclosed(self.whole_budget.epsilon).upper
        least = Bound(0, 1)
        for mechanism, price in zip(self.menu, self.item_prices, strict=True):
            count = (len(self.gains) - 1) // price
            if count and isinstance(level, Fraction):
                alone = Questions(count * Plan.of(mechanism)).delta(level)
                least = max(least, alone, key=attrgetter("lower"))
        used = self.guarantee().rests_on | least.rests_on
        how = "the best strategy, on a grid"
        return Bound(least.lower, self.gains[-1], how, used)


@lru_cache(maxsize=16)
def _gains(
    menu: tuple[Mechanism, ...],
    prices: tuple[int, ...],
    epsilon: Expr,
    delta: Fraction,
) -> tuple[tuple[Fraction, ...], frozenset[str]]:
    """What the best strategy gains with 0, 1, 2, ... units, as long as that is at most delta, and
    what that rests on.
    """
    most = min(MOST_UNITS, MOST_ROWS // len(menu))
    worst: list[Fraction] | None = None
    with attempt() as used:
        for way in range(ways_of(menu)):
            items = items_of(menu, prices, way)
            table = MenuTable.of(epsilon, delta, items)
            rows = table.largest_gains(items)
            gains = list(takewhile(partial(ge, delta), islice(rows, most + 1)))
            worst = gains if worst is None else list(map(max, worst, gains))
    return tuple(worst or ()), frozenset(used)
