"""Disjoint parts in a budget, and shares that are set aside: what is granted, and what adversaries
can do.
"""

import json
import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    ApproxFilter,
    Filter,
    FiniteMechanism,
    Gaussian,
    GaussianDP,
    GaussianFilter,
    Guarantee,
    InputError,
    PureDP,
    PureFilter,
    RenyiDP,
    RenyiFilter,
    ZCDPFilter,
    delta,
)
from rdpacct.filters.amounts import Amounts
from rdpacct.filters.priced import Price
from rdpacct.functions import log
from rdpacct.testing.budgets import Outcomes, best_delta

KINDS: list[tuple[Callable[..., Filter], Guarantee, Guarantee]] = [
    (lambda **more: PureFilter("0.3", **more), PureDP("0.1"), PureDP("0.2")),
    (lambda **more: ZCDPFilter("0.3", **more), ZCDP("0.1"), ZCDP("0.2")),
    (
        lambda **more: RenyiFilter(2, "0.3", **more),
        RenyiDP(2, "0.1"),
        RenyiDP(2, "0.2"),
    ),
    (
        lambda **more: GaussianFilter("0.5", **more),
        GaussianDP("0.3"),
        GaussianDP("0.4"),
    ),
    (
        lambda **more: ApproxFilter("0.3", "3e-7", **more),
        ApproxDP("0.1", "1e-7"),
        ApproxDP("0.2", "2e-7"),
    ),
]


@pytest.mark.parametrize(("make", "small", "large"), KINDS)
def test_each_part_has_the_whole_budget(
    make: Callable[..., Filter], small: Guarantee, large: Guarantee
) -> None:
    """Each part takes what is left by releases on all of the data, in any order, exactly."""
    held = make()
    parts = [held.part(name) for name in ("north", "south", "west")]
    for part in parts:
        assert part.spend(small)
    assert held.spent == parts[0].spent
    assert held.spend(large)
    assert set(held.remaining) == {0}
    for part in parts:
        assert not part.spend(small)
    new = held.part("east")
    assert new.spend(small)
    assert set(new.remaining) == {0}
    assert not held.fits(small)
    assert "adaptive/parts" in held.guarantee().rests_on


@pytest.mark.parametrize(("make", "small", "large"), KINDS)
def test_the_fullest_part_decides_on_releases_on_all(
    make: Callable[..., Filter], small: Guarantee, large: Guarantee
) -> None:
    held = make()
    assert held.part("north").spend(large)
    assert held.part("south").spend(small)
    assert not held.spend(large)
    assert held.spend(small)
    assert held.part("north").spent == held.caps
    before = held.to_json()
    assert not held.part("north").spend(small)
    assert held.to_json() == before
    again = type(held).from_json(before)
    assert again.to_json() == before
    south = again.part("south")
    assert south.remaining == held.part("south").remaining
    assert min(south.remaining) > 0


@pytest.mark.parametrize("make", [row[0] for row in KINDS])
def test_parts_are_refused_if_records_are_replaced(
    make: Callable[..., Filter],
) -> None:
    with pytest.raises(InputError, match="two parts change"):
        make(relation="replace_one").part("north")
    assert make(relation="zero_out").part("north").remaining


@pytest.mark.parametrize("name", ["", "x" * 101, 7, None], ids=str)
def test_what_is_no_name_of_a_part_is_refused(name: Any) -> None:
    with pytest.raises(InputError, match="the name of a part"):
        PureFilter(1).part(name)


PARTS: list[Any] = [
    {},
    {"": {"rho": "0"}},
    {"north": {}},
    {"north": {"rho": "-1"}},
    {"north": {"rho": "9/10"}},
    {"north": {"rho": "0.1"}},
    {"north": {"rho": 0}},
    {"north": "0"},
    {"north": None},
    ["north"],
]


@pytest.mark.parametrize("parts", PARTS, ids=str)
def test_a_changed_state_with_parts_is_refused(parts: Any) -> None:
    """More than the budget for a part is refused as well: 1/10 on all, and 9/10 + 1/10 fit."""
    held = ZCDPFilter(1)
    held.spend(ZCDP("0.2"))
    held.part("north").spend(ZCDP("0.1"))
    state = {**json.loads(held.to_json()), "parts": parts}
    with pytest.raises(InputError):
        ZCDPFilter.from_json(json.dumps(state))
    with pytest.raises(InputError):
        ZCDPFilter.from_json(held.to_json().replace("add_or_remove_one", "replace_one"))


def shares(*parts: int) -> Outcomes:
    total = sum(parts)
    forward = [Fraction(part, total) for part in parts]
    return tuple(zip(forward, reversed(forward), strict=True))


COIN: Outcomes = ((Fraction(1, 2), Fraction(1, 2)),) * 2
"""A release on a part without the record: an output that tells nothing of it, to choose by."""
MENU = [shares(3, 1), shares(2, 1), shares(3, 1), shares(2, 1), COIN]
"""Two releases on the part of the record, two on all of the data, one on another part."""
State = tuple[Amounts, Amounts, Amounts]


def mechanism(outcomes: Outcomes) -> FiniteMechanism:
    return FiniteMechanism([[p for p, _ in outcomes], [q for _, q in outcomes]])


def behind(held: Filter) -> Callable[[State, int], State | None]:
    """What is spent on all, on the part of the record and on another, after one more release."""
    prices = [held.price(mechanism(one)) for one in MENU[:2]]

    def allowed(state: State, number: int) -> State | None:
        held._spent = state[0]
        held._parts = {"own": state[1], "other": state[2]}
        if number >= 4:
            granted = held.part("other").spend(mechanism(MENU[0]))
        elif number >= 2:
            granted = held.pay(Price(prices[number - 2]))
        else:
            granted = held.take_on("own", Price(prices[number]))
        if not granted:
            return None
        return held._spent, held._parts["own"], held._parts["other"]

    return allowed


