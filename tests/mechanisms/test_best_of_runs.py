"""The best of a random number of runs without a largest loss: against exact laws, quadrature and a
peer.
"""

import itertools
import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    BestOfPoissonRuns,
    BestOfRuns,
    DiscreteLaplace,
    FiniteMechanism,
    Gaussian,
    InputError,
    Laplace,
    Plan,
    PoissonSampled,
    Promised,
    PureDP,
    RandomDP,
    RepeatAndSelect,
    calibrate,
    delta,
    epsilon,
    profile,
    read_plan,
)
from rdpacct.mechanisms import Mechanism
from rdpacct.mechanisms.selection.best_run_pairs import PAIR_WORK
from rdpacct.mechanisms.selection.best_run_profile import SEARCH_WORK
from rdpacct.mechanisms.selection.number_of_runs import (
    NegativeBinomialRuns,
)
from rdpacct.questions import Questions
from rdpacct.work import question

TUNED = BestOfRuns(Gaussian(4), 10)
SHAPES = ("-1/2", "0", "1/2", "1", "3")


def number(text: str) -> Any:
    """A fraction in mpmath."""
    value = Fraction(text)
    return mp.mpf(value.numerator) / value.denominator


def generating(mean: Any, shape: str | None) -> Callable[[Any], Any]:
    """The generating function of the number of runs, from its mean; Poisson without a shape."""
    if shape is None:
        return lambda x: mp.exp(mean * (x - 1))
    power = number(shape)

    def slope(gamma: Any) -> Any:
        if power == 0:
            return (1 - gamma) / (-gamma * mp.log(gamma))
        return power * (1 - gamma) / (gamma * (1 - gamma**power))

    low, high = mp.mpf(10) ** -12, 1 - mp.mpf(10) ** -12
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > mean else (low, middle)
    fail = 1 - low
    if power == 0:
        return lambda x: mp.log(1 - fail * x) / mp.log(low)
    return lambda x: ((1 - fail * x) ** -power - 1) / (low**-power - 1)


def best_of(run: Sequence[Any], function: Callable[[Any], Any]) -> list[Any]:
    """The law of the best output, the last one being the best, and of no run at all."""
    reached = [mp.mpf(0), *itertools.accumulate(run)]
    values = [function(x) for x in reached]
    differences = [after - before for before, after in itertools.pairwise(values)]
    return [values[0], *differences]


def hockey(first: Sequence[Any], second: Sequence[Any], level: Any) -> Any:
    """The hockey stick of two rows."""
    return sum(max(p - level * q, 0) for p, q in zip(first, second, strict=True))


def built(run: Any, mean: int, shape: str | None) -> BestOfRuns | BestOfPoissonRuns:
    """The best of runs, a Poisson number without a shape."""
    if shape is None:
        return BestOfPoissonRuns(run, mean)
    return BestOfRuns(run, mean, shape)


@pytest.mark.parametrize("shape", ["-1/2", "0", "2", None])
def test_exact_laws_of_small_runs_are_below(shape: str | None) -> None:
    """Every order of the outputs of a random table, by the exact law of the best."""
    rng = random.Random(16)
    with mp.workdps(30):
        function = generating(mp.mpf(4), shape)
        rows = [[rng.randint(1, 9) for _ in range(3)] for _ in range(2)]
        laws = [[Fraction(x, sum(row)) for x in row] for row in rows]
        mechanism = built(FiniteMechanism(laws), 4, shape)
        for level in ("0", "1/2", "3/2"):
            most = exact_delta(laws, function, mp.exp(number(level)))
            found = delta(mechanism, level)
            assert most <= mp.mpf(float(found.upper)) * (1 + mp.mpf(10) ** -15)
            assert float(found.lower) <= most + mp.mpf(10) ** -15


def exact_delta(
    laws: Sequence[Sequence[Fraction]], function: Callable[[Any], Any], level: Any
) -> Any:
    """The largest delta over the orders of the outputs and both ways round."""
    found = []
    for order in itertools.permutations(range(len(laws[0]))):
        rows = [[number(str(law[i])) for i in order] for law in laws]
        first, second = (best_of(row, function) for row in rows)
        found += [hockey(first, second, level), hockey(second, first, level)]
    return max(found)


