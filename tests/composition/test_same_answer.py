"""The same question has the same answer: in any order, asked anew, and from several threads."""

import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rdpacct
from rdpacct import UndecidedError, profile
from rdpacct.cli.parser import parsed
from rdpacct.mechanisms.poisson.sampled_gaussian_plan import SampledGaussianPlan
from rdpacct.work import question

PLANS = [
    "1000*Laplace(scale=10) + Gaussian(sigma=5)",
    "10000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)",
    "500*RandomizedResponse(epsilon=0.5)",
    "20*DiscreteGaussian(sigma=3)",
    "5*Laplace(scale=3) + 2*RandomizedResponse(epsilon=1)",
    "3*FiniteMechanism(rows=[[3/4, 1/4], [1/3, 2/3]])",
    "10*DiscreteLaplace(scale=3) + Gaussian(sigma=2)",
    "DiscreteLaplace(scale=3) + Laplace(scale=2)",
    "2*Exponential(epsilon=1) + RandomizedResponse(epsilon=1)",
    pytest.param("3*Exponential(epsilon=1) + Laplace(scale=1)", marks=pytest.mark.slow),
    (
        "ApproxDP(epsilon=1, delta=1e-3) + ApproxDP(epsilon=0.5, delta=0) +"
        " Laplace(scale=4)"
    ),
]
QUESTIONS = [
    *[("delta", level) for level in ("0", "0.3", "1", "2.5")],
    *[("epsilon", target) for target in ("0.1", "1e-3", "1e-6", "1e-12")],
]


def ends(known: Any, question: Any) -> Any:
    """The two ends of the answer to a question."""
    name, value = question
    bound = getattr(known, name)(value)
    return bound.lower, bound.upper


@pytest.fixture(scope="module", params=PLANS)
def asked_alone(request: pytest.FixtureRequest) -> Any:
    """A plan and the answer to each question, each asked of a profile of its own."""
    return request.param, {q: ends(profile(request.param), q) for q in QUESTIONS}


def test_the_questions_before_do_not_matter(asked_alone: Any) -> None:
    """One profile that is asked everything in another order gives the same ends."""
    text, alone = asked_alone
    known = profile(text)
    shuffled = random.Random(7).sample(QUESTIONS, len(QUESTIONS))
    assert {q: ends(known, q) for q in shuffled} == alone


def test_eight_threads_answer_as_one(asked_alone: Any) -> None:
    """Eight threads that share a profile give the same ends."""
    text, alone = asked_alone
    known = profile(text)
    shuffled = random.Random(8).choices(QUESTIONS, k=2 * len(QUESTIONS))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda q: (q, ends(known, q)), shuffled))
    assert all(alone[q] == found for q, found in answers)


