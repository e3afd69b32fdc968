"""What a filter grants, refuses and keeps: exact sums, nothing spent by a refusal, one thread at a
time.
"""

import copy
import json
import pickle
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    ApproxFilter,
    ApproxZCDP,
    Filter,
    Gaussian,
    GaussianDP,
    GaussianFilter,
    Guarantee,
    InputError,
    Laplace,
    MeanCDP,
    Mechanism,
    Plan,
    PureDP,
    PureFilter,
    RandomDP,
    Relation,
    RenyiDP,
    RenyiFilter,
    ZCDPFilter,
    epsilon,
    filter_of,
)
from rdpacct.filters.amounts import MOST_BITS, Amounts, added_up, rounded_up
from rdpacct.functions import exp, log, sqrt

Make = Callable[[], Filter]
KINDS: list[tuple[Make, Guarantee, Guarantee]] = [
    (lambda: PureFilter("0.3"), PureDP("0.1"), PureDP("0.2")),
    (lambda: ZCDPFilter("0.3"), ZCDP("0.1"), ZCDP("0.2")),
    (lambda: RenyiFilter(2, "0.3"), RenyiDP(2, "0.1"), RenyiDP(3, "0.2")),
    (lambda: GaussianFilter("0.5"), GaussianDP("0.3"), GaussianDP("0.4")),
    (
        lambda: ApproxFilter("0.3", "3e-7"),
        ApproxDP("0.1", "1e-7"),
        ApproxDP("0.2", "2e-7"),
    ),
]
TINY: dict[type[Filter], Guarantee] = {
    PureFilter: PureDP("1e-4000"),
    ZCDPFilter: ZCDP("1e-4000"),
    RenyiFilter: RenyiDP(2, "5e-324"),
    GaussianFilter: GaussianDP(5e-324),
    ApproxFilter: ApproxDP(0, "1e-400"),
}


@pytest.mark.parametrize(("make", "first", "second"), KINDS)
def test_a_budget_is_used_up_exactly(
    make: Make, first: Guarantee, second: Guarantee
) -> None:
    """0.1 + 0.2 fits in 0.3, and then nothing does, however little it is."""
    held = make()
    assert held.spend(first)
    answer = held.spend(second)
    assert answer
    assert answer.spent == held.caps
    assert set(held.remaining) == {0}
    refused = held.spend(TINY[type(held)])
    assert not refused
    assert refused.spent == answer.spent
    assert max(refused.asked) > 0
    assert held.releases == 2


@pytest.mark.parametrize(("make", "first", "second"), KINDS)
def test_a_refusal_spends_nothing(
    make: Make, first: Guarantee, second: Guarantee
) -> None:
    held = make()
    assert held.spend(second)
    before = held.spent
    assert not held.spend(second)
    assert not held.fits(second)
    assert held.spent == before
    assert held.spend(first)


@pytest.mark.parametrize(("make", "first", "second"), KINDS)
def test_a_state_is_read_back_exactly(
    make: Make, first: Guarantee, second: Guarantee
) -> None:
    held = make()
    held.spend(first)
    again = type(held).from_json(held.to_json())
    assert again.to_json() == held.to_json()
    assert (again.spent, again.caps) == (held.spent, held.caps)
    assert again.guarantee().rests_on == held.guarantee().rests_on
    assert again.spend(second)
    assert set(again.remaining) == {0}


@pytest.mark.parametrize("make", [row[0] for row in KINDS])
def test_the_whole_is_the_budget(make: Make) -> None:
    """The guarantee of the interaction is the budget, by the theorem of the filter."""
    held = make()
    assert held.guarantee() == held.budget
    [theorem] = held.guarantee().rests_on
    assert theorem.startswith("adaptive/")
    assert type(filter_of(held.budget)) is type(held)


def test_releases_of_every_form() -> None:
    """A mechanism, a plan, a guarantee and a text."""
    held = ZCDPFilter(1)
    assert held.spend(Gaussian(sigma=2)).asked == (Fraction(1, 8),)
    assert held.spend(2 * Gaussian(sigma=2) + Laplace(10**9)).granted
    assert held.price("3*Gaussian(sigma=2)") == (Fraction(3, 8),)
    assert held.price(GaussianDP("0.5")) == (Fraction(1, 8),)
    assert held.price(Plan.of()) == (Fraction(0),)
    assert "gaussian/zcdp" in held.guarantee().rests_on


