"""Answers at the edges: trade-offs at corners, Gaussian privacy of sums, the mass at infinity, ends
as doubles.
"""

import itertools
import json
import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import (
    Bound,
    InputError,
    Mechanism,
    PrivacyLoss,
    epsilon,
    profile,
    read_plan,
)
from rdpacct.cli import main
from rdpacct.exact.formula import formula
from rdpacct.exact.functions import exp
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.tradeoff import searched_tradeoff


def of(text: Any) -> Any:
    return profile(read_plan(text))


def asked(capsys: pytest.CaptureFixture[str], *arguments: Any) -> Any:
    """The exit code and the object that the command prints."""
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def phi(x: Any) -> Any:
    return mpmath.ncdf(x)


def gaussian_tradeoff(mu: Any, rate: Any) -> Any:
    quantile = -mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(rate) - 1)
    return phi(quantile - mu)


def holds(bound: Any, truth: Any, width: Any) -> None:
    """The truth is inside, up to the digits that the reference has, and the ends are close."""
    slack = abs(truth) * mpmath.mpf(10) ** -20 + mpmath.mpf(10) ** -300
    low, high = (
        mpmath.mpf(end.numerator) / end.denominator
        for end in (bound.lower, bound.upper)
    )
    assert low - slack <= truth <= high + slack
    assert bound.relative_width <= width or bound.width <= width


def exact_tradeoff(pairs: Any, rate: Any) -> Any:
    """The smallest false negative rate of finitely many outcomes, by Neyman and Pearson."""
    left = mpmath.mpf(rate.numerator) / rate.denominator
    missed = mpmath.mpf(1)
    for p, q in sorted(
        pairs, key=lambda pair: -pair[0] / pair[1] if pair[1] else -mpmath.inf
    ):
        share = 1 if q == 0 else min(mpmath.mpf(1), left / q)
        left = left - share * q
        missed = missed - share * p
    return missed


@pytest.mark.parametrize(
    "rate", ["1e-300", "1e-12", "0.05", "0.5", "0.95", "0.999999999"]
)
@pytest.mark.parametrize("sigma", ["0.05", "0.01", "1", "20"])
def test_the_trade_off_of_a_gaussian_is_its_closed_form(sigma: str, rate: str) -> None:
    with mpmath.workdps(340):
        holds(
            of(f"Gaussian(sigma={sigma})").tradeoff(rate),
            gaussian_tradeoff(1 / mpmath.mpf(sigma), rate),
            1e-15,
        )


def test_a_trade_off_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = asked(
        capsys, "tradeoff", "Gaussian(sigma=0.05)", "--false-positives", "0.05"
    )
    assert code == 0
    assert found["false_negatives"]["upper"] == pytest.approx(
        1.501384723449853e-75, rel=1e-12
    )
    code, found = asked(
        capsys,
        "tradeoff",
        "FiniteMechanism(rows=[[3/4, 1/4], [1/4, 3/4]])",
        "--false-positives",
        "0.25",
    )
    assert found["false_negatives"] == {"lower": 0.25, "upper": 0.25}


@pytest.mark.parametrize(
    "rate", [Fraction(1, 4), Fraction(3, 4), Fraction(1, 10), Fraction(1, 10**9)]
)
def test_the_trade_off_of_a_table_is_exact_also_at_its_corners(rate: Fraction) -> None:
    rows = [
        [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)],
        [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)],
    ]
    text = "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in rows) + "]"
    found = of(f"FiniteMechanism(rows={text})").tradeoff(rate)
    assert found.is_exact
    left = rate
    missed = Fraction(1)
    for p, q in sorted(zip(*rows, strict=True), key=lambda pair: -pair[0] / pair[1]):
        share = min(Fraction(1), left / q)
        left = left - share * q
        missed = missed - share * p
    assert found.lower == missed


