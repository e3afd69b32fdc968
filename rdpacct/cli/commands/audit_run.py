"""Whether the guesses of one training run refute a claim about the training."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from rdpacct.auditing import Outcome
from rdpacct.auditing.one_run import CanaryGuesses, CanaryScores, audit_one_run
from rdpacct.cli.answer import FAILS, UNDECIDED, Answer
from rdpacct.cli.certificates import write_certificate
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole

CODES = {Outcome.FAILS: FAILS, Outcome.UNDECIDED: UNDECIDED}
EXAMPLES = (
    'rdpacct audit-run scores.csv --claim "ApproxDP(epsilon=1, delta=1e-5)"'
    " --guess 100,100",
    'rdpacct audit-run --counts 1000,500,350 --claim "PureDP(epsilon=1)"',
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """The scores or the counts of a run, how to guess, and the claim."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a .csv or .json file with the columns score and included",
    )
    parser.add_argument(
        "--counts",
        metavar="M,R,W",
        help="in place of a file: canaries, guesses (in and out), and right guesses",
    )
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        required=True,
        help='a guarantee or a plan, such as "ApproxDP(epsilon=1, delta=1e-5)"',
    )
    parser.add_argument(
        "--guess",
        metavar="IN,OUT",
        action="append",
        default=[],
        help=(
            "call so many of the highest scores in and of the lowest out, settled in"
            " advance; given several times, these tests share the error"
        ),
    )
    parser.add_argument(
        "--threshold", metavar="T", help="call scores above it in and all others out"
    )
    parser.add_argument(
        "--choose-on",
        metavar="SHARE",
        help="choose the numbers of guesses on a share of the canaries, and guess the rest",
    )
    parser.add_argument(
        "--seed", metavar="N", default="0", help="the seed that draws that share (0)"
    )
    parser.add_argument(
        "--confidence", metavar="C", default="0.999", help="of a refutation (0.999)"
    )
    parser.add_argument(
        "--delta",
        metavar="D",
        help="the delta of the lower bound on epsilon (that of the claim, or 0)",
    )
    parser.add_argument(
        "--certificate", metavar="FILE", help="write the certificate of a refutation"
    )


def run(options: Namespace) -> Answer:
    """The verdict, and the lower bound on epsilon."""
    guessed = _counted(options) if options.file is None else _guessed(options)
    verdict = audit_one_run(guessed, options.claim, options.confidence, options.delta)
    if options.certificate is not None and verdict.fails:
        write_certificate(options.certificate, verdict.certificate())
    return Answer(CODES[verdict.outcome], verdict.as_json(), str(verdict))


def _counted(options: Namespace) -> CanaryGuesses:
    if options.counts is None:
        raise InputError(
            "there is neither a file nor counts; give scores.csv, or --counts with the"
            " numbers of canaries, guesses and right guesses."
        )
    if options.guess or options.threshold is not None or options.choose_on is not None:
        raise InputError(
            "counts were guessed already; give a file of scores, or leave out --guess,"
            " --threshold and --choose-on."
        )
    canaries, guesses, correct = _numbers(options.counts, "--counts", 3)
    return CanaryGuesses(canaries, guesses, correct)


def _guessed(options: Namespace) -> CanaryGuesses | list[CanaryGuesses]:
    """The guesses of a file of scores, by the one way that is given."""
    if options.counts is not None:
        raise InputError("there are counts and a file; give one of them.")
    ways: dict[str, Callable[[CanaryScores], CanaryGuesses | list[CanaryGuesses]]] = {}
    if options.guess:
        pairs = [_numbers(text, "--guess", 2) for text in options.guess]
        ways["--guess"] = lambda scores: [scores.guess(*pair) for pair in pairs]
    if options.threshold is not None:
        ways["--threshold"] = lambda scores: scores.above(options.threshold)
    if options.choose_on is not None:
        ways["--choose-on"] = lambda scores: scores.chosen_on(
            options.choose_on, options.seed
        )
    if len(ways) != 1:
        raise InputError(
            f"{len(ways)} ways to guess are given; give one of --guess, --threshold and"
            " --choose-on, as in --guess 100,100, settled before the coins are looked at."
        )
    [way] = ways.values()
    return way(CanaryScores.read(options.file))


def _numbers(text: str, name: str, count: int) -> list[int]:
    parts = text.split(",")
    if len(parts) != count:
        raise InputError(
            f"{name} is {shorten(text)}; give {count} whole numbers with commas between"
            " them."
        )
    return [whole(part, f"a number of {name}", 0, 10**9) for part in parts]
