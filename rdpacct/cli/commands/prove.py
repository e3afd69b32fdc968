"""The command ``rdpacct prove CLAIM``."""

from argparse import ArgumentParser, Namespace

from rdpacct.command import Answer

SAYS = "whether a relation between real formulas holds"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("claim", metavar="CLAIM", help='such as "log(x) <= x - 1"')
    parser.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="RELATION",
        help='such as "x > 0"',
    )
    parser.add_argument(
        "--timeout",
        default="10",
        metavar="SECONDS",
        help="how much to search, in seconds of work (10)",
    )
    parser.add_argument(
        "--certificate", metavar="FILE", help="write the certificate of the verdict"
    )


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.proof.answer import prove_answer

    return prove_answer(
        options.claim,
        options.given,
        options.timeout,
        options.certificate,
        quiet=options.json,
    )