def test_a_fixed_number_of_runs_costs_more() -> None:
    """The exact delta of the best of ten answers is above what a random number is said to cost."""
    often = mp.e / (1 + mp.e)
    worse = [(1 - x) ** 10 for x in (1 - often, often)]
    fixed = worse[0] - mp.exp(mp.mpf("2.6")) * worse[1]
    assert fixed > float(delta(BestOfRuns(PureDP(1), 10), "2.6").upper)


@pytest.mark.slow
@pytest.mark.parametrize(("mean", "shape"), [(10, "1"), (10, "0"), (5, None)])
def test_gaussian_runs_by_quadrature(mean: int, shape: str | None) -> None:
    """The largest outputs are best: delta by an integral in mpmath is below, the lower end near
    that of the best event with better outputs.
    """
    with mp.workdps(25):
        function = generating(mp.mpf(mean), shape)
        mechanism = built(Gaussian(1), mean, shape)
        for level in ("1", "5"):
            growth = mp.exp(number(level))
            exact = largest_first(function, growth)
            found = delta(mechanism, level)
            assert exact <= float(found.upper)
            known = best_event(function, growth)
            assert float(found.lower) <= known * (1 + mp.mpf(10) ** -3)
            assert float(found.lower) > known / 2


def largest_first(function: Callable[[Any], Any], growth: Any) -> Any:
    """The hockey stick of the largest of all runs, one moved by 1."""

    def density(x: Any, moved: int) -> Any:
        return mp.diff(function, mp.ncdf(x - moved)) * mp.npdf(x - moved)

    def excess(x: Any) -> Any:
        return max(density(x, 1) - growth * density(x, 0), 0)

    return mp.quad(excess, mp.linspace(-6, 10, 9), maxdegree=4)


def best_event(function: Callable[[Any], Any], growth: Any) -> Any:
    """The best of the events of large losses, where those of small losses are better."""
    found = []
    for low in range(-24, 9):
        for cut in range(low + 1, 60):
            b, t = mp.mpf(low) / 8, mp.mpf(cut) / 8
            chances = [
                function(mp.ncdf(moved - b))
                - function(mp.ncdf(moved - b) - mp.ncdf(moved - t))
                for moved in (1, 0)
            ]
            found.append(chances[0] - growth * chances[1])
    return max(found)


@pytest.mark.parametrize("shape", SHAPES)
def test_pure_runs_cost_what_the_pure_rule_says(shape: str) -> None:
    """The smallest growth is that of the closed form, and (2 + shape) epsilon is published."""
    mechanism = BestOfRuns(PureDP(1), 10, shape)
    gamma = NegativeBinomialRuns(mechanism.mean, mechanism.shape).gamma
    for share in gamma:
        closed = RepeatAndSelect(1, share, shape).total_epsilon.bound()
        found = epsilon(mechanism, 0).upper
        assert abs(float(found) - float(closed)) < 1e-8
        assert found < 2 + Fraction(shape)


PUBLISHED = [
    # by the RdpAccountant of dp-accounting 0.6.0 (Papernot and Steinke), epsilon at 1e-6
    (Gaussian(4), 10, "0", 1.9021061286702192),
    (Gaussian(4), 10, "1", 2.2716234018397654),
    (Gaussian(1), 5, "2", 8.656435959815996),
    (Gaussian(4), 10, None, 2.5011131418046464),
    (Laplace(2), 10, None, 3.04967426100405),
    (ZCDP("0.1"), 5, "2", 4.05356131676014),
]


@pytest.mark.parametrize(("run", "mean", "shape", "theirs"), PUBLISHED)
def test_below_the_published_bounds(
    run: Any, mean: int, shape: str | None, theirs: float
) -> None:
    """Their bound holds, and is up to two fifths larger."""
    ours = epsilon(built(run, mean, shape), "1e-6")
    assert float(ours.upper) < theirs < 1.45 * float(ours.upper)


def test_moments_alone_give_the_published_bound() -> None:
    """Without the profile of one run: the sum of Papernot and Steinke at the best orders, which is
    that of dp-accounting up to its list of orders.
    """
    run = Gaussian(4) + Gaussian("1e9")  # of two releases, only moments are known here
    mechanism = BestOfRuns(run, 10)
    found = float(mechanism.profile().epsilon("1e-6").upper)
    assert found < 2.2716234018397654 < 1.001 * found
    sharper = float(epsilon(mechanism, "1e-6").upper)
    assert sharper < 0.75 * found


