"""What is known about the privacy of DP-SGD, under each assumption on the batches."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from rdpacct.cli.answer import DONE, JSON, Answer
from rdpacct.cli.options import DELTA, number
from rdpacct.cli.rendering import ends_of, number_of
from rdpacct.exact.number import decimal_text
from rdpacct.training import BatchingStatement, TrainingStatement
from rdpacct.training import dpsgd as stated

EXAMPLES = (
    "rdpacct dpsgd --examples 60000 --batch 256 --epochs 60 --noise-multiplier 1.1"
    " --delta 1e-5",
    "rdpacct dpsgd --examples 60000 --batch 256 --epochs 60 --target-epsilon 3"
    " --delta 1e-5",
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """The run, and the noise that is used or the epsilon that is wanted."""
    number(parser, "examples", "N", "how many examples there are")
    number(parser, "batch", "B", "the size of a batch; of a Poisson sample, its mean")
    number(parser, "epochs", "E", "how often the data are gone through")
    number(parser, "delta", "D", DELTA)
    parser.add_argument(
        "--noise-multiplier",
        metavar="S",
        help="the standard deviation of the noise on the sum, over the clipping norm",
    )
    parser.add_argument(
        "--target-epsilon",
        metavar="E",
        help="find the noise multiplier for this epsilon under Poisson sampling",
    )
    parser.add_argument(
        "--examples-per-user",
        metavar="K",
        default="1",
        help="how many examples a user has at most, for statements about users (1)",
    )


def run(options: Namespace) -> Answer:
    """The statements, each with its plan."""
    statement = stated(
        options.examples,
        options.batch,
        options.epochs,
        options.delta,
        options.noise_multiplier,
        options.target_epsilon,
        options.examples_per_user,
    )
    return Answer(DONE, _data(statement), str(statement))


def _data(statement: TrainingStatement) -> JSON:
    run = statement.run
    data: JSON = {
        "examples": run.examples,
        "batch": run.batch,
        "epochs": number_of(run.epochs),
        "steps": run.steps,
        "exact_steps": decimal_text(run.exact_steps),
        "noise_multiplier": decimal_text(run.noise_multiplier),
        "delta": number_of(run.delta),
        "examples_per_user": run.examples_per_user,
    }
    if statement.calibration is not None:
        data["calibrated"] = ends_of(statement.calibration.value)
    data["statements"] = [
        _statement_data(part, statement) for part in statement.statements
    ]
    data["left_out"] = [asdict(omission) for omission in statement.left_out]
    return data


def _statement_data(part: BatchingStatement, whole: TrainingStatement) -> JSON:
    return {
        "batching": part.batching,
        "level": part.level,
        "epsilon": ends_of(part.epsilon),
        "neighbors": part.neighbors,
        "relation": part.relation.value,
        "assumes": part.assumes,
        "unknown": part.unknown,
        "plan": None if part.plan is None else str(part.plan),
        "command": part.command(whole.run.delta),
        "rests_on": sorted(part.epsilon.rests_on),
        "how": part.epsilon.how,
    }
