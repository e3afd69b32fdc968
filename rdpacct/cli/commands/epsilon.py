"""The command ``rdpacct epsilon PLAN --delta D``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import DELTA, number, plan_options
from rdpacct.command import Answer

SAYS = "the smallest epsilon of a plan at a delta"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)
    number(parser, "delta", "D", DELTA)


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import epsilon_answer

    return epsilon_answer(
        options.plan, options.relation, options.delta, options.direction
    )
