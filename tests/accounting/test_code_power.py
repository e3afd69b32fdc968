"""The power of audits of running code: what is stated is measured, and summed exactly."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rdpacct import CodeVerdict, PureDP, audit_code
from rdpacct.auditing.running import code_power
from rdpacct.auditing.running.certificate import BetEvidence, LimitEvidence
from rdpacct.auditing.running.fixed import refutes
from rdpacct.auditing.running.power import PowerQuestion, least_violation

Refutes = Callable[[int, int], bool]
AUDITS = 3
RIGHT = math.exp(1) / (1 + math.exp(1))


def response(keep: float) -> Any:
    """Randomized response that keeps the bit with this probability."""

    def run(data: int, rng: Any, size: int) -> Any:
        return ((rng.random(size) < keep) == bool(data)).astype(float)

    return run


def refuted(epsilon: float, seeds: range, method: str) -> int:
    """How many audits refute PureDP(1) of randomized response with this epsilon."""
    broken = response(math.exp(epsilon) / (1 + math.exp(epsilon)))
    return sum(
        audit_code(broken, 0, 1, PureDP(1), trials=4000, seed=seed, method=method).fails
        for seed in seeds
    )


@pytest.mark.parametrize(
    "method", ["sequential", pytest.param("fixed", marks=pytest.mark.slow)]
)
def test_the_power_is_what_is_measured(method: str) -> None:
    """A right mechanism's audit states an epsilon; a twin with that epsilon is refuted in about
    0.9 of many audits, and one half way there far less often.
    """
    audited = audit_code(response(RIGHT), 0, 1, PureDP(1), trials=4000, method=method)
    power = audited.power
    assert power is not None
    assert power.lower == 1
    stated = float(power.upper)
    assert 1.05 < stated < 1.6
    assert refuted(stated, range(1, 31), method) >= 24
    assert refuted((1 + stated) / 2, range(1, 21), method) < 14


def laplace(data: float, rng: Any, size: int) -> Any:
    """Laplace noise of scale 1."""
    return data + rng.laplace(size=size)


def refuted_share(trials: int, method: str, counts: int) -> float:
    """How often audits refute counts of just the violation that they say they see."""
    refuted_counts = 0
    for seed in range(AUDITS):
        verdict = audit_code(
            laplace, 0, 1, PureDP(1), trials=trials, seed=seed, method=method
        )
        assert isinstance(verdict.evidence, BetEvidence | LimitEvidence)
        answer = verdict.evidence.power_answer()
        assert answer is not None
        refuted_counts += answer.refuted(np.random.default_rng(seed), counts)
    return refuted_counts / (AUDITS * counts)


@pytest.mark.parametrize(
    ("trials", "method", "counts"),
    [
        (1000, "sequential", 1000),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                (10**4, "sequential", 1000),
                (10**5, "sequential", 1000),
                (10**6, "sequential", 1000),
                (1000, "fixed", 100),
                (10**4, "fixed", 100),
            )
        ),
    ],
)
def test_the_stated_power_is_what_counts_of_that_violation_show(
    trials: int, method: str, counts: int
) -> None:
    """For the events of the audit itself: 0.9 at least, but for four standard deviations, and not
    always.
    """
    share = refuted_share(trials, method, counts)
    assert 0.9 - 4 * math.sqrt(0.09 / (AUDITS * counts)) < share < 0.99


def asked(verdict: CodeVerdict, monkeypatch: pytest.MonkeyPatch) -> PowerQuestion:
    """The question that the power of a verdict answers."""
    questions = []

    def recorded(question: PowerQuestion) -> Any:
        bound = least_violation(question)
        questions.append((math.inf if bound is None else bound.upper, question))
        return bound

    monkeypatch.setattr(code_power, "least_violation", recorded)
    assert verdict.power is not None
    return min(questions, key=lambda each: each[0])[1]


@pytest.mark.parametrize(
    "method", ["sequential", pytest.param("fixed", marks=pytest.mark.slow)]
)
def test_the_power_is_at_most_the_exact_one(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Summed over all pairs of counts of a small audit, with the test itself."""
    verdict = audit_code(
        response(RIGHT), 0, 1, PureDP(1), "0.9", trials=300, method=method
    )
    question = asked(verdict, monkeypatch)
    assert verdict.power is not None
    epsilon = Fraction(verdict.power.upper)
    p = float(question.p)
    q = float(question.rare_chance(epsilon))
    refuting = by_the_test(verdict, question)
    exact = 0.0
    for rare in range(question.trials + 1):
        for likely in range(question.trials + 1):
            chance = binomial(question.trials, likely, p)
            chance *= binomial(question.trials, rare, q)
            if chance > 1e-9 and refuting(likely, rare):
                exact += chance
    assert exact >= 0.9
    assert float(question.power(epsilon)) <= exact + 1e-6
    assert float(question.power(1 + (epsilon - 1) / 3)) < 0.9


def by_the_test(verdict: CodeVerdict, question: PowerQuestion) -> Refutes:
    """Whether two counts refute, by what the audit would have done with them."""
    if isinstance(verdict.evidence, LimitEvidence):
        seen = verdict.events[0]
        assert isinstance(question.refuting, code_power.Contradiction)
        seen = question.refuting.seen
        return lambda likely, rare: refutes(
            replace(seen, likely_hits=likely, rare_hits=rare)
        )
    assert isinstance(verdict.evidence, BetEvidence)
    assert isinstance(question.refuting, code_power.EnoughStake)
    bet = question.refuting.bet
    logs = [math.log(float(each)) for each in (*bet.wager.likely, *bet.wager.rare)]
    goal = math.log(10) - math.log(float(bet.weight))
    trials = question.trials

    def enough(likely: int, rare: int) -> bool:
        counts = (trials - likely, likely, trials - rare, rare)
        return sum(a * b for a, b in zip(counts, logs, strict=True)) >= goal

    return enough


def binomial(n: int, k: int, p: float) -> float:
    """The probability of k successes."""
    log_choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(log_choose + k * math.log(p) + (n - k) * math.log1p(-p))


def test_no_power_is_stated_after_a_refutation() -> None:
    """Nor where no violation of the tested events is large enough."""
    broken = audit_code(response(0.99), 0, 1, PureDP(1), trials=1000)
    assert broken.fails
    assert broken.power is None
    few = audit_code(response(RIGHT), 0, 1, PureDP(1), trials=16)
    assert few.undecided
    assert few.power is None
