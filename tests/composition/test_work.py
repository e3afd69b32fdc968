"""The budget of counted work: it bounds every answer, which stays valid, and the same whatever
was asked before.
"""

import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import FiniteMechanism, Laplace, delta, provenance, work
from rdpacct.composition import answers as composed_answers
from rdpacct.composition.methods import METHODS, MORE_WORK, MUCH_WORK, SOME_WORK
from rdpacct.exact import cached
from rdpacct.exact.bound import USED_UP
from rdpacct.mechanisms import Forms, Mechanism, Plan, PrivacyLoss, RelationIn
from rdpacct.provenance import adapted_property, remembered
from rdpacct.questions import profile
from rdpacct.work import Budget, Exhausted, in_turn, question, share, spend

PLANS = [
    "5*Exponential(epsilon=1)",
    "1000*Laplace(scale=10) + Gaussian(sigma=5)",
    "20*DiscreteGaussian(sigma=3)",
    "SmoothPower(alpha=1, beta=0.1, power=2) + Laplace(scale=1)",
    (
        "5*Laplace(scale=3) + 2*RandomizedResponse(epsilon=1) +"
        " PoissonSampled(Gaussian(sigma=2), rate=0.1)"
    ),
]
OTHER_PLANS = [
    "100*RandomizedResponse(epsilon=0.1, answers=3) + 2*DiscreteLaplace(scale=2)",
    "9*PoissonSampled(Laplace(scale=2), rate=0.01)",
    "2*ZCDP(rho=0.1) + 3*ApproxDP(epsilon=0.1, delta=1e-6)",
]
QUESTIONS = [("delta", "0.3"), ("epsilon", "1e-3")]
LITTLE = 60_000
"""Too little work for the best method for some of the plans."""


def ends(known: Any, asked: Any) -> Any:
    """The answer to a question."""
    name, value = asked
    return getattr(known, name)(value)


def test_what_does_not_fit_is_refused_before_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rest of the budget stays for what is smaller."""
    monkeypatch.setattr(work, "WHOLE", 100)
    with question() as budget:
        spend(60)
        with pytest.raises(Exhausted):
            spend(41)
        spend(40)
        with pytest.raises(Exhausted):
            spend(float("inf"))
    assert (budget.left, budget.spent, budget.cut) == (0, 100, True)
    spend(10**12)


def test_inner_questions_and_shares_are_paid_by_the_outer_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A share that is not used up is left for those after it."""
    monkeypatch.setattr(work, "WHOLE", 100)
    with question() as budget:
        with question():
            spend(10)
        with share(0.5), pytest.raises(Exhausted):
            spend(46)
        left = []

        def ask(units: Any) -> None:
            spend(units)
            left.append(work.fitting(1))

        in_turn(ask, [10, 40, 30])
    assert left == [31, 16, 10]
    assert budget.spent == 90


def test_a_kept_value_costs_each_answer_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether it was made there or before; twice in one answer it costs once."""
    monkeypatch.setattr(work, "WHOLE", 100)

    @remembered()
    def made(units: Any) -> Any:
        spend(units)
        return units

    for _ in range(2):
        with question() as budget:
            assert made(30) == made(30) == 30
            spend(10)
        assert budget.spent == 40


def test_a_kept_value_that_does_not_fit_costs_what_fits_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether it is made, or was made with more work, and read inside of another one or not."""

    @remembered()
    def made() -> None:
        for units in (10, 40, 30, 5):
            spend(units)

    @remembered()
    def outer() -> None:
        spend(1)
        made()
        spend(1)

    spent = []
    for whole in (70, 1000, 70, 83, 84, 86, 87):
        monkeypatch.setattr(work, "WHOLE", whole)
        for function in (made, outer):
            with question() as budget:
                try:
                    function()
                except Exhausted:
                    assert budget.cut
            spent.append(budget.spent)
    assert spent == [50, 51, 85, 87, 50, 51, 80, 81, 80, 81, 85, 86, 85, 87]


class _Adapting:
    """Something that is rough where little work is left."""

    @adapted_property
    def made(self) -> str:
        try:
            spend(50)
        except Exhausted:
            spend(10)
            return "rough"
        return "fine"


