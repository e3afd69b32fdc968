"""The command ``rdpacct audit PLAN --claim CLAIM``."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.options import number, plan_options
from rdpacct.command import Answer

SAYS = "whether a plan has a claimed guarantee"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    plan_options(parser)
    number(
        parser,
        "claim",
        "CLAIM",
        'a guarantee, such as "ApproxDP(epsilon=1, delta=1e-5)"',
    )


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.answer import audit_answer

    return audit_answer(options.plan, options.relation, options.claim)
