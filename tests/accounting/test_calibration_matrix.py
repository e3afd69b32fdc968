"""Each number of each mechanism is calibrated: what suffices really does, or a sentence says why
there is no value.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

import pytest

from rdpacct import InputError, UndecidedError, calibrate, profile
from rdpacct.mechanisms import known_mechanisms

NUMBER = re.compile(r"(?<=[a-z_]=)-?[0-9][0-9./e-]*(?=[,)])")
DELTA = Fraction(1, 1000)
TARGETS = (Fraction(1, 2), Fraction(3))
QUICK = (
    *("Gaussian", "Laplace", "DiscreteLaplace", "RandomizedResponse", "Exponential"),
    *("MaximallyDivergent", "TreeAggregation", "HadamardResponse", "PoissonSampled"),
)


def opened(name: str) -> Iterator[str]:
    """The examples of a mechanism, with a question mark in the place of each number."""
    for example in known_mechanisms()[name].examples():
        text = str(example)
        for number in NUMBER.finditer(text):
            yield f"{text[: number.start()]}?{text[number.end() :]}"


def check(plan: str, epsilon: Fraction) -> bool:
    """Whether there is a value that suffices; if not, one sentence says so."""
    try:
        found = calibrate(plan, epsilon, DELTA)
    except (InputError, UndecidedError) as error:
        said = str(error)
        assert said.endswith("."), said
        assert "\n" not in said.split("\n  ")[0], said
        return False
    for certain in (found.plan, found.short_plan):
        asked = profile(certain)
        met = asked.delta(epsilon).upper <= DELTA
        assert met or asked.epsilon(DELTA).upper <= epsilon, (plan, str(certain))
    if found.insufficient is not None:
        assert found.insufficient != found.sufficient
    return True


@pytest.mark.parametrize("name", QUICK)
def test_the_first_number_of_some(name: str) -> None:
    assert check(next(opened(name)), TARGETS[0]) in (True, False)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", TARGETS)
@pytest.mark.parametrize("name", sorted(known_mechanisms()))
def test_every_number(name: str, epsilon: Fraction) -> None:
    for plan in opened(name):
        check(plan, epsilon)


def test_there_are_values_and_refusals() -> None:
    """The check tells one from the other."""
    assert check("Gaussian(sigma=?)", TARGETS[0])
    assert not check("RandomizedResponse(epsilon=5) + Gaussian(sigma=?)", TARGETS[0])
