"""The completion script of a shell, to be read by it at its start."""

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator

from rdpacct.cli.answer import DONE, Answer
from rdpacct.cli.parser import full_parser
from rdpacct.errors import InputError, NotInstalledError
from rdpacct.exact.number import shorten

EXAMPLES = ("rdpacct completion bash", "rdpacct completion zsh")
"""What its help shows; a test runs them."""
FILES = ("PLAN", "FILE", "DIR")
"""What may be the name of a file."""


def arguments(parser: ArgumentParser) -> None:
    """The shell."""
    parser.add_argument("shell", metavar="SHELL", help="bash, zsh or tcsh")


def run(options: Namespace) -> Answer:
    """The script, for all commands and their options."""
    try:
        import shtab
    except ImportError:
        raise NotInstalledError(
            "completion scripts are written with shtab, which is not installed; install"
            " rdpacct[shell].",
            needs="shtab",
        ) from None
    known = list(shtab.SUPPORTED_SHELLS)
    if options.shell not in known:
        raise InputError(
            f"the shell '{shorten(options.shell)}' has no completion; give one of"
            f" {', '.join(known)}."
        )
    parser = full_parser()
    for action in _actions(parser):
        if action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    script = shtab.complete(parser, options.shell).rstrip()
    return Answer(DONE, {"shell": options.shell, "script": script}, script)


def _actions(parser: ArgumentParser) -> Iterator[Action]:
    """The arguments of all commands."""
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from _actions(command)
