"""Events of dp-accounting as plans: every event of it, its own numbers, and what has no plan."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import pytest

from rdpacct import InputError, epsilon, plan_from_event
from rdpacct.plan.events import DEEPEST, READERS
from tests.dp_events import FIELDS, event

GAUSSIAN = event("Gaussian", 1.5)
LAPLACE = event("Laplace", 2)
BOTH = event("Composed", [event("Gaussian", 2.0), event("Laplace", 4)])
SEVERAL = event(
    "Composed",
    [event("Gaussian", 2.0), event("SelfComposed", event("Gaussian", 3.0), 4)],
)
RESPONSE = event("RandomizedResponse", 0.3, 4)
MIXTURE = event("MixtureOfGaussians", 1.5, [0.0, 1.0, 2.0], [0.7, 0.2, 0.1])

THEIRS = [
    # event, relation, epsilon at 1e-6 by the PLDAccountant of dp-accounting 0.6.0
    (GAUSSIAN, "add_or_remove_one", 3.0976402679539268),
    (GAUSSIAN, "zero_out", 3.0976402679539268),
    (GAUSSIAN, "replace_one", 6.802657289893797),
    (LAPLACE, "add_or_remove_one", 0.4999980000480009),
    (event("DiscreteLaplace", 0.5, 2), "zero_out", 0.9999983934680496),
    (event("SelfComposed", event("Laplace", 10), 100), "zero_out", 4.6926674386475),
    (BOTH, "add_or_remove_one", 2.434435331255567),
    (
        event("PoissonSampled", 0.01, event("Gaussian", 0.8)),
        "add_or_remove_one",
        0.8876273569867494,
    ),
    (
        event("PoissonSampled", 0.01, event("Gaussian", 0.8)),
        "replace_one",
        0.8976659481858722,
    ),
    (RESPONSE, "replace_one", 2.335398709676587),
    (MIXTURE, "add_or_remove_one", 3.96464983009769),
    (
        event(
            "SelfComposed",
            event("MixtureOfGaussians", 2.0, [0.0, 1.0], [0.99, 0.01]),
            100,
        ),
        "zero_out",
        0.22797995900013499,
    ),
]
RENYI = [
    # the same by its RdpAccountant, which is above
    (
        event("SelfComposed", event("PoissonSampled", 0.01, SEVERAL), 1000),
        "add_or_remove_one",
        1.6663793376212293,
    ),
    (event("ZC", 0.1, 0.0), "add_or_remove_one", 2.143043523753668),
    (RESPONSE, "replace_one", 2.3408779802774564),
    (
        event("SingleEpochTreeAggregation", 2.0, [4, 10, 3]),
        "zero_out",
        5.22153963115442,
    ),
    (event("SingleEpochTreeAggregation", 5.0, 4096), "zero_out", 3.620243948149914),
    (
        event("RepeatAndSelect", event("Laplace", 2.0), 10, 1),
        "zero_out",
        1.5094937813358795,
    ),
]
TRAINING = event(
    "SelfComposed", event("PoissonSampled", 0.015625, event("Gaussian", 1.25)), 1000
)
BEST_RUNS = [
    # the best of several runs, by its RdpAccountant: epsilon at 1e-6
    (event("RepeatAndSelect", event("Laplace", 2.0), 10, 0), 1.009691475692906),
    (event("RepeatAndSelect", event("Gaussian", 3.0), 20, 0.5), 3.002829338625266),
    (event("RepeatAndSelect", TRAINING, 10, 1), 4.5569439808481516),
    (event("RepeatAndSelect", TRAINING, 10, float("inf")), 5.040513880712162),
    (event("RepeatAndSelect", BOTH, 10, 1), 4.8952627220693135),
    (
        event("SelfComposed", event("RepeatAndSelect", GAUSSIAN, 10, 1), 2),
        10.535993179224203,
    ),
    (
        event(
            "RepeatAndSelect", event("SampledWithReplacement", 99, 9, GAUSSIAN), 4, 0
        ),
        None,  # the other library does not read it
    ),
]


@pytest.mark.parametrize(("given", "relation", "theirs"), THEIRS)
def test_numbers_of_the_other_library(given: Any, relation: str, theirs: float) -> None:
    """Its grid of 1e-4 rounds up by less than that; nothing else differs."""
    ours = epsilon(plan_from_event(given, relation), "1e-6")
    assert abs(theirs - float(ours.upper)) < 1e-4
    assert ours.relative_width < 1e-9


@pytest.mark.parametrize(("given", "relation", "theirs"), RENYI)
def test_bounds_of_the_other_library_by_divergences(
    given: Any, relation: str, theirs: float
) -> None:
    """They are above, by less than a fifth."""
    ours = epsilon(plan_from_event(given, relation), "1e-6")
    assert float(ours.upper) <= theirs < 1.2 * float(ours.upper)


@pytest.mark.parametrize(("given", "theirs"), BEST_RUNS)
def test_the_best_of_several_runs(given: Any, theirs: float | None) -> None:
    """Every number of runs and every run is read; their bounds are above, by up to two fifths."""
    ours = epsilon(plan_from_event(given), "1e-6")
    assert 0 < ours.lower <= ours.upper
    if theirs is not None:
        assert float(ours.upper) < theirs < 1.45 * float(ours.upper)


def test_the_best_of_runs_without_noise_is_not_private() -> None:
    """And the best of runs that release nothing costs nothing."""
    silent = event("RepeatAndSelect", event("NoOp"), 10, 1)
    assert epsilon(plan_from_event(silent), 0).upper == 0
    open_run = event("Composed", [GAUSSIAN, event("NonPrivate")])
    told = event("RepeatAndSelect", open_run, 10, float("inf"))
    assert epsilon(plan_from_event(told), "0.9").lower == float("inf")


def test_a_bound_of_the_other_library_is_below_the_truth() -> None:
    """Its PLDAccountant says 0.9999983934680496 for discrete Laplace noise, whose exact delta there
    is above 1e-6, by sums in 40 digits.
    """
    with mpmath.workdps(40):
        level = mpmath.mpf(0.9999983934680496)
        mass = mpmath.tanh(mpmath.mpf(1) / 4)
        p = [mass * mpmath.exp(-mpmath.mpf(abs(k)) / 2) for k in range(-300, 301)]
        q = [mass * mpmath.exp(-mpmath.mpf(abs(k - 2)) / 2) for k in range(-300, 301)]
        delta = sum(
            max(mpmath.mpf(0), a - mpmath.exp(level) * b)
            for a, b in zip(p, q, strict=True)
        )
        assert delta > mpmath.mpf("1e-6")
    ours = epsilon(plan_from_event(event("DiscreteLaplace", 0.5, 2)), "1e-6")
    assert ours.lower > 0.9999983934680496


def test_the_accountants_of_the_other_library_contradict_each_other() -> None:
    """For replaced records its RdpAccountant takes the sensitivity to be one norm (3.3187 for the
    Gaussian), its PLDAccountant two (6.8027); ``sensitivity=1`` is the first reading.
    """
    once = epsilon(plan_from_event(GAUSSIAN, "replace_one", sensitivity=1), "1e-6")
    twice = epsilon(plan_from_event(GAUSSIAN, "replace_one"), "1e-6")
    assert float(once.upper) < 3.318700954941679 < float(twice.lower)
    assert float(twice.upper) < 6.802657289893797


def test_gaussian_releases_on_one_sample_are_one() -> None:
    """1/4 + 4/9 = (1/1.2)**2, which two releases with samples of their own are not."""
    plan = plan_from_event(event("PoissonSampled", "0.01", SEVERAL))
    assert str(plan) == "PoissonSampled(Gaussian(sigma=1.2), rate=0.01)"
    assert "gaussian/composition" in epsilon(plan, "1e-6").rests_on


def test_events_without_a_release() -> None:
    """They cost nothing, under every relation."""
    for given in (
        event("NoOp"),
        event("Composed", []),
        event("RandomizedResponse", 0.0, 1),
        event("RandomizedResponse", 1.0, 3),
        event("PoissonSampled", 0.5, event("NoOp")),
    ):
        plan = plan_from_event(given, "replace_one")
        assert epsilon(plan, 0).upper == 0
        assert str(plan.relation) == "replace_one"


def test_events_without_noise_are_not_private() -> None:
    """As the other library counts them."""
    for given in (
        event("NonPrivate"),
        event("Gaussian", 0.0),
        event("RandomizedResponse", 0.0, 3),
        event("Composed", [GAUSSIAN, event("Laplace", 0)]),
        event("SampledWithoutReplacement", 100, 99, event("NonPrivate")),
    ):
        assert epsilon(plan_from_event(given), "0.9").lower == float("inf")


def nested(depth: int) -> Any:
    """So many events around one."""
    given = GAUSSIAN
    for _ in range(depth):
        given = event("SelfComposed", given, 1)
    return given


def test_events_may_stand_in_each_other() -> None:
    """Up to the limit."""
    assert str(plan_from_event(nested(DEEPEST - 1))) == "Gaussian(sigma=1.5)"


@dataclass
class LaplaceDpEvent:
    """Without the field that it has in the other library."""

    scale: int = 1


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: event("Unsupported"), "nothing is known of a release"),
    (lambda: 3, "the event int is not known"),
    (LaplaceDpEvent, "the LaplaceDpEvent has no noise_multiplier"),
    (lambda: nested(DEEPEST), "stand in each other"),
    (lambda: event("Gaussian", -1), "noise_multiplier is -1"),
    (lambda: event("Gaussian", float("nan")), "not a finite number"),
    (lambda: event("Gaussian", None), "noise_multiplier"),
    (lambda: event("Laplace", "x"), "noise_multiplier"),
    (lambda: event("DiscreteLaplace", 0, 1), "has no law"),
    (lambda: event("DiscreteLaplace", 1, 0.5), "sensitivity"),
    (lambda: event("RandomizedResponse", 2, 3), "must be at most 1"),
    (lambda: event("RandomizedResponse", 0.5, 1.5), "num_buckets"),
    (lambda: event("SelfComposed", GAUSSIAN, 0), "count"),
    (lambda: event("SelfComposed", GAUSSIAN, 1.5), "count"),
    (lambda: event("Composed", "Gaussian"), "not a list"),
    (lambda: event("PoissonSampled", 2, GAUSSIAN), "rate is 2"),
    (lambda: event("PoissonSampled", 0.5, BOTH), "not all Gaussian"),
    (lambda: event("SampledWithoutReplacement", 5, 6, GAUSSIAN), "the batch has 6"),
    (lambda: event("ZC", -1, 0), "rho is -1"),
    (lambda: event("MixtureOfGaussians", 1, 3, [1]), "must be a list"),
    (lambda: event("SingleEpochTreeAggregation", 1, []), "has no step"),
    (lambda: event("SingleEpochTreeAggregation", 1, [0]), "has no step"),
    (lambda: event("SingleEpochTreeAggregation", 1, -1), "step_counts"),
    (lambda: event("RepeatAndSelect", GAUSSIAN, 10, -1), "shape is -1"),
    (lambda: event("RepeatAndSelect", GAUSSIAN, 10, float("nan")), "not a finite"),
    (lambda: event("RepeatAndSelect", GAUSSIAN, 10, float("-inf")), "not a finite"),
    (lambda: event("RepeatAndSelect", LAPLACE, 0.5, 1), "mean is 0.5"),
    (lambda: event("TruncatedSubsampledGaussian", 9, 2, 2, 1), "rate is 2"),
    (lambda: event("TruncatedSubsampledGaussian", 9, 0.1, 0, 1), "batch_size"),
    (lambda: event("SampledWithReplacement", 5, 0, GAUSSIAN), "sample_size"),
    (lambda: event("MixtureOfGaussians", 1, [1, 2], [0.5]), "one probability for each"),
    (lambda: event("MixtureOfGaussians", 1, [1, 2], [0.5, 0.6]), "sum to"),
    (lambda: event("MixtureOfGaussians", 1, ["x", 2], [0.5, 0.5]), "a sensitivity"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED)
def test_what_has_no_plan_is_refused(given: Callable[[], Any], said: str) -> None:
    """In a sentence that says why."""
    with pytest.raises(InputError, match=said):
        plan_from_event(given())


def test_every_event_is_read() -> None:
    """None of the vocabulary is missing; those without a rule are refused in a sentence."""
    assert set(READERS) == set(FIELDS)


def test_the_stand_ins_are_the_events_of_the_other_library() -> None:
    """The same names and fields, where it is installed."""
    theirs = pytest.importorskip("dp_accounting.dp_event")
    known = {
        kind.__name__.removesuffix("DpEvent"): tuple(
            field.name for field in getattr(kind, "__attrs_attrs__", ())
        )
        for kind in theirs.DpEvent.__subclasses__()
        if kind.__module__ == theirs.__name__
    }
    assert known == FIELDS
