"""Draws as cases: given how many of them were of each kind, the loss is a shifted Gaussian one."""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real

MOST_CASES = 6000
"""How many cases are looked at."""


@dataclass(frozen=True)
class Case:
    """Numbers of draws with their probability: the loss is ``offset`` and a Gaussian one of this
    square of a shift.
    """

    weight: RealBall
    offset: RealBall
    square: RealBall
    planned: tuple[float, float, float]
    """The logarithm of the weight, the offset and the square in doubles."""


def one_case(weight: RealBall, offset: RealBall, square: RealBall) -> Case:
    """A case, with its numbers in doubles."""
    return Case(
        weight, offset, square, (float(weight.log()), float(offset), float(square))
    )


def binomial_cases(
    one: tuple[RealBall, RealBall, RealBall],
    two: tuple[RealBall, RealBall, RealBall],
    count: int,
    log_least: float,
) -> list[Case] | None:
    """How often each of two kinds is drawn: outwards from the mean, as long as that is likely
    enough.
    """
    share = two[0]
    mode = min(count, int(float(share) * (count + 1)))
    log = (
        (real(count) + 1).lgamma()
        - (real(mode) + 1).lgamma()
        - (real(count - mode) + 1).lgamma()
    )
    start = (log + share.log() * mode + one[0].log() * (count - mode)).exp()
    odds = share / one[0]
    found: list[tuple[int, RealBall]] = [(mode, start)]
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
            if len(found) > MOST_CASES:
                return None
            if weight < start and float(weight.log()) < log_least - math.log(
                2 + math.sqrt(count)
            ):
                break
            found.append((number, weight))
    return [
        one_case(
            weight,
            one[1] * (count - number) + two[1] * number,
            one[2] * (count - number) + two[2] * number,
        )
        for number, weight in found
    ]
