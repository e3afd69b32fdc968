"""How many guesses to make: a search in floats on canaries that are not judged; it decides
nothing.
"""

import math
from typing import NamedTuple

SPREAD = 3.0
"""An accuracy is taken this many standard errors below its estimate."""


class Candidate(NamedTuple):
    """How many canaries are called in, and how many out."""

    guess_in: int
    guess_out: int


def best_numbers(right_in: list[int], right_out: list[int], canaries: int) -> Candidate:
    """The numbers of guesses that promise the largest epsilon for this number of canaries, from how
    many of the k highest and lowest ones of a pilot are right.
    """
    pilot = len(right_in) - 1
    scale = canaries / pilot
    best = Candidate(canaries, 0)
    most = -math.inf
    for guess_in in _numbers(pilot):
        for guess_out in _numbers(pilot - guess_in):
            planned = _scaled(guess_in, guess_out, scale, canaries)
            guesses = planned.guess_in + planned.guess_out
            if guesses == 0:
                continue
            right = right_in[guess_in] + right_out[guess_out]
            score = _promise(right / (guess_in + guess_out), guesses)
            if score > most:
                most = score
                best = planned
    return best


def _numbers(most: int) -> list[int]:
    """0, 1, 2, 3, 4, 6, 8, 12, 16, ... up to a number, and that."""
    numbers = {0, most}
    power = 1
    while power <= most:
        numbers |= {power, min(most, power + power // 2)}
        power *= 2
    return sorted(numbers)


def _scaled(guess_in: int, guess_out: int, scale: float, canaries: int) -> Candidate:
    inside = min(canaries, round(guess_in * scale))
    outside = min(canaries - inside, round(guess_out * scale))
    return Candidate(inside, outside)


def _promise(accuracy: float, guesses: int) -> float:
    """The log-odds of a lower limit of the accuracy (Wilson)."""
    square = SPREAD**2 / guesses
    center = accuracy + square / 2
    width = SPREAD * math.sqrt(
        accuracy * (1 - accuracy) / guesses + square / guesses / 4
    )
    lower = (center - width) / (1 + square)
    return math.log(max(lower, 1e-300) / (1 - min(lower, 1 - 1e-15)))
