"""How the program ends where it has no answer: a crash and an interrupt have codes of their own and
are no verdicts.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from rdpacct.cli import failure, main
from rdpacct.cli.parser import command_names
from rdpacct.errors import UndecidedError

PLAN = "Gaussian(sigma=1)"
LINES = {
    "audit": ["audit", PLAN, "--claim", "PureDP(epsilon=1)"],
    "audit-code": ["audit-code", "release:noisy_count", "--inputs", "inputs.toml"],
    "audit-run": ["audit-run", "--counts", "9,9,9", "--claim", "PureDP(epsilon=1)"],
    "calibrate": [
        "calibrate",
        "Gaussian(sigma=?)",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
    ],
    "book": ["book", "group/pure", "-o", "pages"],
    "check": ["check", "certificate.json"],
    "completion": ["completion", "bash"],
    "curve": ["curve", PLAN, "--points", "3"],
    "delta": ["delta", PLAN, "--epsilon", "1"],
    "dpsgd": [
        "dpsgd",
        "--examples",
        "100",
        "--batch",
        "10",
        "--epochs",
        "1",
        "--delta",
        "1e-3",
        "--noise-multiplier",
        "1",
    ],
    "doctor": ["doctor"],
    "epsilon": ["epsilon", PLAN, "--delta", "1e-6"],
    "explain": ["explain", PLAN, "--delta", "1e-6"],
    "gaussian-dp": ["gaussian-dp", PLAN],
    "help": ["help"],
    "list": ["list", "guarantees"],
    "mean": ["mean", PLAN],
    "prove": ["prove", "x**2 >= 0"],
    "renyi": ["renyi", PLAN, "--order", "2"],
    "report": ["report", PLAN, "--delta", "1e-6", "-o", "report.html"],
    "schema": ["schema"],
    "show": ["show", "cdp/composition"],
    "spend": ["spend", "ledger.json", PLAN, "--budget", "ZCDP(rho=1)"],
    "tail": ["tail", PLAN, "--threshold", "1"],
    "tour": ["tour"],
    "tradeoff": ["tradeoff", PLAN, "--false-positives", "0.05"],
    "verify": ["verify", "--owed"],
    "zcdp": ["zcdp", PLAN],
}
VERDICTS = ("holds", "fails", "refuted", "proved", "accepted", "rejected", "Traceback")


def module_of(name: Any) -> Any:
    """The module of a command."""
    file = name.replace("-", "_")
    return importlib.import_module(f"rdpacct.cli.commands.{file}")


def test_every_command_is_listed() -> None:
    """No command goes without these tests."""
    assert set(command_names()) == set(LINES), "give each new command a line"


@pytest.mark.parametrize(
    "fault",
    [
        ZeroDivisionError("x\ny"),
        AssertionError(),
        RecursionError(),
        MemoryError(),
        OSError(5),
    ],
)
@pytest.mark.parametrize("name", LINES)
def test_a_fault_is_no_verdict(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    name: str,
    fault: Any,
) -> None:
    """An unexpected error of any command is one sentence, exit code 70, no word of a verdict, and
    a file with the details that the sentence names.
    """

    def faulty(_: Any) -> None:
        raise fault

    monkeypatch.setattr(module_of(name), "run", faulty)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(LINES[name]) == 70
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("rdpacct: an error of this program, and no verdict: ")
    assert len(err) < 400
    assert not any(word in err for word in VERDICTS)
    [details] = tmp_path.iterdir()
    assert str(details) in err
    assert "Traceback" in details.read_text()


def test_a_fault_is_an_object_for_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With --json the object has the error and the code, and no field of an answer."""
    monkeypatch.setattr("rdpacct.cli.commands.audit.audit", lambda *_: 1 // 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main([*LINES["audit"], "--json"]) == 70
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"error", "exit"}
    assert told["exit"] == 70


@pytest.mark.parametrize("way", ["option", "joined option", "variable"])
def test_details_are_written_on_request(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    way: str,
) -> None:
    """The file has the traceback, the arguments and the versions."""
    monkeypatch.setattr("rdpacct.cli.commands.audit.audit", lambda *_: 1 // 0)
    file = tmp_path / "details.txt"
    extra = {
        "option": ["--details", str(file)],
        "joined option": [f"--details={file}"],
        "variable": [],
    }[way]
    if way == "variable":
        monkeypatch.setenv("RDPACCT_DETAILS", str(file))
    assert main([*LINES["audit"], *extra]) == 70
    assert str(file) in capsys.readouterr().err
    text = file.read_text()
    assert all(
        part in text
        for part in ("ZeroDivisionError", "Traceback", "PureDP(epsilon=1)", "Python")
    )


def test_details_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The code and the sentence stay."""
    monkeypatch.setattr("rdpacct.cli.commands.audit.audit", lambda *_: 1 // 0)
    assert main([*LINES["audit"], "--details", str(tmp_path / "no" / "folder")]) == 70
    assert "cannot be written" in capsys.readouterr().err


def test_undecided_questions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that the arithmetic could not settle exits with 3."""

    def undecided(*_: Any) -> None:
        raise UndecidedError("the balls overlap.")

    monkeypatch.setattr("rdpacct.cli.commands.audit.audit", undecided)
    assert main(LINES["audit"]) == 3
    assert capsys.readouterr().err == "rdpacct: undecided: the balls overlap.\n"


def test_an_interrupt_exits_with_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also inside of compiled code, where it is the cause of another error."""

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    def wrapped(*_: Any) -> None:
        try:
            interrupted()
        except KeyboardInterrupt as error:
            raise SystemError("returned a result with an exception set") from error

    for run in (interrupted, wrapped):
        monkeypatch.setattr("rdpacct.cli.commands.audit.audit", run)
        assert main(LINES["audit"]) == 130
        assert capsys.readouterr() == ("", "rdpacct: interrupted.\n")


def test_a_process_that_is_interrupted() -> None:
    """SIGINT ends a real process with one line and 130.

    The handler is set, since a test run in the background of a shell hands on that it is ignored.
    """
    program = """
        import signal, sys, time
        from rdpacct import cli
        from rdpacct.cli.commands import mean
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def run(options):
            print("ready", file=sys.stderr, flush=True)
            time.sleep(60)
        mean.run = run
        sys.exit(cli.main(["mean", "Gaussian(sigma=1)"]))
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "rdpacct: interrupted.\n")


def test_work_side_by_side_is_interrupted() -> None:
    """Ctrl-C reaches all processes of a terminal: those that help end at once and in silence."""
    program = """
        import os, signal, sys, time
        from rdpacct import cli
        from rdpacct.book import verify
        os.sched_getaffinity = lambda _: {0, 1}
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def slow(name, attack=False):
            os.write(2, b"ready\\n")
            time.sleep(600)
        verify.check = slow
        sys.exit(cli.main(["verify", "group/pure", "cdp/tail", "gaussian/delta"]))
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    assert [process.stderr.readline() for _ in range(2)] == ["ready\n"] * 2
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "rdpacct: interrupted.\n")


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "x" * 1000, "\x1b[31m", "\ud800"])
def test_sentences_are_one_short_line(text: str) -> None:
    """Control characters are escaped, and long texts lose their middle."""
    found = failure.sentence(text)
    assert found.isprintable()
    assert len(found) <= failure.LONGEST
