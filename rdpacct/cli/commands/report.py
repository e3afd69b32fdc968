"""One page about a plan: budget, claims, what an attacker gains, curves, and what it rests on."""

from argparse import ArgumentParser, Namespace

from rdpacct.auditing import Outcome
from rdpacct.cli.answer import DONE, FAILS, UNDECIDED, Answer
from rdpacct.cli.files import ending, write_file
from rdpacct.cli.options import DELTA, plan_options
from rdpacct.cli.rendering import group_of, relation_of
from rdpacct.errors import InputError
from rdpacct.language.arithmetic import read_number
from rdpacct.plan import read_claim
from rdpacct.plan.document import read_document
from rdpacct.report import PrivacyReport, privacy_report

EXAMPLES = ('rdpacct report "100*Gaussian(sigma=20)" --delta 1e-6 -o report.html',)
"""What its help shows; a test runs them."""
CODES = {Outcome.HOLDS: DONE, Outcome.FAILS: FAILS, Outcome.UNDECIDED: UNDECIDED}


def arguments(parser: ArgumentParser) -> None:
    """A plan, a delta, claims, and the file."""
    plan_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the .html file")
    parser.add_argument(
        "--delta",
        metavar="D",
        help=f"{DELTA}; without it, the smallest that a claim of the plan file names",
    )
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        action="append",
        default=[],
        help='a guarantee to check, such as "PureDP(epsilon=1)"; may be given again',
    )
    parser.add_argument(
        "--book",
        metavar="ADDRESS",
        help="where the pages of rdpacct book are, for links to the theorems",
    )


def run(options: Namespace) -> Answer:
    """The report, written into the file; the exit code is that of the worst verdict."""
    if options.output is None and not options.json:
        raise InputError(
            "the report has no file; give -o report.html, or --json for its numbers."
        )
    if options.output is not None:
        ending(options.output, (".html", ".htm"))
    claims = [read_claim(claim) for claim in options.claim]
    delta = None if options.delta is None else read_number(options.delta, "delta")
    document = read_document(options.plan, relation_of(options), group_of(options))
    report = privacy_report(document, delta, claims)
    if options.output is not None:
        write_file(options.output, report.html(options.book or ""))
    return Answer(CODES[report.outcome], report.data(), _text(report, options.output))


def _text(report: PrivacyReport, output: str | None) -> str:
    lines = [*report.epsilon.lines("epsilon"), f"  at delta = {report.delta}"]
    lines += [
        f"  {checked.verdict.outcome.value}: {checked.claim}"
        for checked in report.claims
    ]
    return "\n".join([*lines, f"the report is in {output}"])
