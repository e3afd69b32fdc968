"""Numbers that others print for filters and odometers, against ours.

Each is named by where it is printed. Doubles that are rounded up at every step are above ours by a
few units in their last place.
"""

import math
from fractions import Fraction

import pytest

from rdpacct import (
    ApproxDP,
    Filter,
    FiniteMechanism,
    Laplace,
    PureDP,
    PureFilter,
    PureOdometer,
    ZCDPFilter,
    ZCDPOdometer,
)

LAST_PLACES = 2e-15


def response(share: str) -> FiniteMechanism:
    """Randomized response that keeps a bit with this probability."""
    keep = Fraction(share)
    return FiniteMechanism([[keep, 1 - keep], [1 - keep, keep]])


def test_the_filter_of_opendp_with_two_responses() -> None:
    """OpenDP, combinators/privacy_filter/test.rs: a bound of 1 on the loss, randomized response of
    0.51 twice, and then one of 0.75 that is refused.
    """
    budget = PureFilter(1)
    for printed in (0.040005334613699206, 0.08001066922739841):
        found = budget.spend(response("0.51"))
        assert found
        assert 0 <= printed - float(found.spent[0]) <= LAST_PLACES * printed
    assert not budget.spend(response("0.75"))


def test_the_odometer_of_opendp() -> None:
    """OpenDP, python/src/opendp/mod.py, the example of Odometer: two responses of 0.6."""
    running = PureOdometer()
    running.spend(response("0.6"))
    found = running.spend(response("0.6")).epsilon
    assert abs(float(found.upper) - 0.8109302162163288) <= LAST_PLACES


def test_the_filter_of_opendp_with_counts() -> None:
    """OpenDP, user guide, Privacy Filters: a bound of 2, and counts with Laplace noise of scale 1:
    after two of them the loss is 2.0, and a third is rejected.
    """
    budget = PureFilter(2)
    assert [bool(budget.spend(Laplace(scale=1))) for _ in range(3)] == [
        True,
        True,
        False,
    ]
    assert budget.spent == (Fraction(2),)


def test_a_session_of_tumult_analytics() -> None:
    """A tutorial of Tumult Analytics: of PureDPBudget(2.5), two queries of 1 leave 1.5 and 0.5."""
    budget = PureFilter("2.5")
    left = [budget.spend(PureDP(1)).remaining for _ in range(2)]
    assert left == [(Fraction(3, 2),), (Fraction(1, 2),)]
    assert not budget.spend(PureDP(1))


def rogers(count: int, epsilon: float, level: float, delta: float) -> float:
    """The filter of Rogers, Roth, Ullman and Vadhan (2016), Theorem 5.1, for pure releases."""
    squares = count * epsilon**2
    mean = count * epsilon * (math.exp(epsilon) - 1) / 2
    room = squares + level**2 / (28.04 * math.log(1 / delta))
    often = 1 + math.log(28.04 * math.log(1 / delta) * squares / level**2 + 1) / 2
    return mean + math.sqrt(2 * room * often * math.log(2 / delta))


def whitehouse(count: int, epsilon: float, delta: float) -> float:
    """The filter of Whitehouse, Ramdas, Rogers and Wu (2023), Theorem 1, for pure releases."""
    squares = count * epsilon**2
    return math.sqrt(2 * math.log(1 / delta) * squares) + squares / 2


def granted(budget: Filter, epsilon: str) -> int:
    release = PureDP(epsilon)
    while budget.spend(release):
        pass
    return budget.releases


@pytest.mark.parametrize(
    ("level", "delta", "epsilon"),
    [("1", "1e-6", "0.01"), ("2", "1e-5", "0.05"), ("0.5", "1e-9", "0.01")],
)
def test_published_filters_grant_no_more(level: str, delta: str, epsilon: str) -> None:
    """The closed forms of two papers, at as many releases as each allows: ours allows these too."""
    cost, most, small = float(epsilon), float(level), float(delta)
    counts = range(1, 5000)
    theirs = [
        max((k for k in counts if rogers(k, cost, most, small) <= most), default=0),
        max((k for k in counts if whitehouse(k, cost, small) <= most), default=0),
    ]
    ours = granted(ZCDPFilter.within(ApproxDP(level, delta)), epsilon)
    assert theirs[0] < theirs[1] <= ours < 2 * theirs[1]


@pytest.mark.parametrize("count", [1, 10, 100, 1000])
def test_an_odometer_is_above_the_filter_of_one_time(count: int) -> None:
    """A bound at all times is above that of Whitehouse et al. for one budget that is fixed in
    advance, and by less than half.
    """
    running = ZCDPOdometer("1e-6")
    release = PureDP("0.05")
    for _ in range(count):
        running.spend(release)
    once = whitehouse(count, 0.05, 1e-6)
    assert once < float(running.bound().upper) < 1.5 * once
