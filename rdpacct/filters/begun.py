"""A filter that begins: that of a budget, or one for a menu or for several Renyi orders."""

from collections.abc import Sequence

from rdpacct.errors import InputError
from rdpacct.exact.number import Number
from rdpacct.filters.filter import Filter
from rdpacct.filters.kinds import filter_of
from rdpacct.filters.menu import MenuFilter
from rdpacct.filters.priced import PricedRelease
from rdpacct.filters.renyi_curve import RenyiCurveFilter
from rdpacct.privacy.guarantee import ApproxDP, Guarantee
from rdpacct.privacy.relation import Relation


def begun(
    budget: Guarantee,
    relation: Relation,
    *,
    menu: Sequence[PricedRelease] | None = None,
    orders: Sequence[Number] | None = None,
) -> Filter:
    """The filter of a budget, of which nothing is spent."""
    if menu is None and orders is None:
        return filter_of(budget, relation=relation)
    if menu is not None and orders is not None:
        raise InputError("a menu and orders are given; a budget is for one of the two.")
    if not isinstance(budget, ApproxDP):
        raise InputError(
            f"the budget is {budget}, and only an ApproxDP(epsilon, delta) is for a menu"
            " or for several orders; give one, or leave them out."
        )
    whole = budget.epsilon, budget.delta
    if menu is not None:
        return MenuFilter(menu, *whole, relation=relation)
    return RenyiCurveFilter(*whole, orders=orders or (), relation=relation)
