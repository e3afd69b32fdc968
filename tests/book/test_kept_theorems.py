"""What answers rest on does not depend on what was asked before: no cache loses theorems, and the
same question names the same, asked for the first time, again, and of new objects.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from rdpacct import Gaussian, RandomAllocation
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import cached_property, lazy_property
from rdpacct.exact.parameter import number_in
from rdpacct.mechanisms import Mechanism, Plan, known_mechanisms
from rdpacct.provenance import answered, by, planning, recorded_property, remembered
from rdpacct.questions import Questions, plan_of, profile
from tests import plain_caches
from tests.plain_caches import forget_all, watched_caches

Asking = tuple[Plan, str, tuple[Any, ...]]
"""A plan, a question and the numbers at which it is asked."""
QUESTIONS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("delta", (1,)),
    ("delta", (-1,)),
    ("delta", (2_000_000,)),
    ("epsilon", ("1e-6",)),
    ("epsilon", (0,)),
    ("tail", (1,)),
    ("tradeoff", ("0.1",)),
    ("tradeoff", (0,)),
    ("renyi", (3,)),
    ("mean", ()),
    ("zcdp_rho", (0,)),
    ("gaussian_mu", ()),
    ("at_infinity", ()),
)
FEW_QUESTIONS = (("delta", (1,)), ("epsilon", ("1e-6",)), ("gaussian_mu", ()))
"""What several releases are asked."""
SLOWLY_TWICE = (
    *("GaussianMixture", "PoissonSampled", "SmoothGaussian", "TruncatedPoissonSampled"),
    *("SampledWithoutReplacement", "SampledWithReplacement", "SampledBands"),
)
"""Classes whose examples take seconds to compose, by what others are composed by too."""
QUICK = (
    *("Gaussian", "Laplace", "Exponential", "DiscreteLaplace", "RandomizedResponse"),
    *("FiniteMechanism", "PartitionSelection", "Promised", "SquareRootMechanism"),
)
"""Classes whose first example the default run asks everything."""
MANY_CHOICES = "10*Exponential(epsilon=0.2) + Laplace(scale=3)"
THRESHOLDED = "2*Thresholded(noise=DiscreteLaplace(scale=2), threshold=40)"
STUDENT = "SmoothStudent(alpha=1, beta=0.1, degrees=3)"
SPARSE = "GaussianSparseVector(threshold_sigma=2, query_sigma=2, most_queries=4)"
OF_RUNS = "BestOfRuns(run=Gaussian(sigma=2), mean=2)"
CASES: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    (MANY_CHOICES, "epsilon", ("1e-6",)),
    ("Exponential(epsilon=0.2) + Gaussian(sigma=3)", "delta", (1,)),
    (SPARSE, "epsilon", (0,)),
    ("2*FiniteMechanism(rows=[[1/2, 1/4, 1/4], [1/3, 2/3, 0]])", "delta", ("0.1",)),
    ("2*Gaussian(sigma=1) + Laplace(scale=1)", "gaussian_mu", ()),
    ("500*RandomizedResponse(epsilon=0.5)", "tail", (3,)),
    ("4*Gaussian(sigma=2) + MaximallyDivergent(epsilon=1)", "gaussian_mu", ()),
    (THRESHOLDED, "delta", (1,)),
    (THRESHOLDED, "epsilon", (0,)),
    (THRESHOLDED, "tradeoff", (0,)),
    (STUDENT, "epsilon", ("1e-6",)),
    (OF_RUNS, "delta", (1,)),
    (OF_RUNS, "at_infinity", ()),
)
"""Plans of other kinds, with a question each that takes little time."""


def examples(name: str) -> list[Mechanism]:
    return list(known_mechanisms()[name].examples())


def asked_of(name: str, most: int | None = None) -> Iterator[Asking]:
    """New plans of a class of mechanisms, each example alone and twice, with what is asked."""
    for example in examples(name)[:most]:
        for question, at in QUESTIONS:
            yield Plan.of(example), question, at
        if name not in SLOWLY_TWICE:
            for question, at in FEW_QUESTIONS:
                yield Plan.of(example) * 2, question, at


def asked_in_cases() -> Iterator[Asking]:
    for text, question, at in CASES:
        yield plan_of(text), question, at


def ask(asked: Questions, question: str, at: tuple[Any, ...]) -> Bound | None:
    """The answer; None if the question is refused or stays open."""
    numbers = [number_in(value, question) for value in at]
    try:
        answer: Bound = getattr(asked, question)(*numbers)
    except (InputError, UndecidedError):
        return None
    return answer


def lost_by(asked: Iterator[Asking]) -> dict[str, set[str]]:
    """What plain caches lose while this is asked."""
    forget_all()
    with watched_caches() as lost:
        for plan, question, at in asked:
            ask(Questions(plan), question, at)
    return lost


@dataclass
class Holder:
    """Values that are kept in the three ways that lose theorems, and in those that do not."""

    @lazy_property
    def lazy(self) -> int:
        return rule(1)

    @cached_property
    def cached(self) -> int:
        return rule(2)

    @recorded_property
    def recorded(self) -> int:
        return rule(3)

    @lazy_property
    @planning
    def planned(self) -> float:
        return float(rule(4))


@by("testing/rule")
def rule(x: int) -> int:
    """A rule of this test."""
    return x


@lru_cache
def kept(x: int) -> int:
    """A cache that loses what it rests on."""
    return rule(x)


@remembered()
def known(x: int) -> int:
    """One that does not."""
    return rule(x)


def test_a_cache_that_loses_theorems_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of plain cache is watched; what keeps its theorems, or only plans, is left
    alone.
    """
    here = __import__("sys").modules[__name__]
    monkeypatch.setattr(plain_caches, "modules", lambda: [here])

    @answered
    def question() -> Bound:
        holder = Holder()
        values = holder.lazy, holder.cached, holder.recorded, holder.planned
        return Bound(0, sum(map(int, values)) + kept(5) + known(6))

    with watched_caches() as lost:
        answer = question()
    assert {name.split(".")[-1] for name in lost} == {"lazy", "cached", "kept"}
    assert answer.rests_on == {"testing/rule"}