def responses(*epsilons: Any) -> Any:
    """The outcomes of independent randomized responses."""
    with mpmath.workdps(40):
        truths = [mpmath.exp(e) / (1 + mpmath.exp(e)) for e in epsilons]
        found = []
        for told in itertools.product((True, False), repeat=len(truths)):
            p = mpmath.fprod(
                t if yes else 1 - t for t, yes in zip(truths, told, strict=True)
            )
            q = mpmath.fprod(
                1 - t if yes else t for t, yes in zip(truths, told, strict=True)
            )
            found.append((p, q))
        return found


@pytest.mark.parametrize("rate", ["1e-12", "0.01", "0.05", "0.25", "0.7", "0.999"])
@pytest.mark.parametrize("levels", [(1,), (1, 1), (1, 2), ("0.5", "0.5", "0.5", 2)])
def test_the_trade_off_of_sums_against_enumeration(
    levels: tuple[int | str, ...], rate: str
) -> None:
    plan = " + ".join(f"RandomizedResponse(epsilon={level})" for level in levels)
    with mpmath.workdps(40):
        truth = exact_tradeoff(responses(*map(mpmath.mpf, levels)), Fraction(rate))
        holds(of(plan).tradeoff(rate), truth, 1e-12)


@pytest.mark.parametrize("rate", ["1e-9", "0.05", "0.5"])
def test_the_trade_off_of_a_sampled_gaussian_against_its_best_test(rate: str) -> None:
    """The best test is a threshold x: its rates in closed form."""
    mu = mpmath.mpf(1)
    q = mpmath.mpf("0.1")
    with mpmath.workdps(40):
        x = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * mpmath.mpf(rate))
        remove = 1 - (1 - q) * mpmath.mpf(rate) - q * phi(mu - x)
        alarms = lambda y: (1 - q) * phi(y) + q * phi(y - mu) - mpmath.mpf(rate)  # noqa: E731
        least = mpmath.findroot(
            alarms, (-10, 10), solver="bisect", tol=1e-60, maxsteps=300
        )
        add = phi(-least)
        holds(
            of("PoissonSampled(Gaussian(sigma=1), rate=0.1)").tradeoff(rate),
            min(remove, add),
            1e-12,
        )


@pytest.mark.parametrize(
    "plan", ["Laplace(scale=2)", "3*ApproxDP(epsilon=1, delta=0.1)", "NonPrivate()"]
)
def test_trade_offs_at_rates_zero_and_one(plan: str) -> None:
    assert of(plan).tradeoff(1).upper == 0
    finite = {
        "Laplace(scale=2)": 1,
        "3*ApproxDP(epsilon=1, delta=0.1)": Fraction(9, 10) ** 3,
        "NonPrivate()": 0,
    }[plan]
    found = of(plan).tradeoff(0)
    assert found.contains(finite)
    assert found.width < 1e-15
    for rate in (-1, 2):
        with pytest.raises(InputError, match="false positive rate"):
            of(plan).tradeoff(rate)


def test_nothing_is_missed_by_the_best_test_of_what_is_not_private() -> None:
    assert of("NonPrivate()").tradeoff("0.1") == Bound(
        Fraction(0), Fraction(0), of("NonPrivate()").tradeoff(0).how
    )


def test_the_trade_off_of_a_part_of_a_law_is_at_most_a_guess() -> None:
    """Of what stands below two thresholded releases some pairs have nothing but infinite losses,
    which tell nothing about a test at other rates.
    """
    rate = Fraction(1, 10)
    asked = profile("2*Thresholded(noise=DiscreteLaplace(scale=2), threshold=20)")
    answer = asked.tradeoff(rate)
    assert 0 < answer.lower <= answer.upper <= 1 - rate
    assert asked.tradeoffs([rate, Fraction(1, 5)])[0].upper <= 1 - rate


def test_a_trade_off_is_above_what_a_wrong_profile_would_say() -> None:
    """A twin whose delta is too large has fewer false negatives: the search tells them apart."""
    loss = of("Laplace(scale=1)").losses[0]
    right = searched_tradeoff(loss.missed, Fraction(1, 4))
    twin = searched_tradeoff(
        lambda level: loss.missed(level) - Fraction(1, 10**9), Fraction(1, 4)
    )
    assert twin.upper < right.lower
    assert right.width < Fraction(1, 10**12)


