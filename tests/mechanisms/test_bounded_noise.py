"""Truncated Laplace and staircase noise, against integrals of their densities and what the papers
print.
"""

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest

from rdpacct import (
    InputError,
    Laplace,
    Staircase,
    StudyOnlyWarning,
    TruncatedLaplace,
    UndecidedError,
    delta,
    epsilon,
)
from rdpacct.exact.bound import Bound
from rdpacct.functions import exp, log
from rdpacct.mechanisms import Mechanism

EPSILONS = ("0", "1/10", "1/2", "1", "2")
Density = Callable[[Any], Any]
TRUNCATED: list[tuple[Any, ...]] = [
    (1, 10, 1),
    ("1/2", 2, 1),
    (2, 1, 1),
    (4, "3/2", 2),
    (1, 1, "5/2"),
]
STAIRCASES: list[tuple[Any, ...]] = [
    (1, "1/3", 1),
    (1, "1/2", 1),
    (3, "4/5", 2),
    (1, 0, 1),
    (1, 1, 1),
]


def truncated(scale: Any, bound: Any) -> Density:
    """The density of truncated Laplace noise, without its factor."""

    def density(x: Any) -> Any:
        return mp.exp(-abs(x) / scale) if abs(x) <= bound else mp.mpf(0)

    return density


def staircase(rate: Any, gamma: Any, width: Any) -> Density:
    """The density of staircase noise, without its factor."""

    def density(x: Any) -> Any:
        return mp.exp(-rate * (mp.floor(abs(x) / width - gamma) + 1))

    return density


def stick(density: Density, move: Any, factor: Any, kinks: list[Any]) -> Any:
    """The hockey stick of a density against the moved one, by Gauss's rule between kinks."""
    mp.mp.dps = 25
    points = sorted({*kinks, *(kink + move for kink in kinks), move / 2})

    def integral(function: Density) -> Any:
        return sum(
            mp.quad(
                function,
                [low + mp.mpf(10) ** -24, high - mp.mpf(10) ** -24],
                method="gauss-legendre",
                maxdegree=3,
            )
            for low, high in pairwise(points)
        )

    total = integral(density)
    return integral(lambda x: max(density(x) - factor * density(x - move), 0)) / total


def number(text: Any) -> Any:
    exact = Fraction(text)
    return mp.mpf(exact.numerator) / exact.denominator


def near(bound: Bound, value: Any, slack: float) -> bool:
    """The enclosure is narrow, and a value of a quadrature lies in it but for the slack."""
    low, high = float(bound.lower), float(bound.upper)
    return high - low < 1e-12 and low - slack < value < high + slack


def crossing(scale: Any, move: Any, level: Any) -> Any:
    """Where the loss of truncated noise crosses a level."""
    return (move - scale * level) / 2


@pytest.mark.parametrize(("scale", "bound", "move"), TRUNCATED, ids=str)
def test_truncated_noise_is_the_integral_of_its_density(
    scale: Any, bound: Any, move: Any
) -> None:
    """At every epsilon, for moves up to the bound and beyond it."""
    b, d, reach = map(number, (scale, move, bound))
    mechanism = TruncatedLaplace(scale, bound, sensitivity=move)
    for level in EPSILONS:
        kinks = [-reach, 0, reach, crossing(b, d, number(level))]
        value = stick(truncated(b, reach), d, mp.exp(number(level)), kinks)
        assert near(delta(mechanism, level), value, 1e-12), (mechanism, level)


@pytest.mark.parametrize(("rate", "gamma", "width"), STAIRCASES, ids=str)
def test_staircase_noise_is_the_integral_of_its_density(
    rate: Any, gamma: Any, width: Any
) -> None:
    """At every epsilon; the integral leaves out steps far away."""
    r, g, w = map(number, (rate, gamma, width))
    mechanism = Staircase(rate, gamma, sensitivity=width)
    kinks = [sign * w * (k + g) for k in range(20) for sign in (-1, 1)]
    for level in EPSILONS[1::2]:
        value = stick(
            staircase(r, g, w), w, mp.exp(number(level)), [-21 * w, 0, 21 * w, *kinks]
        )
        assert near(delta(mechanism, level), value, 1e-7), (mechanism, level)


