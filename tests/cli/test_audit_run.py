"""The command audit-run: its exits, its JSON, its certificate, and sentences for mistakes."""

import json
from pathlib import Path
from random import Random

import pytest

from rdpacct.cli import main

CLAIM = "ApproxDP(epsilon=1, delta=1e-5)"


@pytest.fixture
def scores(tmp_path: Path) -> str:
    """A file of scores of a training with little noise."""
    rng = Random(5)
    rows = ["score,included"]
    for _ in range(400):
        coin = rng.random() < 0.5
        rows.append(f"{coin + rng.gauss(0, 0.4):.6f},{int(coin)}")
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize(
    "way",
    [
        ["--guess", "60,60"],
        ["--guess", "20,20", "--guess", "100,0"],
        ["--threshold", "0.5"],
        ["--choose-on", "0.5", "--seed", "3"],
    ],
)
def test_a_broken_training_is_refuted(
    scores: str, way: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """By every way to guess, with exit code 1 and a lower bound on epsilon."""
    assert main(["audit-run", scores, "--claim", CLAIM, *way, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "fails"
    assert float(data["epsilon"]["lower"]) > 1
    assert float(data["chance"]["upper"]) <= 0.001
    assert float(data["older_bound"]["lower"]) >= float(data["chance"]["upper"])
    assert data["rests_on"] == ["statistics/one-run"]


def test_a_run_that_refutes_nothing_is_undecided(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It never holds; the answer says what it would have found."""
    line = ["audit-run", "--counts", "1000,500,300", "--claim", CLAIM]
    assert main(line) == 3
    said = capsys.readouterr().out
    assert "never show that it holds" in said
    assert "power: randomized response with epsilon" in said


def test_the_certificate_is_accepted_by_check(
    scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is written, checked, and rejected once a count is raised."""
    file = str(tmp_path / "refuted.json")
    line = ["audit-run", scores, "--claim", CLAIM, "--guess", "60,60"]
    assert main([*line, "--certificate", file]) == 1
    capsys.readouterr()
    assert main(["check", file]) == 0
    said = capsys.readouterr().out
    assert "is refuted, at confidence 0.999" in said
    assert "statistics/one-run" in said
    data = json.loads(Path(file).read_text())
    data["evidence"]["correct"] -= 1
    Path(file).write_text(json.dumps(data))
    assert main(["check", file]) == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ([], "neither a file nor counts"),
        (["--counts", "10,5"], "give 3 whole numbers"),
        (["--counts", "10,5,x"], "a number of --counts"),
        (["--counts", "10,5,6"], "at most 5"),
        (["--counts", "10,5,5", "--guess", "1,1"], "guessed already"),
        (["FILE"], "0 ways to guess"),
        (["FILE", "--counts", "10,5,5"], "counts and a file"),
        (["FILE", "--guess", "1,1", "--threshold", "0"], "2 ways to guess"),
        (["FILE", "--guess", "1"], "give 2 whole numbers"),
        (["FILE", "--guess", "300,300"], "each at most once"),
        (["FILE", "--choose-on", "2"], "give a share"),
        (["FILE", "--choose-on", "0.5", "--seed", "x"], "the seed"),
        (["FILE", "--guess", "1,1", "--confidence", "2"], "confidence is 2"),
        (["FILE", "--guess", "1,1", "--delta", "-1"], "delta is -1"),
        (["missing.csv", "--guess", "1,1"], "cannot be read"),
        (["plan.toml", "--guess", "1,1"], "neither .csv nor .json"),
    ],
)
def test_mistakes_get_one_sentence(
    scores: str, line: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And exit code 2."""
    given = [scores if word == "FILE" else word for word in line]
    assert main(["audit-run", *given, "--claim", CLAIM]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert not said.out