def test_prices_that_are_not_rational_are_rounded_against_the_spender() -> None:
    price = PureFilter(1).price(PureDP(log(2)))[0]
    assert log(2).bound().upper <= price < log(2).bound().upper + Fraction(1, 2**80)
    cap = PureFilter(log(2)).caps[0]
    assert log(2).bound().lower - Fraction(1, 2**80) < cap <= log(2).bound().lower
    assert not PureFilter(log(2)).spend(PureDP(log(2)))
    assert GaussianFilter(sqrt(2)).caps[0] <= 2
    assert PureFilter(1).price(PureDP(exp(-1000)))[0] > 0


def test_sums_of_long_denominators_are_rounded_up() -> None:
    """Many different spends do not grow without end, and none is lost."""
    spent = Fraction(0)
    for number in range(3, 1500, 2):
        after = added_up(spent, Fraction(1, number))
        assert after >= spent + Fraction(1, number)
        spent = after
    assert spent.denominator.bit_length() <= MOST_BITS + 1
    tiny = Fraction(1, 3**5000)
    assert added_up(Fraction(1), tiny) > 1
    assert rounded_up(tiny) >= tiny


def test_a_price_is_worked_out_once_for_what_is_the_same() -> None:
    """Promises are the same if they say the same, and rest on the same."""
    held = ZCDPFilter(100)
    asked = list[Mechanism]()
    found = held.prices

    def counted(mechanism: Mechanism) -> Amounts:
        asked.append(mechanism)
        return found(mechanism)

    held.prices = counted  # type: ignore[method-assign]
    for _ in range(3):
        assert held.spend(PureDP("0.1")).asked == held.price(PureDP("1/10"))
    assert len(asked) == 1
    told = PureDP("0.1").resting_on(frozenset({"laplace/worst-pair"}))
    held.spend(told)
    assert len(asked) == 2
    assert "laplace/worst-pair" in held.guarantee().rests_on


def test_ten_thousand_small_spends_add_up() -> None:
    """The sum does not drift, as one of doubles does."""
    held = GaussianFilter(1)
    release = Gaussian(sigma=100)
    granted = sum(bool(held.spend(release)) for _ in range(10_001))
    assert granted == 10_000
    assert held.remaining == (Fraction(0),)


class Meeting(PureFilter):
    """A filter in which threads meet between the comparison and the sum, if they can."""

    barrier: threading.Barrier
    patience = 0.05

    def _sum(self, price: Amounts) -> Amounts | None:
        total = super()._sum(price)
        with suppress(threading.BrokenBarrierError):
            self.barrier.wait(self.patience)
        return total


