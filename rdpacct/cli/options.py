"""Options that several commands share."""

from argparse import ArgumentParser

DELTA = "a probability from 0 to 1, such as 1e-6"
EPSILON = "a number, such as 1 or log(3)"


def plan_options(parser: ArgumentParser, direction: bool = False) -> None:
    """The plan, its neighboring relation, and the direction if the command can ask for one."""
    parser.add_argument(
        "plan",
        metavar="PLAN",
        help='such as "Gaussian(sigma=1)", or a .toml or .json file',
    )
    parser.add_argument(
        "--relation",
        metavar="NAME",
        help="add_or_remove_one (the default), replace_one or zero_out",
    )
    parser.add_argument(
        "--group",
        metavar="K",
        help="how many records neighbors differ in, as those of one user (1)",
    )
    parser.set_defaults(direction=None)
    if direction:
        parser.add_argument(
            "--direction",
            metavar="WAY",
            help="add or remove: one direction of the pair only, not the worse of both",
        )


def number(parser: ArgumentParser, name: str, letter: str, says: str) -> None:
    """A number that has to be given."""
    parser.add_argument(f"--{name}", required=True, metavar=letter, help=says)