@pytest.mark.parametrize(
    ("level", "share"),
    [("1", "1e-6"), ("0.1", "1e-5"), ("2", "1e-3"), ("0.5", "1/10"), ("5", "1e-9")],
)
def test_the_printed_bound_of_truncated_noise_has_the_printed_delta(
    level: str, share: str
) -> None:
    """Geng, Ding, Guo and Kumar, Theorem 1, for epsilon and delta; and with less it is larger."""
    rate, mass = Fraction(level), Fraction(share)
    bound = log(1 + (exp(rate) - 1) / (2 * mass)) / rate
    exact = TruncatedLaplace(1 / rate, bound)
    assert delta(exact, rate).contains(mass)
    shorter = TruncatedLaplace(1 / rate, bound * Fraction(99, 100))
    assert delta(shorter, rate).certainly_above(mass)
    assert epsilon(exact, 2 * mass).certainly_below(rate)


def test_the_best_first_step_is_the_default() -> None:
    """1/(1 + exp(epsilon/2)), and its pure epsilon is that of the parameters, for each gamma."""
    for rate in ("0.1", "1", "4"):
        best = Staircase(rate).first_step
        assert (best - 1 / (1 + exp(Fraction(rate) / 2))).bound().contains(0)
        for gamma in (None, "0", "0.3", "1"):
            assert epsilon(Staircase(rate, gamma), 0).contains(Fraction(rate))


def test_a_half_is_randomized_response_and_ends_are_alike() -> None:
    """With the first step up to 1/2 no output has the loss 0; 0 and 1 are stairs of equal width."""
    from rdpacct import RandomizedResponse

    for level in EPSILONS:
        half = delta(Staircase(1, "1/2"), level)
        assert half.overlaps(delta(RandomizedResponse(1), level))
        ends = [delta(Staircase(1, gamma), level) for gamma in (0, 1)]
        assert ends[0].overlaps(ends[1])


def growing() -> Iterator[list[Mechanism]]:
    """Mechanisms of the same noise, for queries that move farther and farther."""
    moves = ("1/10", "1/2", "1", "3/2", "2", "3", "4", "9/2")
    yield [TruncatedLaplace(1, 2, sensitivity=move) for move in moves]
    yield [TruncatedLaplace("1/3", 1, sensitivity=move) for move in moves]


def test_a_larger_move_is_never_better() -> None:
    """Through all of the cases of the law, up to outputs that no neighbors share."""
    for row in growing():
        for level in EPSILONS:
            deltas = [delta(mechanism, level) for mechanism in row]
            assert all(
                not less.certainly_above(more) for less, more in pairwise(deltas)
            )
        assert delta(row[-1], 5).lower == 1


def test_truncated_far_away_it_is_laplace_noise() -> None:
    """With a bound of 60 scales the deltas agree up to exp(-59)."""
    for level in EPSILONS[:3]:
        far = delta(TruncatedLaplace(1, 60), level)
        plain = delta(Laplace(1), level)
        slack = Fraction(1, 10**24)
        assert Fraction(plain.lower) - slack < far.upper
        assert far.lower < Fraction(plain.upper) + slack


