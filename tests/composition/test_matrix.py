"""All pairs and a tenth of all triples of releases: no crash, no long wait, and narrow answers.

The default run asks a fixed tenth of the pairs; the slow one asks all, in parts.
docs/composition.md lists what stays wide.
"""

import math

import pytest

from rdpacct import profile
from tests.matrix import (
    MOST_SECONDS,
    QUESTIONS,
    Asked,
    ask,
    enclosed_pairs,
    line,
    pairs,
    releases,
    triples,
)

PARTS = 8
MOST_WIDE = 0.002
"""The share of the answers of triples that may be wider than they should be; of pairs, and of the
default run, none may.
"""
PATIENT = 2 * MOST_SECONDS
"""For releases that need not be narrow."""


def asked(plans: list[str], most: float = MOST_SECONDS) -> list[Asked]:
    """What came of each question of each plan; none takes long."""
    found = [ask(plan, question) for plan in plans for question in QUESTIONS]
    assert [line(one) for one in found if one.seconds > most] == []
    return found


def too_wide(found: list[Asked], most: float) -> list[str]:
    """Answers beyond the share that may be wide, and all refusals."""
    refused = [line(one) for one in found if one.answer is None]
    wide = [line(one) for one in found if one.wide]
    return refused + (wide if len(wide) > most * len(found) else [])


def has_two_ends(one: Asked) -> bool:
    """Whether there is an answer whose ends are in order, and the upper one says something: it is
    finite, or infinite losses alone have more than the delta.
    """
    if one.answer is None or not 0 <= one.answer.lower <= one.answer.upper:
        return False
    return one.answer.upper < math.inf or one.answer.lower == math.inf


@pytest.mark.parametrize("part", range(PARTS))
def test_a_tenth_of_the_pairs_is_narrow(part: int) -> None:
    """Every tenth pair, spread over the kinds, and a few triples."""
    plans = pairs()[::10] + triples()[::300]
    assert too_wide(asked(plans[part::PARTS]), 0) == []


def test_a_sample_of_releases_that_need_not_be_narrow_answers() -> None:
    """They have two ends, in order, and the upper one says something."""
    for one in asked(enclosed_pairs()[::37], most=PATIENT):
        assert has_two_ends(one), line(one)


@pytest.mark.parametrize("text", releases())
def test_a_pair_answers_at_least_as_each_of_it(text: str) -> None:
    """Dropping a release can only lower delta and epsilon."""
    both = profile(f"{text} + Laplace(scale=2)")
    alone = profile(text)
    for name, at in QUESTIONS:
        assert getattr(both, name)(at).upper >= getattr(alone, name)(at).lower


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_pairs_and_a_tenth_of_all_triples_are_narrow(part: int) -> None:
    """Every pair of releases, and a drawn tenth of the triples."""
    assert too_wide(asked(pairs()[part::PARTS]), 0) == []
    assert too_wide(asked(triples()[part::PARTS]), MOST_WIDE) == []


@pytest.mark.slow
def test_all_releases_that_need_not_be_narrow_answer() -> None:
    """Every promise of bounded moments, and every release that is dominated, beside every
    release.
    """
    for one in asked(enclosed_pairs(), most=3 * PATIENT):
        assert has_two_ends(one), line(one)
