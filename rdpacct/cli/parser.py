"""The parser of the command line: it finds the commands in their folder and builds the one that is
asked; an option may have any value, and a refusal is one sentence.
"""

import argparse
import importlib
import os
import pkgutil
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import rdpacct
from rdpacct.cli import commands
from rdpacct.errors import InputError, shorten

DESCRIPTION = (
    "Privacy accounting whose numbers are enclosures: every answer certainly contains"
    " the true value."
)
CODES = "exit codes: 0 holds or done, 1 fails, 2 bad input, 3 undecided, 70 an error of this program, 130 interrupted"
EPILOG = f"""\
examples:
  rdpacct epsilon "1000*Gaussian(sigma=20)" --delta 1e-6
  rdpacct delta "Laplace(scale=sqrt(2)) + RandomizedResponse(epsilon=log(3))" --epsilon 0.5
  rdpacct audit "Gaussian(sigma=4)" --claim "ApproxDP(epsilon=1, delta=1e-5)"
  rdpacct calibrate "14062*PoissonSampled(Gaussian(sigma=?), rate=256/60000)" --epsilon 3 --delta 1e-5

{CODES}
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
OTHER_NAMES = {
    "--alpha": "--order",
    "--eps": "--epsilon",
    "--fpr": "--false-positives",
    "--neighbors": "--relation",
    "--guarantee": "--claim",
    "--assume": "--given",
}
"""Options that people expect under another name."""
IN_THE_PLAN = {
    "--sigma": "Gaussian(sigma=1)",
    "--noise-multiplier": "Gaussian(sigma=1)",
    "--scale": "Laplace(scale=1)",
    "--rate": "PoissonSampled(Gaussian(sigma=1), rate=0.01)",
    "--sensitivity": "Gaussian(sigma=1, sensitivity=2)",
    "--steps": "1000*Gaussian(sigma=20)",
    "--count": "1000*Gaussian(sigma=20)",
}
"""What is part of a plan, and not an option."""
LETTERS = re.compile(r"-[A-Za-z]{1,12}")
NO_VALUE = ("store_true", "help", "version")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; how wide that is the library would ask of shutil, which is slow
    to import.
    """

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, width=_columns() - 2, **options)


def _columns() -> int:
    """The width of the terminal: as the environment says, or as it is, or 80 if there is none."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    if sys.__stdout__ is None:
        return 80
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    except (ValueError, OSError):
        return 80


class Named:
    """In the place of the parser of a command that is only named."""

    def __init__(self, **options: Any) -> None:
        """Nothing is built, whatever the options."""


class Parser(argparse.ArgumentParser):
    """A parser that refuses with an InputError, and knows which of its options take a value."""

    def __init__(self, **options: Any) -> None:
        self.valued: set[str] = set()
        self.repeated: set[str] = set()
        self.example = ""
        super().__init__(
            allow_abbrev=False,
            formatter_class=Formatter,
            **options,
        )

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """An argument; options with a value are remembered."""
        if names[0].startswith("-") and options.get("action") not in NO_VALUE:
            self.valued.update(names)
            if options.get("action") == "append":
                self.repeated.update(names)
        return super().add_argument(*names, **options)

    def error(self, message: str) -> NoReturn:
        """Refuse, with the remedy for what the library complains about."""
        example = f", as in {self.example}" if self.example else ""
        said, _, what = shorten(message, 200).partition(": ")
        if said == "the following arguments are required":
            raise InputError(f"{what} is missing; give it{example}.")
        if said == "unrecognized arguments":
            raise InputError(
                f"the argument '{what.strip()}' is one too many; put a plan with spaces"
                f" or parentheses into quotes{example}."
            )
        if what == "expected one argument":
            option = said.removeprefix("argument ")
            raise InputError(f"{option} has no value; give one after it{example}.")
        raise InputError(f"{shorten(message, 200)}; see {self.prog} --help.")

    def options(self) -> list[str]:
        """The names of all options."""
        return [name for name in self._option_string_actions if name.startswith("--")]


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line, with the function that runs it."""
    if not arguments:
        whole_parser().print_help()
        raise InputError("no command is given; give one of those above.")
    first = arguments[0]
    if first in ("-h", "--help", "--version"):
        return whole_parser().parse_args(arguments)
    if first.startswith("-"):
        raise InputError(
            f"the option '{shorten(first)}' stands before the command; give the command"
            " first."
        )
    if first not in command_names():
        raise _unknown(first)
    parser, subparsers = _top_level()
    command = _add_command(subparsers, first)
    parser.example = command.example
    return parser.parse_args(_joined(arguments, command))