def in_a_process_of_its_own(*lines: str) -> str:
    """What a program prints, that begins with a name for the ends of a bound."""
    program = "from rdpacct import profile\nends = lambda b: (b.lower, b.upper)\n"
    ran = subprocess.run(
        [sys.executable, "-c", program + "\n".join(lines)],
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


@pytest.mark.parametrize(
    ("asked", "before"),
    [
        (
            'profile("PoissonSampled(Laplace(scale=2), rate=0.1)").zcdp_rho("0.01")',
            'profile("PoissonSampled(Gaussian(sigma=0.8), rate=0.01)").mean()',
        ),
        (
            'profile("10*PoissonSampled(Laplace(scale=1), rate=0.1)"'
            ' + " + Gaussian(sigma=3)").delta(0)',
            'profile("2*PoissonSampled(Laplace(scale=3), rate=0.2)").epsilon("1e-9")',
        ),
    ],
    ids=["integral", "legendre"],
)
def test_a_question_about_another_plan_does_not_matter(asked: str, before: str) -> None:
    """Not in the last digit: nodes that are kept at the precision of the first question moved the
    ends, and the radius of an integral tells which precision was highest.
    """
    alone = in_a_process_of_its_own(f"print(ends({asked}))")
    assert in_a_process_of_its_own(before, f"print(ends({asked}))") == alone


QUESTIONS_OF_A_SUM = (
    ("mean", ()),
    ("renyi", (2,)),
    ("delta", ("0.3",)),
    ("tradeoff", ("0.05",)),
    ("epsilon", ("1e-6",)),
)
WITH_KEPT_WORK = [
    "RandomAllocation(Gaussian(sigma=1), steps=3) + 3*Laplace(scale=7)",
    "3*PoissonSampled(Gaussian(sigma=2), rate=1/3)",
    pytest.param(
        "SmoothGaussian(alpha=0.5, beta=0.1) + 2*Laplace(scale=3)",
        marks=pytest.mark.slow,
    ),
    pytest.param(
        "RandomAllocation(Gaussian(sigma=1), steps=10) + 3*Laplace(scale=7) +"
        " 3*Exponential(epsilon=0.1)",
        marks=pytest.mark.slow,
    ),
]
"""Sums of which much is kept from one question to the next."""


def answer_and_work(known: Any, name: str, given: Any) -> Any:
    """The ends of an answer and the work that it took, or the refusal."""
    with question() as budget:
        try:
            bound = getattr(known, name)(*given)
        except UndecidedError as error:
            return str(error), budget.spent
    return bound.lower, bound.upper, bound.how, bound.rests_on, budget.spent


@pytest.mark.parametrize("plan", WITH_KEPT_WORK)
def test_what_is_kept_costs_every_question_as_much(plan: str) -> None:
    """So that no answer has more work left since another question was asked before."""
    alone = {q: answer_and_work(profile(plan), *q) for q in QUESTIONS_OF_A_SUM}
    known = profile(plan)
    for _ in range(2):
        assert {q: answer_and_work(known, *q) for q in QUESTIONS_OF_A_SUM} == alone


def test_a_plan_that_is_known_costs_what_it_rests_on() -> None:
    """The least law of several losses is cut into cells for plans; a transform that did not pay
    for them again would be free for the second question.
    """
    for plan in ("3*SmoothGaussian(alpha=0.5, beta=0.1)", "2*Laplace(scale=1)"):
        planner = profile(plan).losses[0].answers.planner  # type: ignore[attr-defined]
        works = []
        for _ in range(3):
            with question() as budget:
                planner.log(1.5)
            works.append(budget.spent)
        assert works[0] == works[1] == works[2] > 0


def test_points_of_a_plan_do_not_move_when_others_are_added() -> None:
    """Not by a rounding: the step of a quadrature is planned with them."""
    mu, rate = 0.5, 1 / 3
    tilts = [2.5 + 0.37 * k for k in range(20)]
    alone = [SampledGaussianPlan(mu, rate).decay(tilt, 1.5) for tilt in tilts]
    known = SampledGaussianPlan(mu, rate)
    assert [known.decay(tilt, 1.5) for tilt in reversed(tilts)] == alone[::-1]
    assert [known.log(tilt) for tilt in tilts] == [
        SampledGaussianPlan(mu, rate).log(tilt) for tilt in tilts
    ]


METHODS = (
    "3*Gaussian(sigma=2) + Gaussian(sigma=5)",
    "1000*PoissonSampled(Gaussian(sigma=1), rate=0.01)",
    "50*RandomizedResponse(epsilon=0.5)",
    "2*Laplace(scale=1) + RandomizedResponse(epsilon=1)",
    "DiscreteGaussian(sigma=2) + DiscreteGaussian(sigma=3)",
    "2*PoissonSampled(Gaussian(sigma=0.02), rate=0.01)",
    "2*PoissonSampled(Laplace(scale=2), rate=0.1)",
    "ZCDP(rho=0.1) + Laplace(scale=4)",
)
"""Plans that are answered by different methods."""
COMMANDS = [
    *[["delta", plan, "--epsilon", "0.3"] for plan in METHODS],
    *[["epsilon", plan, "--delta", "1e-4"] for plan in METHODS],
    ["audit", METHODS[4], "--claim", "ApproxDP(epsilon=2, delta=1e-4)"],
    ["audit", METHODS[2], "--claim", "ZCDP(rho=5)"],
    ["audit", METHODS[3], "--claim", "GaussianDP(mu=3)"],
    ["audit", "Gaussian(sigma=1)", "--claim", "MeanCDP(mu=0.5, tau=1)"],
    [
        "audit",
        "Gaussian(sigma=1) + Laplace(scale=1)",
        "--claim",
        "RenyiDP(alpha=3, epsilon=2)",
    ],
    ["calibrate", "20*Gaussian(sigma=?)", "--epsilon", "1", "--delta", "1e-6"],
    ["calibrate", "?*Laplace(scale=10)", "--epsilon", "2", "--delta", "1e-6"],
    [
        "calibrate",
        "Gaussian(sigma=3) + PureDP(epsilon=?)",
        "--epsilon",
        "2",
        "--delta",
        "1e-6",
    ],
]


def told(words: Any) -> Any:
    """The object that a command prints, by the function that makes it."""
    options = parsed(words)
    return options.run(options).data


def test_commands_answer_the_same_in_any_order_and_from_threads() -> None:
    """Questions by every method, audits and calibrations: alone, in another order, and from eight
    threads at once.
    """
    alone = [told(words) for words in COMMANDS]
    assert len({answer["how"] for answer in alone[: len(METHODS)]}) >= 6
    places = random.Random(9).sample(range(len(COMMANDS)), len(COMMANDS))
    assert all(told(COMMANDS[place]) == alone[place] for place in places)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda place: (place, told(COMMANDS[place])), places))
    assert all(answer == alone[place] for place, answer in answers)


def test_terms_may_stand_in_any_order() -> None:
    """A plan is a set of releases: turned round it has the same answer."""
    for plan in METHODS:
        turned = " + ".join(reversed(plan.split(" + ")))
        assert profile(turned).delta("0.3") == profile(plan).delta("0.3")


def test_every_process_answers_the_same() -> None:
    """Hashes differ from one process to the next, and the last digits do not."""
    plan = "Laplace(scale=2) + Laplace(scale=3) + Laplace(scale=5)"
    code = f"from rdpacct import profile; print(profile({plan!r}).delta(1).lower)"
    told_by = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(told_by) == 1


def test_no_attribute_waits_with_a_lock_of_its_own() -> None:
    """Before Python 3.12 the cached_property of functools has one, which two threads may take the
    other way round.
    """
    package = Path(rdpacct.__file__).parent
    files = [path for path in package.rglob("*.py") if "proof" not in path.parts]
    pattern = re.compile(r"^from functools import .*\bcached_property\b", re.MULTILINE)
    assert [path.name for path in files if pattern.search(path.read_text())] == []
