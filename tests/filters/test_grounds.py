"""What budgets rest on and take for granted: that of the releases that were granted, of no other
ones, however they were asked for, kept and read back.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    ApproxFilter,
    Filter,
    Gaussian,
    GaussianDP,
    GaussianFilter,
    GaussianOdometer,
    InputError,
    Laplace,
    Ledger,
    MenuFilter,
    Odometer,
    Plan,
    ProfileDP,
    PureDP,
    PureFilter,
    PureOdometer,
    RandomizedResponse,
    RenyiCurveFilter,
    RenyiDP,
    RenyiFilter,
    RenyiOdometer,
    ZCDPFilter,
    ZCDPOdometer,
)
from rdpacct.filters import gaussian_odometer
from rdpacct.filters.odometer import OdometerReading
from rdpacct.mechanisms import Mechanism, PrivacyLoss
from rdpacct.provenance import attempt
from tests.book.test_provenance import Traced
from tests.plain_caches import forget_all

STATED = frozenset({"laplace/worst-pair"})
"""Theorems by which somebody else found a promise."""
MENU: tuple[Any, ...] = (Gaussian(sigma=10), Laplace(scale=20), PureDP("0.05"))
BUDGETS: dict[str, Callable[[], Filter]] = {
    "pure": lambda: PureFilter(1),
    "approx": lambda: ApproxFilter(1, "1e-6"),
    "renyi": lambda: RenyiFilter(3, 1),
    "zcdp": lambda: ZCDPFilter(1),
    "gaussian": lambda: GaussianFilter(1),
    "curve": lambda: RenyiCurveFilter(2, "1e-6", orders=[17, 33]),
    "menu": lambda: MenuFilter(MENU, 2, "1e-6"),
}
ODOMETERS: dict[str, Callable[[], Odometer]] = {
    "pure": PureOdometer,
    "renyi": lambda: RenyiOdometer([2, 3], "1e-6"),
    "zcdp": lambda: ZCDPOdometer("1e-6"),
    "gaussian": lambda: GaussianOdometer("1e-6"),
}
RELEASES: dict[str, Any] = {
    "Gaussian": Gaussian(sigma=10),
    "Laplace": Laplace(scale=20),
    "plan": 2 * Laplace(scale=20) + Plan.of(RandomizedResponse(epsilon="0.05")),
    "text": "PoissonSampled(Laplace(scale=2), rate=0.01)",
    "promise": PureDP("0.05"),
    "found": PureDP("0.05").resting_on(STATED),
    "group": Plan.of(Laplace(scale=40)).for_group(2),
    "rho": ZCDP("0.01"),
    "moment": RenyiDP(33, "0.05"),
    "mu": GaussianDP("0.1"),
    "delta": ApproxDP("0.1", "1e-8"),
}


def granted(held: Filter, release: Any) -> frozenset[str] | None:
    """What ran for a release that is granted, seen from outside; None if there is no price."""
    if not isinstance(held, MenuFilter):  # whose table takes a second
        forget_all()
    with Traced() as traced:
        try:
            decision = held.spend(release)
        except InputError:
            return None
    assert decision
    return frozenset(traced.ran)


@pytest.mark.parametrize("kind", BUDGETS)
def test_a_budget_rests_on_what_ran_for_what_it_granted(kind: str) -> None:
    """Each release alone, in a new budget, and of all of them one after the other, in either
    order, and after the state was read back.
    """
    empty = BUDGETS[kind]().guarantee().rests_on
    alone = {}
    for name, release in RELEASES.items():
        held = BUDGETS[kind]()
        ran = granted(held, release)
        rests_on = held.guarantee().rests_on
        if ran is None:
            assert rests_on == empty
            continue
        assert rests_on == empty | ran | getattr(release, "rests_on", frozenset())
        alone[name] = rests_on
    assert len(alone) > 1
    for order in (list(alone), list(alone)[::-1]):
        held = BUDGETS[kind]()
        for name in order:
            assert held.spend(RELEASES[name])
        assert held.guarantee().rests_on == empty.union(*alone.values())
        again = type(held).from_json(held.to_json())
        assert again.guarantee().rests_on == held.guarantee().rests_on


REFUSED: list[tuple[Callable[[], Filter], Any]] = [
    (lambda: PureFilter("0.01"), Laplace(scale=1)),
    (lambda: ApproxFilter("0.01", "1e-9"), Laplace(scale=1)),
    (lambda: RenyiFilter(3, "0.01"), Gaussian(sigma=1)),
    (lambda: ZCDPFilter("0.01"), Gaussian(sigma=1)),
    (lambda: GaussianFilter("0.01"), Gaussian(sigma=1)),
    (lambda: RenyiCurveFilter(2, "1e-6", orders=[17]), Gaussian(sigma=1)),
    (lambda: MenuFilter(MENU, 1, "1e-6"), 999 * Gaussian(sigma=10)),
    (lambda: ZCDPFilter("0.01"), PureDP(3).resting_on(STATED)),
    (lambda: PureFilter("0.01"), Plan.of(Laplace(scale=1)).for_group(2)),
    (lambda: PureFilter("0.01"), "Promised(PureDP(epsilon=1))"),
]


@pytest.mark.parametrize(("make", "release"), REFUSED)
def test_a_refused_release_leaves_nothing(
    make: Callable[[], Filter], release: Any
) -> None:
    """In no way of asking; the refusal itself says what the price rests on."""
    held = make()
    before = held.to_json()
    empty = held.guarantee().rests_on
    refused = held.spend(release)
    assert not refused
    assert not held.fits(release)
    assert not held.part("north").spend(release)
    assert not held.part("north").fits(release)
    assert not held.parallel([release])
    held.price(release)
    assert held.to_json() == before
    assert held.guarantee().rests_on == empty
    if "composition" not in str(release) and not isinstance(release, str):
        assert refused.rests_on


def test_a_refusal_at_a_delta_leaves_nothing() -> None:
    """The price at a delta is worked out apart from the others."""
    held = ApproxFilter("0.01", "1e-6")
    refused = held.spend(Gaussian(sigma=1), "1e-7")
    assert not refused
    assert "gaussian/worst-pair" in refused.rests_on
    assert held.theorems == frozenset()
    assert ApproxFilter(9, "1e-6").spend(Gaussian(sigma=1), "1e-7")


@pytest.mark.parametrize("kind", ["pure", "zcdp", "menu"])
def test_a_price_that_was_asked_before_brings_its_theorems(kind: str) -> None:
    """A price that is kept counts when it is paid, and not before."""
    held = BUDGETS[kind]()
    empty = held.guarantee().rests_on
    release = RELEASES["found"]
    assert held.fits(release)
    held.price(release)
    assert held.guarantee().rests_on == empty
    assert held.spend(release)
    assert held.guarantee().rests_on >= STATED


def test_what_a_menu_holds_is_told_apart_by_its_grounds() -> None:
    """A promise on the menu is found there, whoever found it; what it rests on is named where it
    is spent, or where it stands on the menu.
    """
    forget_all()
    found = PureDP("0.3").resting_on(STATED)
    theorems = MenuFilter([found], 2, "1e-6").guarantee().rests_on
    empty = MenuFilter([PureDP("0.3")], 2, "1e-6").guarantee().rests_on
    assert empty.isdisjoint(STATED)
    assert theorems == empty | STATED
    again = MenuFilter([PureDP("0.3")], 2, "1e-6")
    assert again.guarantee().rests_on == empty
    assert again.spend(found)
    assert again.guarantee().rests_on == empty | STATED


def test_the_worst_delta_rests_on_the_plan_below() -> None:
    """Its lower end is the delta of one release as often as it can be paid."""
    held = BUDGETS["menu"]()
    worst = held.worst_delta()  # type: ignore[attr-defined]
    assert worst.lower > 0
    assert "composition/dominating-pairs" in worst.rests_on or (
        "gaussian/delta" in worst.rests_on
    )


def test_a_budget_of_several_orders_rests_on_its_shares() -> None:
    """The caps are those of a share of delta, by a rule with a theorem of its own."""
    made = BUDGETS["curve"]
    forget_all()
    with Traced() as traced:
        held = made()
    assert held.guarantee().rests_on == traced.ran | {"adaptive/orders"}
    again = Filter.from_json(held.to_json())
    assert again.guarantee().rests_on == held.guarantee().rests_on


def test_a_share_tells_the_budget_what_it_granted() -> None:
    """Also a share of a share, on a part of the data, and nothing that was refused."""
    held = ZCDPFilter(1)
    share = held.reserve(ZCDP("0.5"))
    inner = share.reserve(ZCDP("0.25"))
    empty = held.guarantee().rests_on
    assert not inner.spend(PureDP(9).resting_on(STATED))
    assert held.guarantee().rests_on == empty
    assert inner.part("north").spend(Gaussian(sigma=10))
    for each in (inner, share, held):
        rests_on = each.guarantee().rests_on
        assert rests_on >= {"gaussian/worst-pair", "adaptive/parts"}
    inner.give_back()
    assert held.guarantee().rests_on >= {"gaussian/worst-pair"}


def counted(made: Odometer, releases: list[Any]) -> list[OdometerReading]:
    return [made.spend(release) for release in releases]


@pytest.mark.parametrize("kind", ODOMETERS)
def test_a_reading_rests_on_the_releases_before_it(kind: str) -> None:
    """A later release, or the price of one, adds nothing to it; the state keeps all."""
    later = PureDP("0.05").resting_on(STATED)
    alone = ODOMETERS[kind]().spend(PureDP("0.1")).epsilon.rests_on
    held = ODOMETERS[kind]()
    held.price(later)
    first, second = counted(held, [PureDP("0.1"), later])
    assert first.epsilon.rests_on == alone
    assert second.epsilon.rests_on >= STATED
    assert held.bound().rests_on == second.epsilon.rests_on
    again = type(held).from_json(held.to_json())
    assert again.bound().rests_on == held.bound().rests_on
    assert again.to_json() == held.to_json()


def test_a_mixture_that_is_given_up_is_not_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where its growth stays open the bounds of the orders answer, each with its share."""
    held = GaussianOdometer("1e-6", orders=[2])
    assert held.bound().rests_on == {"adaptive/gaussian-odometer"}
    monkeypatch.setattr(gaussian_odometer, "MOST_BITS", 0)
    assert held.bound().rests_on == {"adaptive/odometer"}


