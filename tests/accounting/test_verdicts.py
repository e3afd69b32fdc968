"""Verdicts have no truth value: a claim that fails, or that nobody could decide, is never read as
one that holds.
"""

import random
from functools import cache
from typing import Any

import pytest

from rdpacct import ApproxDP, ApproxZCDP, Gaussian, Laplace, Outcome, PureDP, audit
from rdpacct.auditing import NotShownToHold, audit_samples
from rdpacct.auditing.verdict import Audited


def leaky(doubled: Any, seed: Any) -> Any:
    """Laplace noise on 0 and on 1, of scale 1 or, by mistake, of scale 1/2."""
    source = random.Random(seed)
    scale = 0.5 if doubled else 1.0

    def noise() -> Any:
        return source.choice((-1, 1)) * source.expovariate(1 / scale)

    return noise, lambda: 1 + noise()


@cache
def verdict_on(case: str) -> Audited:
    """A verdict of each kind, by the law and by samples."""
    if case == "holds":
        return audit(Gaussian(sigma=4), ApproxDP(1, "1e-5"))
    if case == "fails":
        return audit(Gaussian(sigma=1), ApproxDP(1, "1e-5"))
    if case == "undecided":
        return audit("Gaussian(sigma=1)", ApproxZCDP("0.4", "0.05"))
    if case == "samples fail":
        first, second = leaky(True, 1)
        return audit_samples(first, second, PureDP(1), 5000)
    first, second = leaky(False, 2)
    return audit_samples(first, second, PureDP(1), 2000)


OUTCOMES = {
    "holds": "holds",
    "fails": "fails",
    "undecided": "undecided",
    "samples fail": "fails",
    "samples leave it open": "undecided",
}


@pytest.mark.parametrize("case", OUTCOMES)
def test_no_verdict_is_true_or_false(case: str) -> None:
    """bool(verdict) raises, and names what to ask for; so does the outcome alone."""
    verdict = verdict_on(case)
    for one in (verdict, verdict.outcome):
        with pytest.raises(TypeError, match=r"ask for \.holds, \.fails or \.undecided"):
            bool(one)
        with pytest.raises(TypeError, match="holds"):
            assert one
        with pytest.raises(TypeError, match="holds"):
            _ = not one


@pytest.mark.parametrize(("case", "name"), OUTCOMES.items())
def test_a_verdict_is_one_of_three(case: str, name: str) -> None:
    """Exactly one of the three questions is answered with yes, and the outcome equals its text."""
    verdict = verdict_on(case)
    asked = {key: getattr(verdict, key) for key in ("holds", "fails", "undecided")}
    assert [key for key, value in asked.items() if value] == [name]
    assert verdict.outcome == name
    assert name == verdict.outcome
    assert verdict.outcome is Outcome(name)
    assert str(verdict).startswith(f"{name}: ")


def test_require() -> None:
    """A claim that holds is given back; the others raise an AssertionError that says why, for tests
    of users.
    """
    holds = verdict_on("holds")
    assert holds.require() is holds
    others = [verdict_on(case) for case in OUTCOMES if case != "holds"]
    for verdict in others:
        with pytest.raises(NotShownToHold, match=r"fails|undecided") as caught:
            verdict.require()
        assert isinstance(caught.value, AssertionError)
        assert str(caught.value) == str(verdict)


def test_an_assertion_in_a_test_of_a_user_is_loud() -> None:
    """``assert audit(...)`` fails for a claim that fails and for one that holds, so that nobody
    relies on it.
    """
    for sigma in (1, 4):
        with pytest.raises(TypeError):
            assert audit(Gaussian(sigma=sigma), ApproxDP(1, "1e-5"))
    assert audit(Gaussian(sigma=4), ApproxDP(1, "1e-5")).holds
    assert audit(Laplace(1), PureDP(1)).require().holds
