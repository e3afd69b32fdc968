"""Odometers: what the loss stays below at all times, against every strategy on small trees."""

import json
import pickle
import threading
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    Bound,
    FiniteMechanism,
    Gaussian,
    GaussianOdometer,
    InputError,
    Laplace,
    Odometer,
    PureDP,
    PureOdometer,
    RandomDP,
    Relation,
    RenyiDP,
    RenyiOdometer,
    ZCDPOdometer,
)
from rdpacct.filters.amounts import Amounts
from rdpacct.functions import log
from rdpacct.testing.budgets import Outcomes, best_reach

Make = Callable[[], Odometer]
KINDS: list[Make] = [
    PureOdometer,
    lambda: ZCDPOdometer("1e-6"),
    lambda: ZCDPOdometer("1e-6", orders=3),
    lambda: RenyiOdometer(2, "1e-6"),
    lambda: RenyiOdometer(["1.5", 4, 32], "1e-6"),
    lambda: GaussianOdometer("1e-6", orders=[2, 5, 33]),
]


def shares(*parts: int) -> Outcomes:
    """A release by its shares under P, and the same in the other order under Q."""
    total = sum(parts)
    forward = [Fraction(part, total) for part in parts]
    return tuple(zip(forward, reversed(forward), strict=True))


MENU = [shares(3, 1), shares(2, 1)]


def mechanism(outcomes: Outcomes) -> FiniteMechanism:
    return FiniteMechanism([[p for p, _ in outcomes], [q for _, q in outcomes]])


Passed = Callable[[Bound, Bound], bool]


ROUNDED_DOWN = 1 - Fraction(1, 2**80)


def reaches(loss: Bound, level: Bound) -> bool:
    """The loss may be the bound, or above, but for the rounding of what is spent."""
    return loss.upper >= Fraction(level.lower) * ROUNDED_DOWN


def exceeds(loss: Bound, level: Bound) -> bool:
    """The loss is above the bound."""
    return loss.certainly_above(level)


def most_often(
    held: Odometer, menu: list[Outcomes], rounds: int, passed: Passed = reaches
) -> Fraction:
    """How often the best strategy has a loss that reaches the bound at some time."""
    prices = [held.price(mechanism(one)) for one in menu]

    def after(spent: Amounts, number: int) -> Amounts:
        return tuple(x + y for x, y in zip(spent, prices[number], strict=True))

    @cache
    def reached(spent: Amounts, ratio: Fraction) -> bool:
        return passed(log(ratio).bound(), held.level(spent))

    return best_reach(menu, after, reached, held.nothing, rounds)


@pytest.mark.parametrize("delta", ["0.7", "0.5", "0.2"])
@pytest.mark.parametrize(
    "make",
    [
        lambda delta: RenyiOdometer("1.5", delta),
        lambda delta: RenyiOdometer(5, delta),
        lambda delta: RenyiOdometer(["1.5", 5], delta),
        lambda delta: ZCDPOdometer(delta, orders=["1.5", 3]),
    ],
    ids=["order 1.5", "order 5", "both", "rho"],
)
def test_no_strategy_beats_an_odometer(
    make: Callable[[str], Odometer], delta: str
) -> None:
    """The loss reaches the bound at some time with probability at most delta."""
    assert most_often(make(delta), MENU, 4) <= Fraction(delta)


def test_an_odometer_is_reached_at_times() -> None:
    """The bound is not idle: at delta = 0.7 some strategy reaches it one time in three."""
    held = RenyiOdometer(["1.5", 5], "0.7")
    assert Fraction(1, 3) <= most_often(held, MENU, 6) <= Fraction(7, 10)


class Unsplit(RenyiOdometer):
    """The broken twin: each order may fail with all of delta, and the best one is chosen when one
    looks.
    """

    def levels(self, spent: Amounts) -> list[Any]:
        alone = (RenyiOdometer(str(one), self.delta) for one in self.orders)
        return [
            level
            for held, one in zip(alone, spent, strict=True)
            for level in held.levels((one,))
        ]


