"""The command ``rdpacct explain PLAN --delta D``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import DELTA, number, plan_options
from rdpacct.command import Answer

SAYS = "how the epsilon of a plan follows, step by step, with the theorem behind each"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser)
    number(parser, "delta", "D", DELTA)


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.explanation import explain_answer

    return explain_answer(options.plan, options.relation, options.delta)
