"""Adversaries that try every strategy: they do not beat a filter, and they beat the false one."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from rdpacct import (
    ApproxDP,
    ApproxFilter,
    Filter,
    FiniteMechanism,
    GaussianFilter,
    PureDP,
    PureFilter,
    RenyiFilter,
    ZCDPFilter,
    delta,
    epsilon,
)
from rdpacct.filters.amounts import Amounts
from rdpacct.functions import log
from rdpacct.testing.budgets import (
    Outcomes,
    best_delta,
    exact_and_stop,
    exact_delta,
)

Allowed = Callable[[Amounts, int], Amounts | None]
HALF = Fraction(1, 2)


def shares(*parts: int) -> Outcomes:
    """A release by its shares under P, and the same in the other order under Q."""
    total = sum(parts)
    forward = [Fraction(part, total) for part in parts]
    return tuple(zip(forward, reversed(forward), strict=True))


FIRST = shares(3, 2, 1)
TELL_ALL = shares(1, 3, 0)
RESPONSE = shares(3, 1)


def mechanism(outcomes: Outcomes) -> FiniteMechanism:
    return FiniteMechanism(
        [[p for p, _ in outcomes], [q for _, q in outcomes]],
    )


def behind(held: Filter, menu: list[Outcomes]) -> tuple[Amounts, Allowed]:
    """The state of a filter at first, and what it becomes after a release of the menu."""
    prices = [held.price(mechanism(one)) for one in menu]

    def allowed(spent: Amounts, number: int) -> Amounts | None:
        held._spent = spent
        return held._sum(prices[number])

    return held.spent, allowed


def test_compose_exactly_and_stop_is_beaten() -> None:
    """On every course the exact delta at epsilon = 0 is 1/2, and the interaction has 7/12."""
    menu = [FIRST, TELL_ALL, RESPONSE]
    assert exact_delta([FIRST, TELL_ALL], Fraction(1)) == HALF
    assert exact_delta([FIRST, RESPONSE], Fraction(1)) == HALF
    allowed = exact_and_stop(menu, Fraction(1), HALF)
    nothing: tuple[int, ...] = ()
    assert best_delta(menu, allowed, nothing, Fraction(1), 3) == Fraction(7, 12)


def test_the_adversary_needs_to_choose() -> None:
    """Without a choice after the first output, no course has more than the budget."""
    menu = [FIRST, TELL_ALL, RESPONSE]
    allowed = exact_and_stop(menu, Fraction(1), HALF)
    for length in range(4):
        for made in product(range(3), repeat=length):
            state: tuple[int, ...] | None = ()
            for number in made:
                state = None if state is None else allowed(state, number)
            if state is not None:
                value = exact_delta([menu[one] for one in made], Fraction(1))
                assert value <= HALF


MENU = [FIRST, RESPONSE, shares(2, 1), shares(5, 4)]


@pytest.mark.parametrize(
    "held",
    [
        PureFilter(log(6)),
        ZCDPFilter("0.7"),
        RenyiFilter(2, 1),
        GaussianFilter("1.5"),
    ],
    ids=str,
)
@pytest.mark.parametrize("growth", [Fraction(1), Fraction(3, 2), Fraction(3)])
def test_no_strategy_beats_a_filter(held: Filter, growth: Fraction) -> None:
    """The best of all strategies of three releases is within what the whole is promised."""
    whole = held.guarantee()
    start, allowed = behind(held, MENU)
    found = best_delta(MENU, allowed, start, growth, 3)
    assert found > 0 or growth > 1
    assert found <= delta(whole, log(growth)).upper


def test_a_pure_budget_is_used_up_exactly() -> None:
    """Two ratios of 3 are the ratio 9: some strategy has a positive delta just below log(9)."""
    held = PureFilter(2 * log(3) + Fraction(1, 10**9))
    start, allowed = behind(held, [RESPONSE])
    assert best_delta([RESPONSE], allowed, start, Fraction(9), 4) == 0
    assert best_delta([RESPONSE], allowed, start, Fraction(89, 10), 4) > 0


def test_sums_of_epsilons_and_deltas_are_not_beaten() -> None:
    """Against pairs that tell all with some probability."""
    menu = [TELL_ALL, shares(1, 20, 10, 0), RESPONSE]
    held = ApproxFilter(log(9) + Fraction(1, 10**9), "0.3")
    start, allowed = behind(held, menu)
    for growth in (Fraction(9), Fraction(901, 100), Fraction(20)):
        found = best_delta(menu, allowed, start, growth, 3)
        assert 0 < found <= Fraction(3, 10)
    assert not held.fits(ApproxDP(3, 0))
    assert epsilon(PureDP(1), 0).upper == 1


def test_a_filter_without_sums_is_beaten() -> None:
    """The broken twin: each release is compared with the whole budget, and none adds up."""
    held = PureFilter("1.1")

    def allowed(spent: int, number: int) -> int | None:
        return spent if held.fits(mechanism([RESPONSE][number])) else None

    found = best_delta([RESPONSE], allowed, 0, Fraction(31, 10), 2)
    assert found > delta(held.guarantee(), log(Fraction(31, 10))).upper
