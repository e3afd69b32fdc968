"""Draws as cases: given how many of them were of each kind, the loss has a closed profile."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real

MOST_CASES = 6000
"""How many cases are looked at."""


@dataclass(frozen=True)
class Case:
    """Numbers of draws with their probability: the loss is ``offset`` and a Gaussian one of this
    square of a shift, less twice an exponential variable for about every other of ``falls`` draws.
    """

    weight: RealBall
    offset: RealBall
    square: RealBall
    planned: tuple[float, float, float]
    """The logarithm of the weight, the offset and the square in doubles."""
    falls: int = 0


class Kind(NamedTuple):
    """One kind of draws: its probability, and what a draw adds to a case."""

    share: RealBall
    offset: RealBall
    square: RealBall
    falls: int = 0


def one_case(
    weight: RealBall, offset: RealBall, square: RealBall, falls: int = 0
) -> Case:
    """A case, with its numbers in doubles."""
    planned = (float(weight.log()), float(offset), float(square))
    return Case(weight, offset, square, planned, falls)


def binomial_cases(
    one: Kind, two: Kind, count: int, log_least: float
) -> list[Case] | None:
    """How often each of two kinds is drawn: outwards from the mean, as long as that is likely
    enough.
    """
    share = two.share
    mode = min(count, int(float(share) * (count + 1)))
    log = (
        (real(count) + 1).lgamma()
        - (real(mode) + 1).lgamma()
        - (real(count - mode) + 1).lgamma()
    )
    start = (log + share.log() * mode + one.share.log() * (count - mode)).exp()
    odds = share / one.share
    weighted_numbers: list[tuple[int, RealBall]] = [(mode, start)]
    for step in (1, -1):
        number = mode
        weight = start
        while 0 <= number + step <= count:
            ratio = (
                odds * (count - number) / (number + 1)
                if step > 0
                else number / (odds * (count - number + 1))
            )
            number = number + step
            weight = weight * ratio
            if len(weighted_numbers) > MOST_CASES:
                return None
            if weight < start and float(weight.log()) < log_least - math.log(
                2 + math.sqrt(count)
            ):
                break
            weighted_numbers.append((number, weight))
    return [
        one_case(
            weight,
            one.offset * (count - number) + two.offset * number,
            one.square * (count - number) + two.square * number,
            one.falls * (count - number) + two.falls * number,
        )
        for number, weight in weighted_numbers
    ]
