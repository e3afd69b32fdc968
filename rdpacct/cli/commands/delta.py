"""The smallest delta of a plan at an epsilon."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import Answer
from rdpacct.cli.options import EPSILON, number, plan_options
from rdpacct.cli.rendering import EnclosureAnswer, questions_about
from rdpacct.language.arithmetic import read_number

EXAMPLES = ('rdpacct delta "Laplace(scale=1)" --epsilon 0.5',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan, a direction and an epsilon."""
    plan_options(parser, direction=True)
    number(parser, "epsilon", "E", f"{EPSILON}; it may be negative")


def run(options: Namespace) -> Answer:
    """The enclosure of delta."""
    asked = questions_about(options)
    epsilon = read_number(options.epsilon, "epsilon")
    return EnclosureAnswer("delta", asked.delta(epsilon), asked, {"epsilon": epsilon})
