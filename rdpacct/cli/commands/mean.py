"""The largest mean of the privacy loss."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import Answer
from rdpacct.cli.options import plan_options
from rdpacct.cli.rendering import EnclosureAnswer, questions_about

EXAMPLES = ('rdpacct mean "RandomizedResponse(epsilon=1)"',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan and a direction."""
    plan_options(parser, direction=True)


def run(options: Namespace) -> Answer:
    """The enclosure of the mean."""
    asked = questions_about(options)
    return EnclosureAnswer("mean", asked.mean(), asked, {})
