"""The sparse histogram: its guarantee by enumeration, its worst gamma, what it releases, and its
broken twins.
"""

import json
import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import inf, log
from typing import Any

import numpy as np
import pytest

from rdpacct import (
    ApproxDP,
    DiscreteSparseHistogram,
    InputError,
    Outcome,
    PureDP,
    RandomDP,
    Relation,
    SparseHistogram,
    audit,
    random_dp,
    read_plan,
)
from rdpacct.auditing.sampled import audit_samples
from rdpacct.cli import main
from rdpacct.exact.binomial import lower_limit
from rdpacct.exact.functions import log as ln
from rdpacct.exact.gamma import gamma_quantile
from rdpacct.mechanisms import Plan
from rdpacct.mechanisms.array_sampling import discrete_laplaces
from rdpacct.mechanisms.histogram.lone_draws import (
    bad_probability,
    printed_gamma,
    sharper_gamma,
    worst_gamma,
)
from rdpacct.mechanisms.histogram.sparse_histogram import nearest_histogram
from rdpacct.testing.instances import masses
from tests.counting import counted_calls
from tests.enumeration import neighbors

BOTH = [SparseHistogram, DiscreteSparseHistogram]
POINTS = [Fraction(x, 2) for x in range(-4, 20)]


def adversary(n: Any, k: Any) -> Any:
    """All cells but one of mass 1/(n + 1)."""
    light = [Fraction(1, n + 1)] * (k - 1)
    return (*light, 1 - sum(light))


def worst_loss(first: Any, second: Any, k: Any, scale: Any) -> Any:
    """The largest log ratio of the densities on two data sets, by definition, with noise on
    nonempty cells.
    """
    total = Fraction(0)
    for cell in range(k):
        a = first.count(cell)
        b = second.count(cell)
        if (a == 0) != (b == 0):
            return inf
        total += cell_loss(a, b, scale) if a else 0
    return total


@cache
def cell_loss(a: Any, b: Any, scale: Any) -> Any:
    """The largest log ratio in one cell, over outputs beyond both counts and between them."""
    return max((abs(z - b) - abs(z - a)) / scale for z in POINTS)


@pytest.mark.parametrize(("n", "k"), [(1, 2), (2, 4), (3, 3), (4, 3), (6, 2), (6, 3)])
@pytest.mark.parametrize("cls", BOTH)
def test_the_guarantee_holds_by_enumeration_of_all_data(
    cls: type[Any], n: int, k: int
) -> None:
    """Every draw from random populations and the adversarial one: the bad ones are those with a
    larger loss.
    """
    rng = random.Random(n * k)
    mechanism = cls(n, k, 1)
    for cells in (adversary(n, k), masses(rng, k)):
        population = dict(enumerate(cells))
        found = random_dp.exact(mechanism, population, n)
        bad = sum(
            math.prod((cells[value] for value in drawn), start=Fraction(1))
            for drawn in product(range(k), repeat=n + 1)
            if worst_loss(drawn[:-1], (*drawn[:-2], drawn[-1]), k, Fraction(2)) > 1
        )
        assert found.is_exact
        assert found.lower == bad == bad_probability(cells, n)
        assert bad <= worst_gamma(n, k).upper <= sharper_gamma(n, k).bound().upper
        assert bad <= printed_gamma(n, k).bound().lower


@pytest.mark.parametrize("cls", BOTH)
def test_all_neighbors_of_up_to_six_records_over_four_values(cls: type[Any]) -> None:
    """Each pair is good or bad as the definition says; with a tenth less noise, good ones are
    not.
    """
    claim = RandomDP(1, gamma=0)
    for n in range(1, 7):
        mechanism = cls(n, 4, 1)
        twin = cls(n, 4, Fraction(10, 9))
        refuted = 0
        for first, second in neighbors(range(4), n):
            loss = worst_loss(first, second, 4, Fraction(2))
            assert mechanism.bad_pair(first, second, claim) == (loss > 1)
            weaker = worst_loss(first, second, 4, Fraction(9, 5))
            assert twin.bad_pair(first, second, claim) == (weaker > 1)
            refuted += loss <= 1 < weaker
        assert refuted > 0 or n < 3, "among two records no pair is good"


