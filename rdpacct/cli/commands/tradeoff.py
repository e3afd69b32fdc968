"""The command ``rdpacct tradeoff PLAN --false-positives R``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import number, plan_options
from rdpacct.command import Answer

SAYS = "the smallest rate of false negatives of a test with a rate of false positives"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)
    number(parser, "false-positives", "R", "a probability from 0 to 1, such as 0.05")


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import tradeoff_answer

    return tradeoff_answer(
        options.plan, options.relation, options.false_positives, options.direction
    )
