"""The parser of the command line: the commands by discovery, options with any value, refusals in
one sentence.
"""

import argparse
import importlib
import pkgutil
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

import rdpacct
from rdpacct.cli import commands
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.remedies import did_you_mean

DESCRIPTION = (
    "Privacy accounting whose numbers are enclosures: every answer certainly contains"
    " the true value."
)
EPILOG = """\
examples:
  rdpacct epsilon "1000*Gaussian(sigma=20)" --delta 1e-6
  rdpacct delta "Laplace(scale=sqrt(2)) + RandomizedResponse(epsilon=log(3))" --epsilon 0.5
  rdpacct audit "Gaussian(sigma=4)" --claim "ApproxDP(epsilon=1, delta=1e-5)"
  rdpacct calibrate "14062*PoissonSampled(Gaussian(sigma=?), rate=256/60000)" --epsilon 3 --delta 1e-5

exit codes: 0 holds or done, 1 fails, 2 bad input, 3 undecided, 70 an error of this program, 130 interrupted
"""
MISPLACED = {
    (
        "epsilon",
        "--epsilon",
    ): "epsilon is what this command finds; give --delta, or ask rdpacct delta",
    ("explain", "--epsilon"): "epsilon is what this command explains; give --delta",
    (
        "delta",
        "--delta",
    ): "delta is what this command finds; give --epsilon, or ask rdpacct epsilon",
}
"""Options of another command, and what was most likely meant."""
NO_VALUE = ("store_true", "help", "version")


class Parser(argparse.ArgumentParser):
    """A parser that refuses with an InputError, and knows which of its options take a value."""

    def __init__(self, **options: Any) -> None:
        self.valued: set[str] = set()
        self.repeated: set[str] = set()
        super().__init__(
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """An argument; options with a value are remembered."""
        if names[0].startswith("--") and options.get("action") not in NO_VALUE:
            self.valued.update(names)
            if options.get("action") == "append":
                self.repeated.update(names)
        return super().add_argument(*names, **options)

    def error(self, message: str) -> NoReturn:
        """Refuse."""
        raise InputError(f"{shorten(message, 200)}; see {self.prog} --help.")


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line, with the function that runs it."""
    parser, choices = _parser()
    if not arguments:
        parser.print_help()
        raise InputError("no command is given; give one of those above.")
    first = arguments[0]
    if first.startswith("-") and first not in ("-h", "--help", "--version"):
        raise InputError(
            f"the option '{shorten(first)}' stands before the command; give the command"
            " first."
        )
    if not first.startswith("-") and first not in choices:
        meant = did_you_mean(first, choices)
        remedy = (
            f"did you mean {meant}?" if meant else f"give one of {', '.join(choices)}."
        )
        raise InputError(f"the command '{shorten(first)}' is not known; {remedy}")
    return parser.parse_args(_joined(arguments, choices.get(first, parser)))


def _parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of everything, and that of each command."""
    parser = Parser(prog="rdpacct", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--version", action="version", version=f"rdpacct {rdpacct.__version__}"
    )
    subparsers = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=Parser
    )
    choices: dict[str, Parser] = {}
    for name, module in _commands():
        sub = subparsers.add_parser(name, help=module.SAYS, description=module.SAYS)
        sub.add_argument(
            "--json", action="store_true", help="print one JSON object and nothing else"
        )
        sub.add_argument(
            "--details",
            metavar="FILE",
            help="where to write the details of an error of this program",
        )
        module.arguments(sub)
        sub.set_defaults(run=module.run, whole=parser)
        choices[name] = sub
    return parser, choices


def _commands() -> list[tuple[str, ModuleType]]:
    """Every command by its name, which is that of its file."""
    names = [found.name for found in pkgutil.iter_modules(commands.__path__)]
    return [
        (name.replace("_", "-"), importlib.import_module(f"{commands.__name__}.{name}"))
        for name in sorted(names)
    ]


def _joined(arguments: Sequence[str], parser: Parser) -> list[str]:
    """The arguments with each option tied to its value, so that a value may begin with a minus
    sign.
    """
    joined: list[str] = []
    for option in sorted(parser.valued - parser.repeated):
        if (
            sum(
                argument == option or argument.startswith(f"{option}=")
                for argument in arguments
            )
            > 1
        ):
            raise InputError(f"{option} is given twice; give it once.")
    for argument in arguments:
        name = argument.partition("=")[0]
        if joined and joined[-1] in parser.valued:
            joined[-1] += f"={argument}"
        elif (arguments[0], name) in MISPLACED:
            raise InputError(f"{MISPLACED[arguments[0], name]}.")
        else:
            negative = (
                argument.startswith("-")
                and not argument.startswith("--")
                and argument != "-h"
            )
            joined.append(f" {argument}" if negative else argument)
    return joined