def test_a_value_that_adapts_to_the_work_is_the_same_whatever_was_asked_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is rough with little work, also if it is kept from an answer with more; and made once."""
    seen = _Adapting()
    told = []
    for whole in (30, 1000, 30, 55):
        monkeypatch.setattr(work, "WHOLE", whole)
        for value in (seen, _Adapting()):
            with question() as budget:
                first = value.made
                with share(1.0):
                    assert value.made == first
            told.append((first, budget.spent, budget.cut))
    rough, fine = ("rough", 10, True), ("fine", 50, False)
    assert told == [rough, rough, fine, fine, rough, rough, fine, fine]


def test_a_kept_value_that_did_not_fit_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It costs one share, and not the next one."""
    monkeypatch.setattr(work, "WHOLE", 100)
    tried = []

    @remembered()
    def made() -> None:
        tried.append(1)
        spend(30)
        spend(30)

    with question() as budget:
        for _ in range(3):
            with share(0.5), pytest.raises(Exhausted):
                made()
    assert (tried, budget.spent) == ([1], 30)


@pytest.fixture(scope="module")
def answers() -> Any:
    """The answers with all work that they want."""
    return {
        (plan, asked): ends(profile(plan), asked)
        for plan in PLANS
        for asked in QUESTIONS
    }


@pytest.mark.parametrize("units", [0, 3000, LITTLE, 500_000])
def test_an_answer_with_little_work_is_valid(
    monkeypatch: pytest.MonkeyPatch, answers: Any, units: Any
) -> None:
    """It contains the truth, and says that the work was used up where it is wide."""
    monkeypatch.setattr(work, "WHOLE", units)
    for (plan, asked), full in answers.items():
        found = ends(profile(plan), asked)
        assert found.overlaps(full), (plan, asked, found, full)
        assert found.relative_width < 1e-3 or found.how.endswith(USED_UP), (
            plan,
            asked,
            found,
        )
        assert found.upper < (1 if asked[0] == "delta" else 10**4), (plan, asked, found)


