"""What the commands are; rdpacct COMMAND --help says what each takes."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import DONE, Answer
from rdpacct.cli.parser import whole_parser

EXAMPLES = ("rdpacct help",)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """Nothing."""


def run(options: Namespace) -> Answer:  # noqa: ARG001
    """The help on all commands."""
    text = whole_parser().format_help().rstrip()
    return Answer(DONE, {"help": text}, text)
