"""The claims of a plan file: each gets its verdict, and the exit code is that of the worst."""

import json
from pathlib import Path
from typing import Any

import pytest

from rdpacct.cli import main

HOLDS = "ApproxDP(epsilon=1, delta=1e-5)"
FAILS = "ApproxDP(epsilon=0.5, delta=1e-5)"
"""Two claims about Gaussian(sigma=4)."""


def audited(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    plan: str,
    claims: list[Any],
    *more: str,
) -> tuple[int, Any]:
    """The exit code of an audit of a file, and the object that it prints."""
    path = tmp_path / "plan.json"
    data = {"version": 1, "releases": [{"mechanism": plan}], "claims": claims}
    path.write_text(json.dumps(data))
    code = main(["audit", str(path), "--json", *more])
    return code, json.loads(capsys.readouterr().out)


def test_the_exit_code_is_the_worst(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """All hold: 0; one fails: 1, wherever it stands."""
    plan = "Gaussian(sigma=4)"
    for claims, wanted in (
        ([HOLDS], ["holds"]),
        ([HOLDS, FAILS], ["holds", "fails"]),
        ([{"guarantee": FAILS, "name": "leaflet"}, HOLDS], ["fails", "holds"]),
    ):
        code, data = audited(capsys, tmp_path, plan, claims)
        assert [claim["verdict"] for claim in data["claims"]] == wanted
        assert data["verdict"] == ("fails" if "fails" in wanted else "holds")
        assert code == (1 if "fails" in wanted else 0)


def test_undecided_is_not_a_pass(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A claim between the ends of what is known: 3, unless another one fails."""
    plan = "ZCDP(rho=0.1)"
    middle = "ApproxDP(epsilon=2.05, delta=1e-6)"
    code, data = audited(capsys, tmp_path, plan, [middle, "ZCDP(rho=0.2)"])
    assert [claim["verdict"] for claim in data["claims"]] == ["undecided", "holds"]
    assert (code, data["verdict"]) == (3, "undecided")
    code, data = audited(capsys, tmp_path, plan, [middle, "ZCDP(rho=0.01)"])
    assert [claim["verdict"] for claim in data["claims"]] == ["undecided", "fails"]
    assert (code, data["verdict"]) == (1, "fails")


def test_one_claim_can_be_asked_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """--claim asks about that one, and the claims of the file are left alone."""
    code, data = audited(
        capsys, tmp_path, "Gaussian(sigma=4)", [FAILS], "--claim", HOLDS
    )
    assert (code, data["verdict"]) == (0, "holds")
    assert "claims" not in data


def test_each_verdict_is_that_of_the_claim_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The tight values are those of an audit of the plan against the one claim."""
    plan = "Gaussian(sigma=4)"
    _, data = audited(capsys, tmp_path, plan, [HOLDS, FAILS])
    for claim in data["claims"]:
        main(["audit", plan, "--claim", claim["claim"], "--json"])
        alone = json.loads(capsys.readouterr().out)
        assert {key: claim[key] for key in alone} == alone


@pytest.mark.parametrize("plan", ["Gaussian(sigma=1)", "simple.toml"])
def test_without_any_claim_nothing_is_audited(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    plan: str,
) -> None:
    """A plan without claims is refused with the remedy."""
    monkeypatch.chdir(tmp_path)
    Path("simple.toml").write_text('plan = "Gaussian(sigma=1)"')
    assert main(["audit", plan]) == 2
    assert "give --claim" in capsys.readouterr().err


def test_the_text_names_each_claim(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Names, who claims, and a line that counts the verdicts."""
    path = tmp_path / "plan.toml"
    path.write_text(f'''plan = "Gaussian(sigma=4)"
unit = "household"
[[claims]]
name = "leaflet"
by = "marketing"
guarantee = "{FAILS}"
''')
    assert main(["audit", str(path)]) == 1
    out = capsys.readouterr().out
    assert (
        f"fails: leaflet, {FAILS.replace('1e-5', '1e-05')} (claimed by marketing)"
        in out
    )
    assert "claims: 1; 0 holds, 1 fails, 0 undecided" in out
    assert "the unit is a household" in out
