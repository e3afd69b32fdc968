"""What answers rest on: every rule that took part in a number, and none that did not."""

import importlib
import inspect
import math
import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import audit, calibrate, delta, epsilon, profile
from rdpacct.book.rules import all_rules
from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.composition.narrowest import Narrowest, Point, PreparedMethod
from rdpacct.errors import UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.raw import error, real
from rdpacct.mechanisms.finite.finite_mechanism import _chosen, _fixed, _pairs
from rdpacct.privacy.subgaussian import BoundedLaw
from rdpacct.provenance import (
    answered,
    attempt,
    by,
    record,
    remembered,
    remembered_property,
)
from rdpacct.work import Exhausted


@by("testing/rule")
def rule(x: Any) -> Any:
    """A rule of this test."""
    return x


@by("testing/second")
def second(x: Any) -> Any:
    """Another one."""
    return x


@by("testing/third")
def third(x: Any) -> Any:
    """A third one."""
    return x


PLANS = [
    "Gaussian(sigma=1)",
    "1000*Gaussian(sigma=20)",
    "1000*Laplace(scale=10) + Gaussian(sigma=5)",
    "10*Laplace(scale=3)",
    "PoissonSampled(Gaussian(sigma=1), rate=0.1)",
    "100*PoissonSampled(Gaussian(sigma=1), rate=0.1)",
    "10*RandomizedResponse(epsilon=1, answers=3)",
    "500*RandomizedResponse(epsilon=0.5)",
    "DiscreteGaussian(sigma=2) + DiscreteGaussian(sigma=3)",
    "2*DiscreteLaplace(scale=3, sensitivity=2)",
    "Exponential(epsilon=1) + ApproxDP(epsilon=1, delta=1e-8)",
    "2*FiniteMechanism(rows=[[1/2, 1/4, 1/4], [1/3, 1/3, 1/3]])",
    "ZCDP(rho=0.1)",
    "MeanCDP(mu=1, tau=1) + Laplace(scale=3)",
    "ProfileDP(points=[[0.5, 1e-3], [1, 1e-7]]) + Laplace(scale=2)",
    "GaussianDP(mu=1) + PureDP(epsilon=1)",
]
QUESTIONS = [
    ("epsilon", "1e-6"),
    ("delta", "1"),
    ("mean", None),
    ("renyi", "3"),
    ("zcdp_rho", "0"),
]


class Traced:
    """Which rules run in this thread, seen from outside; those that return a double only plan."""

    def __init__(self) -> None:
        self.codes = {}
        for rule in all_rules():
            function = _found(rule)
            self.codes[inspect.unwrap(function).__code__] = rule.theorem
        self.ran = set[str]()

    def _watch(self, frame: Any, event: Any, result: Any) -> None:
        if (
            event == "return"
            and frame.f_code in self.codes
            and not isinstance(result, float)
        ):
            self.ran.add(self.codes[frame.f_code])

    def __enter__(self) -> Any:
        sys.setprofile(self._watch)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.setprofile(None)


def _found(rule: Any) -> Any:
    found = importlib.import_module(rule.module)
    for name in rule.name.split("."):
        found = getattr(found, name)
    return getattr(found, "__func__", found)


def ask(plan: Any, question: Any, at: Any) -> Any:
    """An answer from a profile that nobody asked before."""
    found = getattr(profile(plan), question)
    try:
        return found() if at is None else found(at)
    except UndecidedError:
        return None


@pytest.mark.parametrize("plan", PLANS)
def test_the_record_is_within_what_ran(plan: str) -> None:
    """Nothing is named that did not run."""
    caches: tuple[Any, ...] = (_chosen, _fixed, _pairs)
    for known in caches:
        known.forget()
    with Traced() as traced:
        answers = [ask(plan, question, at) for question, at in QUESTIONS]
    named = frozenset().union(
        *(answer.rests_on for answer in answers if answer is not None)
    )
    assert named <= traced.ran, named - traced.ran
    assert named


