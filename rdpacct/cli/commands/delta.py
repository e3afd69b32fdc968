"""The command ``rdpacct delta PLAN --epsilon E``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import EPSILON, number, plan_options
from rdpacct.command import Answer

SAYS = "the smallest delta of a plan at an epsilon"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)
    number(parser, "epsilon", "E", f"{EPSILON}; it may be negative")


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import delta_answer

    return delta_answer(
        options.plan, options.relation, options.epsilon, options.direction
    )
