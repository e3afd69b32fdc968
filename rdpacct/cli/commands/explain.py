"""How the epsilon of a plan follows: what is assumed and computed, and why; with a certificate."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from rdpacct.cli.answer import Answer
from rdpacct.cli.certificates import write_certificate
from rdpacct.cli.commands import epsilon
from rdpacct.cli.options import DELTA, number, plan_options
from rdpacct.cli.rendering import EnclosureAnswer
from rdpacct.explanation import explanation_of

EXAMPLES = ('rdpacct explain "Gaussian(sigma=1)" --delta 1e-6',)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan and a delta, how much is told, and where a certificate goes."""
    plan_options(parser)
    number(parser, "delta", "D", DELTA)
    parser.add_argument(
        "--long", action="store_true", help="with what the code says at each step"
    )
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="write a certificate of the budget, which `rdpacct check FILE` re-checks",
    )


def run(options: Namespace) -> Answer:
    """The answer of the command epsilon, and how it follows."""
    answer = epsilon.run(options)
    explanation = explanation_of(answer.asked.plan, answer.bound)
    lines = [*_number(answer.text.split("\n")), *explanation.lines(options.long)]
    data = {
        **answer.data,
        "assumptions": list(explanation.assumptions),
        "computed": list(explanation.computed),
        "steps": [asdict(step) for step in explanation.steps],
    }
    if options.certificate is not None:
        most = _write_certificate(options.certificate, answer, options.delta)
        lines.append(f"certificate of epsilon <= {most}: {options.certificate}")
        data["certificate"] = {"file": options.certificate, "epsilon": most}
    return Answer(answer.code, data, "\n".join(lines))


def _write_certificate(file: str, answer: EnclosureAnswer, delta: str) -> str:
    """Write the certificate of a budget; the upper end that it certifies, rounded up."""
    from rdpacct.budget import certificate_of, certified_delta
    from rdpacct.exact.bound import decimal_up
    from rdpacct.exact.number import rational

    exact = certified_delta(delta)
    certificate = certificate_of(answer.asked.plan, exact, answer.bound)
    write_certificate(file, certificate)
    return decimal_up(rational(certificate["epsilon"]["most"], "epsilon"))


def _number(lines: list[str]) -> list[str]:
    """The lines of an answer up to the one that says what it is for."""
    last = next(k for k, line in enumerate(lines) if line.startswith("  for "))
    return lines[: last + 1]
