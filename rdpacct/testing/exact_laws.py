"""The exact laws of the outputs on two neighbors, against claims about events."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.verdict import EventWitness
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Rational, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.privacy.guarantee import ApproxDP, Guarantee, ProfileDP, PureDP
from rdpacct.privacy.random_dp import Masses, hockey_stick
from rdpacct.testing.instances import rational_growth

LONGEST_EVENT = 200
LARGEST_EPSILON = Fraction(1000)
"""Where an event breaks a claim about a larger one, its other probability is 0 in practice."""


@dataclass(frozen=True)
class ExactLaws:
    """The probability of each output on x and on its neighbor."""

    first: Masses
    second: Masses

    def table(self) -> FiniteMechanism:
        """The two laws as a mechanism, output by output, which checks that they are laws."""
        outputs = list(dict.fromkeys([*self.first, *self.second]))
        nothing = Fraction(0)
        return FiniteMechanism(
            [
                [law.get(output, nothing) for output in outputs]
                for law in (self.first, self.second)
            ]
        )

    def obey(self, claim: Guarantee) -> bool:
        """Whether a claim about events is seen to hold in rational numbers, also at the tight
        value; false if exp(epsilon) is not rational.
        """
        lines = _lines(claim)
        growths = [rational_growth(epsilon) for epsilon, _ in lines]
        slacks = [slack for _, slack in lines]
        return bool(lines) and all(
            growth is not None
            and isinstance(slack, Rational)
            and max(self._sticks(growth)) <= slack.value
            for growth, slack in zip(growths, slacks, strict=True)
        )

    def _sticks(self, growth: Fraction) -> tuple[Fraction, Fraction]:
        """By how much the first law exceeds the other, and the other way round."""
        return (
            hockey_stick(self.first, self.second, growth),
            hockey_stick(self.second, self.first, growth),
        )

    def witness(self, claim: Guarantee) -> EventWitness | None:
        """The event that exceeds a claim about events most, by its outputs; None for a claim about
        moments.
        """
        events = [self._worst_event(epsilon, slack) for epsilon, slack in _lines(claim)]
        if not events:
            return None
        return max(events, key=lambda event: event[0])[1]

    def _worst_event(self, epsilon: Expr, slack: Expr) -> tuple[Fraction, EventWitness]:
        level = min(Fraction(epsilon.bound().lower), LARGEST_EPSILON)
        growth = Fraction(exp(level).bound().lower)
        sticks = self._sticks(growth)
        likely, rare, on = self.first, self.second, "D is x"
        if sticks[1] > sticks[0]:
            likely, rare, on = self.second, self.first, "D is x_neighbor"
        inside = [
            each for each, mass in likely.items() if mass > growth * rare.get(each, 0)
        ]
        p, q = (
            sum((law.get(each, Fraction(0)) for each in inside), Fraction(0))
            for law in (likely, rare)
        )
        listed = shorten(", ".join(map(repr, inside)), LONGEST_EVENT)
        event = f"output in {{{listed}}}, where {on}"
        excess = max(sticks) - Fraction(slack.bound().upper)
        return excess, EventWitness(event, Bound.exactly(p), Bound.exactly(q))


def _lines(claim: Guarantee) -> list[tuple[Expr, Expr]]:
    """The pairs (epsilon, delta) that a claim about events has; none for one about moments."""
    if isinstance(claim, PureDP):
        return [(claim.epsilon, formula(0))]
    if isinstance(claim, ApproxDP):
        return [(claim.epsilon, claim.delta)]
    if isinstance(claim, ProfileDP):
        return [(formula(level), formula(mass)) for level, mass in claim.points]
    return []