def needed_mu(pairs: Any) -> Any:
    """The smallest mu of a finite pair: the largest over its corners."""
    power = alarm = mpmath.mpf(0)
    found = []
    for p, q in sorted(pairs, key=lambda pair: -pair[0] / pair[1])[:-1]:
        power = power + p
        alarm = alarm + q
        found.append(
            mpmath.sqrt(2)
            * (mpmath.erfinv(2 * power - 1) - mpmath.erfinv(2 * alarm - 1))
        )
    return max(found)


@pytest.mark.parametrize("levels", [(1, 2), (1, 1), ("0.1",) * 6, (3, "0.5", 1)])
def test_the_gaussian_privacy_of_sums_against_all_corners(
    levels: tuple[int | str, ...],
) -> None:
    plan = " + ".join(f"PureDP(epsilon={level})" for level in levels)
    with mpmath.workdps(40):
        truth = Fraction(
            mpmath.nstr(needed_mu(responses(*map(mpmath.mpf, levels))), 35)
        )
    bound = of(plan).gaussian_mu()
    assert bound.lower <= truth <= bound.upper + Fraction(1, 10**30)
    assert bound.relative_width < 1e-9


@pytest.mark.parametrize(
    "plan", ["10*Laplace(scale=1)", "Laplace(scale=1) + RandomizedResponse(epsilon=1)"]
)
def test_the_gaussian_privacy_of_sums_with_densities_is_narrow(plan: str) -> None:
    assert of(plan).gaussian_mu().relative_width < 1e-6