@pytest.mark.parametrize("cls", BOTH)
def test_less_noise_or_a_dropped_condition_breaks_the_guarantee(cls: type[Any]) -> None:
    n = 6
    k = 3
    population = dict(enumerate(adversary(n, k)))
    promised = cls(n, k, 1).guarantee()
    assert random_dp.exact(cls(n, k, 1), population, n).upper <= promised.gamma.value
    less_noise = cls(n, k, Fraction(10, 9))
    assert random_dp.exact(less_noise, population, n, alpha=1).lower == 1 - sum(
        p**2 for p in population.values()
    )
    assert (
        random_dp.exact(less_noise, population, n, alpha=1).lower > promised.gamma.value
    )
    wanted = Fraction(1, 10)
    careful = cls(n, k, 1, wanted)
    dropped = cls(n, k, 1)
    assert careful.guarantee() == PureDP(1)
    assert random_dp.exact(careful, population, n, alpha=1).upper == 0
    assert random_dp.exact(dropped, population, n).lower > wanted


@pytest.mark.parametrize(("n", "k"), [(50, 6), (30, 3)])
def test_measured_failures_fit_the_exact_gamma_and_no_cell_more(n: int, k: int) -> None:
    """On the adversarial population; the gamma of one cell fewer would be too small."""
    weights = np.array(adversary(n, k), dtype=float)
    found = random_dp.estimate(
        SparseHistogram(n, k, 1),
        lambda rng, size: rng.choice(k, size=size, p=weights),
        n,
        8000,
        20261116,
    )
    exact = bad_probability(adversary(n, k), n)
    most = worst_gamma(n, k)
    assert found.gamma.contains(exact)
    assert exact <= most.upper
    assert found.gamma.lower <= most.upper
    assert found.gamma.lower > worst_gamma(n, k - 1).upper
    assert (
        lower_limit(found.bad, found.trials, Fraction(1, 10**6))
        > worst_gamma(n, k - 1).upper
    )


@pytest.mark.parametrize(
    ("n", "k"),
    [
        (10_000, 300),
        (100, 10),
        (1000, 150),
        (10**6, 3 * 10**5),
        (20, 6),
        (6, 2),
        (10, 4),
    ],
)
def test_the_worst_gamma_is_known_to_many_digits(n: int, k: int) -> None:
    bound = worst_gamma(n, k)
    assert bound.relative_width < 1e-40
    assert (
        bound.upper
        < sharper_gamma(n, k).bound().lower
        < printed_gamma(n, k).bound().lower
    )


@pytest.mark.parametrize(
    ("n", "k"),
    [(1, 2), (2, 5), (3, 4), (10, 10), (100, 50), (10, 100), (1000, 400), (4, 2)],
)
def test_the_worst_gamma_is_enclosed_where_cells_are_many(n: int, k: int) -> None:
    bound = worst_gamma(n, k)
    assert 0 < bound.lower <= bound.upper <= 1 - Fraction(1, k)
    assert bound.relative_width < max(2 / n, 0.02)


@pytest.mark.parametrize(("n", "k"), [(20, 4), (8, 3), (5, 3), (40, 2)])
def test_no_population_is_worse(n: int, k: int) -> None:
    """A random search for a worse one comes close to the lower end and never above the upper
    one.
    """
    rng = random.Random(7)
    best = Fraction(0)
    point = adversary(n, k)
    most = worst_gamma(n, k)
    for _ in range(1500):
        step = [
            max(Fraction(0), p + Fraction(rng.randint(-99, 99), 2000 * n))
            for p in point[:-1]
        ]
        if sum(step) <= 1:
            cells = (*step, 1 - sum(step))
            value = bad_probability(cells, n) if len(set(cells)) > 1 else Fraction(0)
            assert value <= most.upper
            if value > best:
                best = value
                point = tuple(Fraction(round(p * 10**9), 10**9) for p in step)
                point = (*point, 1 - sum(point))
    assert best >= most.lower * Fraction(99, 100)


