"""The command ``rdpacct verify [ID ...]``."""

from argparse import ArgumentParser, Namespace

from rdpacct.command import Answer

SAYS = "the theorems that the rules of this package rest on"


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these theorems")
    parser.add_argument(
        "--axioms",
        action="store_true",
        help="list what is believed without proof, and by whom",
    )
    parser.add_argument(
        "--owed", action="store_true", help="list the rules whose theorem has no proof"
    )
    parser.add_argument(
        "--search",
        action="store_true",
        help="search for each proof anew, which takes minutes",
    )
    parser.add_argument(
        "--certificate",
        metavar="DIR",
        help="write the certificates of all real claims, for check",
    )


def run(options: Namespace) -> Answer:
    """Run the command."""
    from rdpacct.book.verify import verify_answer

    return verify_answer(
        options.ids,
        options.axioms,
        options.owed,
        options.certificate,
        quiet=options.json,
        search=options.search,
    )