def test_one_run_is_what_it_was() -> None:
    """With a mean of 1 nothing is added."""
    once = epsilon(BestOfRuns(Gaussian(2), 1), "1e-6")
    alone = epsilon(Gaussian(2), "1e-6")
    assert abs(float(once.upper) - float(alone.upper)) < 1e-9
    assert abs(float(once.lower) - float(alone.lower)) < 1e-9


def test_runs_of_several_releases() -> None:
    """A tuned training costs more than one training and less than the published bound."""
    training = 1000 * PoissonSampled(Gaussian("1.25"), rate="0.015625")
    tuned = epsilon(BestOfRuns(training, 10), "1e-6")
    assert tuned.relative_width < 0.08
    assert epsilon(training, "1e-6").upper < tuned.lower
    assert float(tuned.upper) < 4.5569439808481516  # dp-accounting 0.6.0
    assert {"selection/best-run", "sampling/poisson"} <= tuned.rests_on


def test_compositions_lie_between() -> None:
    """Two tuned runs cost at least one and at most twice as much, in any mix."""
    one = epsilon(TUNED, "1e-6")
    two = epsilon(2 * TUNED, "1e-6")
    half = epsilon(TUNED, "5e-7")
    assert one.lower < two.lower <= two.upper < 2 * half.upper
    mixed = epsilon(TUNED + Laplace(3), "1e-6")
    assert one.lower <= mixed.lower <= mixed.upper <= one.upper + Fraction(1, 3)


@pytest.mark.slow
def test_noise_is_calibrated_for_the_best_run() -> None:
    """The sigma that suffices does, and the least one is not below the lower end."""
    found = calibrate("BestOfRuns(run=Gaussian(sigma=?), mean=10)", 1, "1e-4").value
    enough = BestOfRuns(Gaussian(Fraction(found.upper)), 10)
    assert delta(enough, 1).upper <= Fraction(1, 10**4)
    short = BestOfRuns(Gaussian(Fraction(found.lower) * Fraction(99, 100)), 10)
    assert delta(short, 1).lower > Fraction(1, 10**4)


def test_no_loss_of_gaussian_runs_is_infinite() -> None:
    """Without a delta there is no epsilon, and a test that never errs one way always does the
    other.
    """
    assert epsilon(TUNED, 0).lower == float("inf")
    assert Questions(Plan.of(TUNED)).at_infinity().upper == 0


def test_divergences_have_two_ends() -> None:
    """The published Renyi divergence at one order, by its formula, is not below."""
    found = profile(Plan.of(TUNED)).renyi(5)
    c = min(
        (1 - 1 / order) * order / 32 + mp.log(10) / order
        for order in [mp.mpf(k) / 4 for k in range(5, 400)]
    )
    published = mp.mpf(5) / 32 + 2 * c + mp.log(10) / 4
    assert 0 < float(found.lower) < float(found.upper) < published


@pytest.mark.parametrize("shape", SHAPES)
def test_gamma_has_the_mean(shape: str) -> None:
    """The root lies between the ends, by mpmath."""
    runs = BestOfRuns(Gaussian(1), 7, shape).number
    with mp.workdps(40):
        slope = mp.diff(generating(mp.mpf(7), shape), 1)
        assert abs(slope - 7) < mp.mpf(10) ** -9
        inside = runs.generating(Fraction(1, 3))
        exact = generating(mp.mpf(7), shape)(mp.mpf(1) / 3)
        assert abs(mp.mpf(float(inside.lower)) - exact) < mp.mpf(10) ** -12
    assert 0 < runs.gamma.lower <= runs.gamma.upper < 1


@pytest.mark.parametrize("shape", ["-1/2", "0", "3", None])
def test_draws_follow_the_law(shape: str | None) -> None:
    """The shares of 0, 1 and 2 runs of 4000, within five standard deviations."""
    runs = built(Gaussian(1), 3, shape).number
    rng = random.Random(7)
    drawn = [runs.draw(rng) for _ in range(4000)]
    function = generating(mp.mpf(3), shape)
    for count in range(3):
        chance = float(mp.diff(function, 0, count) / mp.factorial(count))
        spread = (max(chance, 1e-9) * (1 - chance) / 4000) ** 0.5
        assert abs(drawn.count(count) / 4000 - chance) < 5 * spread + 1e-9


