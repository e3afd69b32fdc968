"""What the best of several runs costs beyond one run, for each law of their number."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import End
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.raw import real
from rdpacct.mechanisms.selection.best_run_rules import (
    best_run_shift,
    log_best_moment,
    log_growth_by_moment,
    log_poisson_moment,
    poisson_shift,
    spare_growth,
    stick_between,
)
from rdpacct.mechanisms.selection.number_of_runs import (
    NegativeBinomialRuns,
    NumberOfRuns,
    PoissonRuns,
)
from rdpacct.mechanisms.selection.one_run import (
    BITS,
    OneRun,
    best_tilt,
    delta_by_moments,
    least_of,
    upper_end,
)
from rdpacct.privacy.constants import about, value
from rdpacct.provenance import planning, recorded_property

STEPS, NEAR, AIM = 48, Fraction(1, 2**30), 0.002
"""The search for the least growth: the most steps, how near it comes, and how far above a secant it
aims.
"""
TILTS = tuple(Fraction(2) ** k for k in range(8, -4, -1))
"""The sticks of one run are worked out at the growths 1 + 1/s of these s, and at 1."""


@dataclass(frozen=True)
class Costs(ABC):
    """The moments of the best run from those of one, and how far losses are shifted."""

    run: OneRun
    number: NumberOfRuns
    coarse: bool = False
    """Whether the profile of one run takes too much work to be asked often."""

    @property
    @abstractmethod
    def shift(self) -> Fraction:
        """The most by which the loss of an output of the best run exceeds that of a single run."""

    @abstractmethod
    def prepare(self) -> None:
        """Work out what all answers need."""

    @abstractmethod
    def planned(self, tilt: float) -> float:
        """About ``log_moment``."""

    @abstractmethod
    def log_moment(self, tilt: RealBall) -> RealBall:
        """At least log E exp(tilt L) of the best run, at the current precision."""

    @property
    @abstractmethod
    def levels(self) -> tuple[Fraction, ...]:
        """Losses below which outputs may be better, so that those of large losses tell more."""

    def stick(self, level: Fraction) -> Fraction:
        """At least the delta of one run at a level >= 0, in both directions."""
        run = self.run
        known = None if self.coarse else run.known
        moments = run.planned, run.log_moment, run.last
        return Fraction(
            least_of(
                lambda: None if known is None else known.profile.delta(level).upper,
                lambda: delta_by_moments(*moments, level),
            )
        )

    @lazy_property
    def log_mean(self) -> float:
        """About the logarithm of the mean number of runs."""
        return math.log(about(self.number.mean))


@dataclass(frozen=True)
class NegativeBinomialCosts(Costs):
    """For a truncated negative binomial number of runs."""

    number: NegativeBinomialRuns

    def prepare(self) -> None:
        self.log_growth  # noqa: B018

    @recorded_property
    def log_growth(self) -> Fraction:
        """The logarithm of a growth that is enough: by the profile of one run or its moments."""
        gamma = self.number.gamma.lower
        if gamma == 1:
            return Fraction(0)
        with precision(BITS):
            most = upper_end(-real(gamma).log())
        growth = least_of(
            lambda: most,
            lambda: self._by_moments(gamma),
            lambda: self._by_sticks(gamma, most),
        )
        return Fraction(growth)

    def _by_moments(self, gamma: Fraction) -> End:
        log_gamma = float(Ball.of(gamma, BITS).log())

        def cost(tilt: float) -> float:
            return log_growth_by_moment(self.run.planned(tilt), log_gamma, tilt)

        tilt = best_tilt(cost, self.run.last)
        with precision(BITS):
            s = real(tilt)
            logs = log_growth_by_moment(self.run.log_moment(s), real(gamma).log(), s)
            return Ball(logs, BITS).upper()

    def _by_sticks(self, gamma: Fraction, most: Fraction) -> Fraction:
        """About the least growth with room for the stick of one run, and certainly with room."""
        if self.run.known is None or self.coarse:
            return most
        profile = self.run.known.profile

        def spare(level: Fraction) -> Ball:
            stick = Ball.of(Fraction(profile.delta(level).upper), BITS)
            growth = Ball.of(level, BITS).exp()
            return spare_growth(Ball.of(gamma, BITS), growth, stick)

        return _least_with_room(spare, most)

    @property
    def shift(self) -> Fraction:
        with precision(BITS):
            shape = value(self.number.shape)
            return upper_end(best_run_shift(real(self.log_growth), shape))

    @property
    def levels(self) -> tuple[Fraction, ...]:
        return (-self.log_growth, -self.log_growth * Fraction(5, 4))

    def planned(self, tilt: float) -> float:
        base = self.run.planned(tilt)
        return base + self.log_mean + self._planned_shift * tilt

    @lazy_property
    @planning
    def _planned_shift(self) -> float:
        return float(self.shift)

    def log_moment(self, tilt: RealBall) -> RealBall:
        log_mean = value(self.number.mean).log()
        base = self.run.log_moment(tilt)
        return log_best_moment(base, log_mean, real(self.shift), tilt)


def _least_with_room(spare: Callable[[Fraction], Ball], most: Fraction) -> Fraction:
    """About the least level at which something is spare, by secants that aim a little too high, or
    halves."""
    low, high = Fraction(0), most
    below, above = float(spare(low)), float(spare(high))
    slow = False
    for _ in range(STEPS):
        width = high - low
        if width <= high * NEAR or below >= 0:
            break
        share = 0.5
        if above > 0 and not slow:
            share = min(max(below / (below - above) + AIM, 0.01), 0.99)
        level = low + width * Fraction(round(share * 2**30), 2**30)
        room = spare(level)
        if room.certainly_positive():
            high, above = level, float(room)
        else:
            low, below = level, float(room)
        slow = 2 * (high - low) > width
    return high


@dataclass(frozen=True)
class PoissonCosts(Costs):
    """For a Poisson number of runs."""

    number: PoissonRuns

    @property
    def shift(self) -> Fraction:
        mean = Fraction(self.number.mean.bound().upper)
        return poisson_shift(mean, self._sticks[0][1])

    @property
    def levels(self) -> tuple[Fraction, ...]:
        distance = self._sticks[0][1]
        falling = [
            next((g for g, stick in self._sticks if part * stick <= distance), None)
            for part in (2, 8)
        ]
        logs = [math.log(growth) for growth in falling if growth is not None]
        return (Fraction(0), *(-Fraction(round(x * 2**20), 2**20) for x in logs))

    def prepare(self) -> None:
        self._sticks  # noqa: B018

    @recorded_property
    def _sticks(self) -> list[tuple[Fraction, Fraction]]:
        """Growths from 1 on, each with a stick of one run."""
        dots = [(Fraction(1), self.stick(Fraction(0)))]
        for tilt in TILTS:
            growth = 1 + 1 / tilt
            with precision(BITS):
                level = Fraction(Ball(real(growth).log(), BITS).lower())
            dots.append((growth, min(self.stick(level), dots[-1][1])))
        return dots

    def _chord(self, growth: float) -> int | None:
        """Which chord is over a growth; None beyond the last."""
        for index in range(len(self._sticks) - 1):
            if growth <= self._sticks[index + 1][0]:
                return index
        return None

    def _stick(self, tilt: RealBall) -> RealBall:
        growth = 1 + 1 / tilt
        index = self._chord(float(growth.mid()))
        if index is None:
            last, stick = self._sticks[-1]
            return real(stick if growth >= real(last) else self._sticks[0][1])
        (low, first), (high, second) = self._sticks[index : index + 2]
        if not (growth >= real(low) and growth <= real(high)):
            return real(self._sticks[0][1])
        return stick_between(real(low), real(first), real(high), real(second), growth)

    def planned(self, tilt: float) -> float:
        with precision(64):
            stick = float(self._stick(real(tilt)).mid())
        mean = about(self.number.mean)
        base = self.run.planned(tilt)
        log = log_poisson_moment(base, self.log_mean, mean, stick, tilt)
        return max(log, -mean) + math.log1p(math.exp(-abs(log + mean)))

    def log_moment(self, tilt: RealBall) -> RealBall:
        mean = value(self.number.mean)
        base = self.run.log_moment(tilt)
        stick = self._stick(tilt)
        log = log_poisson_moment(base, mean.log(), mean, stick, tilt)
        return (value(self.number.none) + log.exp()).log()