ONE_METHOD = [*PLANS[:8], "Gaussian(sigma=2) + Laplace(scale=2)", "5*GaussianDP(mu=1)"]
"""Plans whose first method is narrow, so that nothing is given up on the way."""


@pytest.mark.parametrize("plan", ONE_METHOD)
def test_where_nothing_is_given_up_all_that_ran_is_named(plan: str) -> None:
    """Every rule that ran in balls or formulas is in the record."""
    with Traced() as traced:
        answer = ask(plan, "epsilon", "1e-6")
    assert answer.rests_on == traced.ran


@dataclass
class Around:
    """A profile that is known to so much, by a rule."""

    rule: Callable[..., Any]
    width: float
    top = math.inf

    def enclosure(self, epsilon: Any) -> Any:  # noqa: ARG002
        return self.rule(real(1) + error(real(self.width)))

    def planned_log(self, epsilon: Any) -> Any:  # noqa: ARG002
        return 0.0, -1.0


def test_a_method_that_was_given_up_is_not_named() -> None:
    """Of two methods the narrower answers, and it alone is named, with what it was made ready
    by.
    """

    def methods(_: Any) -> Iterator[Any]:
        yield lambda: PreparedMethod(Around(rule, 0.5), "wide", 0.0)
        yield (
            lambda: (
                third("made ready")
                and PreparedMethod(Around(second, 1e-9), "narrow", 0.0)
            )
        )

    @answered
    def question() -> Any:
        Narrowest(Point(0.0, 0.0, 1.0), methods).enclosure(real(0))
        return Bound(0, 1)

    assert question().rests_on == {"testing/second", "testing/third"}


@pytest.mark.parametrize("plan", PLANS)
def test_theorems_named_in_the_method_are_in_the_record(plan: str) -> None:
    """The words of an answer and its data agree."""
    for question, at in QUESTIONS:
        answer = ask(plan, question, at)
        if answer is None:
            continue
        assert (
            set(re.findall(r"\(([a-z-]+/[a-z0-9-]+)\)", answer.how)) <= answer.rests_on
        ), answer.how


@pytest.mark.parametrize(
    "plan", ["10*Laplace(scale=3)", "SparseHistogram(n=100, k=5, alpha=1)"]
)
def test_asking_twice_names_the_same(plan: str) -> None:
    """A cached value brings its theorems."""
    whole = profile(plan)
    assert (
        whole.delta("1").rests_on
        == whole.delta("1").rests_on
        == profile(plan).delta("1").rests_on
    )


def test_best_choices_on_grids_name_the_game() -> None:
    """The recursion over the releases with choices, and the mean over the others."""
    answer = epsilon("10*Exponential(epsilon=0.2) + Laplace(scale=3)", "1e-6")
    assert answer.rests_on >= {"composition/adaptive-choice", "engine/knots"}


def test_the_sum_of_squares_is_named_where_it_is_the_upper_end() -> None:
    """Of Gaussian releases it is; where a release has no mu, only the profile tells something."""
    root = {"composition/dominating-pairs", "gaussian/composition"}
    summed = profile("2*Gaussian(sigma=1) + GaussianDP(mu=1)").gaussian_mu()
    assert "composition/dominating-pairs" in summed.how
    assert summed.rests_on >= root
    unbounded = profile("Gaussian(sigma=1) + ZCDP(rho=0.1)").gaussian_mu()
    assert unbounded.upper == math.inf
    assert unbounded.lower > 1
    assert "composition/dominating-pairs" not in unbounded.how
    assert "gaussian/composition" not in unbounded.rests_on