@pytest.mark.parametrize(
    "held",
    [PureFilter("1.9"), ZCDPFilter("0.7"), RenyiFilter(2, 1), GaussianFilter("1.5")],
    ids=lambda held: type(held).__name__,
)
@pytest.mark.parametrize("growth", [Fraction(1), Fraction(5, 2)])
def test_no_strategy_over_parts_beats_a_filter(held: Filter, growth: Fraction) -> None:
    """The best of all strategies that go from part to part is within what the whole is promised,
    and the same as with all releases on one part.
    """
    start = (held.nothing,) * 3
    found = best_delta(MENU, behind(held), start, growth, 3)
    assert 0 < found <= delta(held.guarantee(), log(growth)).upper


class Separate(PureFilter):
    """The broken twin: parts and all of the data have a budget each."""

    def fits_on(self, part: str, price: Amounts) -> Amounts | None:
        own = (self._parts.get(part, self.nothing)[0] + price[0],)
        return own if self.affords(own) else None

    def _sum(self, price: Amounts) -> Amounts | None:
        total = (self._spent[0] + price[0],)
        return total if self.affords(total) else None


def test_separate_budgets_are_beaten() -> None:
    """With an epsilon of 1.1, randomized response of log(3) fits once on a part and once on all."""
    growth = Fraction(4)
    for kind, beaten in ((PureFilter, False), (Separate, True)):
        held = kind("1.1")
        start = (held.nothing,) * 3
        found = best_delta(MENU, behind(held), start, growth, 2)
        promised = delta(held.guarantee(), log(growth)).upper
        assert (found > promised) is beaten


@pytest.mark.parametrize(("make", "small", "large"), KINDS)
def test_a_share_is_out_of_the_budget_until_it_is_given_back(
    make: Callable[..., Filter], small: Guarantee, large: Guarantee
) -> None:
    held = make()
    share = held.reserve(large)
    assert share.guarantee() == large
    assert not held.spend(large)
    assert share.spend(small)
    rest = share.give_back()
    assert rest == tuple(
        x - y for x, y in zip(share.caps, share.price(small), strict=True)
    )
    assert not share.spend(small)
    assert held.spent == held.price(small)
    assert held.spend(large)
    assert set(held.remaining) == {0}
    assert set(share.give_back()) == {0}
    assert set(held.remaining) == {0}
    assert type(share).from_json(share.to_json()).spent == share.caps


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: ZCDPFilter(1).reserve(ZCDP(2)), "more than what is left"),
    (lambda: ZCDPFilter(1).reserve("ZCDP(rho=2)"), "more than what is left"),
    (lambda: ZCDPFilter(1).reserve(PureDP(1)), "of the same kind"),
    (lambda: ZCDPFilter(1).reserve(ZCDP("0.1", "0.1")), "xi"),
    (lambda: ZCDPFilter(1).reserve(7), "of the same kind"),  # type: ignore[arg-type]
    (lambda: ZCDPFilter(1).reserve("Gaussian(sigma=1)"), "."),
    (lambda: RenyiFilter(2, 1).reserve(RenyiDP(3, "0.1")), "does not add up"),
    (lambda: ZCDPFilter(1).give_back(), "was not reserved"),
]


@pytest.mark.parametrize(("asked", "says"), BAD)
def test_a_bad_share_is_refused_in_a_sentence(
    asked: Callable[[], object], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        asked()


def test_a_share_that_is_refused_spends_nothing() -> None:
    held = ZCDPFilter(1)
    with pytest.raises(InputError):
        held.reserve(ZCDP(2))
    assert held.spent == (Fraction(0),)
    assert held.releases == 0


def test_a_share_with_parts_gives_back_what_no_part_needs() -> None:
    held = ZCDPFilter(1)
    share = held.reserve(ZCDP("0.5"))
    share.part("north").spend(ZCDP("0.3"))
    share.part("south").spend(ZCDP("0.1"))
    assert share.give_back() == (Fraction(1, 5),)
    assert held.spent == (Fraction(3, 10),)
    assert not share.part("north").fits(ZCDP("0.01"))
    assert share.part("south").spend(ZCDP("0.2"))
    assert share.part("south").spent == share.caps


def test_parts_of_many_threads_are_kept_apart() -> None:
    held = PureFilter(100)

    def work(name: str) -> None:
        for _ in range(100):
            held.part(name).spend(PureDP("0.5"))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert held.part("a").spent == held.part("b").spent == (Fraction(100),)
    assert held.releases == 400


def test_a_delta_is_for_budgets_that_spend_it() -> None:
    held = ApproxFilter(2, "1e-5")
    part = held.part("north")
    assert part.fits(Gaussian(sigma=5), "1e-6")
    assert part.spend(Gaussian(sigma=5), "1e-6").spent[1] == Fraction(1, 10**6)
    assert held.spend(Gaussian(sigma=5), "1e-6").spent[1] == Fraction(2, 10**6)
    for spender in (ZCDPFilter(1), ZCDPFilter(1).part("north")):
        with pytest.raises(InputError, match="does not spend any"):
            spender.spend(Gaussian(sigma=5), "1e-6")


def test_releases_are_priced_for_the_relation_of_the_budget() -> None:
    with pytest.raises(InputError, match="stated for"):
        ZCDPFilter(1, relation="zero_out").part("north").spend(Gaussian(1))
