"""The command ``rdpacct renyi PLAN --order A``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import number, plan_options
from rdpacct.command import Answer

SAYS = (
    "the largest Renyi divergence of an order; order 1 is the mean loss, inf the"
    " largest loss"
)


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)
    number(parser, "order", "A", "a number above 0, or inf")


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import renyi_answer

    return renyi_answer(
        options.plan, options.relation, options.order, options.direction
    )
