"""The events that audits of running code find: vectors, repeats, sets of values, intervals, scores
and known losses.
"""

import math
from typing import Any

import pytest

from rdpacct import (
    ApproxDP,
    DiscreteLaplace,
    Gaussian,
    InputError,
    Laplace,
    PureDP,
    audit_code,
)
from rdpacct.arrays import load
from rdpacct.auditing.running.interval_sets import InIntervals
from rdpacct.auditing.running.output_events import SomeRows, count_hits
from rdpacct.auditing.running.outputs import OutputKind, Outputs
from rdpacct.auditing.running.scores import TheNumber

TRIALS = 4000
ZEROS = [0.0, 0.0, 0.0]
ONE = [0.0, 1.0, 0.0]


def one_draw(data: list[float], rng: Any) -> list[float]:
    """One draw of noise for a whole vector."""
    noise = rng.laplace()
    return [value + noise for value in data]


def noisy_vector(data: list[float], rng: Any, size: int) -> Any:
    """Independent noise on each coordinate."""
    np = load()
    return np.array(data) + rng.laplace(size=(size, len(data)))


def test_one_draw_for_a_vector_is_seen_by_repeats() -> None:
    """Outputs on equal coordinates repeat, and on the neighbor not all of them."""
    found = audit_code(one_draw, ZEROS, ONE, PureDP(1), trials=TRIALS)
    assert found.fails
    assert found.trials < 200
    assert audit_code(noisy_vector, ZEROS, ONE, PureDP(1), trials=TRIALS).undecided


def test_a_direction_is_found_where_no_coordinate_tells_much() -> None:
    """A difference that is spread over 20 coordinates: each alone is within the claim."""
    np = load()

    def spread(data: float, rng: Any, size: int) -> Any:
        return data / math.sqrt(20) + rng.normal(size=(size, 20)) * 0.4

    alone = ApproxDP("1.5", "0.05")
    found = audit_code(spread, 0.0, 1.0, alone, trials=20_000)
    assert found.fails
    assert "times" in found.witness.event

    def first(output: Any) -> float:
        return float(np.asarray(output)[0])

    coordinate = audit_code(spread, 0.0, 1.0, alone, trials=20_000, score=first)
    assert coordinate.undecided


def test_rows_of_bits_are_told_apart_as_a_whole() -> None:
    """Parity is in no coordinate, no threshold and no linear function."""

    def parity(data: int, rng: Any, size: int) -> Any:
        np = load()
        bits = rng.integers(0, 2, size=(size, 3))
        keep = rng.random(size) < 0.95
        wanted = np.where(keep, data, 1 - data)
        bits[:, 2] = (bits[:, 0] + bits[:, 1] + wanted) % 2
        return bits

    found = audit_code(parity, 0, 1, PureDP(1), trials=TRIALS)
    assert found.fails
    assert found.trials < 400
    assert "one of" in found.witness.event


def test_noise_of_two_sizes_is_seen_by_intervals() -> None:
    """Both tails are likely on one input, so that no one side of a threshold is best."""

    def sized(data: float, rng: Any, size: int) -> Any:
        return rng.normal(scale=data, size=size)

    found = audit_code(sized, 1.0, 4.0, ApproxDP(1, "0.1"), trials=20_000)
    assert found.fails


def test_an_event_counts_what_it_says() -> None:
    """Intervals without their lower ends, and vectors that are equal in every coordinate."""
    np = load()
    numbers = Outputs(OutputKind.NUMBER, np.array([-3.0, 0.0, 1.0, 2.0, 2.5, 9.0]))
    event = InIntervals(TheNumber(), (-math.inf, 0.0, 2.0, math.inf))
    assert count_hits([event], numbers) == [4]
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [-0.0, 1.0], [0.0, 1.0 + 1e-15]])
    vectors = Outputs(OutputKind.VECTOR, rows, 2)
    some = frozenset([(0.0, 1.0)])
    assert count_hits([SomeRows(some)], vectors) == [2]


def test_a_known_loss_is_the_most_powerful_score() -> None:
    """The likelihood ratio of the mechanism that is claimed, by its shipped loss."""

    def quiet(data: float, rng: Any, size: int) -> Any:
        return data + rng.normal(scale=0.5, size=size)

    found = audit_code(quiet, 1.0, 0.0, "Gaussian(sigma=1)", loss=Gaussian(sigma=1))
    assert found.fails
    ends = 1 - math.exp(-1)
    right = audit_code(
        lambda data, rng: data + int(rng.geometric(ends) - rng.geometric(ends)),
        1,
        0,
        "DiscreteLaplace(scale=1)",
        trials=TRIALS,
        loss=DiscreteLaplace(scale=1),
    )
    assert right.undecided


def test_the_bits_of_noise_in_doubles_give_the_input_away() -> None:
    """Where the loss of Laplace noise should be 1 or -1, its last bits tell 1 + noise from
    noise.
    """
    found = audit_code(
        lambda data, rng: data + rng.laplace(),
        1.0,
        0.0,
        "Laplace(scale=1)",
        trials=20_000,
        loss=Laplace(scale=1),
    )
    assert found.fails
    assert "0.9999999999999998" in found.witness.event


def test_a_score_that_is_no_number_is_one_sentence() -> None:
    """It names what the score is."""

    def itself(output: Any) -> Any:
        return output

    with pytest.raises(InputError, match="a score is a vector of length 3"):
        audit_code(noisy_vector, ZEROS, ONE, PureDP(1), trials=100, score=itself)


def test_tuples_of_other_lengths_are_categories() -> None:
    """As the answers of a sparse vector algorithm are, which stops when it has enough."""

    def until(data: float, rng: Any) -> tuple[bool, ...]:
        answers: list[bool] = []
        while len(answers) < 5:
            answers.append(bool(data + rng.laplace(scale=0.2) > 0.5))
            if answers[-1]:
                break
        return tuple(answers)

    found = audit_code(until, 0.0, 1.0, PureDP(1), trials=TRIALS)
    assert found.fails
    assert "True" in found.witness.event or "False" in found.witness.event


def test_names_and_nothing_are_categories() -> None:
    """Any hashable value; None is one."""

    def says(data: int, rng: Any) -> Any:
        return "yes" if rng.random() < 0.3 + 0.6 * data else None

    assert audit_code(says, 0, 1, PureDP("0.5"), trials=TRIALS).fails
