"""The command ``rdpacct show ID``."""

from argparse import ArgumentParser, Namespace

from rdpacct.command import Answer

SAYS = "one theorem of the book, with its proof, as a page to read"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("id", metavar="ID", help="such as cdp/composition")


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.book.show import show_answer

    return show_answer(options.id)
