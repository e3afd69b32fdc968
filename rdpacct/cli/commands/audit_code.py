"""Whether outputs of running code refute a claim: runs a function of yours on two inputs."""

import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout

from rdpacct.arrays import load
from rdpacct.auditing.running.audit_code import (
    CONFIDENCE,
    MOST_SEED,
    MOST_TRIALS,
    TRIALS,
    confidence_of,
)
from rdpacct.cli.answer import Answer, write
from rdpacct.cli.progress import bar
from rdpacct.cli.running.code_answer import AuditedCode, check_files, code_answer
from rdpacct.cli.running.code_audits import (
    AuditSettings,
    done_audits,
    planned_audits,
)
from rdpacct.cli.running.input_pairs import read_inputs
from rdpacct.cli.running.named_function import modules_here, named_function
from rdpacct.cli.running.user_traceback import user_traceback
from rdpacct.cli.running.worker_processes import worker_count, worker_processes
from rdpacct.errors import InputError
from rdpacct.exact.number import whole

EXAMPLES = (
    "rdpacct audit-code release:noisy_count --inputs inputs.toml --claim"
    ' "PureDP(epsilon=1)"',
    "rdpacct audit-code release:noisy_count --inputs inputs.toml --method fixed"
    " --trials 20000 --workers 2",
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A function, its inputs, the claims, how it is tested, and the files of the result."""
    parser.add_argument(
        "function",
        metavar="MODULE:FUNCTION",
        help="a function of a module in the current folder or installed; IT IS IMPORTED"
        " AND RUN, so give only code that you trust",
    )
    parser.add_argument(
        "--inputs",
        required=True,
        metavar="FILE",
        help="a .toml or .json file with x and x_neighbor, or pairs, and claims; it is"
        " read as data, nothing in it is run",
    )
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        action="append",
        default=[],
        help='a guarantee, such as "PureDP(epsilon=1)", or a plan; may be given again,'
        " and beside those of the file",
    )
    _test_options(parser)
    _file_options(parser)
    parser.add_argument(
        "--traceback",
        action="store_true",
        help="if the code raises an error, show its traceback above the sentence",
    )


def _test_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--confidence",
        metavar="C",
        default=CONFIDENCE,
        help=f"true claims are refuted with probability at most 1 - C ({CONFIDENCE})",
    )
    parser.add_argument(
        "--trials",
        metavar="N",
        default=str(TRIALS),
        help=f"outputs on each input, at most ({TRIALS})",
    )
    parser.add_argument(
        "--seed", metavar="N", default="0", help="of all random numbers (0)"
    )
    parser.add_argument(
        "--method",
        metavar="NAME",
        default="sequential",
        help="sequential (the default), which stops when a claim is refuted, or fixed",
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        help="processes that run the code, as many as cores if not given; 0 runs it in"
        " this one; the answer is the same",
    )


def _file_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="write the certificate of the first refutation, for check",
    )
    parser.add_argument(
        "--page",
        metavar="FILE",
        help="write an .html page: verdicts, pictures, what was tested and what was not",
    )
    parser.add_argument(
        "--picture",
        metavar="FILE",
        help="write an .svg or .png picture of the events and of what the claim allows",
    )


def run(options: Namespace) -> Answer:
    """The verdicts; what code of the user prints goes to the error output."""
    check_files(options)
    confidence = confidence_of(options.confidence)
    workers = worker_count(options.workers)
    trials = whole(options.trials, "the number of trials", 16, MOST_TRIALS)
    seed = whole(options.seed, "the seed", 0, MOST_SEED)
    inputs = read_inputs(options.inputs)
    planned = planned_audits(inputs, options.claim)
    load()
    try:
        with modules_here(), redirect_stdout(sys.stderr):
            function = named_function(options.function)
            settings = AuditSettings(function, confidence, trials, seed, options.method)
            with (
                worker_processes(workers) as executor,
                bar(trials * len(planned), not options.json) as tell,
            ):
                done = tuple(done_audits(planned, settings, executor, tell))
    except InputError as error:
        if options.traceback:
            write(user_traceback(error), sys.stderr)
        raise
    return code_answer(AuditedCode(settings, inputs, len(planned), done), options)
