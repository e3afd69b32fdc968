"""A filter over several Renyi orders: a budget while one of them has some left, and the false one
that does not share delta.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    Filter,
    FiniteMechanism,
    Gaussian,
    InputError,
    PureDP,
    RenyiCurveFilter,
    RenyiDP,
    RenyiFilter,
)
from rdpacct.filters.amounts import Amounts
from rdpacct.functions import log
from rdpacct.testing.budgets import Outcomes, best_delta


def shares(*parts: int) -> Outcomes:
    """A release by its shares under P, and the same in the other order under Q."""
    forward = [Fraction(part, sum(parts)) for part in parts]
    return tuple(zip(forward, reversed(forward), strict=True))


MENU = [shares(4, 15, 1), shares(90, 1, 9), shares(50, 949, 1)]
"""The releases of the falsehood of adaptive/orders."""
LEVEL = Fraction(30)
SMALL = Fraction(1, 20)


def behind(held: Filter) -> Callable[[Amounts, int], Amounts | None]:
    tables = [FiniteMechanism(list(zip(*one, strict=True))) for one in MENU]
    prices = [held.price(one) for one in tables]

    def allowed(spent: Amounts, number: int) -> Amounts | None:
        held._spent = spent
        return held._sum(prices[number])

    return allowed


class Unshared(RenyiCurveFilter):
    """The broken twin: each order may add all of delta."""

    def most(self) -> tuple[Any, ...]:
        whole = ApproxDP(log(LEVEL), SMALL)
        alone = [RenyiFilter.within(whole, str(order)) for order in self.orders]
        return tuple(RenyiDP(2, held.caps[0]).epsilon for held in alone)


def test_orders_that_do_not_share_delta_are_beaten() -> None:
    """Each order alone is a filter within delta = 1/20, and both of them together have 3/50."""
    broken = Unshared(log(LEVEL), SMALL, orders=[2, 4])
    assert best_delta(MENU, behind(broken), broken.nothing, LEVEL, 2) == Fraction(3, 50)
    for order in (2, 4):
        held = RenyiFilter.within(ApproxDP(log(LEVEL), SMALL), order)
        assert best_delta(MENU, behind(held), held.nothing, LEVEL, 3) <= SMALL


@pytest.mark.parametrize("orders", [[2, 4], [2], [4], ["1.5", 2, 3, 5]], ids=str)
@pytest.mark.parametrize("delta", ["0.05", "0.1", "0.4"])
def test_no_strategy_beats_shared_orders(orders: Any, delta: str) -> None:
    held = RenyiCurveFilter(log(LEVEL), delta, orders=orders)
    found = best_delta(MENU, behind(held), held.nothing, LEVEL, 3)
    assert found <= Fraction(delta)


def test_the_menu_is_used() -> None:
    """At delta = 0.1 some strategy has more than half of it."""
    held = RenyiCurveFilter(log(LEVEL), "0.1", orders=[2, 4])
    assert best_delta(MENU, behind(held), held.nothing, LEVEL, 2) > SMALL


@pytest.mark.parametrize("order", ["2.5", 3, 8, 65])
def test_one_order_is_the_filter_of_that_order(order: Any) -> None:
    """Its cap is that of the largest Renyi budget within epsilon and delta."""
    whole = ApproxDP(9, "1e-3")
    alone = RenyiFilter.within(whole, order).caps[0]
    [cap] = RenyiCurveFilter(9, "1e-3", orders=order).caps
    assert abs(cap - alone) < Fraction(1, 10**9)
    with mpmath.workdps(30):
        above = mpmath.mpf(str(order)) - 1
        power = above * mpmath.log(above) - (1 + above) * mpmath.log(1 + above)
        wanted = 9 + (mpmath.log(mpmath.mpf("1e-3")) - power) / above
        assert abs(mpmath.mpf(cap.numerator) / cap.denominator - wanted) < 1e-12


def test_it_goes_on_while_one_order_has_some_left() -> None:
    held = RenyiCurveFilter(8, "1e-4", orders=[3, 9])
    release = RenyiDP(9, 1)
    while held.spend(release):
        low, high = (one <= cap for one, cap in zip(held.spent, held.caps, strict=True))
        assert low or high
    refused = held.spend(release)
    assert not refused
    assert refused.asked == (Fraction(1), Fraction(1))
    assert min(held.remaining) >= 0
    assert held.releases == max(int(cap) for cap in held.caps)
    assert held.guarantee() == ApproxDP(8, "1e-4")
    assert "adaptive/orders" in held.guarantee().rests_on


def test_an_order_without_a_budget_is_not_used() -> None:
    """At 1.01 and 1e-6 the cap is negative: nothing fits there, not even what costs nothing."""
    held = RenyiCurveFilter(3, "1e-6", orders=["1.01", 20])
    assert held.caps[0] == -1
    assert held.spend(ZCDP(0))
    with pytest.raises(InputError, match="no order leaves a budget"):
        RenyiCurveFilter(3, "1e-6", orders="1.01")


def test_parts_have_orders_of_their_own() -> None:
    """One part ends with one order, and another with the other one."""
    held = RenyiCurveFilter(8, "1e-4", orders=[3, 9])
    for name in ("north", "south"):
        while held.part(name).spend(Gaussian(sigma=1)):
            pass
    assert held.part("north").spent == held.part("south").spent
    assert not held.spend(Gaussian(sigma=1))
    again = RenyiCurveFilter.from_json(held.to_json())
    assert again.to_json() == held.to_json()


CHANGES: list[dict[str, Any]] = [
    {"orders": []},
    {"orders": ["3"]},
    {"orders": ["9", "3"]},
    {"orders": [3, 9]},
    {"orders": ["3.0", "9"]},
    {"orders": ["3", "3"]},
    {"budget": "PureDP(epsilon=8)"},
    {"budget": "ApproxDP(epsilon=8, delta=0)"},
    {"spent": {"epsilon at 3": "99", "epsilon at 9": "99"}},
    {"spent": {"epsilon at 3": "0"}},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_changed_state_is_refused(change: dict[str, Any]) -> None:
    held = RenyiCurveFilter(8, "1/10000", orders=[3, 9])
    held.spend(RenyiDP(9, "0.5"))
    text = held.to_json()
    assert Filter.from_json(text).spent == held.spent
    with pytest.raises(InputError):
        Filter.from_json(json.dumps({**json.loads(text), **change}))


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: RenyiCurveFilter(8, 0), "no delta to share"),
    (lambda: RenyiCurveFilter(8, 2), "delta"),
    (lambda: RenyiCurveFilter(-1, "0.1"), "epsilon"),
    (lambda: RenyiCurveFilter(8, "0.1", orders=[1]), "orders above 1"),
    (lambda: RenyiCurveFilter(8, "0.1").spend(RenyiDP(2, 1)), "no finite price"),
    (lambda: RenyiCurveFilter(8, "0.1").spend(ApproxDP(1, "0.1")), "no finite price"),
    (lambda: RenyiCurveFilter(8, "0.1").reserve(ApproxDP(1, "0.1")), "does not add up"),
    (lambda: RenyiCurveFilter(8, "0.1").reserve(PureDP(1)), "same kind"),
]


@pytest.mark.parametrize(("asked", "says"), BAD)
def test_bad_input_is_refused_in_a_sentence(
    asked: Callable[[], object], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        asked()
