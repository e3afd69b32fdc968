"""An odometer of squares of mus: against another computation, against every strategy on small
trees, and against the bounds that share delta.
"""

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import (
    ZCDP,
    FiniteMechanism,
    Gaussian,
    GaussianDP,
    GaussianOdometer,
    InputError,
    ZCDPOdometer,
)
from rdpacct.filters.amounts import Amounts
from rdpacct.filters.running import mixed_growth
from rdpacct.functions import log
from rdpacct.testing.budgets import Outcomes, best_reach

RESPONSES: list[Outcomes] = [
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
    ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))),
]


def square_of(outcomes: Outcomes) -> Fraction:
    """Twice the rho: all that the proof asks of the square of a mu is that E exp(t L) is at most
    exp(t (1 + t) square/2).
    """
    table = FiniteMechanism(list(zip(*outcomes, strict=True)))
    return 2 * ZCDPOdometer("1/2").price(table)[0]


RATES = [mpmath.mpf("0.5"), mpmath.mpf(2), mpmath.mpf(8)]


def log_growth(loss: mpmath.mpf, squares: mpmath.mpf) -> mpmath.mpf:
    """The logarithm of the mean of the exponentials."""
    terms = [mpmath.exp(t * (loss - (1 + t) * squares / 2)) for t in RATES]
    return mpmath.log(sum(terms) / len(RATES))


@pytest.mark.parametrize("delta", ["1e-3", "1e-9"])
def test_readings_against_another_computation(delta: str) -> None:
    """The growth by mpmath: below 1/delta at the lower end, and above it at the upper end."""
    held = GaussianOdometer(delta, orders=["1.5", 3, 9])
    with mpmath.workdps(40):
        squares = mpmath.mpf(0)
        target = -mpmath.log(mpmath.mpf(delta))
        for sigma in (5, 1, 2):
            found = held.spend(Gaussian(sigma=sigma)).epsilon
            squares += mpmath.mpf(1) / sigma**2
            ends = [Fraction(found.lower), Fraction(found.upper)]
            low, high = (mpmath.mpf(one.numerator) / one.denominator for one in ends)
            assert log_growth(low, squares) < target < log_growth(high, squares)
            assert high - low < high / 10**9


def test_it_is_never_above_the_smallest_of_shared_bounds() -> None:
    """With the same orders, the mixture is at most the smallest bound at a share of delta each."""
    orders = [2, 5, 17, 65]
    mixed = GaussianOdometer("1e-6", orders=orders)
    shared = ZCDPOdometer("1e-6", orders=orders)
    smaller = 0
    for mu in ("0.01", "0.3", 1, 4):
        one = mixed.spend(GaussianDP(mu)).epsilon
        other = shared.spend(GaussianDP(mu).to(ZCDP)).epsilon
        assert one.lower < other.upper
        smaller += one.upper < other.lower
    assert smaller >= 2


class Unmixed(GaussianOdometer):
    """The broken twin: the sum over the orders in place of the mean, as if each had all of
    delta.
    """

    def _ends(self, squares: Fraction) -> tuple[Fraction, Fraction] | None:
        whole = self.delta
        self.delta = whole * len(self.orders)
        try:
            return super()._ends(squares)
        finally:
            self.delta = whole


@pytest.mark.parametrize(
    ("kind", "delta", "beaten"),
    [
        (GaussianOdometer, "4/5", False),
        (GaussianOdometer, "7/10", False),
        (Unmixed, "1/2", True),
    ],
)
def test_no_strategy_beats_it(
    kind: type[GaussianOdometer], delta: str, beaten: bool
) -> None:
    """The loss reaches the bound at some time with probability at most delta, whatever is run."""
    held = kind(delta, orders=["1.5", 2])
    squares = [square_of(one) for one in RESPONSES]
    levels = dict[Amounts, Fraction]()

    def after(spent: Amounts, number: int) -> Amounts:
        return (spent[0] + squares[number],)

    def reached(spent: Amounts, ratio: Fraction) -> bool:
        if spent not in levels:
            levels[spent] = Fraction(held.level(spent).lower)
        return log(ratio).bound().upper >= levels[spent]

    most = best_reach(RESPONSES, after, reached, held.spent, rounds=5)
    assert (most > Fraction(delta)) is beaten
    assert most > Fraction(2, 5), "an idle bound would show nothing"


def test_the_shipped_growth_is_one_at_first() -> None:
    assert mixed_growth(0, 0, [1, 2, 3]).ball(64).bound().upper == 1


def test_bad_input_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="above 0 and below 1"):
        GaussianOdometer(0)
    with pytest.raises(InputError, match="different orders above 1"):
        GaussianOdometer("1e-6", orders=[1])


@pytest.mark.parametrize(
    ("sigma", "orders"),
    [("1e-150", [2, 5]), ("1", ["1e300"]), ("1", [2, "1e300"]), ("1e-60", [2, 3])],
)
def test_far_numbers_are_enclosed_in_closed_form(sigma: str, orders: list[Any]) -> None:
    """Between the bounds of single orders that have the whole delta, and that share it."""
    held = GaussianOdometer("1e-6", orders=orders)
    shown = held.spend(Gaussian(sigma=sigma)).epsilon
    with mpmath.workdps(400):
        square = 1 / mpmath.mpf(sigma) ** 2
        ends = [
            min(
                mpmath.mpf(order) * square / 2
                + mpmath.log(count * 10**6) / (mpmath.mpf(order) - 1)
                for order in orders
            )
            for count in (1, len(orders))
        ]
        least, most = (
            mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator
            for x in (shown.lower, shown.upper)
        )
        assert ends[0] * (1 - mpmath.mpf(10) ** -15) <= least <= most
        assert most <= ends[1] * (1 + mpmath.mpf(10) ** -10)
    assert GaussianOdometer.from_json(held.to_json()).spent == held.spent
