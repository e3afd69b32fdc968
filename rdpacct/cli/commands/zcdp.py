"""The smallest rho of zero-concentrated differential privacy of a plan."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import Answer
from rdpacct.cli.options import plan_options
from rdpacct.cli.rendering import EnclosureAnswer, questions_about
from rdpacct.language.arithmetic import read_number

EXAMPLES = ('rdpacct zcdp "3*Gaussian(sigma=2)"',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan, a direction and a xi."""
    plan_options(parser, direction=True)
    parser.add_argument(
        "--xi",
        default="0",
        metavar="X",
        help="the part that does not grow with the order (0)",
    )


def run(options: Namespace) -> Answer:
    """The enclosure of rho."""
    asked = questions_about(options)
    xi = read_number(options.xi, "xi")
    return EnclosureAnswer("rho", asked.zcdp_rho(xi), asked, {"xi": xi})
