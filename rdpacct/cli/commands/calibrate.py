"""The command ``rdpacct calibrate PLAN --epsilon E --delta D``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import DELTA, EPSILON, number, plan_options
from rdpacct.command import Answer

SAYS = "the value of the one ? in a plan that just meets an epsilon and a delta"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser)
    number(parser, "epsilon", "E", EPSILON)
    number(parser, "delta", "D", DELTA)


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import calibrate_answer

    return calibrate_answer(
        options.plan, options.relation, options.epsilon, options.delta
    )
