"""What a calibration aims at: a delta at an epsilon, or the largest loss where delta is zero."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction

from rdpacct.composition.alternatives import of_each_record
from rdpacct.composition.plans import planned_log_delta
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import decimal_text, shorten
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.provenance import attempt
from rdpacct.questions import FAR, Questions
from rdpacct.work import Exhausted, share

RAISES_PRIVACY = {"sigma", "sigma_squared", "scale"}
"""Parameters whose increase improves privacy; increasing any other parameter weakens it."""
ONE_VALUE = 0.3
"""The part of the remaining work for each value of the open number."""
NEAR_ONE = 0.1
"""delta counts as near one above this part of the logarithm of the target; a target does above this
logarithm.
"""


class Target(ABC):
    """Whether a value of the open number meets the target."""

    def __init__(
        self, plan: Callable[[Fraction], Plan], epsilon: Fraction, delta: Fraction
    ) -> None:
        self.plan = plan
        self.epsilon = epsilon
        self.delta = delta
        self.evidence: dict[Fraction, frozenset[str]] = {}
        """What each comparison with the target rests on."""
        self.known: dict[Fraction, tuple[float, float, bool | None]] = {}
        """What was seen of each value."""

    @abstractmethod
    def planned(self, value: Fraction) -> float:
        """Approximately by how much the target is missed, on a logarithmic scale; it steers a
        search and is not an answer.
        """

    @abstractmethod
    def excess(self, value: Fraction) -> tuple[float, float, bool | None]:
        """By how much the target is missed, its uncertainty, and whether the target is met (None:
        undecided).
        """

    def met(self, value: Fraction) -> bool | None:
        """Whether the target is certainly met, or certainly not."""
        return self.seen(value)[2]

    def seen(self, value: Fraction) -> tuple[float, float, bool | None]:
        """The excess with its uncertainty, and whether the target is met, which is remembered
        with its evidence.
        """
        if value not in self.known:
            with attempt() as used:
                self.known[value] = self.excess(value)
            self.evidence[value] = frozenset(used)
        return self.known[value]

    def nearest(self, guess: float, met: bool) -> Fraction | None:
        """The value nearest to a guess that was seen to meet the target, or not to."""
        values = [value for value, known in self.known.items() if known[2] is met]
        return min(values, key=lambda value: abs(value - Fraction(guess)), default=None)

    def narrowest(self, more_private: int) -> tuple[Fraction | None, Fraction | None]:
        """The least private value that was seen to meet the target, and the most private one that
        was seen not to; the larger of two is more private, or less.
        """
        met = [value for value, known in self.known.items() if known[2] is True]
        missed = [value for value, known in self.known.items() if known[2] is False]
        first, last = (min, max) if more_private > 0 else (max, min)
        return first(met, default=None), last(missed, default=None)

    def found(self, name: str) -> str:
        """The least private value that was seen to meet the target, as a part of a sentence."""
        best, _ = self.narrowest(1 if name in RAISES_PRIVACY else -1)
        if best is None:
            return ""
        return f"; {name} = {decimal_text(best)} certainly suffices"

    def too_costly(self, name: str) -> UndecidedError:
        """The work is used up before two values enclose the target, as one takes much of it."""
        return UndecidedError(
            f"the work of one answer was used up before two values of {name} enclosed the"
            f" target, since each takes a good part of it{self.found(name)}; ask for the"
            " epsilon of the plan at single values."
        )

    def unreachable(self, name: str, value: Fraction) -> InputError:
        """Why no value between this one and the end of the search meets the target just so."""
        at = decimal_text(value)
        met = self.met(value)
        if met is None:
            raise UndecidedError(
                f"whether {name} = {at} meets the target is not decided; nothing beyond it"
                " is looked at."
            )
        if met:
            return InputError(
                f"every {name} down to {at} meets the target; the target is loose, so"
                f" choose {name} freely."
            )
        return InputError(
            f"no {name} meets the target: at {name} = {at} delta is still too large, since"
            " the rest of the plan alone exceeds it; give a larger epsilon or delta, or a"
            " smaller plan."
        )

    @abstractmethod
    def check(self, name: str) -> None:
        """Refuse a target that no value of the open number can meet, where that is known at
        once.
        """


class DeltaTarget(Target):
    """Compares delta at the epsilon of the target with its delta."""

    def planned(self, value: Fraction) -> float:
        """By saddle points, or by the profile where there are none."""
        if self.epsilon > FAR:
            return self.excess(value)[0]
        plan = self.plan(value)
        single = plan.single
        if single is not None and single.planned_by_profile:
            most = Fraction(Questions(plan).profile.delta(self.epsilon).upper)
            return self._missed(_log(most)) if most > 0 else -math.inf
        planned = [
            planned_log_delta(case, float(self.epsilon))
            for case in of_each_record(plan)
        ]
        return self._missed(max(planned))

    def excess(self, value: Fraction) -> tuple[float, float, bool | None]:
        asked = Questions(self.plan(value))
        try:
            with share(ONE_VALUE):
                delta = asked.delta(self.epsilon)
        except Exhausted:  # a law that takes more than its part may still fit
            delta = asked.delta(self.epsilon)
        low, high = (
            self._missed(_log(Fraction(end))) if end > 0 else -math.inf
            for end in (delta.lower, delta.upper)
        )
        size = (low + high) / 2 if math.isfinite(low) else -math.inf
        return size, (high - low) / 2, _compared(delta, self.delta)

    def _missed(self, log_delta: float) -> float:
        """By how much log delta misses its target, on a scale that is nearly linear in the
        logarithm of the open number: log delta changes about with a power of it.

        The scale is straight where delta is near one, and all of it if the target is.
        """
        wanted = _log(self.delta)
        if wanted > -NEAR_ONE:
            return log_delta - wanted
        bend = NEAR_ONE * wanted
        if log_delta < bend:
            return wanted * math.log(log_delta / wanted)
        return wanted * math.log(NEAR_ONE) + (log_delta - bend) / NEAR_ONE

    def check(self, name: str) -> None:
        pass


class PureTarget(Target):
    """Compares the largest loss with the epsilon of a target with delta = 0."""

    def planned(self, value: Fraction) -> float:
        return self.excess(value)[0]

    def excess(self, value: Fraction) -> tuple[float, float, bool | None]:
        with share(ONE_VALUE):
            epsilon = Questions(self.plan(value)).epsilon(0)
        if math.isinf(epsilon.upper):
            return math.inf, 0.0, False if math.isinf(epsilon.lower) else None
        met = _compared(epsilon, self.epsilon)
        if epsilon.lower <= 0:
            return -math.inf, 0.0, met
        low, high = (_log(Fraction(end)) for end in (epsilon.lower, epsilon.upper))
        return (low + high) / 2 - _log(self.epsilon), (high - low) / 2, met

    def check(self, name: str) -> None:
        plan = self.plan(Fraction(1))
        if math.isinf(Questions(plan).epsilon(0).lower):
            raise InputError(
                f"no {name} meets delta = 0: the privacy loss of"
                f" {shorten(str(plan), 120)} is unbounded; give a delta above 0, or"
                " noise of bounded loss such as Laplace."
            )


def _compared(bound: Bound, limit: Fraction) -> bool | None:
    if bound.certainly_at_most(limit):
        return True
    return False if bound.certainly_above(limit) else None


def _log(value: Fraction) -> float:
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return math.log(value / Fraction(2) ** shift) + shift * math.log(2)
