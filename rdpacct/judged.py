"""What every verdict on a claim can be asked: it holds, it fails or it is undecided, and it has no
truth value.
"""

from abc import abstractmethod
from typing import NoReturn, Self


class NotShownToHold(AssertionError):
    """Raised by ``require()`` of a claim that fails or is undecided; the message is the verdict."""


class Judged:
    """A verdict on a claim.

    ``if verdict:`` would read a claim that fails, or that nobody could decide, as one that holds;
    so it is refused.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def holds(self) -> bool:
        """The claim was shown to hold."""

    @property
    @abstractmethod
    def fails(self) -> bool:
        """The claim was refuted."""

    @property
    def undecided(self) -> bool:
        """The claim was neither shown to hold nor refuted."""
        return not (self.holds or self.fails)

    def require(self) -> Self:
        """The verdict itself if the claim holds; else ``NotShownToHold`` with the reason."""
        if self.holds:
            return self
        raise NotShownToHold(str(self))

    def __bool__(self) -> NoReturn:
        raise no_truth_value(self)


def no_truth_value(verdict: object) -> TypeError:
    """The error of reading a verdict as true or false."""
    return TypeError(
        f"a {type(verdict).__name__} is not true or false; ask for .holds, .fails or"
        " .undecided."
    )
