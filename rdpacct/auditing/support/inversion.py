"""Code with one uniform double, inverted: whether any of the 2**53 uniform doubles leads to an
output.

As a function of the uniform double, the code is taken to be monotone for each of its other
choices, but for rounding among some neighbors, all of which are tried. That it is so is checked on
many doubles, and is an assumption beyond.
"""

import copy
import math
import random
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import load
from rdpacct.auditing.support.chosen_source import (
    GRID_BITS,
    MOST_OPTIONS,
    ChosenRandom,
    GivenChoices,
    NotInverted,
)
from rdpacct.proof.check import Rejected

FIRST, LAST = 1, 2**GRID_BITS - 1
"""The uniform doubles in multiples of 2**-53; 0, which has no logarithm, is tried apart."""
MOST_PATHS = 64
CHECKED = 200
"""The number of uniform doubles at which the code is checked to be monotone."""
LEAST_WINDOW, MOST_WINDOW = 100, 10**6
Path = tuple[int, ...]


@dataclass(frozen=True)
class Straddle:
    """Two uniform doubles next to each other whose outputs an output is between, for given other
    choices; the same one twice at an end.
    """

    choices: Path
    below: int
    above: int
    low: float
    high: float

    def entries(self) -> dict[str, Any]:
        """The straddle as entries of a certificate."""
        return {
            "choices": list(self.choices),
            "below": self.below,
            "above": self.above,
            "low": self.low.hex(),
            "high": self.high.hex(),
        }

    @classmethod
    def of(cls, entries: Any) -> "Straddle":
        """The straddle that entries of a certificate say."""
        names = {"choices", "below", "above", "low", "high"}
        if not isinstance(entries, dict) or set(entries) != names:
            raise Rejected("a straddle has other entries than it should")
        choices = whole_numbers(entries["choices"], MOST_OPTIONS)
        below, above = whole_numbers([entries["below"], entries["above"]], LAST)
        low = hexadecimal(entries["low"])
        return cls(choices, below, above, low, hexadecimal(entries["high"]))


class OneUniform:
    """A mechanism on one data set, as a function of a uniform double and of finitely many other
    choices.
    """

    def __init__(self, mechanism: Any, data: Any, source: Any) -> None:
        self.mechanism = mechanism
        self.data = data
        self.source = source

    def run(self, choices: GivenChoices) -> Any:
        """The output for given choices."""
        rng: Any = ChosenRandom(choices)
        if self.source is not random.Random:
            load()
            from rdpacct.auditing.support.chosen_generator import ChosenGenerator

            rng = ChosenGenerator(choices)
        return self.mechanism(copy.copy(self.data), rng)

    def output(self, path: Path, uniform: int) -> float:
        """The output as a double, for other choices and a uniform double; infinite where the code
        fails, as at the logarithm of zero.
        """
        try:
            output = self.run(GivenChoices(path, uniform))
        except (ValueError, ZeroDivisionError, OverflowError):
            return math.inf
        if not isinstance(output, float):
            raise NotInverted("the output is not a double")
        return float(output)

    def paths(self) -> list[Path]:
        """All ways to make the other choices."""
        paths = list[Path]()
        open_paths: list[Path] = [()]
        while open_paths:
            path = open_paths.pop()
            choices = GivenChoices(path, 2 ** (GRID_BITS - 2) + 1)
            self.run(choices)
            if choices.uniforms != 1:
                raise NotInverted("no uniform double is drawn")
            if len(choices.options) == len(path):
                paths.append(path)
            else:
                options = choices.options[len(path)]
                open_paths += [(*path, index) for index in range(options)]
            if len(paths) + len(open_paths) > MOST_PATHS:
                raise NotInverted(f"there are more than {MOST_PATHS} other choices")
        return sorted(paths)

    def check_monotone(self, path: Path, rng: random.Random) -> None:
        """Refuse code whose outputs are not in order at some of the uniform doubles."""
        points = sorted(rng.randrange(FIRST, LAST) for _ in range(CHECKED))
        outputs = [self.output(path, point) for point in points]
        if outputs != sorted(outputs) and outputs != sorted(outputs, reverse=True):
            raise NotInverted("the output is not monotone in the uniform double")

    def straddle(self, path: Path, output: float) -> Straddle | None:
        """The neighbors that an output is between; None if it is reached."""
        rises = self.output(path, LAST) > self.output(path, FIRST)
        low, high = FIRST - 1, LAST + 1
        while high - low > 1:
            middle = (low + high) // 2
            reached = self.output(path, middle)
            if reached == output:
                return None
            if (reached < output) == rises:
                low = middle
            else:
                high = middle
        ends = (low, high) if rises else (high, low)
        below, above = (min(max(end, FIRST), LAST) for end in ends)
        return Straddle(
            path, below, above, self.output(path, below), self.output(path, above)
        )

    def is_near(self, straddle: Straddle, output: float, window: int) -> bool:
        """Whether an output is reached within ``window`` uniform doubles of a straddle, or at 0."""
        first = max(min(straddle.below, straddle.above) - window, FIRST)
        last = min(max(straddle.below, straddle.above) + window, LAST)
        points = [0, *range(first, last + 1)]
        return any(self.output(straddle.choices, k) == output for k in points)

    def never(self, output: float, window: int) -> list[Straddle] | None:
        """The straddles of an output for all other choices; None if it is reached."""
        straddles = list[Straddle]()
        for path in self.paths():
            straddle = self.straddle(path, output)
            if straddle is None or self.is_near(straddle, output, window):
                return None
            straddles.append(straddle)
        return straddles

    def confirm(self, straddle: Straddle, output: float, window: int) -> None:
        """Check a straddle of a certificate: its outputs, their order, and all neighbors."""
        if window < LEAST_WINDOW:
            raise Rejected(f"fewer than {LEAST_WINDOW} neighbors would be tried")
        low = self.output(straddle.choices, straddle.below)
        high = self.output(straddle.choices, straddle.above)
        left_out = abs(straddle.above - straddle.below) == 1 and low < output < high
        if straddle.below == straddle.above in (FIRST, LAST):
            left_out = self._is_beyond(straddle.choices, output)
        stated = (low, high) == (straddle.low, straddle.high)
        if not (stated and left_out) or self.is_near(straddle, output, window):
            raise Rejected(
                f"the outputs at {straddle.below} and {straddle.above} do not leave out"
                f" {output!r}"
            )

    def _is_beyond(self, path: Path, output: float) -> bool:
        """Whether an output is beyond those at both ends of the uniform doubles."""
        ends = sorted((self.output(path, FIRST), self.output(path, LAST)))
        return not ends[0] <= output <= ends[1]


def whole_numbers(given: Any, most: int) -> tuple[int, ...]:
    """The whole numbers from 0 to a limit that a list of a certificate has."""
    if not isinstance(given, list):
        raise Rejected("an entry that should be a list is none")
    for number in given:
        if type(number) is not int or not 0 <= number <= most:
            raise Rejected(f"a number is not whole and from 0 to {most}")
    return tuple(given)


def hexadecimal(text: Any) -> float:
    """The double that a text of a certificate says; NaN if it says none."""
    try:
        return float.fromhex(text)
    except (TypeError, ValueError, OverflowError):
        return math.nan
