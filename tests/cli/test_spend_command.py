"""A budget in a file, on the command line: every exit, and what is written at each."""

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct.cli import main
from rdpacct.language.files import data_of

NEW = ["--budget", "ZCDP(rho=1)"]
BOTH = ["--budget", "ApproxDP(epsilon=1, delta=1e-5)"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spend(*words: str) -> int:
    return main(["spend", "study.json", *words])


def test_granted_until_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert spend("Gaussian(sigma=1)", *NEW) == 0
    assert spend("Gaussian(sigma=1)") == 0
    before = (folder / "study.json").read_bytes()
    assert spend("Gaussian(sigma=1000)") == 1
    assert (folder / "study.json").read_bytes() == before
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [
        "granted: asked rho 0.5; spent rho 0.5; remaining rho 0.5",
        "granted: asked rho 0.5; spent rho 1; remaining rho 0",
        "refused: asked rho 5e-07; spent rho 1; remaining rho 0",
    ]
    assert err == ""


def test_objects_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert spend("Gaussian(sigma=2)", *NEW, "--part", "north", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "verdict": "granted",
        "asked": {"rho": "1/8"},
        "spent": {"rho": "1/8"},
        "remaining": {"rho": "7/8"},
        "budget": "ZCDP(rho=1, xi=0)",
        "part": "north",
        "relation": "add_or_remove_one",
        "releases": 1,
        "rests_on": [
            "adaptive/parts",
            "adaptive/zcdp",
            "gaussian/worst-pair",
            "gaussian/zcdp",
        ],
    }
    assert spend("ZCDP(rho=1)", "--json") == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "refused"
    assert spend("--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["remaining"]) == (None, {"rho": "7/8"})
    assert spend("--part", "south", "--json") == 0
    assert json.loads(capsys.readouterr().out)["remaining"] == {"rho": "1"}


def test_a_delta_is_spent_with_its_epsilon(capsys: pytest.CaptureFixture[str]) -> None:
    """From a budget of both, on all of the data and on a part."""
    release = ["Gaussian(sigma=9)", "--delta", "4e-6", "--json"]
    assert spend(*release, *BOTH) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["asked"]["delta"] == "1/250000"
    assert spend(*release, "--part", "north") == 0
    second = json.loads(capsys.readouterr().out)
    assert second["spent"]["delta"] == "1/125000"
    assert Fraction(second["spent"]["epsilon"]) == 2 * Fraction(
        first["asked"]["epsilon"]
    )
    assert spend(*release, "--part", "north") == 1


def test_plans_in_files_and_other_relations(folder: Path) -> None:
    plan = folder / "plan.toml"
    plan.write_text('relation = "replace_one"\nplan = "2*Gaussian(sigma=2)"\n')
    assert spend(str(plan), *NEW, "--relation", "replace_one") == 0
    assert spend(str(plan), "--part", "north") == 2
    assert main(["spend", "other.json", str(plan), *NEW]) == 2
    assert not (folder / "other.json").exists()


BAD: list[tuple[list[str], str]] = [
    (["Gaussian(sigma=1)"], "does not exist"),
    ([], "does not exist"),
    (["Gausian(sigma=1)", *NEW], "did you mean Gaussian"),
    (["Gaussian(sigma=-1)", *NEW], "sigma"),
    (["Gaussian(sigma=?)", *NEW], "?"),
    (["missing.toml", *NEW], "does not exist"),
    (["ApproxDP(epsilon=1, delta=1e-6)", *NEW], "no finite price"),
    (["Gaussian(sigma=1)", "--budget", "MeanCDP(mu=1, tau=1)"], "filter"),
    (["Gaussian(sigma=1)", "--budget", "ZCDP(rho=-1)"], "rho"),
    (["Gaussian(sigma=1)", "--budget", "1"], "1"),
    (["Gaussian(sigma=1)", "--budget", ""], "empty"),
    (["Gaussian(sigma=1)", *NEW, "--relation", "sideways"], "sideways"),
    (["Gaussian(sigma=1)", *NEW, "--part", ""], "name of a part"),
    (["Gaussian(sigma=1)", *NEW, *NEW], "given twice"),
    (["Gaussian(sigma=1)", *NEW, "--delta", "1e-6"], "does not spend any"),
    (["Gaussian(sigma=1)", *NEW, "--delta", "x"], "delta"),
    (["Gaussian(sigma=9)", *BOTH, "--delta", "-1"], "delta"),
    (["Gaussian(sigma=9)", *BOTH, "--delta", "0"], "no finite price"),
    (["Gaussian(sigma=9)", *BOTH, "--epsilon", "1"], "--epsilon"),
    (["Gaussian(sigma=1)", "Gaussian(sigma=1)", *NEW], "one too many"),
    (
        ["Gaussian(sigma=1)", *NEW, "--relation", "replace_one", "--part", "x"],
        "two parts change",
    ),
]


@pytest.mark.parametrize(("words", "says"), BAD, ids=str)
@pytest.mark.parametrize("as_json", [False, True])
def test_bad_input_is_one_sentence_and_writes_nothing(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    says: str,
    as_json: bool,
) -> None:
    assert spend(*words, *(["--json"] if as_json else [])) == 2
    out, err = capsys.readouterr()
    assert says in err.splitlines()[0]
    assert "Traceback" not in err
    assert not (folder / "study.json").exists()
    assert (json.loads(out)["exit"] == 2) if as_json else out == ""


@pytest.mark.parametrize("change", ["1/4", "-1/2", "nan", "3"])
def test_a_changed_ledger_is_refused(folder: Path, change: str) -> None:
    """What is spent is not checked against a signature: a smaller number is believed, as the file
    is yours to guard; what no ledger holds is refused.
    """
    assert spend("Gaussian(sigma=1)", *NEW) == 0
    file = folder / "study.json"
    file.write_text(file.read_text().replace('"1/2"', f'"{change}"'))
    assert spend() == (0 if change == "1/4" else 2)


def test_a_menu_and_orders_begin_a_ledger(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    budget = ["--budget", "ApproxDP(epsilon=2, delta=1e-3)"]
    release = "Laplace(scale=2)"
    assert spend(release, *budget, "--menu", release) == 0
    assert "asked units 1; spent units 1;" in capsys.readouterr().out
    assert spend("Laplace(scale=3)") == 2
    assert "is not on the menu" in capsys.readouterr().err
    (folder / "study.json").unlink()
    assert spend("Gaussian(sigma=4)", *budget, "--orders", "9,33") == 0
    assert "asked epsilon at 9 0.28125" in capsys.readouterr().out
    assert spend("Gaussian(sigma=4)", "--orders", "9,x") == 2


def test_a_ledger_is_no_device_and_no_pipe(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # a device never ends, and neither has a file of its own that could be replaced
    os.mkfifo(folder / "pipe")
    for name in (os.devnull, "pipe"):
        assert main(["spend", name, "Gaussian(sigma=1)", *NEW]) == 2
        assert "which is not a file" in capsys.readouterr().err
    assert not (folder / "pipe.lock").exists()


def test_what_earlier_releases_assume_is_shown_without_a_plan(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Those that were granted, each once; a ledger without such releases says nothing."""
    assert spend("Gaussian(sigma=2)", *BOTH, "--delta", "1e-7") == 1
    assert spend("Gaussian(sigma=20)", *BOTH, "--delta", "1e-7") == 0
    capsys.readouterr()
    assert spend("--json") == 0
    assert "assumptions" not in json.loads(capsys.readouterr().out)
    sampled = "PoissonSampled(Gaussian(sigma=9), rate=0.01)"
    for _ in range(2):
        assert spend(sampled, "--delta", "1e-7", "--part", "north") == 0
    assert spend("PureDP(epsilon=5)") == 1
    capsys.readouterr()
    assert spend() == 0
    text = capsys.readouterr().out
    assert text.count("assumes: ") == text.count("\n  assumes: ") == 2
    assert f"  assumes: {sampled}: each record is in the sample" in text
    assert "PureDP" not in text
    assert spend("--json") == 0
    said = json.loads(capsys.readouterr().out)["assumptions"]
    assert [f"  assumes: {one}" in text for one in said] == [True, True]


def test_a_plan_in_a_file_is_read_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is paid, written and shown is of one reading, and so is the ledger."""
    plan = folder / "plan.toml"
    plan.write_text('plan = "2*Gaussian(sigma=2)"\n')
    assert spend(str(plan), *NEW) == 0
    read = list[Path]()

    def counted(path: Path) -> Any:
        read.append(path)
        return data_of(path)

    monkeypatch.setattr("rdpacct.language.written.data_of", counted)
    assert spend(str(plan), "--json") == 0
    assert read == [plan]


def test_a_refusal_names_its_grounds_on_the_page_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The page says what the price rests on, and the ledger what was paid."""
    assert spend("Gaussian(sigma=2)", *NEW) == 0
    before = shown(capsys)
    assert spend("PureDP(epsilon=9)", "--json") == 1
    refused = json.loads(capsys.readouterr().out)
    assert set(refused["rests_on"]) > set(before["rests_on"])
    assert shown(capsys) == before


def shown(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert spend("--json") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_a_page_says_what_the_whole_takes_for_granted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of this release, and of those before it."""
    assert spend("ZCDP(rho=0.1)", *NEW) == 0
    capsys.readouterr()
    assert spend("Gaussian(sigma=9)") == 0
    assert "ZCDP(rho=0.1, xi=0): the release keeps" in capsys.readouterr().out
    assert spend("ZCDP(rho=0.1)", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["assumptions"]) == 1
    assert spend("ZCDP(rho=0.2)", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["assumptions"]) == 2


def test_what_a_part_has_rests_on_the_theorem_of_parts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert spend("Gaussian(sigma=2)", *NEW) == 0
    assert "adaptive/parts" not in shown(capsys)["rests_on"]
    assert spend("--part", "north", "--json") == 0
    assert "adaptive/parts" in json.loads(capsys.readouterr().out)["rests_on"]