def test_what_cannot_answer_a_far_question_is_not_named() -> None:
    """The largest loss and the second moment are tried first; a closed form answers."""
    far = delta("Gaussian(sigma=1e-4)", 2_000_000)
    assert far.rests_on.isdisjoint({"conversion/renyi-to-approx", "gaussian/renyi"})
    tiny = delta("Gaussian(sigma=1)", 2_000_000)
    assert tiny.rests_on >= {"conversion/renyi-to-approx", "gaussian/renyi"}


SUPREMA = {"cdp/chord", "cdp/log-moment-series"}
"""What a supremum of a log moment over a quadratic rests on."""


FINITE = "FiniteMechanism(rows=[[1/2, 1/4, 1/4], [1/3, 1/3, 1/3]])"


def test_a_rho_without_a_closed_form_names_its_chords() -> None:
    """And the polynomial near zero, asked for the first time and again; so does a tau."""
    answers = [
        *(profile(plan).zcdp_rho(0) for plan in (FINITE, f"2*{FINITE}")),
        *(profile(plan).centered_cdp()[1] for plan in (FINITE, f"2*{FINITE}")),
        profile("RandomizedResponse(epsilon=1)").zcdp_rho("0.1"),
        profile("Laplace(scale=2)").centered_cdp()[1],
    ]
    asked = profile(FINITE)
    answers += [asked.zcdp_rho(0), asked.zcdp_rho(0)]
    for answer in answers:
        assert answer.rests_on >= SUPREMA, answer.how


def test_what_needs_no_supremum_names_no_chord() -> None:
    """Closed forms, profiles, an xi above all losses and a loss that is constant."""
    constant = "FiniteMechanism(rows=[[1/2, 1/2], [1/2, 1/2]])"
    answers = [
        profile("Gaussian(sigma=2)").zcdp_rho(0),
        profile("Laplace(scale=2)").zcdp_rho(0),
        profile("RandomizedResponse(epsilon=1)").zcdp_rho(0),
        profile(FINITE).zcdp_rho(5),
        profile(constant).zcdp_rho(0),
        profile(constant).centered_cdp()[1],
        profile(FINITE).epsilon("1e-6"),
        profile(FINITE).mean(),
        profile(FINITE).renyi(3),
    ]
    for answer in answers:
        assert answer.rests_on.isdisjoint(SUPREMA), answer.how


def test_a_law_without_work_left_is_named_by_its_largest_loss_alone() -> None:
    """The search that was given up is not named; the bound by the largest loss is."""
    asked: Any = profile(FINITE)

    def given_up(law: BoundedLaw, worst: Bound) -> Bound:
        law.rho(Fraction(0), worst)
        raise Exhausted

    @answered
    def question() -> Any:
        return asked._worst_law(given_up, lambda law: law.rho_at_most(Fraction(0)))

    assert question().rests_on & SUPREMA == {"cdp/chord"}


@pytest.mark.parametrize(
    "plan",
    ["2*Exponential(epsilon=1)", "20*ReportNoisyMax(epsilon=0.1)"],
)
def test_a_ramp_that_nothing_is_asked_beside_is_not_named(plan: str) -> None:
    """It stands ready for many releases; few are answered without it."""
    assert "exponential/beside-ramp" not in profile(plan).epsilon("1e-6").rests_on


def test_a_ramp_that_gives_the_upper_end_is_named() -> None:
    names = profile("500*ReportNoisyMax(epsilon=0.05)").epsilon("1e-6").rests_on
    assert {"exponential/beside-ramp", "composition/ramp"} <= names


def test_a_lower_end_rests_on_the_best_of_what_occurs_alone() -> None:
    """Of the sums below a promise the others are below that one, whatever they rest on."""
    plan = "3*ZCDP(rho=0.1) + Gaussian(sigma=3)"
    loss = profile(plan).losses[0]
    assert isinstance(loss, ComposedLoss)
    answer = loss.epsilon("1e-6")
    ends = [below.epsilon("1e-6") for below in loss.below]
    best = max(ends, key=lambda end: end.lower)
    others = frozenset[str]().union(*(end.rests_on for end in ends)) - best.rests_on
    assert answer.lower == best.lower
    assert others
    assert best.rests_on <= answer.rests_on
    assert "engine/atom-sums" in others - answer.rests_on


