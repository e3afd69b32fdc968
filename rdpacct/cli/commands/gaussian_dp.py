"""The command ``rdpacct gaussian-dp PLAN``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import plan_options
from rdpacct.command import Answer

SAYS = "the smallest mu of Gaussian differential privacy of a plan"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import gaussian_answer

    return gaussian_answer(options.plan, options.relation, options.direction)
