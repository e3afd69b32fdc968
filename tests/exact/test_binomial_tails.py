"""Binomial probabilities in balls, against exact sums and mpmath."""

from fractions import Fraction
from math import comb

import mpmath
import pytest

from rdpacct.exact.ball import Ball
from rdpacct.exact.binomial_tails import exactly, tails

CHANCES = (Fraction(1, 2), Fraction(3, 4), Fraction(1, 1000), Fraction(999, 1000))
LARGE = [
    (10**3, 800, "0.7310585786300049"),
    (10**5, 73_500, "0.7310585786300049"),
    (10**6, 731_000, "0.7310585786300049"),
    (10**6, 700_000, "0.7310585786300049"),
    (10**6, 999_999, "0.999999"),
    (10**6, 10**6, "0.9999999"),
]


def ball_pair(p: Fraction, bits: int = 128) -> tuple[Ball, Ball]:
    """The probabilities of a success and a failure."""
    return Ball.of(p, bits), Ball.of(1 - p, bits)


def encloses(ball: Ball, value: Fraction) -> bool:
    """The ball contains the value, and is narrow."""
    lower, upper = Fraction(ball.lower()), Fraction(ball.upper())
    return lower <= value <= upper and upper - lower <= Fraction(1, 10**20)


@pytest.mark.parametrize("p", CHANCES)
def test_every_count_of_few_trials(p: Fraction) -> None:
    """Both tails and the probability of the count, against sums of fractions."""
    for trials in range(1, 8):
        law = [
            comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1)
        ]
        for count in range(-1, trials + 3):
            most = sum(law[max(count, 0) :], Fraction(0))
            tail, fewer = tails(count, trials, *ball_pair(p))
            assert encloses(tail, most)
            assert encloses(fewer, 1 - most)
            mass = law[count] if 0 <= count <= trials else Fraction(0)
            assert encloses(exactly(count, trials, *ball_pair(p)), mass)


@pytest.mark.parametrize(("trials", "count", "text"), LARGE)
def test_many_trials(trials: int, count: int, text: str) -> None:
    """The smaller tail and the probability of the count, to ten digits of mpmath's."""
    p = Fraction(text)
    tail, fewer = tails(count, trials, *ball_pair(p))
    mass = exactly(count, trials, *ball_pair(p))
    with mpmath.workdps(60):
        right = mpmath.mpf(p.numerator) / p.denominator
        wrong = mpmath.mpf((1 - p).numerator) / (1 - p).denominator
        ways = (
            mpmath.loggamma(trials + 1)
            - mpmath.loggamma(count + 1)
            - mpmath.loggamma(trials - count + 1)
        )
        share = count * mpmath.log(right) + (trials - count) * mpmath.log(wrong)
        expected = mpmath.exp(ways + share)
        assert near(mass, expected)
        smaller, first, step = tail, count, 1
        if count < trials * p:
            smaller, first, step = fewer, count - 1, -1
        assert near(smaller, series(first, trials, right, wrong, step))


def series(
    first: int, trials: int, right: mpmath.mpf, wrong: mpmath.mpf, step: int
) -> mpmath.mpf:
    """The sum of the binomial probabilities from a count outwards, term by term."""
    ways = (
        mpmath.loggamma(trials + 1)
        - mpmath.loggamma(first + 1)
        - mpmath.loggamma(trials - first + 1)
    )
    term = mpmath.exp(
        ways + first * mpmath.log(right) + (trials - first) * mpmath.log(wrong)
    )
    total = mpmath.mpf(0)
    count = first
    while 0 <= count <= trials and term > total * mpmath.mpf(10) ** -25:
        total += term
        if step > 0:
            term *= (trials - count) * right / ((count + 1) * wrong)
        else:
            term *= count * wrong / ((trials - count + 1) * right)
        count += step
    return total


def near(ball: Ball, expected: mpmath.mpf) -> bool:
    """The midpoint of the ball is the expected value to ten digits."""
    with mpmath.workdps(60):
        ends = [
            mpmath.mpf(end.numerator) / end.denominator
            for end in (Fraction(ball.lower()), Fraction(ball.upper()))
        ]
        slack = abs(expected) * mpmath.mpf(10) ** -10
        return bool(ends[0] <= expected + slack and expected - slack <= ends[1]) and (
            bool(ends[1] - ends[0] <= slack)
        )
