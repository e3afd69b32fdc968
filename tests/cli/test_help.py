"""The help of each command has examples, and these work."""

import shlex
from pathlib import Path

import pytest

from rdpacct.cli import main
from rdpacct.cli.parser import command_names
from tests.cli.test_exit_codes import module_of

FILES = {
    "release.py": "def noisy_count(data, rng, size):\n"
    "    return sum(data) + rng.laplace(size=size)\n",
    "inputs.toml": 'claim = "PureDP(epsilon=1)"\nx = [1]\nx_neighbor = [1, 1]\n',
    "scores.csv": "score,included\n"
    + "".join(f"{37 * k % 101},{k % 2}\n" for k in range(400)),
}
"""The files that examples name."""


def examples() -> list[str]:
    """The examples of all commands."""
    return [
        example
        for name in command_names()
        for example in getattr(module_of(name), "EXAMPLES", ())
    ]


@pytest.mark.parametrize("name", command_names())
def test_the_help_of_a_command_has_its_examples(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what the command is for, what each option takes, and how it is used."""
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    said = capsys.readouterr().out
    shown = module_of(name).EXAMPLES
    assert shown
    for example in shown:
        assert example in said
        assert shlex.split(example)[:2] == ["rdpacct", name]
    assert "exit codes: 0 holds or done" in said
    assert "==SUPPRESS==" not in said


@pytest.mark.parametrize("example", examples())
def test_an_example_works(
    example: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every example of a help is answered with 0, in a folder with the files that it names; an
    audit of code that holds is undecided.
    """
    monkeypatch.chdir(tmp_path)
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    if "check" in example:
        main(["prove", "x**2 >= 0", "--certificate", "certificate.json"])
    capsys.readouterr()
    undecided = "audit-code" in example or "audit-run" in example
    assert main(shlex.split(example)[1:]) == (3 if undecided else 0)
    assert capsys.readouterr().out.strip()


def test_every_option_says_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """No option of a command goes without a word."""
    for name in command_names():
        with pytest.raises(SystemExit):
            main([name, "--help"])
        lines = capsys.readouterr().out.split("\n")
        options = [k for k, line in enumerate(lines) if line.startswith("  --")]
        for k in options:
            said = lines[k].strip().split("  ", 1)
            assert len(said) == 2 or lines[k + 1].startswith("      "), lines[k]
