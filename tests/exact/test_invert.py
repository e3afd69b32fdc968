"""Ends of an inverted profile, for a curve whose errors are known."""

import math

import pytest

from rdpacct import epsilon
from rdpacct.exact.ball import RealBall
from rdpacct.exact.invert import crossing, flattest
from rdpacct.exact.raw import error, precision, real

ERROR = 1e-9
"""How far the enclosures of the curve reach to both sides, as a share of delta."""


class _Falling:
    """delta(epsilon) = exp(-epsilon)/2, in balls of a known size."""

    top = math.inf

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        return math.log(0.5) - epsilon, -1.0

    def planned_errors(self, epsilon: float, log: float) -> tuple[float, float]:  # noqa: ARG002
        return ERROR, ERROR

    def enclosure(self, epsilon: RealBall) -> RealBall:
        middle = (-epsilon).exp() / 2
        return middle + error(middle * real(ERROR))


def _ends(passed_at: float) -> tuple[float, float]:
    """The ends for the target that the curve passes there."""
    target = (-real(passed_at)).exp() / 2
    return crossing(_Falling(), target, math.log(0.5) - passed_at, passed_at, -1.0)


def test_both_ends_are_hardly_farther_than_the_errors() -> None:
    low, high = _ends(1.0)
    assert 1 - 1.01 * ERROR < low < 1 - ERROR
    assert 1 + ERROR < high < 1 + 1.01 * ERROR


def test_near_zero_the_upper_end_is_no_farther() -> None:
    """There is no lower end, as delta(0) is not certainly above the target."""
    low, high = _ends(ERROR / 2)
    assert low == -math.inf
    assert 1.5 * ERROR < high < 1.51 * ERROR


def test_a_target_that_is_met_at_zero_has_zero() -> None:
    met = real(0.5) * (1 + real(2 * ERROR))
    assert crossing(_Falling(), met, math.log(0.5), 0.0, -1.0) == (-math.inf, 0.0)


class _Bounded(_Falling):
    """delta(epsilon) = (1 - epsilon)/2 up to 1, whose slope is not known there."""

    top = 1.0

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        return math.log(max(1 - epsilon, 1e-300) / 2), -1.0

    def planned_errors(self, epsilon: float, log: float) -> None:  # type: ignore[override]
        del epsilon, log

    def enclosure(self, epsilon: RealBall) -> RealBall:
        return (real(1) - epsilon).max(real(0)) / 2


def test_steps_from_the_largest_loss_are_short() -> None:
    """Also where the slope that is said would lead far away."""
    low, high = crossing(_Bounded(), real(1e-40), math.log(1e-40), 1.0, -1.0)
    assert 1 - 4 * math.ulp(1.0) <= low < high <= 1 + 4 * math.ulp(1.0)


class _Exact(_Falling):
    """The same curve with sharp enclosures, whose own plans are doubles, with a wrong slope."""

    def __init__(self, steeper: float = 1.0) -> None:
        self.steeper = steeper

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        return math.log(0.5) - epsilon, -self.steeper

    def planned_errors(self, epsilon: float, log: float) -> tuple[float, float]:  # noqa: ARG002
        return 0.0, 0.0

    def enclosure(self, epsilon: RealBall) -> RealBall:
        return (-epsilon).exp() / 2


@pytest.mark.parametrize("passed_at", [3e-17, 1e-9, 0.7, 1.0, 40.0])
@pytest.mark.parametrize("steeper", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("guess_off", [0.0, 1e-16, 1e-12])
def test_ends_are_as_near_as_sharp_enclosures_allow(
    passed_at: float, steeper: float, guess_off: float
) -> None:
    """Also where doubles do not tell log delta from its target, and where the slope is wrong."""
    with precision(120):
        target = (-real(passed_at)).exp() / 2
        guess = passed_at * (1 + guess_off) + guess_off
        curve = _Exact(steeper)
        low, high = crossing(curve, target, math.log(0.5) - passed_at, guess, -steeper)
        assert curve.enclosure(real(low)) > target >= curve.enclosure(real(high))
    assert low < passed_at < high
    assert high - low <= 4 * math.ulp(passed_at)


@pytest.mark.parametrize("top", [0.001, 1.0, 8.0, 60.0, 2000.0])
def test_the_flattest_slope_is_that_of_one_atom(top: float) -> None:
    """delta(0) = 1 - exp(-top) is that of an atom at the largest loss, and so is its slope."""
    steepest_atom = -1 / math.expm1(min(top, 700.0))
    assert flattest(0.0, top) == pytest.approx(steepest_atom, rel=1e-12)


def test_a_flat_profile_far_below_its_largest_loss_has_near_ends() -> None:
    """The slope of log delta is -0.005 here, and the largest loss 8 above."""
    response = "3*RandomizedResponse(epsilon=89/36)"
    plan = f"{response} + ApproxDP(epsilon=89/36, delta=1/55497968)"
    bound = epsilon(plan, "0.95877050914112731")
    assert bound.width <= 5 * math.ulp(1.5)
