"""What a report assumes, and what an attacker gains, in sentences for people who do not know the
theory.
"""

import math
from fractions import Fraction

from rdpacct.assumptions import UNIT, assumptions_of
from rdpacct.exact.decimals import End, full_decimal
from rdpacct.exact.number import decimal_text
from rdpacct.plan.document import RECORD, PlanDocument
from rdpacct.report.attacks import Alarm, AttackerGain

TIED = "\u00a0"
"""A space at which no line is broken."""
DIGITS = 3
"""The digits of a number in a sentence, rounded up."""

ATTACKER = (
    "Attacker: the one who attacks sees every output, knows all of the data but one"
    " record, and may compute anything."
)
STATED_UNIT = "Unit: each record is one {unit}, as the plan states."
COMPLETE = (
    "Completeness: these are all releases from the data; what is not listed is not"
    " counted."
)


def assumed_in(document: PlanDocument) -> list[str]:
    """What the numbers of a report take for granted, each as a sentence."""
    sentences = list(assumptions_of(document.plan))
    if document.unit.name != RECORD:
        sentences[sentences.index(UNIT)] = STATED_UNIT.format(unit=document.unit.name)
    return [*sentences, ATTACKER, COMPLETE]


def guess_sentence(gain: AttackerGain) -> str:
    """How often the best guess is right."""
    right = percent(Fraction(gain.right.upper))
    return (
        "Toss a coin to decide whether the record is in the data, and let the attacker"
        f" guess from all outputs: the guess is right at most {right} of the time."
        " Without outputs it is right half of the time."
    )


def alarm_sentence(alarm: Alarm, prior: Fraction) -> str:
    """What the alarm of the best test is worth to one who believed this before."""
    missed = percent_exactly(alarm.rate)
    factor = rounded_up(alarm.factor.upper)
    after = percent(Fraction(alarm.posterior(prior).upper))
    return (
        f"A test that raises a false alarm in {missed} of the cases catches the record"
        f" at most {percent(Fraction(alarm.caught.upper))} of the time. So an alarm"
        f" multiplies the odds by at most {factor}: a prior of {percent_exactly(prior)} becomes"
        f" at most {after}."
    )


def percent(share: Fraction) -> str:
    """A probability as a percentage, rounded up, and never above 100 %."""
    if share >= 1:
        return f"100{TIED}%"
    return f"{rounded_up(share * 100)}{TIED}%"


def percent_exactly(share: Fraction) -> str:
    """A probability that is given as a percentage."""
    return f"{decimal_text(share * 100)}{TIED}%"


def rounded_up(value: End, digits: int = DIGITS) -> str:
    """A number of this many digits that is not below the value."""
    return full_decimal(value, digits, math.ceil)


def rounded_down(value: End, digits: int = DIGITS) -> str:
    """A number of this many digits that is not above the value."""
    return full_decimal(value, digits, math.floor)
