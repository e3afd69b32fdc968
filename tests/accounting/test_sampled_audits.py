"""Audits of running code: any guarantee, both orders of the inputs, and errors before anything is
run.
"""

import math
import random
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    InputError,
    MeanCDP,
    ProfileDP,
    PureDP,
    RandomDP,
    RenyiDP,
    read_claim,
)
from rdpacct.auditing import audit_samples

RUNS = 500


def gaussian(mean: Any, sigma: Any, seed: Any) -> Any:
    """A mechanism that adds normal noise to its input."""
    source = random.Random(seed)
    return lambda: source.gauss(mean, sigma)


SOUND = {
    "PureDP(epsilon=40)": PureDP(40),
    "ApproxDP": ApproxDP(1, "0.13"),
    "ProfileDP": ProfileDP([["0", "0.39"], ["1", "0.13"]]),
    "RenyiDP": RenyiDP(2, 1),
    "ZCDP": ZCDP("1/2"),
    "ApproxZCDP": ApproxZCDP("1/2", "1e-9"),
    "MeanCDP": MeanCDP("1/2", 1),
    "GaussianDP": GaussianDP(1),
}
"""What Gaussian noise of sigma 1 keeps on inputs 1 apart (40: as far as so few runs can see)."""
BROKEN = {
    "PureDP": PureDP("0.5"),
    "ApproxDP": ApproxDP(1, "1e-3"),
    "ProfileDP": ProfileDP([["1", "1e-3"], ["5", "0"]]),
    "RenyiDP": RenyiDP(2, "0.3"),
    "ZCDP": ZCDP("0.1"),
    "ApproxZCDP": ApproxZCDP("0.05", "1e-6"),
    "MeanCDP": MeanCDP("0.05", "0.3"),
    "GaussianDP": GaussianDP("0.5"),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_code_is_not_refuted(name: str) -> None:
    """The claims that hold stay undecided."""
    claim = SOUND[name]
    first = gaussian(0, 1, 1)
    second = gaussian(1, 1, 2)
    assert audit_samples(first, second, claim, RUNS).undecided


@pytest.mark.parametrize("name", BROKEN)
def test_broken_claims_are_refuted(name: str) -> None:
    """Claims of every kind that Gaussian noise of sigma 1 breaks."""
    verdict = audit_samples(gaussian(0, 1, 3), gaussian(1, 1, 4), BROKEN[name], 3000)
    assert verdict.fails, verdict
    assert "probability" in str(verdict.witness)


def test_a_leak_on_either_input_is_found() -> None:
    """An output that only one input gives refutes the claim, whichever input that is."""
    source = random.Random(5)

    def quiet() -> float:
        return 0.0

    def leaking() -> float:
        return float(source.random() < 0.1)

    for pair, leaked in (((quiet, leaking), "second"), ((leaking, quiet), "first")):
        verdict = audit_samples(*pair, PureDP(1), 2000)
        assert verdict.fails
        assert f"where D is the {leaked} input" in verdict.witness.event


def test_the_limits_of_the_witness_are_those_of_clopper_and_pearson() -> None:
    """Each limit has the tail that it should, by the sum over the binomial law."""
    verdict = audit_samples(
        gaussian(0, 1, 6), gaussian(1, 1, 7), ApproxDP(1, "1e-3"), 500, error="1e-3"
    )
    hits, runs = (int(word) for word in verdict.witness.p.how.split() if word.isdigit())
    low = float(verdict.witness.p.lower)
    high = float(verdict.witness.p.upper)
    above = sum(
        math.comb(runs, k) * low**k * (1 - low) ** (runs - k)
        for k in range(hits, runs + 1)
    )
    below = sum(
        math.comb(runs, k) * high**k * (1 - high) ** (runs - k) for k in range(hits + 1)
    )
    assert above == pytest.approx(1e-3 / 8, rel=1e-3)
    assert below == pytest.approx(1e-3 / 8, rel=1e-3)
    assert verdict.error == Fraction(1, 1000)


def never() -> None:
    """A run that must not happen."""
    raise AssertionError("run before the arguments were checked")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((never, never, "PureDP(epsilon=-1)", 10), "epsilon"),
        ((never, never, RandomDP(1, gamma="0.1"), 10), "ApproxDP"),
        ((never, never, 3, 10), "guarantee"),
        ((never, never, PureDP(1), 0), "number of runs"),
        ((never, never, PureDP(1), 2.5), "number of runs"),
        ((never, never, PureDP(1), 10, 0), "error"),
        ((never, never, PureDP(1), 10, 2), "error"),
        ((never, 3, PureDP(1), 10), "function"),
        ((lambda: "red", never, PureDP(1), 10), "not a number"),
        ((lambda: float("nan"), never, PureDP(1), 10), "not a number"),
    ],
)
def test_mistakes_are_found_before_any_run(arguments: Any, says: str) -> None:
    """Each is one sentence, and no time is lost."""
    with pytest.raises(InputError, match=says):
        audit_samples(*arguments)


def test_claims_may_be_text() -> None:
    """The claim is read as on the command line."""
    first = gaussian(0, 1, 8)
    second = gaussian(1, 1, 9)
    verdict = audit_samples(first, second, "ApproxDP(epsilon=1, delta=0.5)", 200)
    assert verdict.claim == read_claim("ApproxDP(epsilon=1, delta=0.5)")
