"""What happened in one run: how many canaries there were, how many coins were guessed, and how many
of these guesses are right.
"""

from dataclasses import dataclass
from enum import StrEnum

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole

MOST_CANARIES = 10**7


class GuessSides(StrEnum):
    """Which guesses the auditor makes, as it was settled before the coins were looked at."""

    BOTH = "both"
    """Some canaries are called in, and others out."""
    IN = "in"
    OUT = "out"

    @property
    def kinds(self) -> int:
        """How many of the two kinds of guesses there are."""
        return 2 if self is GuessSides.BOTH else 1


@dataclass(frozen=True, slots=True)
class CanaryGuesses:
    """A run with ``canaries`` canaries, each included by a fair coin of its own: the auditor
    guessed ``guesses`` coins, a number that was fixed in advance, and ``correct`` guesses are
    right.

    ``sides`` says whether guesses of both kinds were allowed, or only "in", or only "out". ``how``
    says how the number of guesses was chosen.
    """

    canaries: int
    guesses: int
    correct: int
    sides: GuessSides | str = GuessSides.BOTH
    how: str = "fixed in advance"

    def __post_init__(self) -> None:
        canaries = whole(self.canaries, "the number of canaries", 1, MOST_CANARIES)
        guesses = whole(self.guesses, "the number of guesses", 1, MOST_CANARIES)
        correct = whole(self.correct, "the number of correct guesses", 0, MOST_CANARIES)
        if guesses > canaries:
            raise InputError(
                f"there are {guesses} guesses and {canaries} canaries; guess each coin at"
                " most once."
            )
        if correct > guesses:
            raise InputError(
                f"{correct} of {guesses} guesses are called correct; give a number of at"
                f" most {guesses}."
            )
        object.__setattr__(self, "canaries", canaries)
        object.__setattr__(self, "guesses", guesses)
        object.__setattr__(self, "correct", correct)
        object.__setattr__(self, "sides", _sides(self.sides))

    @property
    def kinds(self) -> int:
        """Two if guesses of both kinds were allowed, else one."""
        return GuessSides(self.sides).kinds

    def __str__(self) -> str:
        called = {
            GuessSides.BOTH: "each in or out",
            GuessSides.IN: "all in",
            GuessSides.OUT: "all out",
        }
        return (
            f"{self.correct} of {self.guesses} guesses right, {called[GuessSides(self.sides)]},"
            f" of {self.canaries} canaries"
        )


def _sides(given: GuessSides | str) -> GuessSides:
    try:
        return GuessSides(given)
    except ValueError:
        raise InputError(
            f"the sides are {shorten(repr(given))}; give both, in or out."
        ) from None
