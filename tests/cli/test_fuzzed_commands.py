"""Thousands of mutated command lines: each is answered, or refused in one sentence; none crashes or
hangs.
"""

import contextlib
import io
import json
import re
import signal
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rdpacct.cli import main
from rdpacct.cli.parser import command_names
from tests.fuzzed_commands import Fuzzer

MOST_SECONDS = 20
"""Of processor time, for one command line."""
SENTENCE = re.compile(
    r"(?P<sentence>rdpacct: [^\n]+[.?!]\n)(?P<place>  [^\n]*\n *\^+\n)?"
)
"""One sentence, and below it the place of a mistake in a text that was read."""
LEFT_OUT = re.compile(r" \.\.\. (?!\()")
"""Where the middle of a sentence was left out."""


class Hung(BaseException):
    """Raised in a command that takes too much processor time."""


@dataclass
class Said:
    """What a command line said, and how it ended."""

    words: list[str]
    code: int
    out: str
    err: str
    seconds: float


def most_seconds(words: list[str]) -> int:
    """How long a command line may take: the book is hundreds of pages."""
    return 4 * MOST_SECONDS if words[:1] == ["book"] else MOST_SECONDS


def said(words: Any) -> Any:
    """Run a command line in this process, for a limited time."""
    out = io.StringIO()
    err = io.StringIO()

    most = most_seconds(words)

    def hung(*_: Any) -> None:
        raise Hung(f"no answer in {most} s of processor time")

    before = signal.signal(signal.SIGPROF, hung)
    signal.setitimer(signal.ITIMER_PROF, most)
    start = time.process_time()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(words)
    except SystemExit as end:
        code = end.code  # type: ignore[assignment]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return Said(
        words, code, out.getvalue(), err.getvalue(), time.process_time() - start
    )


def problem(found: Any) -> str:
    """What is wrong with what a command line said; empty if nothing is."""
    if found.code not in (0, 1, 2, 3):
        return f"exit code {found.code}"
    if found.err:
        said_so = SENTENCE.fullmatch(found.err)
        if said_so is None or not said_so[0].replace("\n", "").isprintable():
            return "not one sentence"
        if len(said_so["sentence"]) > 400 or LEFT_OUT.search(said_so["sentence"]):
            return "too long a sentence"
        if len(said_so["place"] or "") > 250:
            return "too long a place"
        if found.code not in (2, 3):
            return "a sentence beside an answer"
    elif found.code == 2:
        return "no sentence"
    if "--json" in found.words and found.out:
        told = json.loads(found.out)
        if (
            not isinstance(told, dict)
            or found.out.count("\n") != 1
            or ("error" in told) != bool(found.err)
        ):
            return "not one object"
    elif found.code == 2 and found.out:
        return "an answer beside a refusal"
    if found.seconds > most_seconds(found.words):
        return "too slow"
    return ""


def problems(seed: Any, count: Any, folder: Any) -> Any:
    """Everything that is wrong with so many command lines."""
    fuzzer = Fuzzer(seed, folder)
    with contextlib.chdir(folder):
        found = [said(fuzzer.command_line()) for _ in range(count)]
    return [
        (problem(one), one.words, one.err[:500])
        for one in found
        if one.words and problem(one)
    ]


def test_every_command_is_fuzzed(tmp_path: Path) -> None:
    """But for the help and the tour, which take nothing."""
    fuzzer = Fuzzer(0, tmp_path)
    drawn = {fuzzer._valid()[0] for _ in range(5000)}
    assert set(command_names()) - drawn <= {"help", "tour"}


@pytest.mark.parametrize("seed", [26, 31])
def test_sixty_command_lines(tmp_path: Path, seed: int) -> None:
    """Answers and sentences only."""
    assert problems(seed, 60, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_a_thousand_command_lines(tmp_path: Path, seed: int) -> None:
    """Twenty thousand in all: answers and sentences only."""
    assert problems(seed, 1000, tmp_path) == []


CRASHED = [
    [
        "audit",
        "10*PoissonSampled(Gaussian(sigma=1e-400), rate=0.1)",
        *("--claim", "PureDP(epsilon=1)"),
    ],
    ["mean", "2*PoissonSampled(Gaussian(sigma=1e-400), rate=0.5)"],
    [
        "epsilon",
        "DiscreteGaussian(sigma=2) + 3*Laplace(scale=1e-3999, sensitivity=2)",
        *("--delta", "1e-6"),
    ],
    [
        "tradeoff",
        "3*NonPrivate() + 1000*Exponential(epsilon=1)",
        *("--false-positives", "0.05"),
    ],
    ["mean", "2*NonPrivate() + 1000*Exponential(epsilon=0.9999, monotone=True)"],
    [
        *("dpsgd", "--examples", "1000", "--batch", "256", "--epochs", "1e3999"),
        *("--delta", "1e-5", "--noise-multiplier", "1.1"),
    ],
    [
        "epsilon",
        (
            "10*BestOfRuns(run=2*Laplace(scale=4), mean=3)"
            " + 1000*ReportNoisyMax(epsilon=1, monotone=True)"
        ),
        *("--delta", "1e-400"),
    ],
    [
        "audit",
        "2*Exponential(epsilon=1e18, monotone=True)",
        *("--claim", "ApproxDP(epsilon=1, delta=1e-5)"),
    ],
]
TOOK_LONG = [
    ["report", "Laplace(scale=1e-12, sensitivity=2)", "--delta", "1e-6"],
    ["report", "Gaussian(sigma=1, sensitivity=1e-6/2)", "--delta", "1e-6"],
    [
        "explain",
        (
            "3*GaussianSparseVector(threshold_sigma=2, query_sigma=3, most_queries=4)"
            " + 1000*SmoothLaplace(alpha=1, beta=0.1)"
        ),
        *("--delta", "1e-6"),
    ],
]
"""Lines that were found by these tests."""


@pytest.mark.parametrize("words", CRASHED, ids=range(len(CRASHED)))
def test_lines_that_crashed(words: list[str]) -> None:
    """Each has an answer, a verdict or a sentence."""
    assert problem(said(words)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("words", TOOK_LONG, ids=range(len(TOOK_LONG)))
def test_lines_that_took_long(words: list[str], tmp_path: Path) -> None:
    if words[0] == "report":
        words = [*words, "-o", str(tmp_path / "page.html")]
    assert problem(said(words)) == ""


def test_the_test_sees_what_is_wrong() -> None:
    """A crash, a hang, two lines, a cut sentence and a text where an object is wanted are all
    seen.
    """
    fine = Said(["epsilon"], 2, "", "rdpacct: the plan is empty; give one.\n", 0.1)
    assert problem(fine) == ""
    assert problem(Said(["epsilon"], 70, "", fine.err, 0.1))
    assert problem(Said(["epsilon"], 0, "epsilon = 1\n", "", 21.0))
    assert problem(Said(["epsilon"], 2, "", fine.err * 2, 0.1))
    assert problem(
        Said(["epsilon"], 2, "", "rdpacct: the plan is a ... b; give one.\n", 0.1)
    )
    assert problem(Said(["epsilon"], 2, "", "", 0.1))
    assert problem(Said(["epsilon"], 2, "epsilon = 1\n", fine.err, 0.1))
    assert problem(Said(["epsilon", "--json"], 0, '["epsilon"]\n', "", 0.1))
