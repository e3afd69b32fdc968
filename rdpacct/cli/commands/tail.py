"""The command ``rdpacct tail PLAN --threshold T``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import number, plan_options
from rdpacct.command import Answer

SAYS = "the probability that the privacy loss of the worst pair exceeds a threshold"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)
    number(parser, "threshold", "T", "a number, such as 1 or -0.5")


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import tail_answer

    return tail_answer(
        options.plan, options.relation, options.threshold, options.direction
    )
