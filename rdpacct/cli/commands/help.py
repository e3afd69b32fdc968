"""The command ``rdpacct help``."""

from argparse import ArgumentParser, Namespace

from rdpacct.command import DONE, Answer

SAYS = "what the commands are; rdpacct COMMAND --help says what each takes"


def arguments(parser: ArgumentParser) -> None:
    """The command takes nothing."""


def run(options: Namespace) -> Answer:
    """Run the command."""
    text = options.whole.format_help().rstrip()
    return Answer(DONE, {"help": text}, text)
