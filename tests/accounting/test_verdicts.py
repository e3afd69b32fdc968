"""Verdicts have no truth value: a claim that fails, or that nobody could decide, is never read as
one that holds.
"""

import random
from typing import Any

import pytest

from rdpacct import ApproxDP, ApproxZCDP, Gaussian, Laplace, Outcome, PureDP, audit
from rdpacct.auditing import NotShownToHold, audit_samples
from rdpacct.auditing.verdict import Audited

HOLDS = audit(Gaussian(sigma=4), ApproxDP(1, "1e-5"))
FAILS = audit(Gaussian(sigma=1), ApproxDP(1, "1e-5"))
UNDECIDED = audit("Gaussian(sigma=1)", ApproxZCDP("0.4", "0.05"))


def leaky(doubled: Any, seed: Any) -> Any:
    """Laplace noise on 0 and on 1, of scale 1 or, by mistake, of scale 1/2."""
    source = random.Random(seed)
    scale = 0.5 if doubled else 1.0

    def noise() -> Any:
        return source.choice((-1, 1)) * source.expovariate(1 / scale)

    return noise, lambda: 1 + noise()


FIRST, SECOND = leaky(True, 1)
SAMPLED_FAILS = audit_samples(FIRST, SECOND, PureDP(1), 5000)
FIRST, SECOND = leaky(False, 2)
SAMPLED_OPEN = audit_samples(FIRST, SECOND, PureDP(1), 2000)


@pytest.mark.parametrize(
    "verdict", [HOLDS, FAILS, UNDECIDED, SAMPLED_FAILS, SAMPLED_OPEN], ids=str
)
def test_no_verdict_is_true_or_false(verdict: Audited) -> None:
    """bool(verdict) raises, and names what to ask for; so does the outcome alone."""
    for one in (verdict, verdict.outcome):
        with pytest.raises(TypeError, match=r"ask for \.holds, \.fails or \.undecided"):
            bool(one)
        with pytest.raises(TypeError, match="holds"):
            assert one
        with pytest.raises(TypeError, match="holds"):
            _ = not one


@pytest.mark.parametrize(
    ("verdict", "name"),
    [
        (HOLDS, "holds"),
        (FAILS, "fails"),
        (UNDECIDED, "undecided"),
        (SAMPLED_FAILS, "fails"),
        (SAMPLED_OPEN, "undecided"),
    ],
)
def test_a_verdict_is_one_of_three(verdict: Audited, name: str) -> None:
    """Exactly one of the three questions is answered with yes, and the outcome equals its text."""
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
    assert HOLDS.require() is HOLDS
    for verdict in (FAILS, UNDECIDED, SAMPLED_FAILS, SAMPLED_OPEN):
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