def test_the_worst_gamma_grows_with_the_cells_and_falls_with_the_records() -> None:
    values = [worst_gamma(200, k) for k in (2, 3, 5, 10, 20)] + [
        worst_gamma(n, 20) for n in (180, 150)
    ]
    assert all(a.certainly_below(b) for a, b in pairwise(values))


def test_an_alpha_that_is_a_formula() -> None:
    mechanism = SparseHistogram(100, 10, ln(2))
    assert random_dp.worst_case(mechanism) == random_dp.worst_case(
        SparseHistogram(100, 10, 1)
    )
    promised = mechanism.guarantee()
    assert isinstance(promised, RandomDP)
    assert promised.alpha == ln(2)
    with pytest.raises(InputError, match="rational"):
        random_dp.worst_case(mechanism, ln(3))


def run(capsys: pytest.CaptureFixture[str], *arguments: Any) -> Any:
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


PLAN = "SparseHistogram(n=10000, k=300, alpha=1)"


def test_the_audit_answers_with_the_tight_gamma(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, data = run(capsys, "audit", PLAN, "--claim", "RandomDP(alpha=1, gamma=0.05)")
    assert (code, data["verdict"], data["relation"]) == (0, "holds", "replace_one")
    assert data["tight"]["gamma"]["lower"] == pytest.approx(
        0.021877504242211888, rel=1e-15
    )
    assert data["tight"]["gamma"]["upper"] - data["tight"]["gamma"]["lower"] < 1e-17
    assert "histogram/worst-gamma" in data["rests_on"]
    assert "0.0220728" in data["why"]
    assert "0.06" in data["why"]


@pytest.mark.parametrize(
    ("claim", "code", "why"),
    [
        ("RandomDP(alpha=1, gamma=0.0218775042422)", 1, "299 cells"),
        ("RandomDP(alpha=1, gamma=0.0218775042423)", 0, "299 cells"),
        ("RandomDP(alpha=2, gamma=0.0218)", 1, "299 cells"),
        ("RandomDP(alpha=0.99, gamma=0.05)", 1, "the loss reaches alpha = 1"),
        ("RandomDP(alpha=0.99, gamma=0.997)", 0, "the loss reaches alpha = 1"),
        ("RandomDP(alpha=0.9, eta=0.03, gamma=0.05)", 0, "299 cells"),
        ("RandomDP(alpha=0.9, eta=0.02, gamma=0.05)", 1, "the loss reaches alpha = 1"),
        ("RandomDP(alpha=1, eta=1, gamma=0)", 0, "all data"),
    ],
)
def test_other_claims(
    capsys: pytest.CaptureFixture[str], claim: str, code: int, why: str
) -> None:
    """A smaller alpha fails for its own reason; two cells have delta(0.9) = 0.0250 at alpha = 1."""
    found, data = run(capsys, "audit", PLAN, "--claim", claim)
    assert found == code
    assert why in data["why"]


def test_claims_at_the_edge_are_undecided_where_the_gamma_is_not_exact(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bound = worst_gamma(100, 50)
    middle = float((bound.lower + bound.upper) / 2)
    code, data = run(
        capsys,
        "audit",
        "SparseHistogram(n=100, k=50, alpha=1)",
        "--claim",
        f"RandomDP(alpha=1, gamma={middle})",
    )
    assert (code, data["verdict"]) == (3, "undecided")


def test_no_claim_for_all_data_holds() -> None:
    """The exact zero tells that no record is in a cell; the integer variant hides that only
    sometimes.
    """
    verdict = audit(PLAN, "ApproxDP(epsilon=10, delta=0.999)")
    assert verdict.outcome is Outcome.FAILS
    assert verdict.tight["delta"].lower == 1
    assert "is not released as exactly 0" in str(verdict.witness)
    assert audit(PLAN, "PureDP(epsilon=10)").outcome is Outcome.FAILS
    integers = audit(
        "DiscreteSparseHistogram(n=10000, k=300, alpha=1)",
        "ApproxDP(epsilon=10, delta=0.5)",
    )
    q = np.exp(-0.5)
    assert float(integers.tight["delta"].lower) == pytest.approx(
        1 - q * (1 - q) / (1 + q)
    )


def test_the_fallback_is_private_for_all_data() -> None:
    plan = "SparseHistogram(n=10000, k=300, alpha=1, gamma=0.01)"
    assert audit(plan, "PureDP(epsilon=1)").outcome is Outcome.HOLDS
    assert audit(plan, "PureDP(epsilon=0.99)").outcome is Outcome.FAILS
    assert audit(plan, "RandomDP(alpha=1, gamma=0)").outcome is Outcome.HOLDS
    fine = SparseHistogram(10_000, 300, 1, "0.05")
    assert fine.keeps_zeros
    assert str(fine.guarantee()) == "RandomDP(alpha=1, eta=0, gamma=0.05)"


def test_two_cells_are_two_laplace_releases() -> None:
    """The loss of good neighbors against the composition engine."""
    fallback = SparseHistogram(20, 3, 2, "0.01")
    engine = read_plan("2*Laplace(scale=1)", Relation.REPLACE_ONE)
    integers = read_plan("2*DiscreteLaplace(scale=1)", Relation.REPLACE_ONE)
    from rdpacct import profile

    for epsilon in ("0", "0.3", "1", "1.9", "2"):
        assert (
            fallback.same_zeros()
            .delta(epsilon)
            .overlaps(profile(engine).delta(epsilon))
        )
        discrete = DiscreteSparseHistogram(20, 3, 2).same_zeros().delta(epsilon)
        assert discrete.overlaps(profile(integers).delta(epsilon))


def test_releases_have_exact_zeros_and_are_histograms() -> None:
    data = np.repeat([0, 3, 3, 7], 250)
    for cls in BOTH:
        released = cls(1000, 50, 1).release(data, 5)
        assert released.zeros_kept
        assert set(np.flatnonzero(released.values)) <= {0, 3, 7}
        assert released.histogram.min() >= 0
        assert released.histogram.sum() == pytest.approx(1)
        assert released.histogram[3] == pytest.approx(0.5, abs=0.05)
        assert "exact zeros elsewhere" in released.says
        again = cls(1000, 50, 1).release(data, 5)
        assert (released.values == again.values).all()
        assert (released.values != cls(1000, 50, 1).release(data).values).any()
    assert (
        DiscreteSparseHistogram(1000, 50, 1).release(data, 5).values.dtype.kind == "i"
    )


def test_a_release_falls_back_and_says_so() -> None:
    data = np.zeros(100, dtype=int)
    for cls in BOTH:
        released = cls(100, 50, "0.1", "0.001").release(data, 5)
        assert not released.zeros_kept
        assert np.count_nonzero(released.values) > 45
        assert released.guarantee == PureDP("0.1")
        assert "noise on all cells: zeros would need gamma = 0.3" in released.says
        assert "0.001 is wanted" in released.says


@pytest.mark.parametrize("cls", BOTH)
@pytest.mark.parametrize(
    ("use", "said"),
    [
        (
            lambda cls: cls(4, 3, 1).release([0, 1, 2, 3]),
            "category 3, but k = 3 declares",
        ),
        (lambda cls: cls(4, 3, 1).release([]), "empty"),
        (lambda cls: cls(4, 3, 1).release([0, 1]), "2 records, but n = 4"),
        (
            lambda cls: cls(4, 3, 1).release([0, 1, 2, float("nan")]),
            "not category numbers",
        ),
        (lambda cls: cls(4, 3, 1).release([0, 1, 2, -1]), "category -1"),
        (lambda cls: cls(4, 3, 1).release([[0, 1], [2, 1]]), "not one sequence"),
        (lambda cls: cls(4, 3, 0), "alpha is 0, but must be above 0"),
        (lambda cls: cls(4, 3, -1), "alpha is -1"),
        (lambda cls: cls(4, 3, float("nan")), "alpha is nan"),
        (lambda cls: cls(0, 3, 1), "n is 0"),
        (lambda cls: cls(4, 1, 1), "k is 1"),
        (lambda cls: cls(4, 3, 1, 2), "gamma is 2"),
        (lambda cls: cls(4, 3, 1).error_bound(0, "0.1"), "cells with records is 0"),
        (lambda cls: cls(4, 3, 1).error_quantile(2, 0), "beta is 0"),
    ],
)
def test_bad_input(cls: type[Any], use: Callable[..., Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        use(cls)


@pytest.mark.parametrize(
    "plan",
    [
        "SparseHistogram(n=4, k=3, alpha=0)",
        "SparseHistogram(n=4, k=3)",
        "SparseHistogram(n=4.5, k=3, alpha=1)",
        "SparseHistogram(n=4, k=3, alpha=1, gamma=-1)",
    ],
)
def test_bad_plans_have_exit_code_two(
    plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", plan, "--claim", "RandomDP(alpha=1, gamma=0.1)"]) == 2
    assert capsys.readouterr().err.startswith("rdpacct: ")


def test_the_relation_is_replacing_one_record(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert read_plan(PLAN).relation is Relation.REPLACE_ONE
    assert (
        main(
            [
                "audit",
                PLAN,
                "--claim",
                "PureDP(epsilon=1)",
                "--relation",
                "add_or_remove_one",
            ]
        )
        == 2
    )
    assert "about replace_one only" in capsys.readouterr().err
    assert read_plan(PLAN, Relation.REPLACE_ONE) == Plan.of(
        SparseHistogram(10_000, 300, 1)
    )


@pytest.mark.parametrize("scale", ["2", "2/3", "7/2", "40"])
def test_integer_noise_is_discrete_laplace(scale: str) -> None:
    """The empirical distribution is within the bound of Dvoretzky, Kiefer, Wolfowitz and Massart at
    1e-6.
    """
    exact = Fraction(scale)
    runs = 200_000
    q = np.exp(-1 / float(exact))
    drawn = np.sort(discrete_laplaces(exact, runs, np.random.default_rng(3)))
    for x in range(-60, 61):
        below = q ** (-x) / (1 + q) if x < 0 else 1 - q ** (x + 1) / (1 + q)
        share = np.searchsorted(drawn, x, side="right") / runs
        assert abs(share - below) < np.sqrt(np.log(2e6) / (2 * runs))


def test_integer_noise_refuses_what_it_cannot_do_exactly() -> None:
    with pytest.raises(InputError, match="beyond 2\\*\\*48"):
        DiscreteSparseHistogram(2, 2, 0.1).release([0, 1], 1)
    DiscreteSparseHistogram(2, 2, "0.1").release([0, 1], 1)


RUNS = 60_000


def outcomes(cls: Any, alpha: Any, counts: Any, rng: Any) -> Any:
    """Outputs in two cells with these counts, as a score that tells them apart, cut where it tells
    no more.

    Noise is independent from cell to cell, so that one release with many such pairs of cells is
    many runs.
    """
    data = np.repeat(np.arange(2 * RUNS), np.tile(counts, RUNS))
    values = cls(4 * RUNS, 2 * RUNS, alpha).release(data, rng).values.reshape(RUNS, 2)
    values = values if values.dtype.kind == "i" else 4 * RUNS * values
    return (np.clip(values[:, 0], 1, 2) - np.clip(values[:, 1], 2, 3)).tolist()


@pytest.mark.parametrize("cls", BOTH)
def test_samples_pass_the_audit_and_those_of_a_twin_with_less_noise_fail(
    cls: type[Any],
) -> None:
    """A record moves from the first cell to the second; the sound release is 2-DP there, the twin
    is not.
    """
    rng = np.random.default_rng(20261116)

    def outcome(alpha: Any) -> Any:
        first, second = (
            iter(outcomes(cls, alpha, counts, rng)).__next__
            for counts in ((2, 2), (1, 3))
        )
        return audit_samples(first, second, ApproxDP(2, 0), RUNS // 2).outcome

    assert outcome(2) is Outcome.UNDECIDED
    assert outcome(Fraction(5, 2)) is Outcome.FAILS


@pytest.mark.parametrize("cls", BOTH)
def test_zeros_kept_where_the_condition_fails_are_found_by_samples(
    cls: type[Any],
) -> None:
    """The twin keeps zeros although a gamma of 0.01 is wanted: on a lone record it tells all."""
    rng = np.random.default_rng(1)
    claim = ApproxDP(1, 0)
    runs = 80

    def outcome(mechanism: Any) -> Any:
        return audit_samples(
            lambda: float(mechanism.release([0, 0, 0, 2], rng).values[2] != 0),
            lambda: float(mechanism.release([0, 0, 0, 0], rng).values[2] != 0),
            claim,
            runs,
        ).outcome

    assert outcome(cls(4, 3, 1, "0.01")) is Outcome.UNDECIDED
    assert outcome(cls(4, 3, 1)) is Outcome.FAILS


def test_nearest_histograms_are_nearest() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        values = rng.normal(0.2, 0.5, size=4)
        found = np.abs(nearest_histogram(values) - values).sum()
        others = rng.dirichlet(np.ones(4) / 2, size=300)
        assert found <= np.abs(others - values).sum(axis=1).min() + 1e-12
    assert nearest_histogram(np.array([-1.0, 0.0, -2.0])).tolist() == [0.5, 0, 0.5]
    assert nearest_histogram(np.zeros(2)).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("cls", BOTH)
def test_measured_errors_are_within_their_bounds(cls: type[Any]) -> None:
    data = np.repeat(np.arange(5), 40)
    mechanism = cls(200, 30, 1)
    rng = np.random.default_rng(4)
    truth = np.bincount(data, minlength=30) / 200
    errors = [
        np.abs(mechanism.release(data, rng).histogram - truth).sum() for _ in range(600)
    ]
    assert np.mean(errors) <= float(mechanism.mean_error(5).bound().lower)
    for beta in ("0.5", "0.05"):
        quantile = mechanism.error_quantile(5, beta)
        closed = mechanism.error_bound(5, beta).bound()
        assert quantile.upper <= closed.upper
        assert np.mean(errors > np.float64(float(quantile))) <= float(beta)


def test_quantiles_of_sums_of_exponential_variables() -> None:
    assert float(gamma_quantile(1, Fraction(1, 20))) == pytest.approx(
        log(20), rel=1e-12
    )
    assert float(gamma_quantile(3, Fraction(1, 2))) == pytest.approx(
        2.674060313754, rel=1e-9
    )
    assert gamma_quantile(100, Fraction(1, 10**9)).relative_width < 1e-12


@pytest.mark.parametrize("cls", BOTH)
def test_a_million_rows_and_a_hundred_thousand_cells(cls: type[Any]) -> None:
    """Few steps over whole arrays, which take far below a second; benchmarks/sparse_histogram.py
    prints it.
    """
    data = np.random.default_rng(0).integers(10**5, size=10**6)
    with counted_calls() as steps:
        cls(10**6, 10**5, 1).release(data, 1)
    assert steps.number < 500_000