@pytest.mark.parametrize(
    "plan",
    [
        "ApproxDP(epsilon=1, delta=0.1) + ApproxDP(epsilon=2, delta=0.2)",
        "ApproxDP(epsilon=1, delta=0.1) + Gaussian(sigma=1)",
        "2*SparseHistogram(n=100, k=5, alpha=1)",
        "2*NonPrivate()",
    ],
)
def test_no_gaussian_pair_covers_an_infinite_loss(
    plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = asked(capsys, "gaussian-dp", plan)
    assert (code, found["mu"]) == (0, {"lower": "inf", "upper": "inf"})


def test_the_mu_of_one_direction_is_that_of_the_pair(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plan = "2*PoissonSampled(DiscreteLaplace(scale=1), rate=0.1)"
    _, both = asked(capsys, "gaussian-dp", plan)
    _, one = asked(capsys, "gaussian-dp", plan, "--direction", "add")
    assert both["mu"] == one["mu"]


def test_tiny_losses_have_a_tau_and_no_crash(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, found = asked(
        capsys,
        "audit",
        "PoissonSampled(Laplace(scale=2), rate=1e-300)",
        "--claim",
        "MeanCDP(mu=1, tau=1)",
    )
    assert (code, found["verdict"]) == (0, "holds")


def test_hoeffding_bounds_a_tau_that_the_search_cannot_find() -> None:
    from rdpacct.exact.ball import Ball
    from rdpacct.privacy.subgaussian import hoeffding

    found = hoeffding(Bound(Fraction(0), math.inf), Ball.of(-1, 64), Ball.of(3, 64))
    assert (found.lower, found.upper) == (0, 4)


@pytest.mark.parametrize(
    ("plan", "delta", "truth"),
    [
        ("ApproxDP(epsilon=1, delta=0.1) + ApproxDP(epsilon=2, delta=0.2)", "0.28", 3),
        ("ApproxDP(epsilon=1, delta=0.1) + Laplace(scale=1)", "0.1", 2),
        ("3*ApproxDP(epsilon=1/2, delta=1/3)", "19/27", Fraction(3, 2)),
        ("ApproxDP(epsilon=1, delta=0.1) + Gaussian(sigma=1)", "0.1", math.inf),
        ("2*ApproxDP(epsilon=0, delta=1/2)", "3/4", 0),
        ("ApproxDP(epsilon=1, delta=0.1)", "0.1", 1),
    ],
)
def test_at_the_mass_at_infinity_the_largest_finite_loss_is_needed(
    plan: str, delta: str, truth: Fraction | float | int
) -> None:
    found = epsilon(plan, delta)
    assert found.contains(truth)
    assert found.relative_width < 1e-15


def test_a_little_more_or_less_than_the_mass_at_infinity() -> None:
    plan = "ApproxDP(epsilon=1, delta=0.1) + Laplace(scale=1)"
    assert epsilon(plan, "0.0999999999999999999999999999999").lower == math.inf
    more = epsilon(plan, "0.1000000000000000000000000000001")
    assert Fraction("1.999") < more.lower <= more.upper < Fraction("2.0000001")


def test_ends_are_doubles_on_the_safe_side() -> None:
    """The nearest double to an end may lie inside; these are rounded outwards."""
    tenth = Bound(
        Fraction(1, 10) - Fraction(1, 2**80), Fraction(1, 10) + Fraction(1, 2**80)
    )
    assert Fraction(float(tenth.upper)) >= tenth.upper
    assert Fraction(float(tenth.lower)) <= tenth.lower
    third = Bound(Fraction(1, 3), Fraction(1, 3))
    assert float(third.upper) == float(third) == math.nextafter(float(third.lower), 1)
    huge = Bound(Fraction(10) ** 400, Fraction(10) ** 400)
    assert float(huge.upper) == math.inf
    assert float(huge.lower) < math.inf


@pytest.mark.parametrize(
    "plan", ["Gaussian(sigma=1)", "10*Laplace(scale=3)", "DiscreteGaussian(sigma=2)"]
)
def test_the_natural_idiom_is_safe(plan: str) -> None:
    for k in range(1, 12):
        bound = epsilon(plan, Fraction(1, 7**k))
        assert Fraction(float(bound.upper)) >= bound.upper
        assert float(bound.upper) == float(bound)
        assert Fraction(float(bound.lower)) <= bound.lower


def test_an_answer_that_is_wide_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    main(["epsilon", "10*ZCDP(rho=0.1)", "--delta", "1e-6"])
    told = capsys.readouterr().out
    assert (
        "wide: the ends differ by 6.2 % of the upper one, as only moments of the loss"
        " of ZCDP" in told
    )
    _, found = asked(capsys, "epsilon", "10*ZCDP(rho=0.1)", "--delta", "1e-6")
    assert found["wide"] in told
    main(["epsilon", "Laplace(scale=1)", "--delta", "1e-6"])
    assert "wide" not in capsys.readouterr().out
    _, found = asked(capsys, "epsilon", "10*Laplace(scale=1)", "--delta", "1e-6")
    assert "wide" not in found


class Silent(Mechanism):
    """A mechanism of one's own that does not say for which neighbors."""

    def loss(self) -> Any:
        return PrivacyLoss((Atom.of("1/2", "1/2"), Atom.of(0.5, 0.5)))


Mechanism.registry.pop("Silent")


def test_a_mechanism_without_a_relation_gets_a_sentence() -> None:
    for plan in (Silent(), Silent() + read_plan("Laplace(scale=1)")):
        with pytest.raises(InputError, match="which data sets are neighbors; give"):
            epsilon(plan, "0.1")


def test_atoms_take_exact_probabilities_or_formulas() -> None:
    assert float(Atom.of("1/3", Fraction(1, 6)).loss.bound()) == pytest.approx(
        math.log(2)
    )
    with pytest.raises(InputError, match=r"Atom\.of"):
        Atom(0.5, 0.25, 0.69)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="above 0"):
        Atom.of("1/2", 0)
    assert Atom(formula(Fraction(1, 2)), formula(Fraction(1, 4)), exp(1)).p == formula(
        Fraction(1, 2)
    )
