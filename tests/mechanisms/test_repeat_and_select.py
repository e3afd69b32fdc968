"""The best of a random number of runs: its epsilon, against exact laws of small runs and a peer."""

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from rdpacct import InputError, RepeatAndSelect, delta, epsilon

SHAPES = ("-1/2", "0", "1", "2")
GAMMAS = ("1/100", "1/10", "1/2", "1")


def generating(gamma: Any, shape: Any) -> Any:
    """The generating function of the number of runs."""
    share, power = (
        mp.mpf(Fraction(gamma).numerator) / Fraction(gamma).denominator,
        (mp.mpf(Fraction(shape).numerator) / Fraction(shape).denominator),
    )

    def function(x: Any) -> Any:
        left = 1 - (1 - share) * x
        if share == 1:
            return x
        if power == 0:
            return mp.log(left) / mp.log(share)
        return (left**-power - 1) / (share**-power - 1)

    return function


def best_of(run: Sequence[Any], function: Any) -> list[Any]:
    """The law of the best output, the last one being the best."""
    reached = [mp.mpf(0), *itertools.accumulate(run)]
    values = [function(x) for x in reached]
    return [after - before for before, after in itertools.pairwise(values)]


def runs(growth: Fraction) -> list[tuple[list[Any], list[Any]]]:
    """Pairs of laws of one run whose ratios are at most the growth."""
    tiny = mp.mpf(10) ** -9
    g = mp.mpf(growth.numerator) / growth.denominator
    often, rarely = g / (1 + g), 1 / (1 + g)
    pairs = [([often, rarely], [rarely, often]), ([rarely, often], [often, rarely])]
    # a rare output between a worse and a better one, which is the worst case in the limit
    pairs.append(
        (
            [often - tiny, tiny, rarely],
            [rarely - tiny / g, tiny / g, often],
        )
    )
    pairs.append(([mp.mpf(1) / 4] * 4, [g / 4 / g] * 4))
    return pairs


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_no_best_run_exceeds_the_epsilon(gamma: str, shape: str) -> None:
    """Exact laws of the best of all runs; a rare output comes near the epsilon."""
    mp.mp.dps = 40
    function = generating(gamma, shape)
    for growth in (Fraction(3, 2), Fraction(4)):
        rate = mp.log(mp.mpf(growth.numerator) / growth.denominator)
        mechanism = RepeatAndSelect(Fraction(str(rate)), gamma, shape)
        most = float(mechanism.total_epsilon.bound().upper)
        losses = [
            mp.log(p / q)
            for pair in runs(growth)
            for p, q in zip(*(best_of(run, function) for run in pair), strict=True)
        ]
        assert max(losses) < most + 1e-12
        assert max(losses) > most - 1e-6


@pytest.mark.parametrize("shape", ["0", "1", "2"])
def test_between_one_run_and_the_published_bound(shape: str) -> None:
    """(2 + shape) epsilon is published, 3 epsilon for the geometric law; one run costs epsilon."""
    for gamma in ("1e-9", "1e-3", "1/2"):
        found = epsilon(RepeatAndSelect("1/2", gamma, shape), 0).upper
        assert Fraction(1, 2) < found < (2 + Fraction(shape)) / 2
    one = epsilon(RepeatAndSelect("1/2", 1, shape), 0).upper
    assert 0 <= one - Fraction(1, 2) < Fraction(1, 10**15)


def test_the_mean_number_of_runs() -> None:
    """The derivative of the generating function at 1."""
    mp.mp.dps = 30
    for gamma, shape in itertools.product(GAMMAS, SHAPES):
        slope = mp.diff(generating(gamma, shape), 1)
        found = RepeatAndSelect(1, gamma, shape).mean_runs.bound()
        assert abs(float(found) - slope) < 1e-9 * slope


@pytest.mark.parametrize(
    ("shape", "gamma"), [(0, "1/50"), (1, "1/10"), (1, "1/100"), (2, "1/5"), (3, "1/2")]
)
def test_beside_the_renyi_divergences_of_a_peer(shape: int, gamma: str) -> None:
    """Google's accountant for a Laplace run is never below ours, and at most (2 + shape)
    epsilon.
    """
    accounting = pytest.importorskip("dp_accounting")
    mechanism = RepeatAndSelect(1, gamma, shape)
    event = accounting.dp_event.RepeatAndSelectDpEvent(
        accounting.LaplaceDpEvent(1.0), float(mechanism.mean_runs.bound()), shape
    )
    accountant = accounting.rdp.RdpAccountant([2.0, 16.0, 256.0, 1e5, 1e8])
    peer = accountant.compose(event).get_epsilon(1e-30)
    ours = float(epsilon(mechanism, 0).upper)
    assert ours < peer < 2 + shape + 0.01


def test_lower_ends_are_runs_of_one_bit() -> None:
    """delta is between the exact one of randomized response and the worst pair."""
    mp.mp.dps = 30
    function = generating("1/10", "1")
    often = mp.e / (1 + mp.e)
    first, second = (best_of([x, 1 - x], function) for x in (often, 1 - often))
    for level in ("0", "1/2", "3/2"):
        factor = mp.exp(mp.mpf(Fraction(level).numerator) / Fraction(level).denominator)
        exact = max(
            sum(max(p - factor * q, 0) for p, q in zip(a, b, strict=True))
            for a, b in ((first, second), (second, first))
        )
        found = delta(RepeatAndSelect(1, "1/10"), level)
        assert abs(float(found.lower) - exact) < 1e-12
        assert found.lower < found.upper


def test_what_cannot_be_used_is_refused() -> None:
    """Epsilons, shapes and gammas out of range."""
    makes: list[Callable[[], object]] = [
        lambda: RepeatAndSelect(0, "1/2"),
        lambda: RepeatAndSelect(1, 0),
        lambda: RepeatAndSelect(1, 2),
        lambda: RepeatAndSelect(1, "1/2", -1),
    ]
    for make in makes:
        with pytest.raises(InputError):
            make()
