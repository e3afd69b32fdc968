"""The largest Renyi divergence of an order; order 1 is the mean loss, inf the largest loss."""

import math
from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import Answer
from rdpacct.cli.options import number, plan_options
from rdpacct.cli.rendering import EnclosureAnswer, questions_about
from rdpacct.exact.formula import Expr
from rdpacct.language.arithmetic import read_number

EXAMPLES = ('rdpacct renyi "10*Laplace(scale=2)" --order 2',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan, a direction and an order."""
    plan_options(parser, direction=True)
    number(parser, "order", "A", "a number above 0, or inf")


def run(options: Namespace) -> Answer:
    """The enclosure of the divergence."""
    asked = questions_about(options)
    order = _order(options.order)
    return EnclosureAnswer("renyi", asked.renyi(order), asked, {"order": order})


def _order(text: str) -> Expr | float:
    if text.strip().lower() in ("inf", "infinity"):
        return math.inf
    return read_number(text, "order")
