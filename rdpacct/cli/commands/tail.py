"""The probability that the privacy loss of the worst pair exceeds a threshold."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import Answer
from rdpacct.cli.options import number, plan_options
from rdpacct.cli.rendering import EnclosureAnswer, questions_about
from rdpacct.language.arithmetic import read_number

EXAMPLES = ('rdpacct tail "Laplace(scale=2)" --threshold 0.25',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan, a direction and a threshold."""
    plan_options(parser, direction=True)
    number(parser, "threshold", "T", "a number, such as 1 or -0.5")


def run(options: Namespace) -> Answer:
    """The enclosure of the probability."""
    asked = questions_about(options)
    level = read_number(options.threshold, "threshold")
    return EnclosureAnswer("tail", asked.tail(level), asked, {"threshold": level})