def test_a_guard_of_the_trade_off_is_not_named() -> None:
    """Whether some loss is finite is asked first; a closed form answers, but at rate 0."""
    asked = profile("Gaussian(sigma=2)")
    theorem = "tradeoff/from-profile"
    assert theorem not in asked.tradeoff(Fraction(1, 20)).rests_on
    assert theorem in asked.tradeoff(Fraction(0)).rests_on


def test_ends_that_are_replaced_take_their_record_with_them() -> None:
    """The choice made last gives both ends of one direction, and basic composition the upper end
    of the other; methods, moments and sums below that gave ends before them are not named.
    """
    plan = "2*Thresholded(noise=DiscreteLaplace(scale=2), threshold=40)"
    answer = delta(plan, 1)
    assert answer.rests_on.isdisjoint(
        {"engine/atom-sums", "engine/binomial", "engine/chernoff"}
    )


def test_verdicts_and_calibrations_carry_their_record() -> None:
    """An audit names what its tight values rest on; a calibration what its two certified ends rest
    on.
    """
    plan = "100*PoissonSampled(Gaussian(sigma=2), rate=0.1)"
    verdict = audit(plan, "ApproxDP(epsilon=3, delta=1e-6)")
    assert verdict.rests_on >= frozenset().union(
        *(bound.rests_on for bound in verdict.tight.values())
    )
    found = calibrate("100*PoissonSampled(Gaussian(sigma=?), rate=0.1)", 3, "1e-6")
    assert found.value.rests_on >= profile(plan).delta(3).rests_on


def test_random_dp_names_its_theorem() -> None:
    """The audit of a release for drawn data rests on the worst population."""
    assert (
        "histogram/worst-gamma"
        in audit(
            "SparseHistogram(n=100, k=5, alpha=1)", "RandomDP(alpha=1, gamma=0.05)"
        ).rests_on
    )


def test_doubles_plan_and_do_not_count() -> None:
    """A rule that is run in doubles is not evidence; an infinity is."""

    @answered
    def question(x: Any) -> Any:
        rule(x)
        return Bound(0, 1)

    assert question(0.5).rests_on == frozenset()
    assert question(float("inf")).rests_on == {"testing/rule"}
    assert question(1).rests_on == {"testing/rule"}


def test_attempts_count_only_if_they_are_kept() -> None:
    """What was given up leaves no trace."""

    @answered
    def question(keep: Any) -> Any:
        with attempt() as used:
            rule(1)
        if keep:
            record(used)
        return Bound(0, 1)

    assert question(False).rests_on == frozenset()
    assert question(True).rests_on == {"testing/rule"}


def test_caches_bring_their_theorems() -> None:
    """The second reader of a cached value records what the first one did."""

    class Holder:
        @remembered_property
        def value(self) -> Any:
            return rule(1)

    known = remembered()(rule)
    holder = Holder()

    @answered
    def question(read: Any) -> Any:
        read()
        return Bound(0, 1)

    for _ in range(2):
        assert question(lambda: known(1)).rests_on == {"testing/rule"}
        assert question(lambda: holder.value).rests_on == {"testing/rule"}


def test_threads_have_their_own_records() -> None:
    """Two answers worked out side by side do not mix."""
    plans = ["10*Laplace(scale=3)", "100*PoissonSampled(Gaussian(sigma=1), rate=0.1)"]
    alone = [profile(plan).epsilon("1e-6").rests_on for plan in plans]
    found = {}
    threads = [
        threading.Thread(
            target=lambda k=k: found.update(
                {k: profile(plans[k % 2]).epsilon("1e-6").rests_on}
            )
        )
        for k in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[k] for k in range(8)] == alone * 4
