"""The command ``rdpacct check FILE``."""

from argparse import ArgumentParser, Namespace

from rdpacct.command import Answer

SAYS = "whether a certificate holds, by the small checker alone"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a certificate written by prove")


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.proof.answer import check_answer

    return check_answer(options.file)