@dataclass(frozen=True)
class _Assuming(Laplace):
    """A mechanism that takes something for granted, in several lines."""

    def hypotheses(self) -> tuple[str, ...]:
        return ("the noise is good,\n\tand  secret.", " \n")


def test_assumptions_of_users_are_kept_in_one_line() -> None:
    """A state that was written is read back, whatever the sentences."""
    for held in (PureFilter(9), PureOdometer()):
        held.spend(_Assuming(scale=3))
        assert held.assumptions == ("the noise is good, and secret.",)
        again = type(held).from_json(held.to_json())
        assert again.assumptions == held.assumptions


@dataclass(frozen=True)
class _Mistaken(Laplace):
    """A mechanism whose assumptions are no sentences."""

    def hypotheses(self) -> Any:
        return (7,)


def test_assumptions_that_are_no_sentences_spend_nothing() -> None:
    held = PureFilter(9)
    with pytest.raises(InputError, match="give sentences"):
        held.spend(_Mistaken(scale=3))
    assert held.releases == 0


def test_a_ledger_holds_a_promise_of_many_points(tmp_path: Path) -> None:
    """Its assumption names all of them."""
    ones = "1" * 60
    points = [[f"{level}.{ones}", f"0.{'0' * level}1"] for level in range(1, 150)]
    path = tmp_path / "study.json"
    assert Ledger(path, ApproxDP(1000, "0.9")).spend(ProfileDP(points), "0.1")
    assert len(str(ProfileDP(points))) > 10_000
    assert Ledger(path).read().assumptions


def test_every_grant_is_counted_once_in_its_record() -> None:
    """What runs in a budget is no evidence for a question outside of it."""
    held = ZCDPFilter(1)
    with attempt() as used:
        held.spend(Gaussian(sigma=10))
    assert json.loads(held.to_json())["rests_on"]
    assert "gaussian/zcdp" not in used


def test_a_text_names_the_mechanism_of_the_moment() -> None:
    """A class that is defined again, as in a notebook, has its own price."""
    held = PureFilter(9)
    for scale in (4, 2):

        @dataclass(frozen=True)
        class Redefined(RandomizedResponse):
            def loss(self, of: int = scale) -> PrivacyLoss:
                return Laplace(scale=of).loss()

        try:
            price = held.price("Redefined(epsilon=1)")
        finally:
            Mechanism.registry.pop("Redefined")
        assert price == (Fraction(1, scale),)