def test_the_best_is_kept() -> None:
    """The first of the best by the score, and nothing without a run."""
    outputs = iter([(3, "a"), (5, "b"), (5, "c"), (1, "d")] * 50)
    seen: list[Any] = []

    def run() -> Any:
        seen.append(next(outputs))
        return seen[-1]

    for seed in range(6):
        seen.clear()
        kept = BestOfRuns(Gaussian(1), 4).select(run, lambda one: one[0], seed)
        best = max(one[0] for one in seen)
        assert kept == next(one for one in seen if one[0] == best)
    silent = BestOfPoissonRuns(DiscreteLaplace(1), "1/100")
    assert silent.sample(0, 1) is None
    assert isinstance(BestOfRuns(DiscreteLaplace(1), 5).sample(3, 1), int)


def test_a_plan_reads_back() -> None:
    """From its own text, with a plan inside."""
    for mechanism in (
        BestOfRuns(1000 * PoissonSampled(Gaussian(1), rate="0.01"), 10, "1/2"),
        BestOfPoissonRuns(Gaussian(2) + Laplace(3), 4),
        BestOfRuns(ZCDP("0.1"), 4),
    ):
        assert read_plan(str(mechanism)) == Plan.of(mechanism)


REFUSED: list[tuple[Callable[[], Mechanism], str]] = [
    (lambda: BestOfRuns(Gaussian(1), "1/2"), "mean is 0.5"),
    (lambda: BestOfRuns(Gaussian(1), 2, -1), "shape is -1"),
    (lambda: BestOfPoissonRuns(Gaussian(1), 0), "mean is 0"),
    (lambda: BestOfRuns(3, 2), "the run is 3"),  # type: ignore[arg-type]
    (lambda: BestOfRuns(Plan.of(), 2), "the run is nothing"),
    (lambda: BestOfRuns(RandomDP("1/2", gamma="0.05"), 2), "drawn data"),
]


@pytest.mark.parametrize(("make", "said"), REFUSED)
def test_what_cannot_be_used_is_refused(
    make: Callable[[], Mechanism], said: str
) -> None:
    """In a sentence."""
    with pytest.raises(InputError, match=said):
        make()


@pytest.mark.parametrize(
    ("run", "mean", "shape"),
    [
        (Laplace(2), 3, "-0.999"),
        (Laplace(2), 10**6, None),
        (Laplace(2), 10**9, "0"),
        (Laplace("1e-3"), 10, "1"),
        (Laplace(10**6), 10, "100"),
    ],
)
def test_extreme_numbers_of_runs(run: Any, mean: int, shape: str | None) -> None:
    """Gammas below all doubles, and chances of exp(-10**6)."""
    found = epsilon(built(run, mean, shape), "1e-6")
    alone = epsilon(run, "1e-6")
    assert 0 <= found.lower <= found.upper < math.inf
    assert found.upper >= alone.lower


def test_several_releases_are_not_sampled() -> None:
    """Whoever runs several releases gives a function that does one run."""
    with pytest.raises(InputError, match="select"):
        BestOfRuns(Gaussian(1) + Laplace(1), 2).sample(0, 1)


def test_runs_that_may_tell_all() -> None:
    """An infinite loss of one run is counted as often as there are runs."""
    run = Gaussian(1) + Promised(ApproxDP(0, "1e-3"))
    found = delta(BestOfRuns(run, 5), 30)
    assert 1e-3 - 1e-15 < float(found.lower) < float(found.upper) < 0.0051


def test_runs_of_extremely_large_losses_are_answered() -> None:
    """What does not fit into the work of an answer makes it wider, and is not the end of it."""
    runs = 2 * BestOfRuns(Laplace(scale="1e-5"), mean=10)
    first = delta(runs, "0.1")
    assert first.lower > 0.999
    assert delta(runs, "0.1") == first
    assert epsilon(runs, "0.1").upper < 200_100


def test_the_work_of_each_pair_of_runs_is_counted() -> None:
    """There are many if runs are nested: three levels took half a minute, which nothing counted."""
    with question() as budget:
        epsilon(BestOfRuns(Laplace(scale=1), mean=3), "1e-6")
    assert budget.spent > 20 * (PAIR_WORK + SEARCH_WORK)


@pytest.mark.slow
def test_runs_nested_three_deep_are_answered_within_the_work() -> None:
    """With an enclosure of what two levels have."""
    inner = BestOfRuns(BestOfRuns(Laplace(scale=1), mean=3), mean=3)
    outer = BestOfRuns(inner, mean=3)
    bound = epsilon(outer, "1e-6")
    assert epsilon(inner, "1e-6").lower <= bound.lower < bound.upper < 6