def test_a_property_that_plans_is_no_evidence_and_one_that_records_is() -> None:
    """Read for the first time or again."""
    holder = Holder()

    @answered
    def question(name: str) -> Bound:
        return Bound(0, int(getattr(holder, name)))

    for _ in range(2):
        assert question("planned").rests_on == frozenset()
        assert question("recorded").rests_on == {"testing/rule"}


@pytest.mark.filterwarnings("ignore::rdpacct.mechanisms.StudyOnlyWarning")
def test_no_plain_cache_loses_theorems() -> None:
    """Of the quick mechanisms and the cases; the slow run has all."""
    for name in QUICK:
        assert lost_by(asked_of(name, most=1)) == {}
    assert lost_by(asked_in_cases()) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(known_mechanisms()))
def test_no_plain_cache_loses_theorems_of_any_mechanism(name: str) -> None:
    """Each example, alone and twice."""
    assert lost_by(asked_of(name)) == {}


def check_named_alike(first: Asking, new: Asking) -> None:
    """The question names the same theorems at first, again, and of new objects; among them are
    those that its method names.
    """
    fresh, question, at = first
    forget_all()
    same = Questions(fresh)
    answers = [ask(asked, question, at) for asked in (same, same, Questions(new[0]))]
    for answer in answers:
        assert answer == answers[0]
        if answer is None or answers[0] is None:
            continue
        assert answer.rests_on == answers[0].rests_on, (str(fresh), question, at)
        named = set(re.findall(r"\b[a-z-]+/[a-z0-9-]+\b", answer.how))
        assert named <= answer.rests_on, (str(fresh), question, at, answer.how)


@pytest.mark.parametrize("name", QUICK)
def test_the_same_question_names_the_same(name: str) -> None:
    """Of the first example; the slow run has all."""
    for first, new in zip(asked_of(name, 1), asked_of(name, 1), strict=True):
        check_named_alike(first, new)


