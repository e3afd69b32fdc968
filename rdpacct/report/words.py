"""What a report assumes, and what an attacker gains, in sentences for people who do not know the
theory.
"""

import math
from fractions import Fraction

from rdpacct.exact.decimals import End, full_decimal
from rdpacct.exact.number import decimal_text
from rdpacct.plan.document import PlanDocument
from rdpacct.privacy.relation import Relation
from rdpacct.report.attacks import Alarm, AttackerGain

DIGITS = 3
"""The digits of a number in a sentence, rounded up."""

NEIGHBORS = {
    Relation.ADD_OR_REMOVE_ONE: (
        "The guarantee hides whether one {unit} is in the data at all: it compares data"
        " with and without it (relation add_or_remove_one)."
    ),
    Relation.REPLACE_ONE: (
        "The guarantee hides what one {unit} is: it compares data in which it is"
        " replaced by any other, and not data of another size (relation replace_one)."
    ),
}
ATTACKER = (
    "The attacker sees every output, knows all of the data but the one {unit}, and may"
    " compute anything."
)
ADAPTIVE = (
    "A release may depend on the outputs of earlier ones. How many releases there are,"
    " and their noise, was fixed in advance."
)
EXACT = (
    "Each release draws from exactly the stated law. Programs that draw continuous"
    " noise in floating point leak more than that."
)
COMPLETE = "These are all releases from the data; what is not listed is not counted."


def assumptions_of(document: PlanDocument) -> list[str]:
    """What the numbers of a report assume, each as a sentence or two."""
    unit = document.unit.name
    sentences = [
        NEIGHBORS[document.relation].format(unit=unit),
        ATTACKER.format(unit=unit),
    ]
    mechanisms = [mechanism for mechanism, _ in document.plan.releases]
    if document.plan.single is None:
        sentences.append(ADAPTIVE)
    said = [mechanism.assumption for mechanism in mechanisms]
    said += [_sentence(mechanism.in_a_plan) for mechanism in mechanisms]
    sentences += dict.fromkeys(text for text in said if text)
    return [*sentences, EXACT, COMPLETE]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


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
        return "100 %"
    return f"{rounded_up(share * 100)} %"


def percent_exactly(share: Fraction) -> str:
    """A probability that is given as a percentage."""
    return f"{decimal_text(share * 100)} %"


def rounded_up(value: End, digits: int = DIGITS) -> str:
    """A number of so many digits that is not below the value."""
    return full_decimal(value, digits, math.ceil)


def rounded_down(value: End, digits: int = DIGITS) -> str:
    """A number of so many digits that is not above the value."""
    return full_decimal(value, digits, math.floor)
