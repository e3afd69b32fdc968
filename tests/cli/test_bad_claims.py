"""A plan file with a claim that cannot be read is refused by every command that takes a plan."""

import json
from pathlib import Path
from typing import Any

import pytest

from rdpacct.cli import main
from rdpacct.plan import PlanText
from rdpacct.plan import text as reading
from rdpacct.privacy.guarantee import Guarantee
from tests.cli.test_hypotheses import ABOUT_A_PLAN

PLACE = "plan.json, claim 2 (board): "
NOT_ONE = "the claim '{}' is not a guarantee; give one of PureDP, ApproxDP, "
BAD: list[tuple[Any, str]] = [
    (
        "ApproxDP(epsilon=2, dleta=1e-6)",
        "ApproxDP has no parameter 'dleta'; it takes epsilon, delta; did you mean delta?",
    ),
    (
        "ApproxDP(epsilon=?, delta=1e-6)",
        "epsilon is open in the claim 'ApproxDP(epsilon=?, delta=1e-6)', but a claim says"
        " how much is kept; give a number in place of the ?.",
    ),
    (
        {"kind": "ApproxDP", "epsilon": 1, "delta": "2*?"},
        "delta is open in the claim 'ApproxDP', but a claim says how much is kept; give a"
        " number in place of the ?.",
    ),
    (3, NOT_ONE.format("3")),
    (2.5, NOT_ONE.format("2.5")),
    (True, NOT_ONE.format("true")),
    ([], NOT_ONE.format("a list")),
    ("?", NOT_ONE.format("?")),
    ("Gaussian(sigma=1)", NOT_ONE.format("Gaussian(sigma=1)")),
    ({"kind": "Gaussian", "sigma": 1}, NOT_ONE.format("Gaussian")),
    ("2*PureDP(epsilon=1)", NOT_ONE.format("2*PureDP(epsilon=1)")),
    ("PureDP", "PureDP needs epsilon; give it, as in PureDP(epsilon=...)."),
    (
        "PureDP(epsilon=-1)",
        "epsilon is -1, but must be at least 0; give such a value.",
    ),
    ("PureDP(epsilon=1", "the claim ends where ')' was expected; close what is open"),
    ("", "the claim is empty; give one such as PureDP(epsilon=1)."),
    (None, "claim is null, where a number, a text or a table was expected; write one"),
]
"""Claims that cannot be read, and what is said of each."""
GOOD = "ApproxDP(epsilon=9, delta=1e-6)"
IN_A_FILE = {**ABOUT_A_PLAN, "audit": []}
"""The commands with what else they are given; an audit asks the claims of the file."""


def write(*claims: Any) -> None:
    """A plan file with claims, and a number that a calibration finds."""
    data = {
        "version": 1,
        "releases": [{"mechanism": "Laplace(scale=4)"}],
        "claims": list(claims),
    }
    Path("plan.json").write_text(json.dumps(data))


def words_of(command: str) -> list[str]:
    """A command line about that file."""
    first = [command, "ledger.json"] if command == "spend" else [command]
    return [*first, "plan.json", *IN_A_FILE[command]]


@pytest.mark.parametrize("command", sorted(IN_A_FILE))
def test_a_bad_claim_is_refused_by_every_command(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One sentence that names the claim, and exit code 2; nothing is written."""
    monkeypatch.chdir(tmp_path)
    for guarantee, said in BAD:
        write(GOOD, {"name": "board", "guarantee": guarantee})
        assert main(words_of(command)) == 2, guarantee
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith(f"rdpacct: {PLACE}{said}"), guarantee
        assert output.err.splitlines()[0].endswith((".", "?"))
        assert [path.name for path in tmp_path.iterdir() if path.suffix != ".lock"] == [
            "plan.json"
        ]


@pytest.mark.parametrize("command", ["audit", "audit-code"])
def test_a_bad_claim_is_refused_beside_one_that_is_asked(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also where another claim is given on the command line, or the file itself is the claim."""
    monkeypatch.chdir(tmp_path)
    write(GOOD, {"name": "board", "guarantee": 3})
    Path("released.py").write_text("def run(data):\n    return 0\n")
    Path("inputs.json").write_text('{"x": [1], "x_neighbor": [2]}')
    code = ["released:run", "--inputs", "inputs.json"]
    words = {
        "audit": ["audit", "plan.json", "--claim", GOOD],
        "audit-code": ["audit-code", *code, "--claim", "plan.json"],
    }
    assert main(words[command]) == 2
    assert PLACE + NOT_ONE.format("3") in capsys.readouterr().err


@pytest.mark.parametrize("command", sorted(set(IN_A_FILE) - {"report", "calibrate"}))
def test_good_claims_are_no_obstacle(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same files are answered without the bad claim."""
    monkeypatch.chdir(tmp_path)
    write(GOOD, {"name": "board", "guarantee": GOOD})
    assert main(words_of(command)) == 0
    assert capsys.readouterr().err == ""


def test_the_open_number_of_a_plan_is_not_one_of_its_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A calibration reads the claims too, and opens none of them."""
    monkeypatch.chdir(tmp_path)
    Path("plan.json").write_text(
        json.dumps({"plan": "Laplace(scale=?)", "claims": [GOOD]})
    )
    words = ["calibrate", "plan.json", "--epsilon", "2", "--delta", "1e-6"]
    assert main(words) == 0
    assert "Laplace(scale=0.5)" in capsys.readouterr().out


def test_claims_are_read_once_and_only_where_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not once for each value that a calibration tries."""
    monkeypatch.chdir(tmp_path)
    read = list[Any]()
    claimed = reading._claimed

    def counted(*given: Any) -> Guarantee:
        read.append(given)
        return claimed(*given)

    monkeypatch.setattr(reading, "_claimed", counted)
    write(GOOD, GOOD)
    text = PlanText("plan.json")
    assert [str(claim) for claim in text.claims] == [GOOD.replace("1e-6", "1e-06")] * 2
    for _ in range(3):
        text.plan()
    assert len(read) == 2
    assert PlanText("Laplace(scale=1)").claims == ()
    assert len(read) == 2