@pytest.mark.slow
def test_two_releases_are_the_mean_over_one() -> None:
    """delta of two from that of one: E delta(epsilon - L), with the infinite losses beside it."""
    mp.mp.dps = 25
    one = TruncatedLaplace(1, 3)
    apart = (mp.e - 1) / (2 * (mp.exp(3) - 1))
    whole = 2 * (1 - mp.exp(-3))
    up = (1 - mp.exp(-2)) / whole

    def profile(level: Any) -> Any:
        def excess(loss: Any) -> Any:
            return max(0, 1 - mp.exp(level - loss))

        ends = up * excess(1) + up * mp.exp(-1) * excess(-1)
        low = min(max(level, -1), 1)
        inner = mp.quad(
            lambda x: excess(x) * mp.exp((x - 1) / 2) / (2 * whole), [low, 1]
        )
        return apart + ends + inner

    for level in (mp.mpf(0), mp.mpf("0.5"), mp.mpf("1.5")):
        ends = up * profile(level - 1) + up * mp.exp(-1) * profile(level + 1)
        cuts = sorted({-1, 1, min(max(level - 1, -1), 1), min(max(level, -1), 1)})
        inner = mp.quad(
            lambda x, at=level: profile(at - x) * mp.exp((x - 1) / 2) / (2 * whole),
            cuts,
        )
        expected = apart + ends + inner
        found = delta(2 * one, Fraction(str(level)))
        assert found.relative_width < 1e-5
        assert float(found.lower) - 1e-9 < expected < float(found.upper) + 1e-9


def test_what_cannot_be_used_is_refused_in_one_sentence() -> None:
    """Numbers out of range, lists in the place of one number, groups, and moves that are too
    close to call.
    """
    for make in (
        lambda: TruncatedLaplace(1, 0),
        lambda: TruncatedLaplace(0, 1),
        lambda: Staircase(0),
        lambda: Staircase(1, "1.5"),
        lambda: Staircase(1, "-0.1"),
    ):
        with pytest.raises(InputError):
            make()
    for mechanism in (TruncatedLaplace(1, 2), Staircase(1)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StudyOnlyWarning)
            for wrong in ([1, 2], "x", None, True):
                with pytest.raises(InputError, match="one number"):
                    mechanism.sample(wrong)
    with pytest.raises(InputError):
        (2 * Staircase(1)).for_group(2)
    with pytest.raises(UndecidedError, match="too close"):
        TruncatedLaplace(1, log(6), sensitivity=log(2) + log(3)).loss()


def test_outputs_stay_within_the_bound() -> None:
    """And reach both of its halves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        noise = [TruncatedLaplace(2, "1/2").sample(0, seed) for seed in range(200)]
    assert max(map(abs, noise)) <= 0.5
    assert min(noise) < -0.4
    assert max(noise) > 0.4


@pytest.mark.parametrize("bound", ["3/4", "1", "20"])
@pytest.mark.parametrize("level", ["0.1", "1/2", "1", "2"])
def test_beside_atoms_it_is_the_mean_over_them(bound: str, level: str) -> None:
    """Randomized response of epsilon 1/2 moves the level by 1/2 either way; 1/2 is also the largest
    loss of the noise of scale 2.
    """
    plan = f"RandomizedResponse(epsilon=1/2) + TruncatedLaplace(scale=2, bound={bound})"
    found = delta(plan, level)
    with mp.workdps(40):
        shift, reach = mp.mpf(1) / 2, _number(bound) / 2
        norm = 2 * (1 - mp.exp(-reach))

        def density(x: Any) -> Any:
            return mp.exp(-abs(x)) / norm if abs(x) <= reach else mp.mpf(0)

        def alone(at: Any) -> Any:
            kinks = sorted({shift - reach, mp.mpf(0), shift, reach, shift + reach})
            crossing = [(at + shift) / 2]
            points = sorted(
                p for p in [*kinks, *crossing] if kinks[0] <= p <= kinks[-1]
            )
            return mp.quad(
                lambda x: max(mp.mpf(0), density(x - shift) - mp.exp(at) * density(x)),
                points,
            )

        half = mp.mpf(1) / 2
        likely = mp.exp(half) / (1 + mp.exp(half))
        at = _number(level)
        truth = likely * alone(at - half) + (1 - likely) * alone(at + half)
        slack = mp.mpf("1e-25")
        assert _exact(found.lower) - slack <= truth <= _exact(found.upper) + slack
    assert found.relative_width < 1e-9


def _number(text: str) -> Any:
    """A rational as a number of mp."""
    value = Fraction(text)
    return mp.mpf(value.numerator) / value.denominator


def _exact(end: Any) -> Any:
    """An end of a bound as a number of mp."""
    return mp.mpf(end.numerator) / end.denominator
