"""The smallest rate of false negatives of a test with a rate of false positives."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import Answer
from rdpacct.cli.options import number, plan_options
from rdpacct.cli.rendering import EnclosureAnswer, questions_about
from rdpacct.language.arithmetic import read_number

EXAMPLES = ('rdpacct tradeoff "Gaussian(sigma=2)" --false-positives 0.05',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan, a direction and a rate of false positives."""
    plan_options(parser, direction=True)
    number(parser, "false-positives", "R", "a probability from 0 to 1, such as 0.05")


def run(options: Namespace) -> Answer:
    """The enclosure of the rate of false negatives."""
    asked = questions_about(options)
    rate = read_number(options.false_positives, "the false positive rate")
    bound = asked.tradeoff(rate)
    return EnclosureAnswer("false_negatives", bound, asked, {"false_positives": rate})
