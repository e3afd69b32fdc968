"""The command ``rdpacct zcdp PLAN [--xi X]``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import plan_options
from rdpacct.command import Answer

SAYS = "the smallest rho of zero-concentrated differential privacy of a plan"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser, direction=True)
    parser.add_argument(
        "--xi",
        default="0",
        metavar="X",
        help="the part that does not grow with the order (0)",
    )


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import zcdp_answer

    return zcdp_answer(options.plan, options.relation, options.xi, options.direction)
