"""What is known of the twins for certain: the right ones keep their claims, the broken ones do
not, and the code that runs has the laws that are audited.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from rdpacct import Outcome, audit, calibrate, delta
from rdpacct.exact.formula import formula
from rdpacct.testing import TWINS, Twin
from rdpacct.testing.laplace_race import (
    Below,
    Between,
    Indicator,
    NoisyValue,
    chance,
    chance_below,
)
from rdpacct.testing.pair_law import pair_law
from rdpacct.testing.twins import (
    added_noise,
    batches,
    coins,
    floating_point,
    histograms,
    local_sensitivity,
    noisy_max,
    permute_and_flip,
    sparse_vector,
    sparse_vector_answers,
)
from rdpacct.testing.twins.truth import outcome, truly
from tests.twins_page import PAGE, page_with_twins

RUNS = 20_000


LONG = ("smooth-log-normal-without-size",)
"""Twins whose laws take seconds: the laws of this noise have tests of their own by default."""
BY_LENGTH = [
    pytest.param(twin, marks=[pytest.mark.slow] * (twin.name in LONG)) for twin in TWINS
]


@pytest.mark.parametrize("twin", BY_LENGTH, ids=[twin.name for twin in TWINS])
def test_the_right_twin_keeps_the_claim_and_the_broken_one_does_not(twin: Twin) -> None:
    """For certain, by exact laws and plans."""
    assert outcome(twin.right_law, twin.claim) is Outcome.HOLDS
    assert outcome(twin.broken_law, twin.claim) is Outcome.FAILS


def test_a_version_in_the_place_of_the_other_is_noticed() -> None:
    """The comparison can fail, of a guarantee and of the curve of a plan."""
    for twin in (added_noise.HALF_THE_SCALE, batches.FIXED_SIZE):
        assert outcome(twin.broken_law, twin.claim) is Outcome.FAILS
        assert outcome(twin.right_law, twin.claim) is Outcome.HOLDS
    smaller = "PoissonSampled(Gaussian(sigma=2), rate=1/2)"
    assert outcome(lambda: smaller, batches.SAMPLED) is Outcome.UNDECIDED


def test_what_a_broken_version_has() -> None:
    """In the terms of the claim, rounded down."""
    assert truly(added_noise.HALF_THE_SCALE) == "epsilon 2"
    assert truly(coins.BIASED_COIN) == "epsilon 1.38629"
    assert truly(histograms.SPARSE) == "no finite epsilon"
    assert truly(batches.FIXED_SIZE).startswith("delta 0.270149 at epsilon 1/2")


def test_the_page_has_the_twins() -> None:
    """``python -m tests.twins_page`` writes the table."""
    assert PAGE.read_text() == page_with_twins()


def test_the_twins_have_names_of_their_own() -> None:
    """They are found in their files, and say what is wrong in a sentence."""
    names = [twin.name for twin in TWINS]
    assert names == sorted(set(names))
    assert len(names) >= 25
    for twin in TWINS:
        assert twin.note.endswith(".")
        assert twin.source
        assert twin.x != twin.x_neighbor


CODE_WITH_LAWS: dict[
    str, tuple[Any, Callable[[Any], Mapping[Any, Any]], Any, Callable[[Any], Any]]
] = {
    f"{twin.name}, {side}, {data}": (code, code.law, data, tuple)
    for twin in TWINS
    for side in ("right", "broken")
    for data in (twin.x, twin.x_neighbor)
    if isinstance(code := getattr(twin, side), sparse_vector.PublishedVariant)
}
CODE_WITH_LAWS |= {
    "positions": (
        sparse_vector_answers.RIGHT,
        sparse_vector_answers.RIGHT.positions,
        sparse_vector_answers.X_NEIGHBOR,
        lambda output: int(output[0]),
    ),
    "answers": (
        sparse_vector_answers.BROKEN,
        sparse_vector_answers.BROKEN.answers,
        sparse_vector_answers.X,
        lambda output: (int(output[0]), bool(output[1] <= 2)),
    ),
    "largest": (noisy_max.RIGHT, noisy_max.RIGHT.law, noisy_max.LAST, int),
    "largest value": (
        noisy_max.WITH_VALUE,
        noisy_max.WITH_VALUE.signs,
        noisy_max.ALL_HIGH,
        lambda output: "below" if output < 0 else "above",
    ),
    "exponential": (
        permute_and_flip.exponential,
        permute_and_flip.exponential_law,
        (1, -1, 0),
        int,
    ),
    "permute-and-flip": (
        permute_and_flip.permute_and_flip,
        permute_and_flip.permute_and_flip_law,
        (1, -1, 0),
        int,
    ),
    "threshold": (
        histograms.FROM_ON,
        histograms.FROM_ON.law,
        1,
        lambda output: "released" if output else "not released",
    ),
    "true batch size": (
        batches.noisy_mean,
        batches.distances,
        batches.ONE_RECORD,
        lambda output: "far" if abs(output) >= 2 else "near",
    ),
    "half precision": (
        floating_point.in_half_precision,
        floating_point.half_precision_law,
        1,
        float,
    ),
}


@pytest.mark.parametrize("case", CODE_WITH_LAWS)
def test_the_code_has_the_law_that_is_known(case: str) -> None:
    """Every output has a probability, and these add up to 1; every frequency is within six
    standard deviations of its own.
    """
    code, law_of, data, read = CODE_WITH_LAWS[case]
    law = {
        output: float(formula(mass).bound()) for output, mass in law_of(data).items()
    }
    assert sum(law.values()) == pytest.approx(1, abs=1e-9)
    seen = Counter(map(read, code(data, np.random.default_rng(5), RUNS)))
    assert set(seen) <= set(law)
    assert [
        (output, seen[output], RUNS * mass)
        for output, mass in law.items()
        if abs(seen[output] - RUNS * mass) > far(mass)
    ] == []


def far(mass: float) -> float:
    """Six standard deviations of a count, and one for the skew of rare ones."""
    return 6 * math.sqrt(RUNS * mass) + 1


def test_a_wrong_law_of_the_code_is_found() -> None:
    """The comparison can fail: the law of another scale is too far away."""
    law = noisy_max.HALF_THE_NOISE.law(noisy_max.LAST)
    outputs = noisy_max.RIGHT(noisy_max.LAST, np.random.default_rng(5), RUNS)
    mass = float(law[0].bound())
    assert abs((outputs == 0).sum() - RUNS * mass) > far(mass)


def test_races_against_mpmath() -> None:
    """A probability of the sparse vector technique as an integral, at 30 digits."""

    def density(z: Any, scale: Any) -> Any:
        return mpmath.exp(-abs(z) / scale) / (2 * scale)

    def below(z: Any, scale: Any) -> Any:
        tail = mpmath.exp(-abs(z) / scale) / 2
        return tail if z < 0 else 1 - tail

    three = Fraction(3)
    factors = (
        Below(NoisyValue(Fraction(1), three)),
        Between(NoisyValue(Fraction(-1), three), Fraction(2)),
        Indicator(Fraction(1, 2), above=False),
    )
    exact = chance(NoisyValue(Fraction(0), Fraction(2)), factors)
    with mpmath.workdps(30):
        integral = mpmath.quad(
            lambda z: (
                density(z, mpmath.mpf(2))
                * below(z - 1, mpmath.mpf(3))
                * (below(mpmath.mpf(3), mpmath.mpf(3)) - below(z + 1, mpmath.mpf(3)))
            ),
            [-mpmath.inf, -20, -1, 0, mpmath.mpf(1) / 2],
        )
        error = abs(integral - mpmath.mpf(str(float(exact.bound()))))
    assert error < 1e-15
    assert float(chance_below(NoisyValue(Fraction(1), three), Fraction(0)).bound()) == (
        pytest.approx(math.exp(-1 / 3) / 2)
    )


def test_a_pair_with_outputs_of_its_own_has_no_epsilon() -> None:
    """An output that one of the two inputs never gives, in either order."""
    one_sided = pair_law({0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: 1})
    assert audit(one_sided, "PureDP(epsilon=100)").fails
    assert audit(one_sided, "ApproxDP(epsilon=1, delta=0.5)").holds
    assert audit(one_sided, "ApproxDP(epsilon=0, delta=0.49)").fails


def test_the_constants_of_the_gaussian_twins() -> None:
    """The classical one is audited as a formula; the other is the least one, rounded up."""
    assert audit(
        added_noise.CLASSICAL_FORMULA.broken_law(), "GaussianDP(mu=3.55944)"
    ).holds
    assert 3.55944 > 1 / added_noise.CLASSICAL > 3.55943
    least = calibrate("Gaussian(sigma=?)", 8, "0.1").value
    assert 0 < added_noise.ENOUGH - float(least.upper) < 1e-6


def test_the_classical_formula_fails_where_no_audit_can_see_it() -> None:
    """At epsilon 20 and delta 1e-5 the true delta is 152 times the claimed one, on an event that
    exp(20) makes too rare to be tested.
    """
    sigma = "sqrt(2*log(125000))/20"
    assert delta(f"Gaussian(sigma={sigma})", 20).lower > 152 * Fraction(1, 10**5)


def test_the_local_sensitivities_are_five_and_one() -> None:
    """By trying every whole replacement of a record, and both ends of the range."""
    for data, expected in ((local_sensitivity.X, 5), (local_sensitivity.X_NEIGHBOR, 1)):
        median = sorted(data)[2]
        changed = [
            abs(sorted([*data[:i], new, *data[i + 1 :]])[2] - median)
            for i in range(5)
            for new in range(11)
        ]
        assert max(changed) == expected
        assert local_sensitivity.MEDIAN.local_within(data, 0) == expected


def test_outputs_in_doubles_show_their_input() -> None:
    """From 1 every output is a multiple of 2**-53, and from 0 some are finer."""
    rng = np.random.default_rng(3)
    finer = [
        sum(
            floating_point.last_bit(output) < -53
            for output in floating_point.in_doubles(value, rng, RUNS)
        )
        for value in (0, 1)
    ]
    assert finer[0] > RUNS / 5
    assert finer[1] == 0
    assert [floating_point.last_bit(x) for x in (1.0, 6.0, -0.375, 0.0)] == [
        0,
        1,
        -3,
        0,
    ]


def test_the_table_of_coins() -> None:
    """Truth with probability 3/4 by a fair coin, 4/5 by the biased one."""
    for heads, truth in (
        (coins.FAIR, Fraction(3, 4)),
        (coins.BIASED, Fraction(4, 5)),
    ):
        told = coins.response(heads, 1, np.random.default_rng(1), RUNS).sum()
        assert abs(told - RUNS * truth) < far(float(truth * (1 - truth)))
        assert coins.table(heads).rows[0] == (truth, 1 - truth)
