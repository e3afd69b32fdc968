"""A filter with a budget for each of several Renyi orders: it goes on while one has some left."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number
from rdpacct.filters.amounts import Amounts, cap_of, enclosed
from rdpacct.filters.filter import Filter
from rdpacct.filters.orders import names_of, read_orders
from rdpacct.filters.running import (
    approx_behind_orders,
    cap_of_an_order,
    share_of_an_order,
)
from rdpacct.filters.units import InDivergences
from rdpacct.privacy.guarantee import ApproxDP, Guarantee
from rdpacct.privacy.relation import Relation

NONE = Fraction(-1)
"""The cap of an order that cannot be used."""
ORDERS = tuple(1 + Fraction(2) ** power for power in range(7))
"""The orders if none are given: 2, 3, 5, 9, 17, 33 and 65."""


class RenyiCurveFilter(InDivergences, Filter):
    """A budget of epsilon and delta, of which each of some orders has a share of delta
    (adaptive/orders).

    A release is made if with it some order has spent at most its cap. Which one that will be need
    not be known in advance.
    """

    def __init__(
        self,
        epsilon: Number | Expr,
        delta: Number | Expr,
        *,
        orders: Number | Sequence[Number] = ORDERS,
        relation: Relation | str = Relation.ADD_OR_REMOVE_ONE,
    ) -> None:
        self.orders = read_orders(orders)
        self.names = names_of(self.orders)
        super().__init__(ApproxDP(epsilon, delta), relation)
        if not any(cap > 0 for cap in self.caps):
            raise InputError(
                f"no order leaves a budget within {self.budget}; give larger numbers, or"
                " larger orders."
            )

    def most(self) -> tuple[Expr, ...]:
        whole = self.budget
        if not isinstance(whole, ApproxDP) or not enclosed(whole.delta).lower > 0:
            raise InputError(f"{whole} has no delta to share; give one above 0.")
        share = share_of_an_order(whole.delta, len(self.orders))
        return tuple(
            cap_of_an_order(whole.epsilon, order, share) for order in self.orders
        )

    def all_caps(self) -> Amounts:
        """The caps; an order that has none left from the start has -1, which nothing fits in."""
        limits = self.most()
        return tuple(
            cap_of(limit) if enclosed(limit).certainly_above(0) else NONE
            for limit in limits
        )

    def _own_fields(self) -> dict[str, Any]:
        return {"orders": list(map(str, self.orders))}

    def affords(self, total: Amounts) -> bool:
        """Whether some order has spent at most its cap."""
        pairs = zip(total, self.caps, strict=True)
        return any(amount <= cap for amount, cap in pairs)

    def whole(self) -> Guarantee:
        return approx_behind_orders(*self.budget.parameters().values())