def granted_to_two(held: Meeting) -> int:
    held.barrier = threading.Barrier(2)
    answers = list[bool]()
    threads = [
        threading.Thread(target=lambda: answers.append(bool(held.spend(PureDP(1)))))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(answers)


def test_two_threads_cannot_both_take_the_last_budget() -> None:
    """With its lock one of two is granted; without it, both are."""
    assert granted_to_two(Meeting(1)) == 1
    broken = Meeting(1)
    broken._lock = nullcontext()  # type: ignore[assignment]
    broken.patience = 60
    assert granted_to_two(broken) == 2


def test_parts_in_parallel_cost_as_much_as_the_worst() -> None:
    held = ZCDPFilter(1)
    answer = held.parallel(
        [Gaussian(sigma=1), 2 * Gaussian(sigma=2), "Gaussian(sigma=3)"]
    )
    assert answer.asked == (Fraction(1, 2),)
    assert held.parallel([Gaussian(sigma=1)])
    assert not held.parallel([Gaussian(sigma=9), Gaussian(sigma=8)])
    assert "composition/parallel" in held.guarantee().rests_on


def test_parts_in_parallel_are_refused_if_records_are_replaced() -> None:
    held = ZCDPFilter(1, relation=Relation.REPLACE_ONE)
    with pytest.raises(InputError, match="two parts change"):
        held.parallel(["Gaussian(sigma=1)", "Gaussian(sigma=2)"])
    assert held.spent == (Fraction(0),)


BAD: list[tuple[Make, Any, str]] = [
    (lambda: PureFilter(1), Gaussian(1), "no finite price"),
    (lambda: GaussianFilter(1), ZCDP("0.1"), "no finite price"),
    (lambda: ZCDPFilter(1), ApproxDP(1, "1e-6"), "no finite price"),
    (lambda: PureFilter(1), RandomDP(1, gamma="0.1"), "drawn data"),
    (lambda: PureFilter(1), 7, "give a mechanism"),
    (lambda: PureFilter(1), "Laplac(scale=1)", "is not known"),
    (
        lambda: PureFilter(1),
        Laplace(1).stated_for(Relation.REPLACE_ONE),
        "stated for replace_one",
    ),
]


@pytest.mark.parametrize(("make", "release", "says"), BAD)
def test_what_has_no_price_is_refused_in_a_sentence(
    make: Make, release: Any, says: str
) -> None:
    held = make()
    with pytest.raises(InputError, match=says):
        held.spend(release)
    assert set(held.spent) == {0}
    assert held.releases == 0


@pytest.mark.parametrize(
    "budget",
    [MeanCDP(1, 1), RandomDP(1, gamma="0.1"), ApproxZCDP(1, "1e-6"), ZCDP(1, "0.1")],
)
def test_guarantees_without_a_filter_are_refused(budget: Guarantee) -> None:
    with pytest.raises(InputError, match="filter"):
        filter_of(budget)


CHANGES: list[dict[str, Any]] = [
    {"format": "rdpacct filter 2"},
    {"spent": {"rho": "-1/10"}},
    {"spent": {"rho": "2"}},
    {"spent": {"rho": "0.1"}},
    {"spent": {"rho": "2/20"}},
    {"spent": {"rho": 0}},
    {"spent": {"rho": "nan"}},
    {"spent": {}},
    {"spent": {"rho": "0", "xi": "0"}},
    {"releases": -1},
    {"releases": True},
    {"releases": 1.0},
    {"budget": "ZCDP(rho=1)"},
    {"budget": "PureDP(epsilon=1)"},
    {"relation": "any"},
    {"rests_on": [1]},
    {"more": 1},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_changed_state_is_refused(change: dict[str, Any]) -> None:
    held = ZCDPFilter(1)
    held.spend(ZCDP("0.1"))
    state = {**json.loads(held.to_json()), **change}
    with pytest.raises(InputError):
        ZCDPFilter.from_json(json.dumps(state))


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", '{"a": 1, "a": 2}', "[" * 9000]
)
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Filter.from_json(text)


def test_an_odometer_says_what_is_spent() -> None:
    held = PureFilter(1)
    held.spend(Laplace(scale=10))
    assert held.odometer() == PureDP("0.1")


LONG = [PureDP("1e-4000"), PureDP(Fraction(1, 3**2000)), PureDP(exp(-5000))]


@pytest.mark.parametrize("release", LONG, ids=["decimal", "ratio", "formula"])
def test_a_state_with_a_tiny_spend_is_read_back(release: Guarantee) -> None:
    """Amounts with long denominators are rounded up, so that their text stays short."""
    held = PureFilter(Fraction(10**300, 7))
    assert held.spend(release)
    assert 0 < held.spent[0] <= Fraction(1, 2**1024)
    assert PureFilter.from_json(held.to_json()).spent == held.spent
    assert not PureFilter(0).spend(release)


def test_states_of_budgets_that_are_no_decimals() -> None:
    for held in (
        PureFilter(log(2)),
        PureFilter(0.1),
        PureFilter("1/3"),
        GaussianFilter(sqrt(2)),
        RenyiFilter("1.5", exp(-3)),
        ApproxFilter(1, 1e-300),
    ):
        again = Filter.from_json(held.to_json())
        assert (again.caps, again.budget) == (held.caps, held.budget)
    with pytest.raises(InputError, match="no usual size"):
        PureFilter(2**1025)


def test_a_budget_is_not_copied() -> None:
    """Two copies would grant the same budget twice."""
    held = PureFilter(1)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="not copied"):
            copied(held)


@pytest.mark.parametrize("parts", [None, "Gaussian(sigma=1)", [], [7]], ids=str)
def test_what_are_no_parts_is_refused(parts: Any) -> None:
    with pytest.raises(InputError):
        ZCDPFilter(1).parallel(parts)


WHOLE = ApproxDP(1, "1e-6")


@pytest.mark.parametrize(
    ("made", "more"),
    [
        (ZCDPFilter.within(WHOLE), ZCDP),
        (GaussianFilter.within(WHOLE), GaussianDP),
        (RenyiFilter.within(WHOLE, 20), lambda cap: RenyiDP(20, cap)),
    ],
    ids=["zcdp", "gaussian", "renyi"],
)
def test_a_budget_within_epsilon_and_delta(made: Filter, more: Any) -> None:
    """Its whole is within them, and that of one larger by a billionth is not."""
    whole = made.guarantee()
    assert epsilon(whole, "1e-6").upper <= 1
    assert whole.to(ApproxDP, delta="1e-6").epsilon.bound().upper <= 1
    *_, cap = made.budget.parameters().values()
    if isinstance(made.budget, ZCDP):
        cap = made.budget.rho
    larger = more(cap * Fraction(10**9 + 1, 10**9))
    assert larger.to(ApproxDP, delta="1e-6").epsilon.bound().lower > 1


def test_no_budget_is_within_nothing() -> None:
    with pytest.raises(InputError):
        ZCDPFilter.within(ApproxDP(0, "1e-9"))
    with pytest.raises(InputError, match="give an ApproxDP"):
        GaussianFilter.within(PureDP(1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("held", "release", "times"),
    [
        (GaussianFilter(1), "Gaussian(sigma=sqrt(2))", 2),
        (GaussianFilter(1), "Gaussian(sigma=3*sqrt(2), sensitivity=sqrt(6))", 3),
        (ZCDPFilter("1/2"), "Gaussian(sigma=3*sqrt(2), sensitivity=sqrt(6))", 3),
        (
            ZCDPFilter("3/4"),
            "TreeAggregation(sigma=4, steps=8, participations=2, separation=3)",
            2,
        ),
    ],
)
def test_rational_squares_of_roots_fit_exactly(
    held: Filter, release: str, times: int
) -> None:
    """Two of mu = 1/sqrt(2) fit in mu = 1, and then nothing else does."""
    for _ in range(times):
        assert held.spend(release)
    assert set(held.remaining) == {Fraction(0)}
    assert not held.spend(release)


def test_what_is_spent_at_a_delta_rests_on_its_theorems() -> None:
    held = ApproxFilter(5, "1e-3")
    assert held.spend(Gaussian(sigma=5), "1e-5")
    assert "gaussian/worst-pair" in held.guarantee().rests_on


def test_a_price_that_no_budget_has_is_refused() -> None:
    """Its digits could not be written down."""
    for held in (ZCDPFilter(1), GaussianFilter(1)):
        with pytest.raises(InputError, match=r"costs more than 2\*\*1024"):
            held.spend("Gaussian(sigma=1e-3999)")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("relation", "ADD_OR_REMOVE_ONE"),
        ("relation", "Add-Or-Remove-One "),
        ("rests_on", ["gaussian/zcdp", "adaptive/zcdp"]),
        ("rests_on", ["gaussian/zcdp", "gaussian/zcdp"]),
        ("rests_on", ["no theorem at all"]),
    ],
)
def test_a_state_in_another_spelling_is_refused(name: str, value: object) -> None:
    held = ZCDPFilter(1)
    held.spend(Gaussian(sigma=2))
    state = json.loads(held.to_json())
    with pytest.raises(InputError, match="which to_json does not write"):
        ZCDPFilter.from_json(json.dumps({**state, name: value}))
