"""Every sampler with every shipped mechanism inside, for every relation: an answer, or a sentence
that names the nearest that is covered.
"""

import dataclasses
import math
import random
import re
from itertools import product
from typing import Any

import pytest

from rdpacct import InputError, Relation, epsilon
from rdpacct.mechanisms import known_mechanisms
from rdpacct.mechanisms.mechanism import Mechanism

DELTA = "1e-3"
SAMPLERS = sorted(
    name
    for name, cls in known_mechanisms().items()
    if cls.inside is not None
    and {"mechanism", "relation"} <= set(getattr(cls, "__dataclass_fields__", ()))
)
CELLS = list(product(SAMPLERS, sorted(known_mechanisms()), list(Relation)))
SLOW_INSIDE = ("Smooth", "Matrix", "Toeplitz", "Shuffled", "Sparse", "Repeat")
"""Names of mechanisms of which the losses take long to find out, beginning so."""
PIECES = ("Laplace", "TruncatedLaplace")
"""Losses in pieces, which take long for each of ten numbers of copies."""
QUICK = random.Random(16).sample(
    [
        each
        for each in CELLS
        if not each[1].startswith(SLOW_INSIDE)
        and not (each[0] == "SampledWithReplacement" and each[1] in PIECES)
    ],
    40,
)
COVERED = re.compile(r"\b(give|state|sample|ask)\b")
"""Every remedy is one of these."""


def cell(sampler: str, inside: str, relation: Relation) -> tuple[Any, Mechanism]:
    """The first example of a sampler, with the first example of a mechanism inside."""
    cls = known_mechanisms()[sampler]
    outside: Any = next(iter(cls.examples()))
    held = next(iter(known_mechanisms()[inside].examples()))
    assert cls.inside is not None
    held = held.stated_for(cls.inside)
    found = dataclasses.replace(outside, mechanism=held, relation=relation)
    return found, held


def check(sampler: str, inside: str, relation: Relation) -> bool:
    """Whether the cell has an answer: in order, and at most that of the records that it may use all
    of; else it is refused with one sentence.
    """
    try:
        release, held = cell(sampler, inside, relation)
        found = epsilon(release, DELTA)
    except InputError as error:
        text = str(error)
        assert "\n" not in text
        assert text.endswith(".")
        assert COVERED.search(text), text
        return False
    assert 0 <= found.lower <= found.upper
    whole = epsilon(held, DELTA)
    if _one_step(sampler, relation):
        assert found.upper <= whole.upper
        assert found.upper < math.inf or whole.upper == math.inf
    return True


def _one_step(sampler: str, relation: Relation) -> bool:
    """Whether neighbors are neighbors of the mechanism inside, if all is sampled: not if a replaced
    record is one that is removed and one that is added, or has several copies.
    """
    if "WithReplacement" in sampler:
        return False
    if known_mechanisms()[sampler].inside is Relation.REPLACE_ONE:
        return True
    return sampler == "PoissonSampled" and relation is not Relation.REPLACE_ONE


@pytest.mark.parametrize(("sampler", "inside", "relation"), QUICK)
def test_a_drawn_cell(sampler: str, inside: str, relation: Relation) -> None:
    check(sampler, inside, relation)


def test_every_sampler_answers_for_a_gaussian_mechanism() -> None:
    """For one record more or less, and for every relation where batches are drawn anew."""
    every = ("Poisson", "Replacement")
    for sampler, relation in product(SAMPLERS, list(Relation)):
        answered = check(sampler, "Gaussian", relation)
        if relation is Relation.ADD_OR_REMOVE_ONE:
            assert answered
        if any(name in sampler for name in every):
            assert answered, (sampler, relation)


def test_a_sampler_does_not_raise_epsilon_of_a_wrong_cell() -> None:
    """The check fails for a cell that is worse than what is inside: here two sampled records
    against one.
    """
    release, held = cell("PoissonSampled", "Gaussian", Relation.REPLACE_ONE)
    often = dataclasses.replace(release, rate="0.999")
    assert epsilon(often, DELTA).lower > epsilon(held, DELTA).upper


@pytest.mark.slow
def test_all_cells() -> None:
    """The whole matrix; a fifth of it has answers at least, where there is one worst pair."""
    answers = sum(check(*each) for each in CELLS)
    assert 5 * answers > len(CELLS)


def test_a_refusal_names_the_promise_that_is_covered() -> None:
    """A mechanism without one worst pair can be given as what it keeps."""
    with pytest.raises(InputError, match=r"as PureDP\(epsilon=1\)\.$"):
        cell("PoissonSampled", "Exponential", Relation.ADD_OR_REMOVE_ONE)
