"""A generator of NumPy whose choices are given; this module needs NumPy."""

from typing import Any

import numpy as np

from rdpacct.auditing.support.chosen_source import GivenChoices, NotInverted, refused

NOT_DRAWN = ("bit_generator", "spawn")


class ChosenGenerator(np.random.Generator):
    """NumPy's ``Generator`` with given choices; methods that are not inverted refuse."""

    def __init__(self, choices: GivenChoices) -> None:
        super().__init__(np.random.PCG64(0))
        self.given = choices


def _random(self: ChosenGenerator, size: Any = None, **options: Any) -> float:
    """The given uniform double."""
    if size is not None or options:
        raise NotInverted("an array of uniform doubles is drawn")
    return self.given.double()


def _uniform(
    self: ChosenGenerator, low: float = 0.0, high: float = 1.0, size: Any = None
) -> float:
    """The given uniform double in a range, as NumPy computes it."""
    if size is not None:
        raise NotInverted("an array of uniform doubles is drawn")
    return low + (high - low) * self.given.double()


def _choice(self: ChosenGenerator, a: Any, *others: Any, **options: Any) -> Any:
    """The given one of some options."""
    if others or options:
        raise NotInverted("several options are chosen, or with probabilities")
    options_given = range(a) if isinstance(a, int) else a
    return options_given[self.given.choose(len(options_given))]


def _integers(
    self: ChosenGenerator, low: int, high: int | None = None, **options: Any
) -> int:
    """The given one of some integers."""
    if options:
        raise NotInverted("an array of integers is drawn")
    numbers = range(low) if high is None else range(low, high)
    return numbers[self.given.choose(len(numbers))]


FOLLOWED = {
    "random": _random,
    "uniform": _uniform,
    "choice": _choice,
    "integers": _integers,
}

for _kind in dir(np.random.Generator):
    if not _kind.startswith("_") and _kind not in NOT_DRAWN:
        setattr(ChosenGenerator, _kind, FOLLOWED.get(_kind) or refused(_kind))