@pytest.mark.parametrize(("text", "question", "at"), CASES)
def test_the_same_question_of_other_plans_names_the_same(
    text: str, question: str, at: tuple[Any, ...]
) -> None:
    check_named_alike((plan_of(text), question, at), (plan_of(text), question, at))


@pytest.mark.parametrize(
    "text", ["PoissonSampled(Gaussian(sigma=1), rate=0.1)", "Laplace(scale=3)", STUDENT]
)
def test_many_answers_name_what_each_of_them_names(text: str) -> None:
    """At several numbers at once, where nothing is shared between them."""
    asked = profile(text)
    levels = [Fraction(1), Fraction(1, 2)]
    deltas = [asked.delta(level).rests_on for level in levels]
    assert [bound.rests_on for bound in asked.deltas(levels)] == deltas
    tails = [Questions(plan_of(text)).tail(level).rests_on for level in levels]
    assert [bound.rests_on for bound in asked.tails(levels)] == tails
    assert all(deltas)
    assert all(tails)


def check_profile_names_alike(name: str, count: int) -> None:
    """A profile answers with the theorems of a question about its plan, also to questions at many
    points; each of its losses carries what built it.
    """
    plan = Plan.of(examples(name)[0]) * count
    built = profile(plan)
    for question, at in FEW_QUESTIONS:
        answer = ask(Questions(plan), question, at)
        if answer is not None:
            asked = getattr(built, question)(*map(Fraction, at))
            assert asked.rests_on == answer.rests_on, (str(plan), question)
    assert all(built.rests_on <= loss.rests_on for loss in built.losses)
    levels = [Fraction(1), Fraction(1, 2)]
    assert all(built.rests_on <= bound.rests_on for bound in built.deltas(levels))


@pytest.mark.parametrize("name", sorted(known_mechanisms()))
def test_a_profile_names_what_a_question_names(name: str) -> None:
    check_profile_names_alike(name, 1)


@pytest.mark.parametrize("name", ["TreeAggregation", "Parallel", "PermuteAndFlip"])
def test_so_does_that_of_several_releases(name: str) -> None:
    """The slow run has all."""
    check_profile_names_alike(name, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sorted(set(known_mechanisms()) - set(SLOWLY_TWICE) - {"NonPrivate"})
)
def test_so_do_those_of_any_mechanism(name: str) -> None:
    check_profile_names_alike(name, 2)


def test_what_is_built_carries_what_built_it() -> None:
    """By the mechanism itself, for groups, and reversed."""
    tree = plan_of("TreeAggregation(sigma=3, steps=8)").single
    assert tree is not None
    matrix = {"matrix/participation", "matrix/sensitivity", "matrix/tree"}
    of_loss = tree.loss().delta(1).rests_on
    assert matrix < of_loss
    assert tree.profile().delta(1).rests_on == of_loss
    assert matrix < profile(2 * tree).losses[0].reversed().delta(1).rests_on
    bands = profile(
        "2*SampledBands(sigma=2, steps=2, coefficients=[1, 1/2], rate=0.25)"
    ).losses[0]
    turned = bands.reversed().delta("0.5").rests_on
    assert {"matrix/sampled-bands", "matrix/sensitivity"} < turned
    assert bands.reversed().reversed().rests_on == bands.rests_on
    batches = RandomAllocation(Gaussian(1), steps=2).loss()
    assert "sampling/random-allocation" in batches.reversed().delta("0.7").rests_on
    group = plan_of("Gaussian(sigma=2) + Laplace(scale=3)").for_group(3)
    assert "group/sensitivity" in profile(group).delta(1).rests_on


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(known_mechanisms()))
def test_the_same_question_of_any_mechanism_names_the_same(name: str) -> None:
    """Each example, alone and twice."""
    for first, new in zip(asked_of(name), asked_of(name), strict=True):
        check_named_alike(first, new)
