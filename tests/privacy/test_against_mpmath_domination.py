"""What a mechanism reports covers every pair of neighbors: score vectors and shifts that are not
the worst ones.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from rdpacct import Exponential, Laplace
from tests.privacy.test_against_mpmath import (
    DIGITS,
    SLACK,
    assert_encloses,
    exactly,
    integral,
    largest,
    number,
    smallest_tau,
)
from tests.privacy.test_against_mpmath_pairs import LaplacePair
from tests.privacy.test_against_mpmath_rows import BoundedRangePairs, Rows

EXPONENTIALS = [
    ("0.3", 1, False),
    ("1", "5/2", False),
    ("6", 2, False),
    ("0.3", "1/2", True),
    ("2", 1, True),
]
ORDERS = ("1/2", "3/2", "2", "10")


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


def chosen(scores: Any, rate: Any) -> Any:
    """The probabilities of the candidates."""
    weights = [mp.exp(rate * number(score)) for score in scores]
    return [weight / mp.fsum(weights) for weight in weights]


def rows_of(
    scores: Any, others: Any, epsilon: Any, sensitivity: Any, monotone: Any
) -> Any:
    """The reference for a pair of score vectors."""
    rate = number(epsilon) / number(sensitivity) / (1 if monotone else 2)
    pairs = zip(chosen(scores, rate), chosen(others, rate), strict=True)
    return Rows([(p, q, mp.log(p / q)) for p, q in pairs])


def neighbors(seed: Any, sensitivity: Any, monotone: Any) -> Any:
    """Random score vectors of which each score moves by at most the sensitivity, all one way if
    monotone.
    """
    rng = random.Random(seed)
    count = rng.randrange(2, 7)
    way = rng.choice((-1, 1))
    spread = rng.choice((1, 4))
    scores = [Fraction(rng.randrange(-100, 101), 50) * spread for _ in range(count)]
    moves: list[Any] = [
        rng.choice((-1, 1, Fraction(rng.randrange(-20, 21), 20))) for _ in range(count)
    ]
    if monotone:
        moves = [
            way,
            *(way * abs(move) * rng.choice((0, 1)) for move in moves[1:-1]),
            0,
        ]
    return scores, [
        score + move * Fraction(sensitivity)
        for score, move in zip(scores, moves, strict=True)
    ]


def covers(bound: Any, reference: Any) -> bool:
    """The reference is at most the upper end."""
    return bool(exactly(reference) <= bound.upper + abs(bound.upper) * SLACK)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("epsilon", "sensitivity", "monotone"), EXPONENTIALS)
def test_exponential_covers_random_scores(
    epsilon: str, sensitivity: int | str, monotone: bool, seed: int
) -> None:
    """No pair of score vectors within the sensitivity has a larger delta, divergence, mean or tau
    than reported.
    """
    mechanism = Exponential(epsilon, sensitivity=sensitivity, monotone=monotone)
    scores, others = neighbors(seed, sensitivity, monotone)
    pair = mechanism.loss_between(scores, others)
    law = rows_of(scores, others, epsilon, sensitivity, monotone)
    profile = mechanism.profile()
    for share in ("0", "1/10", "1/2", "9/10"):
        level = Fraction(share) * Fraction(epsilon)
        assert_encloses(pair.delta(level), law.delta(level))
        assert covers(profile.delta(level), law.delta(level))
    for order in ORDERS:
        assert_encloses(pair.renyi(order), law.renyi(order))
        assert covers(profile.renyi(order), law.renyi(order))
    assert_encloses(pair.mean(), law.mean())
    assert covers(profile.mean(), law.mean())
    assert covers(profile.zcdp_rho(), law.mean())
    assert covers(profile.max_divergence(), law.highest())
    assert covers(profile.centered_cdp()[1], smallest_tau(law))
    assert covers(profile.epsilon("1e-6"), law.epsilon("1e-6"))


def test_scores_that_move_further_are_not_covered() -> None:
    """The check of cover fails for scores that move by more than the sensitivity."""
    profile = Exponential(1).profile()
    law = rows_of([0, 0], ["1.01", "-1.01"], 1, 1, False)
    assert not covers(
        profile.max_divergence(),
        rows_of([-9, 9], ["-10.1", "10.1"], 1, 1, False).highest(),
    )
    assert covers(profile.mean(), rows_of([0, 0], [1, -1], 1, 1, False).mean())
    assert not covers(profile.centered_cdp()[1], smallest_tau(law))


def two_candidates(odds: Any, epsilon: Any, sensitivity: Any, monotone: Any) -> Any:
    """Scores of two candidates that give these log odds, and neighbors that lower them by epsilon;
    nearly exact.
    """
    step = Fraction(sensitivity)
    per_unit = Fraction(epsilon) / Fraction(sensitivity) / (1 if monotone else 2)
    gap = Fraction(int(odds * 2**90), 2**90) / per_unit
    return [gap, 0], [gap - step, 0 if monotone else step]


def best_odds(question: Any, length: Any) -> Any:
    """The log odds at which a two-candidate pair of this range has the largest answer."""
    top = {}

    def answer(odds: Any) -> Any:
        value = question(BoundedRangePairs(length).rows(odds))
        top[value] = odds
        return value

    return top[
        largest(answer, [number(length) / 2 + mpf(k) / 4 for k in range(-60, 61)])
    ]


@pytest.mark.parametrize(("epsilon", "sensitivity", "monotone"), EXPONENTIALS)
def test_exponential_is_approached_by_two_candidates(
    epsilon: str, sensitivity: int | str, monotone: bool
) -> None:
    """Two candidates with the right gap of scores have the reported delta, divergence, mean and
    tau.
    """
    mechanism = Exponential(epsilon, sensitivity=sensitivity, monotone=monotone)
    half = Fraction(epsilon) / 2
    questions: list[tuple[Any, Any]] = [
        (lambda law: law.delta(half), lambda loss: loss.delta(half)),
        (lambda law: law.mean(), lambda loss: loss.mean()),
        *(
            (lambda law, a=a: law.renyi(a), lambda loss, a=a: loss.renyi(a))
            for a in ORDERS
        ),
    ]
    for of_law, of_loss in questions:
        odds = best_odds(of_law, epsilon)
        reached = of_loss(
            mechanism.loss_between(
                *two_candidates(odds, epsilon, sensitivity, monotone)
            )
        )
        reported = of_loss(mechanism.profile())
        assert_encloses(reported, of_law(BoundedRangePairs(epsilon).rows(odds)))
        assert reached.lower * (1 + Fraction(1, 10**15)) >= reported.upper
    even = mechanism.loss_between(
        *two_candidates(mpf(0), epsilon, sensitivity, monotone)
    )
    assert even.centered_cdp()[1].overlaps(mechanism.profile().centered_cdp()[1])
    assert_encloses(
        mechanism.profile().centered_cdp()[1],
        smallest_tau(BoundedRangePairs(epsilon).rows(mpf(0))),
    )


def split_delta(first: Any, second: Any, epsilon: Any) -> Any:
    """delta of a shift by ``first`` scales in one coordinate and by ``second`` in another.

    It is the expectation, over the first output, of the delta of the second coordinate at what
    epsilon is left.
    """
    one = LaplacePair(1, first)
    level = number(epsilon)
    shift = number(second)

    def rest(left: Any) -> Any:
        if left >= shift:
            return mpf(0)
        if left <= -shift:
            return -mp.expm1(left)
        return -mp.expm1((left - shift) / 2)

    def loss(x: Any) -> Any:
        return one.log_p(x) - one.log_q(x)

    kinks = [one.crossing(0) + (level + side * shift) / 2 for side in (-1, 1)]
    points = sorted({*one.points(), *(x for x in kinks if 0 < x < one.distance)})
    return integral(lambda x: mp.exp(one.log_p(x)) * rest(level - loss(x)), points)


@pytest.mark.parametrize("epsilon", ["0", "1/2", "9/10"])
@pytest.mark.parametrize(
    ("first", "second"), [("1/2", "1/2"), ("1/5", "4/5"), ("3/2", "3/2"), ("3", "1/2")]
)
def test_laplace_shift_in_two_coordinates_is_covered(
    first: str, second: str, epsilon: str
) -> None:
    """An L1 shift that is split over two coordinates has at most the delta of the same shift in
    one.
    """
    total = Fraction(first) + Fraction(second)
    reference = split_delta(first, second, epsilon)
    reported = Laplace(1, sensitivity=total).profile().delta(epsilon)
    assert exactly(reference) <= reported.upper
    assert reference > LaplacePair(1, max(first, second, key=Fraction)).delta(epsilon)


@pytest.mark.parametrize("epsilon", ["0", "1/2", "-1/2"])
def test_a_shift_in_one_coordinate_is_a_split_that_leaves_the_other_alone(
    epsilon: str,
) -> None:
    """The reference for two coordinates is that for one where the other is hardly moved."""
    alone = LaplacePair(1, 1).delta(epsilon)
    split = split_delta("1", "1e-30", epsilon)
    assert abs(split - alone) < mpf(10) ** -29
