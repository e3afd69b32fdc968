"""The JSON Schema of plan files, for editors and other programs."""

import json
from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import DONE, Answer
from rdpacct.plan.schema import schema_text

EXAMPLES = ("rdpacct schema",)
"""What its help shows; a test runs them."""

EXAMPLES = ("rdpacct schema",)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """Nothing."""


def run(options: Namespace) -> Answer:  # noqa: ARG001
    """The schema that the package ships."""
    text = schema_text()
    return Answer(DONE, json.loads(text), text.rstrip())
