"""The smallest mu of Gaussian differential privacy of a plan."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import Answer
from rdpacct.cli.options import plan_options
from rdpacct.cli.rendering import EnclosureAnswer, questions_about

EXAMPLES = ('rdpacct gaussian-dp "10*Gaussian(sigma=2)"',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan and a direction."""
    plan_options(parser, direction=True)


def run(options: Namespace) -> Answer:
    """The enclosure of mu."""
    asked = questions_about(options)
    return EnclosureAnswer("mu", asked.gaussian_mu(), asked, {})
