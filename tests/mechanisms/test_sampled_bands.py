"""Bands on cyclic Poisson samples: against plans of sampled releases and an independent sum."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rdpacct import (
    Gaussian,
    InputError,
    PoissonSampled,
    Relation,
    SampledBands,
    ToeplitzMechanism,
    UndecidedError,
    audit_code,
    epsilon,
    profile,
)
from rdpacct.functions import sqrt


@pytest.mark.parametrize("relation", list(Relation), ids=str)
def test_turns_are_sampled_releases(relation: Relation) -> None:
    """Seven steps and two bands: three turns with the whole column, and one at the end."""
    bands = SampledBands(3, 7, [1, "3/4"], "0.2", relation=relation)
    whole = PoissonSampled(
        Gaussian(3, sqrt(Fraction(25, 16))), "0.2", relation=relation
    )
    last = PoissonSampled(Gaussian(3), "0.2", relation=relation)
    assert bands.plan() == 3 * whole + last
    if relation is Relation.REPLACE_ONE:
        return
    found = epsilon(bands, "1e-5")
    assert found == epsilon(3 * whole + last, "1e-5")
    assert "matrix/sampled-bands" in found.rests_on


def test_all_records_of_a_group_are_the_unsampled_stream() -> None:
    """At rate 1 it is the band itself, for records that take part in each turn."""
    for steps in (5, 6, 100):
        sampled = SampledBands(4, steps, [1, "1/2", "-1/4"], 1)
        band = ToeplitzMechanism(4, steps, [1, "1/2", "-1/4"], steps, 3)
        assert epsilon(sampled, "1e-5").overlaps(epsilon(band, "1e-5"))
    assert epsilon(SampledBands(4, 9, [1, 1], 0), 0).upper == 0


@pytest.mark.parametrize("group", [0, 1])
def test_the_law_of_the_rows_by_a_sum(group: int) -> None:
    """Two turns of a record, Renyi of order 2: E over both samples of the exponential of the
    product of the shifts of two draws, over all rows; the second group is no worse.
    """
    steps, rate, sigma = 4, 0.25, 2.0
    numbers = (1.0, 0.5)
    turns = range(group, steps, 2)
    shifts = []
    for drawn in product((0, 1), repeat=len(turns)):
        stream = [0.0] * steps
        for step, there in zip(turns, drawn, strict=True):
            stream[step] = float(there)
        rows = [
            stream[i] + numbers[1] * (stream[i - 1] if i else 0) for i in range(steps)
        ]
        share = math.prod(rate if there else 1 - rate for there in drawn)
        shifts.append((share, rows))
    total = sum(
        p * q * math.exp(sum(a * b for a, b in zip(x, y, strict=True)) / sigma**2)
        for p, x in shifts
        for q, y in shifts
    )
    bands = SampledBands(2, steps, [1, "1/2"], "1/4")
    [*losses] = profile(bands.plan()).losses
    found = max(float(loss.renyi(2).upper) for loss in losses)
    if group == 0:
        assert abs(found - math.log(total)) < 1e-9
    else:
        assert math.log(total) < found


def test_more_steps_bands_and_noise() -> None:
    """A turn more costs more, and a longer band at the same rate of a group less."""
    text = "SampledBands(sigma=2, steps={}, coefficients={}, rate=0.1)"
    one = epsilon(text.format(100, [1]), "1e-6")
    two = epsilon(text.format(100, "[1, 0.1]"), "1e-6")
    more = epsilon(text.format(101, "[1, 0.1]"), "1e-6")
    assert two.certainly_below(one)
    assert more.certainly_above(two)
    plain = epsilon("100*PoissonSampled(Gaussian(sigma=2), rate=0.1)", "1e-6")
    assert one == plain


@pytest.mark.filterwarnings("ignore::rdpacct.mechanisms.StudyOnlyWarning")
def test_its_sampler_passes_an_audit_and_a_second_turn_does_not() -> None:
    """By running code: the record in the first step, and in both."""
    bands = SampledBands(1, 2, [1, 1], "1/2")
    nothing = [(0, 0), (0, 0)]

    def score(output: Any) -> float:
        return float(output[0] + 2 * output[1])

    for value, fails in (([(1, 0), (0, 0)], False), ([(2, 0), (2, 0)], True)):
        verdict = audit_code(
            bands.sample, value, nothing, str(bands), trials=2000, score=score
        )
        assert verdict.fails is fails


def test_what_is_refused() -> None:
    bands = SampledBands(1, 4, [1, 1], "1/2")
    with pytest.raises(UndecidedError, match="several releases"):
        bands.loss()
    with pytest.raises(InputError, match="two values for"):
        bands.sample([1, 2, 3, 4])
    with pytest.raises(InputError, match="must be at most 1"):
        SampledBands(1, 4, [1, 1], 2)
    with pytest.raises(InputError, match="samples for mechanisms"):
        PoissonSampled(bands, "1/2")


def test_a_replaced_record_stays_in_its_group() -> None:
    """No theorem is about one that changes it, so that the answer says what is assumed."""
    said = {
        relation: SampledBands(1, 4, [1, 1], "1/2", relation=relation).assumes()[0]
        for relation in Relation
    }
    replaced = said.pop(Relation.REPLACE_ONE)
    assert "the record that replaces it is in the same one" in replaced
    assert not any("replaces" in other for other in said.values())
