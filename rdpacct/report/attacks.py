"""What an attacker gains: how well a test tells whether a record is in the data, and what an alarm
of it is worth.

The numbers are about every test of the outputs, however it is computed, on data of which the
attacker knows all but the record. The prior is what the attacker believes before the outputs.
"""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.curves import caught
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import formula
from rdpacct.privacy.tradeoff import line_height
from rdpacct.questions import Questions

RATES = (Fraction(1, 1000), Fraction(1, 100), Fraction(1, 20), Fraction(1, 10))
"""The false positive rates of the tests."""
PRIORS = (Fraction(1, 2), Fraction(1, 100))
"""The probabilities that an attacker gives to the record before the outputs."""


@dataclass(frozen=True)
class Alarm:
    """What the alarm of the best test of a false positive rate is worth."""

    rate: Fraction
    caught: Bound
    """The largest true positive rate."""

    @property
    def factor(self) -> Bound:
        """By which factor an alarm multiplies the odds, at most: true over false positives."""
        return Bound(
            self.caught.lower / self.rate,
            self.caught.upper / self.rate,
            self.caught.how,
            self.caught.rests_on,
        )

    def posterior(self, prior: Fraction) -> Bound:
        """The probability of the record after an alarm, at most: odds times the factor."""
        ends = [
            prior * end / (prior * end + (1 - prior) * self.rate)
            for end in (Fraction(self.caught.lower), Fraction(self.caught.upper))
        ]
        return Bound(ends[0], ends[1], self.caught.how, self.caught.rests_on)


@dataclass(frozen=True)
class AttackerGain:
    """How often the best guess is right, and what alarms are worth."""

    right: Bound
    """The largest probability of a right guess, if the record is in the data half of the time."""
    alarms: tuple[Alarm, ...]
    """None if the best tests of the plan are not known."""

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """Every enclosure."""
        return (self.right, *(alarm.caught for alarm in self.alarms))


def attacker_gain(asked: Questions) -> AttackerGain:
    """What an attacker gains from the outputs of a plan."""
    return AttackerGain(right_guess(asked), _alarms(asked))


def right_guess(asked: Questions) -> Bound:
    """The largest probability of a right guess at even prior odds: one half of 1 + delta(0).

    A guess is wrong with probability (false positives + false negatives)/2, which no test has
    below (1 - delta(0))/2: the line of growth one.
    """
    delta = asked.delta(formula(0))
    one = Ball.of(1, 128)
    missed = 1 - Ball.hull(Fraction(delta.lower), Fraction(delta.upper), 128)
    wrong = (line_height(missed, one, Fraction(0)) / 2).bound()
    how = f"{delta.how}, at epsilon 0 (tradeoff/from-profile)"
    used = delta.rests_on | {"tradeoff/from-profile"}
    most = 1 - wrong.lower
    return Bound(1 - wrong.upper, most if most < 1 else Fraction(1), how, used)


def _alarms(asked: Questions) -> tuple[Alarm, ...]:
    try:
        missed = asked.tradeoffs(RATES)
    except UndecidedError:
        return ()
    return tuple(
        Alarm(rate, caught(bound)) for rate, bound in zip(RATES, missed, strict=True)
    )
