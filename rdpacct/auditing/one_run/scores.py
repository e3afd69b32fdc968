"""Scores of canaries, and guesses made from them without a look at the coins that judge them."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rdpacct.auditing.one_run.choice import Candidate, best_numbers
from rdpacct.auditing.one_run.guesses import MOST_CANARIES, CanaryGuesses, GuessSides
from rdpacct.auditing.one_run.scores_file import read_rows
from rdpacct.errors import InputError
from rdpacct.exact.binomial import at_most
from rdpacct.exact.number import Number, listed, rational, shorten, whole

UNFAIR = Fraction(1, 10**12)
"""Fair coins are believed to be fair unless their number of heads is less likely than this."""


@dataclass(frozen=True, slots=True, repr=False)
class CanaryScores:
    """A score for each canary, the higher the more it seems to be in, and whether it was included.

    Scores may be any function of what the run put out. Among equal scores, those are guessed first
    that make the guess wrong, so that the order of the rows does not matter.
    """

    scores: Sequence[float]
    included: Sequence[int]

    def __post_init__(self) -> None:
        scores = tuple(map(_score, _all(self.scores, "the scores")))
        included = tuple(map(_coin, _all(self.included, "the coins")))
        if len(scores) != len(included):
            raise InputError(
                f"there are {len(scores)} scores and {len(included)} coins; give one coin"
                " for each score."
            )
        whole(len(scores), "the number of canaries", 1, MOST_CANARIES)
        _are_fair(sum(included), len(included))
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "included", included)

    @classmethod
    def read(cls, path: str | Path) -> "CanaryScores":
        """The scores of a file, .csv or .json, with the columns score and included."""
        scores, included = read_rows(Path(path))
        return cls(scores, included)

    def __repr__(self) -> str:
        return f"CanaryScores({len(self.scores)} canaries, {sum(self.included)} in)"

    def guess(self, guess_in: int, guess_out: int = 0) -> CanaryGuesses:
        """Call a number of canaries with the highest scores in, and a number with the lowest out;
        both numbers are settled before anything is known of the coins.
        """
        return self._guessed(Candidate(guess_in, guess_out), "fixed in advance")

    def above(self, threshold: Number) -> CanaryGuesses:
        """Call every canary with a score above the threshold in, and every other one out."""
        least = rational(threshold, "the threshold")
        called = [score > least for score in self.scores]
        pairs = zip(called, self.included, strict=True)
        right = sum(guess == coin for guess, coin in pairs)
        total = len(called)
        return CanaryGuesses(
            total,
            total,
            right,
            GuessSides.BOTH,
            f"scores above {threshold} are called in",
        )

    def chosen_on(self, share: Number = "0.5", seed: int = 0) -> CanaryGuesses:
        """Choose the numbers of guesses on a share of the canaries, drawn with a seed, and guess
        the others only.

        The coins of that share are known to the auditor then, and the run is one with the other
        canaries. The seed and the order of the rows may not depend on the coins.
        """
        part = rational(share, "the share")
        size = round(part * len(self.scores))
        if not (0 < part < 1 and 0 < size < len(self.scores)):
            raise InputError(
                f"the share is {share} of {len(self.scores)} canaries; give a share between"
                " 0 and 1 that leaves some on both sides."
            )
        self._is_mixed()
        order = list(range(len(self.scores)))
        random.Random(whole(seed, "the seed", 0, 2**63)).shuffle(order)
        pilot = self._part(order[:size])
        rest = self._part(order[size:])
        numbers = best_numbers(*pilot.right_counts(), len(rest.scores))
        return rest._guessed(numbers, f"chosen on {size} other canaries, seed {seed}")

    def right_counts(self) -> tuple[list[int], list[int]]:
        """How many of the k highest are in, and of the k lowest out, for each k from 0 on."""
        rows = list(zip(self.scores, self.included, strict=True))
        highest = sorted(rows, key=lambda row: (-row[0], row[1]))
        lowest = sorted(rows, key=lambda row: (row[0], not row[1]))
        right_in = _running(bool(coin) for _, coin in highest)
        right_out = _running(not coin for _, coin in lowest)
        return right_in, right_out

    def _guessed(self, numbers: Candidate, how: str) -> CanaryGuesses:
        total = len(self.scores)
        inside = whole(numbers.guess_in, "the number of canaries called in", 0, total)
        outside = whole(numbers.guess_out, "the number called out", 0, total)
        right_in, right_out = self.right_counts()
        guesses = inside + outside
        if not 1 <= guesses <= total:
            raise InputError(
                f"{inside} canaries are called in and {outside} out, of {total}; guess at"
                " least one, and each at most once."
            )
        sides = GuessSides.BOTH
        if not outside:
            sides = GuessSides.IN
        elif not inside:
            sides = GuessSides.OUT
        right = right_in[inside] + right_out[outside]
        called = f"the {inside} highest in, the {outside} lowest out, {how}"
        return CanaryGuesses(total, guesses, right, sides, called)

    def _part(self, rows: list[int]) -> "CanaryScores":
        """Some of the canaries."""
        part = object.__new__(CanaryScores)
        object.__setattr__(part, "scores", tuple(self.scores[row] for row in rows))
        object.__setattr__(part, "included", tuple(self.included[row] for row in rows))
        return part

    def _is_mixed(self) -> None:
        """Refuse rows that were sorted by their coins: a part of them would not be random."""
        changes = sum(
            one != other
            for one, other in zip(self.included, self.included[1:], strict=False)
        )
        if changes <= 1 and len(self.included) > 2 * 20:
            raise InputError(
                "the rows are sorted by included, so that a part of the canaries would"
                " depend on the coins; give them in the order of the canaries, or give the"
                " numbers of guesses."
            )


def _all(values: Any, name: str) -> list[Any]:
    """The values of a sequence or an array."""
    try:
        return list(listed(values))
    except TypeError:
        raise InputError(
            f"{name} are {shorten(repr(values))}; give a list, one for each canary."
        ) from None


def _score(value: Any) -> float:
    try:
        score = float(value)
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score) or isinstance(value, bool):
        raise InputError(
            f"a score is {shorten(repr(value))}, which is not a finite number; give a"
            " number for each canary."
        )
    return score


def _coin(value: Any) -> bool:
    if value not in (0, 1) or isinstance(value, float):
        raise InputError(
            f"a coin is {shorten(repr(value))}; give true or 1 for a canary that was"
            " included, and false or 0 for one that was not."
        )
    return bool(value)


def _running(flags: Iterable[bool]) -> list[int]:
    sums = [0]
    for flag in flags:
        sums.append(sums[-1] + flag)
    return sums


def _are_fair(heads: int, coins: int) -> None:
    """Refuse coins that are certainly not fair."""
    fewer = min(heads, coins - heads)
    likely = at_most(fewer, coins, Fraction(1, 2), 96)
    if (likely - UNFAIR).certainly_negative():
        raise InputError(
            f"{heads} of {coins} canaries are included, which fair coins almost never do;"
            " the audit needs a fair coin for each canary."
        )
