"""How the epsilon of a plan follows, step by step, with the theorem behind each."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from rdpacct.cli.answer import Answer
from rdpacct.cli.commands import epsilon
from rdpacct.cli.options import DELTA, number, plan_options
from rdpacct.explanation import derivation, numbered


def arguments(parser: ArgumentParser) -> None:
    """A plan and a delta."""
    plan_options(parser)
    number(parser, "delta", "D", DELTA)


def run(options: Namespace) -> Answer:
    """The answer of the command epsilon, behind the steps that lead to it."""
    answer = epsilon.run(options)
    data = answer.data
    steps = derivation(data["rests_on"])
    lines = [
        (
            f"{data['plan']}, under {data['relation']}; composition:"
            f" {data['composition']}"
        ),
        *numbered(steps, data["how"]),
        *_number(answer.text.split("\n")),
    ]
    steps_data = [asdict(step) for step in steps]
    return Answer(answer.code, {**data, "steps": steps_data}, "\n".join(lines))


def _number(lines: list[str]) -> list[str]:
    """The lines of an answer up to the one that says what it is for."""
    last = next(k for k, line in enumerate(lines) if line.startswith("  for "))
    return lines[: last + 1]
