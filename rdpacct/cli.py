"""The command line. Exit codes: 0 holds or done, 1 fails, 2 bad input, 3 undecided."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from rdpacct.command import BAD_INPUT, UNDECIDED, Answer
from rdpacct.errors import InputError, UndecidedError


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(
            f"{message}; see rdpacct {self.prog.split()[-1]} --help.".replace("rdpacct rdpacct", "rdpacct")
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        options = _parser().parse_args(_joined(sys.argv[1:] if arguments is None else arguments))
        answer: Answer = options.run(options)
    except InputError as error:
        print(f"rdpacct: {error}", file=sys.stderr)
        return BAD_INPUT
    except UndecidedError as error:
        print(f"rdpacct: undecided: {error}", file=sys.stderr)
        return UNDECIDED
    try:
        print(json.dumps(answer.data, allow_nan=False) if options.json else answer.text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return answer.code


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="rdpacct", description="Privacy accounting whose numbers are enclosures.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], Answer], says: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=says, description=says, allow_abbrev=False)
        sub.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        sub.set_defaults(run=run)
        return sub

    for name, run, says in (
        ("epsilon", _epsilon, "the smallest epsilon of a plan at a delta"),
        ("delta", _delta, "the smallest delta of a plan at an epsilon"),
        ("audit", _audit, "whether a plan has a claimed guarantee"),
        ("calibrate", _calibrate, "the value of the one ? in a plan that just meets an epsilon and a delta"),
        ("explain", _explain, "how the epsilon of a plan follows, step by step, with the theorem behind each"),
    ):
        sub = command(name, run, says)
        sub.add_argument("plan", metavar="PLAN", help='such as "Gaussian(sigma=1)", or a .toml or .json file')
        sub.add_argument("--relation", metavar="NAME", help="add_or_remove_one (the default) or replace_one")
        options = {"calibrate": ["epsilon", "delta"], "delta": ["epsilon"], "audit": ["claim"]}.get(name, ["delta"])
        for given in options:
            sub.add_argument(f"--{given}", required=True, metavar=given.upper()[0] if given != "claim" else "CLAIM")
    prove = command("prove", _prove, "whether a relation between real formulas holds")
    prove.add_argument("claim", metavar="CLAIM", help='such as "log(x) <= x - 1"')
    prove.add_argument(
        "--given", action="append", default=[], metavar="RELATION", help='an assumption, such as "x > 0"'
    )
    prove.add_argument("--timeout", default="10", metavar="SECONDS", help="how long to search (10)")
    prove.add_argument("--certificate", metavar="FILE", help="write the certificate of the verdict")
    check = command("check", _check, "whether a certificate holds, by the small checker alone")
    check.add_argument("file", metavar="FILE", help="a certificate written by prove")
    verify = command("verify", _verify, "the theorems that the rules of this package rest on")
    verify.add_argument("ids", nargs="*", metavar="ID", help="only these theorems")
    verify.add_argument("--axioms", action="store_true", help="list what is believed without proof, and by whom")
    verify.add_argument("--owed", action="store_true", help="list the rules whose theorem has no proof")
    verify.add_argument("--certificate", metavar="DIR", help="write the certificates of all real claims, for check")
    show = command("show", _show, "one theorem of the book, with its proof, as a page to read")
    show.add_argument("id", metavar="ID", help="such as cdp/composition")
    command("tour", _tour, "the main job in a minute, on built-in examples")
    return parser


def _joined(arguments: Sequence[str]) -> list[str]:
    """The arguments with each option tied to its value, so that a value may begin with a minus sign."""
    joined: list[str] = []
    for option in ("--delta", "--epsilon", "--claim", "--relation", "--timeout", "--certificate"):
        if sum(argument == option or argument.startswith(f"{option}=") for argument in arguments) > 1:
            raise InputError(f"{option} is given twice; give it once.")
    for argument in arguments:
        if joined and joined[-1] in ("--delta", "--epsilon", "--claim", "--relation", "--given", "--timeout"):
            joined[-1] += f"={argument}"
        else:
            negative = argument.startswith("-") and not argument.startswith("--") and argument != "-h"
            joined.append(f" {argument}" if negative else argument)
    return joined


def _epsilon(options: argparse.Namespace) -> Answer:
    from rdpacct.answer import epsilon_answer

    return epsilon_answer(options.plan, options.relation, options.delta)


def _delta(options: argparse.Namespace) -> Answer:
    from rdpacct.answer import delta_answer

    return delta_answer(options.plan, options.relation, options.epsilon)


def _calibrate(options: argparse.Namespace) -> Answer:
    from rdpacct.answer import calibrate_answer

    return calibrate_answer(options.plan, options.relation, options.epsilon, options.delta)


def _audit(options: argparse.Namespace) -> Answer:
    from rdpacct.answer import audit_answer

    return audit_answer(options.plan, options.relation, options.claim)


def _explain(options: argparse.Namespace) -> Answer:
    from rdpacct.explain import explain_answer

    return explain_answer(options.plan, options.relation, options.delta)


def _prove(options: argparse.Namespace) -> Answer:
    from rdpacct.proof.answer import prove_answer

    return prove_answer(options.claim, options.given, options.timeout, options.certificate, quiet=options.json)


def _check(options: argparse.Namespace) -> Answer:
    from rdpacct.proof.answer import check_answer

    return check_answer(options.file)


def _verify(options: argparse.Namespace) -> Answer:
    from rdpacct.book.verify import verify_answer

    return verify_answer(options.ids, options.axioms, options.owed, options.certificate, quiet=options.json)


def _show(options: argparse.Namespace) -> Answer:
    from rdpacct.book.show import show_answer

    return show_answer(options.id)


def _tour(_: argparse.Namespace) -> Answer:
    from rdpacct.tour import tour_answer

    return tour_answer()