def test_an_order_that_is_chosen_by_looking_is_beaten() -> None:
    """Each of two orders alone is a bound at 0.7, and the smaller of both is not."""
    assert most_often(Unsplit(["1.5", 5], "0.7"), MENU, 6) > Fraction(74, 100)
    for order in ("1.5", 5):
        assert most_often(RenyiOdometer(order, "0.7"), MENU, 6) <= Fraction(7, 10)


class SpentAlone(ZCDPOdometer):
    """The broken twin that calls what is spent a bound of the loss."""

    def levels(self, spent: Amounts) -> list[Any]:
        return [ZCDP(spent[0]).rho]


def test_what_is_spent_is_no_bound() -> None:
    assert most_often(SpentAlone("0.2"), MENU, 3) > Fraction(7, 10)
    assert most_often(ZCDPOdometer("0.2"), MENU, 3) <= Fraction(1, 5)


class OneTooFew(PureOdometer):
    """The broken twin that forgets a millionth of what is spent."""

    def levels(self, spent: Amounts) -> list[Any]:
        return [PureDP(spent[0] * Fraction(999_999, 1_000_000)).epsilon]


def test_a_pure_odometer_is_never_exceeded() -> None:
    """The loss is at most what is spent, and after the best outputs as much as that."""
    assert most_often(PureOdometer(), MENU, 3, exceeds) == 0
    assert most_often(PureOdometer(), MENU, 3) == Fraction(3, 4)
    assert most_often(OneTooFew(), MENU, 3, exceeds) == Fraction(3, 4)


@pytest.mark.parametrize("order", ["1.25", 2, 3, 17])
@pytest.mark.parametrize("delta", ["1e-2", "1e-9"])
def test_readings_against_another_computation(order: Any, delta: str) -> None:
    """The sum, and log(1/delta)/(order - 1), by mpmath."""
    renyi = RenyiOdometer(order, delta)
    concentrated = ZCDPOdometer(delta, orders=order)
    with mpmath.workdps(40):
        above = mpmath.mpf(str(order)) - 1
        room = mpmath.log(1 / mpmath.mpf(delta)) / above
        rho = mpmath.mpf(0)
        for sigma in (5, 3, 8):
            rho += mpmath.mpf(1) / (2 * sigma**2)
            wanted = (1 + above) * rho + room
            for held in (renyi, concentrated):
                found = held.spend(Gaussian(sigma=sigma)).epsilon
                assert abs(mpmath.mpf(float(found.lower)) - wanted) < 1e-13
                assert float(found.lower) <= float(wanted) <= float(found.upper)


def test_the_smallest_of_several_bounds() -> None:
    """With m orders each has a share of delta/m, and the smallest bound is shown."""
    held = ZCDPOdometer("1e-6", orders=[2, 3, 9])
    singles = [ZCDPOdometer(Fraction(1, 3 * 10**6), orders=one) for one in (2, 3, 9)]
    for rho in ("0.001", "0.1", "3"):
        found = held.spend(ZCDP(rho)).epsilon
        wanted = min(one.spend(ZCDP(rho)).epsilon.upper for one in singles)
        assert found.upper == wanted


@pytest.mark.parametrize("make", KINDS)
def test_readings_rise_and_rest_on_theorems(make: Make) -> None:
    held = make()
    before = held.bound()
    for scale in (100, 10, 1):
        now = held.spend(Laplace(scale=scale))
        assert now.epsilon.lower > before.lower
        assert now.delta == held.delta
        before = now.epsilon
    assert now.releases == 3
    assert any(one.startswith("adaptive/") for one in before.rests_on)
    assert "laplace/worst-pair" in before.rests_on


