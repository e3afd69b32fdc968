"""The command ``rdpacct mean PLAN``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import plan_options
from rdpacct.command import Answer

SAYS = "the largest mean of the privacy loss"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import mean_answer

    return mean_answer(options.plan, options.relation, options.direction)
