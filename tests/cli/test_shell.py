"""What a shell and a person at a terminal need: lists, completion, a check-up, progress."""

import json
import os
import pty
import shutil
import subprocess
import sys
import termios
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct import Bound
from rdpacct.cli import main, progress
from rdpacct.cli.parser import command_names
from rdpacct.cli.self_check import SelfCheck, self_checks
from rdpacct.mechanisms import known_mechanisms
from rdpacct.privacy.guarantee import GUARANTEES
from rdpacct.proof.entries import ids


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The object that a command prints."""
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_lists_are_complete(capsys: pytest.CaptureFixture[str]) -> None:
    """Every mechanism, guarantee and theorem that there is, each with a sentence."""
    lists = told(capsys, "list")
    assert [row["name"] for row in lists["mechanisms"]] == sorted(known_mechanisms())
    assert [row["name"] for row in lists["guarantees"]] == [
        cls.__name__ for cls in GUARANTEES
    ]
    assert [row["id"] for row in lists["theorems"]] == ids()
    assert all(row["says"] for rows in lists.values() for row in rows)


def test_a_list_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    """By words in any field, in either case: a theorem is found by its paper and number."""
    rows = told(capsys, "list", "theorems", "rothblum", "THEOREM 3")["theorems"]
    assert "cdp/composition" in [row["id"] for row in rows]
    assert len(rows) < 10
    assert told(capsys, "list", "mechanisms", "nosuchword") == {"mechanisms": []}
    assert main(["list", "theorem"]) == 2
    assert "did you mean theorems?" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_all_commands_and_options(
    capsys: pytest.CaptureFixture[str], shell: str
) -> None:
    """The script names each command, and options of them."""
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in command_names())
    for option in ("--delta", "--claim", "--false-positives", "--certificate"):
        assert option.removeprefix("--") in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real bash reads the script, and completes a command and an option."""
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion"
    script.write_text(capsys.readouterr().out)
    ask = f"""
        source {script}
        name=$(complete -p rdpacct | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        COMP_WORDS=(rdpacct eps); COMP_CWORD=1; $name; echo "${{COMPREPLY[@]}}"
        COMP_WORDS=(rdpacct epsilon --del); COMP_CWORD=2; $name; echo "${{COMPREPLY[@]}}"
    """
    ran = subprocess.run(
        ["bash", "-c", ask], capture_output=True, text=True, check=False
    )
    assert ran.stdout.split() == ["epsilon", "--delta"], ran.stderr


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The known ones are named."""
    assert main(["completion", "cmd"]) == 2
    assert "bash, zsh" in capsys.readouterr().err


def test_completion_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without shtab, one sentence with the extra."""
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "install rdpacct[shell]." in capsys.readouterr().err


def test_the_doctor_finds_all_well(capsys: pytest.CaptureFixture[str]) -> None:
    """Versions, packages, the arithmetic, the book and the exit codes."""
    found = told(capsys, "doctor")
    assert found["well"] is True
    assert found["book"]["theorems"] == len(ids())
    assert set(found["exit_codes"]) == {"0", "1", "2", "3", "70", "130"}
    assert found["optional"]["numpy"]["extra"] == "data"
    assert all(check["right"] for check in found["arithmetic"])
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("all is well")


def test_the_doctor_names_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that is not there comes with the extra that installs it."""
    monkeypatch.setattr(
        "rdpacct.cli.commands.doctor._version",
        lambda name: None if name == "numpy" else "1.0",
    )
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert 'numpy not installed: pip install "rdpacct[data]"' in said


def test_the_doctor_sees_wrong_arithmetic(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An enclosure beside the true value, or a wide one, makes it fail; so does an empty book."""
    right = self_checks()[-1]
    beside = Bound(right.balls.lower + 1, right.balls.upper + 1)
    wide = Bound(Fraction(3), Fraction(4))
    for wrong in (beside, wide):
        check = SelfCheck("pi", wrong, right.series)
        monkeypatch.setattr(
            "rdpacct.cli.commands.doctor.self_checks", lambda check=check: [check]
        )
        assert main(["doctor"]) == 1
        assert "pi is WRONG" in capsys.readouterr().out
    monkeypatch.undo()
    monkeypatch.setattr("rdpacct.proof.entries.ids", list)
    assert main(["doctor"]) == 1
    assert "there are no theorems" in capsys.readouterr().out


PROGRAM = """
from rdpacct.cli.progress import bar
with bar(3, {shown}) as tell:
    for done in range(4):
        tell(done, "an entry")
print("answer")
"""


def on_terminal(program: str) -> tuple[bytes, bytes]:
    """What a program prints, and what it writes to a terminal as its error output."""
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=follower
    )
    os.close(follower)
    out, _ = process.communicate(timeout=60)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:
        pass  # the terminal is closed
    os.close(leader)
    return out, seen


def test_a_bar_is_drawn_on_a_terminal_only() -> None:
    """On its error output; a file or a pipe gets nothing, and the answer is left alone."""
    out, seen = on_terminal(PROGRAM.format(shown=True))
    assert out == b"answer\n"
    assert b"an entry" in seen
    assert b"3/3" in seen
    assert on_terminal(PROGRAM.format(shown=False)) == (b"answer\n", b"")
    piped = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(shown=True)],
        capture_output=True,
        check=True,
    )
    assert (piped.stdout, piped.stderr) == (b"answer\n", b"")


def test_no_bar_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is done in silence where tqdm is not installed."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert not progress.is_drawn()
    with progress.bar(2) as tell:
        tell(1, "quiet")