def test_the_smallest_double_is_a_delta() -> None:
    held = ZCDPOdometer(5e-324)
    assert Odometer.from_json(held.to_json()).delta == held.delta
    assert len(str(held)) < 120


@pytest.mark.parametrize("make", KINDS)
def test_a_state_is_read_back_exactly(make: Make) -> None:
    held = make()
    held.spend("Laplace(scale=3)")
    again = type(held).from_json(held.to_json())
    assert again.to_json() == held.to_json()
    assert again.reading().epsilon == held.reading().epsilon
    assert again.bound().rests_on == held.bound().rests_on
    assert str(again) == str(held)
    with pytest.raises(TypeError, match="not copied"):
        pickle.dumps(held)


CHANGES: list[dict[str, Any]] = [
    {"format": "rdpacct filter 1"},
    {"kind": "Odometer"},
    {"delta": "0.000001"},
    {"delta": "0"},
    {"delta": "2"},
    {"delta": 1},
    {"orders": []},
    {"orders": ["1"]},
    {"orders": ["2", "2"]},
    {"orders": [2]},
    {"orders": ["2.0"]},
    {"orders": ["nan"]},
    {"spent": {"rho": "-1/10"}},
    {"spent": {"rho": "0.1"}},
    {"spent": {"rho": 0}},
    {"spent": {}},
    {"releases": -1},
    {"releases": True},
    {"relation": "any"},
    {"rests_on": [1]},
    {"more": 1},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_changed_state_is_refused(change: dict[str, Any]) -> None:
    held = ZCDPOdometer("1e-6")
    held.spend(ZCDP("0.1"))
    state = {**json.loads(held.to_json()), **change}
    with pytest.raises(InputError):
        Odometer.from_json(json.dumps(state))
    with pytest.raises(InputError, match="read it as such"):
        PureOdometer.from_json(held.to_json())


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: ZCDPOdometer(0), "above 0 and below 1"),
    (lambda: ZCDPOdometer(1), "above 0 and below 1"),
    (lambda: ZCDPOdometer("nan"), "finite number"),
    (lambda: RenyiOdometer(1, "0.1"), "different orders above 1"),
    (lambda: RenyiOdometer([2, "2.0"], "0.1"), "different orders above 1"),
    (lambda: RenyiOdometer([], "0.1"), "0 orders are given"),
    (lambda: RenyiOdometer(list(range(2, 200)), "0.1"), "198 orders are given"),
    (lambda: RenyiOdometer("two", "0.1"), "finite number"),
    (lambda: RenyiOdometer(b"2", "0.1"), "not a number"),
    (lambda: RenyiOdometer(Fraction(10**400), "0.1"), "shorter number"),
    (lambda: ZCDPOdometer("1e-4000"), "shorter number"),
    (lambda: ZCDPOdometer("0.1", relation=7), "relation '7'"),  # type: ignore[arg-type]
    (lambda: ZCDPOdometer("0.1").spend(ApproxDP(1, "1e-6")), "no finite price"),
    (lambda: RenyiOdometer(3, "0.1").spend(RenyiDP(2, 1)), "no finite price"),
    (lambda: PureOdometer().spend(Gaussian(1)), "no finite price"),
    (lambda: PureOdometer().spend(RandomDP(1, gamma="0.1")), "drawn data"),
    (lambda: PureOdometer().spend("Laplac(scale=1)"), "is not known"),
    (
        lambda: PureOdometer().spend(Laplace(1).stated_for(Relation.REPLACE_ONE)),
        "stated for replace_one",
    ),
]


@pytest.mark.parametrize(("asked", "says"), BAD)
def test_bad_input_is_refused_in_a_sentence(
    asked: Callable[[], object], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        asked()


def test_threads_lose_no_release() -> None:
    held = PureOdometer()

    def work() -> None:
        for _ in range(200):
            held.spend(PureDP("0.1"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert held.spent == (Fraction(80),)
    assert held.releases == 800