def same_ends(units: Any, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether little work gives the same answers to new plans, to plans that were asked with
    much work, and again.
    """
    for plan in (PLANS[0], PLANS[3]):
        known = profile(plan)
        alone = profile(plan)
        for asked in QUESTIONS:
            ends(known, asked)
        monkeypatch.setattr(work, "WHOLE", units)
        found = [ends(alone, asked) for asked in QUESTIONS]
        if [ends(known, asked) for asked in QUESTIONS] != found or [
            ends(alone, asked) for asked in QUESTIONS
        ] != found:
            return False
        monkeypatch.setattr(work, "WHOLE", WHOLE)
    return True


WHOLE = work.WHOLE


@pytest.mark.parametrize(
    "units", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)]
)
def test_an_answer_without_work_left_does_not_depend_on_the_ones_before(
    monkeypatch: pytest.MonkeyPatch, units: Any
) -> None:
    """Nor on values that are kept from them."""
    assert same_ends(units, monkeypatch)


def test_kept_values_that_cost_nothing_would_be_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test before fails if what is kept is free."""
    for module in (provenance, cached):
        monkeypatch.setattr(module, "charge", lambda *_: None)
    assert not same_ends(1_000_000, monkeypatch)


@dataclass(frozen=True)
class _OnGrids(Mechanism):
    """A mechanism whose loss has no transform, so that two laws on a grid are filled for it."""

    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        return replace(Laplace(scale=1).loss(), forms=Forms())


def test_what_is_free_to_read_again_took_no_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lazy property takes no counted work, unless its object serves one question only."""
    costly = set()
    lazy = cached.lazy_property.__get__

    def watched(self: Any, instance: Any, owner: type) -> Any:
        budget = work._budget.get()
        before = 0 if budget is None else budget.spent
        value = lazy(self, instance, owner)
        if budget is not None and budget.spent > before:
            costly.add(f"{owner.__name__}.{self.name}")
        return value

    monkeypatch.setattr(cached.lazy_property, "__get__", watched)
    plans: list[Plan | str] = [*PLANS[1:], *OTHER_PLANS, 2 * _OnGrids()]
    for plan in plans:
        for asked in QUESTIONS:
            ends(profile(plan), asked)
    assert "Setting.plan" in costly
    assert [name for name in costly if not name.startswith("Setting.")] == []


def test_work_that_is_not_counted_would_be_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With little work most answers are cut short; a twin that does not count cuts none."""
    monkeypatch.setattr(work, "WHOLE", LITTLE)
    assert ends(profile(PLANS[0]), QUESTIONS[0]).how.endswith(USED_UP)
    monkeypatch.setattr(Budget, "spend", lambda *_: None)
    assert ends(profile(PLANS[0]), QUESTIONS[0]).relative_width < 1e-3


def test_threads_have_budgets_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight threads that share a profile are cut short as one is."""
    monkeypatch.setattr(work, "WHOLE", LITTLE)
    known = profile(PLANS[0])
    alone = [ends(profile(PLANS[0]), asked) for asked in QUESTIONS]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda k: (k, ends(known, QUESTIONS[k])), [0, 1] * 8))
    assert all(answer == alone[k] for k, answer in found)


OFFENDERS = [
    ["delta", "2*PoissonSampled(Laplace(scale=0.01), rate=0.1)", "--epsilon", "1.5"],
    [
        "calibrate",
        "2*PoissonSampled(Laplace(scale=?), rate=0.1)",
        "--epsilon",
        "1.5",
        "--delta",
        "0.5",
    ],
    ["delta", "2*PoissonSampled(Laplace(scale=1e-9), rate=0.1)", "--epsilon", "1.5"],
    ["tradeoff", "1e18*Exponential(epsilon=1)", "--false-positives", "0.05"],
    [
        "tradeoff",
        (
            "10*RandomizedResponse(epsilon=0.5, answers=4) + 3*Exponential(epsilon=1) "
            "+ 3*PoissonSampled(Laplace(scale=2), rate=0.1)"
        ),
        *("--false-positives", "1/3"),
    ],
    [
        "audit",
        (
            "10*ApproxDP(epsilon=0.5, delta=1e-3) + 1000*ProfileDP(points=[[0, 0.2],"
            " [1, 1e-3]]) + 10*PoissonSampled(Gaussian(sigma=2), rate=0.1)"
        ),
        *("--claim", "GaussianDP(mu=1)"),
    ],
    ["epsilon", "10*PoissonSampled(Laplace(scale=2), rate=0.1)", "--delta", "1e-400"],
    [
        "epsilon",
        (
            "10*PoissonSampled(Laplace(scale=1.69), rate=0.00126)"
            " + Staircase(epsilon=0.919, gamma=0.575)"
        ),
        *("--delta", "1e-100"),
    ],
    [
        "epsilon",
        (
            "30*PoissonSampled(Laplace(scale=0.739), rate=0.0742)"
            " + 100*PoissonSampled(Laplace(scale=1.6), rate=0.000754)"
            " + 5*PoissonSampled(Gaussian(sigma=16.2), rate=0.0274)"
        ),
        *("--delta", "1e-300"),
    ],
    [
        "gaussian-dp",
        (
            "1000*Laplace(scale=2) + RandomizedResponse(epsilon=0.5, answers=4) +"
            " 2*Laplace(scale=1e3999, sensitivity=2)"
        ),
    ],
    [
        "delta",
        "10*MeanCDP(mu=0.1, tau=1e-3) + 3*Exponential(epsilon=1)",
        "--epsilon",
        "4.75",
    ],
    [
        "delta",
        (
            "3*Exponential(epsilon=1, monotone=True) +"
            " 3*PoissonSampled(Laplace(scale=2), rate=0.1) + 1000*ProfileDP(points=[[0,"
            " 0.2], [1, 1e-3]])"
        ),
        *("--epsilon", "7"),
    ],
    [
        "gaussian-dp",
        (
            "1e18*Exponential(epsilon=1, monotone=True) + 2*ApproxDP(epsilon=0.5,"
            " delta=1e-3)"
        ),
    ],
]
MOST_SECONDS = 15
MOST_MEMORY = 1 << 30


def limited() -> None:
    """A process that is ended when it takes too long, and can have no more memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


@pytest.mark.parametrize(
    "words", [OFFENDERS[-1], OFFENDERS[5]], ids=["gaussian-dp", "audit"]
)
def test_questions_that_took_all_memory_or_crashed(words: Any) -> None:
    """They end, with an answer."""
    run = subprocess.run(
        [sys.executable, "-m", "rdpacct", *words],
        preexec_fn=limited,
        capture_output=True,
    )
    assert run.returncode in (0, 1), run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", OFFENDERS, ids=range(len(OFFENDERS)))
def test_questions_that_took_minutes(words: Any) -> None:
    """They end in time and in a gigabyte, with an answer, a verdict or a sentence."""
    run = subprocess.run(
        [sys.executable, "-m", "rdpacct", *words],
        preexec_fn=limited,
        capture_output=True,
    )
    assert run.returncode in (0, 1, 2, 3), run.stderr


def test_a_smoothed_sum_with_fewer_nodes_than_it_wants_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Failed before: all that was planned fitted, so that nothing was cut short."""
    less = {SOME_WORK: 500.0, MORE_WORK: 2000.0, MUCH_WORK: 1000.0}
    rows = [replace(row, most=less.get(row.most, row.most)) for row in METHODS]
    monkeypatch.setattr(composed_answers, "METHODS", tuple(rows))
    row = [Fraction(7 * k % 199 + 1, 19_900) for k in range(199)]
    table = FiniteMechanism([row, row[50:] + row[:50]], same_inputs=True)
    found = delta(5 * table, "0.5")
    assert found.relative_width > 1e-3
    assert found.how.endswith(USED_UP)
