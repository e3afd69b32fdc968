"""The command ``rdpacct tour``."""

from argparse import ArgumentParser, Namespace

from rdpacct.command import Answer

SAYS = "the main job in a minute, on built-in examples"


def arguments(parser: ArgumentParser) -> None:
    """The command takes nothing."""


def run(options: Namespace) -> Answer:  # noqa: ARG001
    """Run the command."""
    from rdpacct.tour import tour_answer

    return tour_answer()