def command_names() -> list[str]:
    """The names of all commands, in order: those of their files."""
    modules = (module.name for module in pkgutil.iter_modules(commands.__path__))
    return sorted(name.replace("_", "-") for name in modules)


def whole_parser() -> Parser:
    """The parser for the help on all commands; it knows their names and what each is for."""
    parser, subparsers = _top_level(Named)
    for name in command_names():
        subparsers.add_parser(name, help=_purpose(_docstring(name)))
    return parser


def full_parser() -> Parser:
    """The parser of all commands with all their options, for the completion of a shell."""
    parser, subparsers = _top_level()
    for name in command_names():
        _add_command(subparsers, name)
    return parser


def _top_level(kind: type[Any] = Parser) -> tuple[Parser, Any]:
    """The parser of a line, and the place to which its commands are added, as parsers of this
    kind.
    """
    parser = Parser(prog="rdpacct", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--version", action="version", version=f"rdpacct {rdpacct.__version__}"
    )
    subparsers = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=kind
    )
    return parser, subparsers


def _add_command(subparsers: Any, name: str) -> Parser:
    """The parser of one command, whose file is imported for it."""
    file = name.replace("-", "_")
    module = importlib.import_module(f"{commands.__name__}.{file}")
    shown = getattr(module, "EXAMPLES", (f"rdpacct {name}",))
    examples = "\n".join(f"  {example}" for example in shown)
    parser: Parser = subparsers.add_parser(
        name,
        help=_purpose(module.__doc__),
        description=_purpose(module.__doc__),
        epilog=f"for example:\n{examples}\n\n{CODES}",
    )
    parser.example = shown[0]
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else"
    )
    parser.add_argument(
        "--details",
        metavar="FILE",
        help="where to write the details of an error of this program",
    )
    module.arguments(parser)
    parser.set_defaults(run=module.run)
    return parser


def _docstring(name: str) -> str:
    """The docstring that the file of a command begins with; it is read and not imported, which
    would load the whole package.
    """
    file = f"{name.replace('-', '_')}.py"
    source = (pkgutil.get_data(commands.__name__, file) or b"").decode()
    return source.partition('"""')[2].partition('"""')[0]


def _purpose(docstring: str | None) -> str:
    """What a command is for, as a line of the help: the first sentence of its docstring."""
    first = " ".join((docstring or "").partition("\n\n")[0].split())
    return first[:1].lower() + first[1:].rstrip(".")


def _unknown(name: str) -> InputError:
    from rdpacct.language.remedies import did_you_mean

    known = command_names()
    meant = did_you_mean(name, known)
    remedy = f"did you mean {meant}?" if meant else f"give one of {', '.join(known)}."
    return InputError(f"the command '{shorten(name)}' is not known; {remedy}")


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
        elif _is_unknown(name, parser):
            raise _unknown_option(name, parser)
        else:
            negative = (
                argument.startswith("-")
                and not argument.startswith("--")
                and argument not in ("-h", *parser.valued)
            )
            joined.append(f" {argument}" if negative else argument)
    _check_values(joined, parser)
    return joined


def _check_values(joined: Sequence[str], parser: Parser) -> None:
    """Refuse two dashes as a value: the library drops them, and hands on an empty list."""
    for argument in joined:
        name, _, value = argument.partition("=")
        if name in parser.valued and value == "--":
            raise InputError(f"{name} has the value --; give another one.")


def _is_unknown(name: str, parser: Parser) -> bool:
    """Whether this looks like an option and is none."""
    if name == "--" or name in parser._option_string_actions:
        return False
    return name.startswith("--") or LETTERS.fullmatch(name) is not None


def _unknown_option(name: str, parser: Parser) -> InputError:
    from rdpacct.language.remedies import did_you_mean

    known = parser.options()
    if name in IN_THE_PLAN and name not in known:
        remedy = f"it is part of the plan; write it there, as in {IN_THE_PLAN[name]}."
        return InputError(f"the option {name} is not known, as {remedy}")
    words = {option.removeprefix("--"): option for option in known}
    meant = did_you_mean(name.lstrip("-"), words)
    begun = [word for word in words if len(name) == 2 and word.startswith(name[1])]
    if OTHER_NAMES.get(name) in known:
        option: str | None = OTHER_NAMES[name]
    elif meant in words:
        option = words[str(meant)]
    else:
        option = words[begun[-1]] if begun else None
    remedy = f"did you mean {option}?" if option else f"give one of {', '.join(known)}."
    return InputError(f"the option '{shorten(name)}' is not known; {remedy}")
