"""Numbers of papers and of other accountants are within our enclosures, at least five in each
family.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.elsewhere import FAMILIES, REFERENCES, SLOW, Reference, digits

LEAST = 5


def families_with_few(references: list[Reference]) -> list[str]:
    """Families that have fewer numbers than there should be."""
    counts = Counter(one.family for one in references)
    return [family for family in FAMILIES if counts[family] < LEAST]


def test_every_family_has_five_numbers_from_elsewhere() -> None:
    assert families_with_few(REFERENCES) == []
    assert {one.family for one in REFERENCES} == set(FAMILIES)
    assert all(one.source for one in REFERENCES)


def test_a_family_with_fewer_is_noticed() -> None:
    sampled = [one for one in REFERENCES if one.family == "sampling"]
    rest = [one for one in REFERENCES if one not in sampled]
    assert families_with_few([*rest, *sampled[: LEAST - 1]]) == ["sampling"]


def cases() -> list[Any]:
    """Each with the name of its family; those that take seconds are slow."""
    found = []
    for number, reference in enumerate(REFERENCES):
        name = f"{reference.family.replace(' ', '-')}-{number}"
        marks = [pytest.mark.slow] if reference in SLOW else []
        found.append(pytest.param(reference, id=name, marks=marks))
    return found


@pytest.mark.parametrize("reference", cases())
def test_numbers_from_elsewhere_are_within_our_ends(reference: Reference) -> None:
    assert reference.agrees, (reference.source, reference.ends, reference.ours())


def test_other_numbers_are_not() -> None:
    """The comparison can fail: half as much again is outside, for every narrow answer."""
    for family in ("relations and groups", "correlated noise", "selection"):
        reference = next(one for one in REFERENCES if one.family == family)
        low, high = (Fraction(end) * Fraction(3, 2) for end in reference.ends)
        assert not replace(reference, ends=(str(low), str(high))).agrees


def test_digits_stand_for_half_a_unit_on_each_side() -> None:
    assert digits("0.12") == ("23/200", "1/8")
    assert digits("2.5e-05") == ("49/2000000", "51/2000000")
