"""The command that writes curves: tables, pictures, and sentences for mistakes."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rdpacct import tradeoff_curve
from rdpacct.cli import main

PLAN = "100*Laplace(scale=10) + Gaussian(sigma=5)"


def test_a_table_is_what_the_library_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file has the rows of the curve; without a file they are printed."""
    file = tmp_path / "curve.csv"
    line = ["curve", PLAN, "--kind", "tradeoff", "--points", "5"]
    assert main([*line, "-o", str(file)]) == 0
    assert "5 points of the tradeoff curve" in capsys.readouterr().out
    assert file.read_text() == tradeoff_curve(PLAN, 5).csv()
    assert main(line) == 0
    assert capsys.readouterr().out == file.read_text()


def test_the_object_has_every_point(capsys: pytest.CaptureFixture[str]) -> None:
    """With both ends, rounded outwards, and the theorems."""
    assert main(["curve", PLAN, "--points", "4", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["points"]) == 4
    first = data["points"][0]
    assert first["epsilon"] == 0
    assert Fraction(first["delta"]["lower"]) < Fraction(first["delta"]["upper"])
    assert "engine/quadrature" in data["rests_on"]


@pytest.mark.parametrize("kind", ["epsilon-delta", "tradeoff"])
def test_pictures_are_the_same_each_time(kind: str, tmp_path: Path) -> None:
    """Two drawings of a curve have the same bytes; the vectors are XML with their labels."""
    line = ["curve", "Gaussian(sigma=1)", "--kind", kind, "--points", "9"]
    for ending in ("svg", "png"):
        files = [tmp_path / f"{name}.{ending}" for name in "ab"]
        assert [main([*line, "-o", str(file)]) for file in files] == [0, 0]
        assert files[0].read_bytes() == files[1].read_bytes()
    words = "".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert ("false positive rate" if kind == "tradeoff" else "epsilon") in words
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "curve.xls"], "does not end in .csv or .svg or .png"),
        (["-o", "no/such/folder/curve.csv"], "cannot be written"),
        (["-o"], "-o/--output has no value"),
        (["--kind", "roc"], "give epsilon-delta or tradeoff"),
        (["--points", "1"], "from 2 to 1000"),
        (["--points", "many"], "not a finite number"),
        (["--least-delta", "0"], "must be above 0 and below 1"),
        (["--direction", "up"], "give add or remove"),
    ],
)
def test_mistakes_get_a_sentence(
    more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line, and no file."""
    assert main(["curve", "Gaussian(sigma=1)", *more]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_picture_without_its_package_says_what_to_install(tmp_path: Path) -> None:
    """A table needs nothing; a picture says which extra it needs, exit code 2."""
    code = """
import sys
sys.modules["matplotlib"] = None
from rdpacct.cli import main
plan = "Gaussian(sigma=1)"
print(main(["curve", plan, "--points", "3", "-o", "curve.csv"]))
print(main(["curve", plan, "--points", "3", "-o", "curve.svg"]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert ran.stdout.splitlines()[1:] == ["0", "2"]
    assert ran.stderr == (
        "rdpacct: pictures are drawn with matplotlib, which is not installed; install"
        " rdpacct[report].\n"
    )
    assert not (tmp_path / "curve.svg").exists()
