"""The command line as a contract: objects, exit codes, files and relations."""

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct.cli import main
from rdpacct.cli.parser import command_names
from rdpacct.proof.theorem import Status, Theorem

TRUTH = Fraction("4.8865541174622120059")
"""epsilon of Gaussian(sigma=1) at delta = 1e-6, to twenty digits."""


def run(capsys: pytest.CaptureFixture[str], *arguments: Any) -> Any:
    """The exit code and the object that a command prints with --json."""
    code = main([*arguments, "--json"])
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return code, json.loads(out)


def ends(bound: Any) -> Any:
    """The exact ends of a printed bound."""
    return Fraction(bound["lower"]), Fraction(bound["upper"])


def test_epsilon_of_a_gaussian(capsys: pytest.CaptureFixture[str]) -> None:
    """The enclosure of the reference value is valid and narrow."""
    code, data = run(capsys, "epsilon", "Gaussian(sigma=1)", "--delta", "1e-6")
    low, high = ends(data["epsilon"])
    assert code == 0
    assert low <= TRUTH <= high
    assert high - low <= TRUTH * Fraction(1, 10**12)
    assert data["delta"] == 1e-6
    assert data["relation"] == "add_or_remove_one"
    assert data["composition"] == "one release"
    assert "gaussian/delta" in data["rests_on"]


@pytest.mark.parametrize(
    ("delta", "near"), [("1e-18", 8.99718), ("1e-100", 21.6275), ("1e-300", 37.4488)]
)
def test_epsilon_at_tiny_deltas(
    capsys: pytest.CaptureFixture[str], delta: str, near: float
) -> None:
    """Deltas far below the precision of doubles are answered as narrowly."""
    code, data = run(capsys, "epsilon", "Gaussian(sigma=1)", "--delta", delta)
    low, high = ends(data["epsilon"])
    assert code == 0
    assert abs(low - Fraction(near)) < Fraction(1, 1000)
    assert high - low <= low * Fraction(1, 10**12)


def test_composed_gaussians(capsys: pytest.CaptureFixture[str]) -> None:
    """Sums and multiples of Gaussians are one Gaussian, whatever the order of the terms."""
    _, data = run(capsys, "epsilon", "1000*Gaussian(sigma=20)", "--delta", "1e-6")
    low, high = ends(data["epsilon"])
    assert low <= Fraction("8.3062250499547282") <= high + Fraction(1, 10**16)
    _, left = run(
        capsys,
        "epsilon",
        "3*Gaussian(sigma=2) + 4*Gaussian(sigma=5)",
        "--delta",
        "1e-6",
    )
    _, right = run(
        capsys,
        "epsilon",
        "2*(2*Gaussian(sigma=5)) + Gaussian(sigma=2)*3",
        "--delta",
        "1e-6",
    )
    assert left == right
    assert left["composition"].startswith("adaptive")


def test_the_empty_plan_spends_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Running a mechanism no times costs no epsilon."""
    assert run(capsys, "epsilon", "0*Laplace(scale=1)", "--delta", "1e-6")[1][
        "epsilon"
    ] == {"lower": 0, "upper": 0}


def test_delta_command(capsys: pytest.CaptureFixture[str]) -> None:
    """delta(1/2) of Laplace(1) is 1 - exp(-1/4)."""
    code, data = run(capsys, "delta", "Laplace(scale=1)", "--epsilon", "0.5")
    low, high = ends(data["delta"])
    assert code == 0
    assert low <= Fraction("0.2211992169285951317548297330216895") <= high
    assert data["epsilon"] == 0.5


def test_the_relation_is_stated_and_not_assumed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The relation comes from the option or from the file, and every answer repeats it."""
    _, data = run(
        capsys,
        "epsilon",
        "Gaussian(sigma=1)",
        "--delta",
        "1e-6",
        "--relation",
        "REPLACE-ONE",
    )
    assert data["relation"] == "replace_one"
    for name, text in (
        ("plan.toml", 'plan = "Gaussian(sigma=1)"\nrelation = "replace_one"'),
        ("plan.json", '{"plan": "Gaussian(sigma=1)", "relation": "replace_one"}'),
    ):
        (tmp_path / name).write_text(text)
        _, data = run(capsys, "epsilon", str(tmp_path / name), "--delta", "1e-6")
        assert data["relation"] == "replace_one"
        assert data["plan"] == "Gaussian(sigma=1)"


def test_audits_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    """An audit that holds exits 0, one that fails 1, one that is undecided 3."""
    code, data = run(
        capsys,
        "audit",
        "Gaussian(sigma=4.75)",
        "--claim",
        "ApproxDP(epsilon=1, delta=1e-5)",
    )
    assert (code, data["verdict"], data["witness"]) == (0, "holds", None)
    code, data = run(
        capsys, "audit", "Gaussian(sigma=1)", "--claim", "PureDP(epsilon=3)"
    )
    assert (code, data["verdict"]) == (1, "fails")
    assert data["tight"] == {"epsilon": {"lower": "inf", "upper": "inf"}}
    assert "output" in data["witness"]["event"]
    assert data["witness"]["p"]["lower"] > 20 * data["witness"]["q"]["upper"]
    code, data = run(
        capsys, "audit", "DiscreteGaussian(sigma=1)", "--claim", "GaussianDP(mu=2)"
    )
    assert (code, data["verdict"]) == (3, "undecided")
    assert data["why"]


def test_owed_rules_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No rule is hidden: what rests on an entry that is not settled is listed, with its theorem and
    its place.
    """
    code, data = run(capsys, "verify", "--owed")
    assert (code, data["owed"]) == (0, [])
    still_open = Theorem(Status.OPEN, missing="everything")
    monkeypatch.setattr("rdpacct.book.verify.theorem", lambda _: still_open)
    listed = {
        (entry["id"], entry["rule"])
        for entry in run(capsys, "verify", "--owed")[1]["owed"]
    }
    assert ("cdp/gaussian", "rdpacct.mechanisms.gaussian.gaussian.mean") in listed
    package = Path(__file__).parents[2] / "rdpacct"
    tags = sum(
        len(re.findall(r"^ *@by\(", text, re.MULTILINE))
        for path in package.rglob("*.py")
        if (text := path.read_text())
    )
    assert len(listed) == tags


def test_verify_does_not_round_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An open entry is not a pass: verify says open and exits 3."""
    monkeypatch.setattr(
        "rdpacct.book.entry.theorem",
        lambda _: Theorem(Status.OPEN, missing="everything"),
    )
    code, data = run(capsys, "verify", "cdp/gaussian")
    assert code == 3
    assert [entry["verdict"] for entry in data["theorems"]] == ["open"]


def test_explain_names_the_theorems(capsys: pytest.CaptureFixture[str]) -> None:
    """Each step of an explanation has a theorem of the book, and the answer is the same as without
    it.
    """
    code, data = run(capsys, "explain", "3*Gaussian(sigma=2)", "--delta", "1e-6")
    assert code == 0
    assert [step["theorem"] for step in data["steps"]] == [
        "gaussian/worst-pair",
        "gaussian/composition",
        "gaussian/delta",
    ]
    assert all(
        step["verdict"] in ("proved", "sharpened", "corrected")
        for step in data["steps"]
    )
    assert (
        data["epsilon"]
        == run(capsys, "epsilon", "3*Gaussian(sigma=2)", "--delta", "1e-6")[1][
            "epsilon"
        ]
    )


def test_explain_follows_a_composition(capsys: pytest.CaptureFixture[str]) -> None:
    """The pairs come first, then their transforms, how they are put together, and the method that
    answered.
    """
    plan = (
        "2*Gaussian(sigma=4) + 20*Laplace(scale=3) + PoissonSampled(Gaussian(sigma=1),"
        " rate=0.1)"
    )
    code, data = run(capsys, "explain", plan, "--delta", "1e-6")
    assert code == 0
    names = [step["theorem"] for step in data["steps"]]
    milestones = [
        "laplace/worst-pair",
        "sampling/poisson",
        "laplace/transform",
        "composition/dominating-pairs",
    ]
    places = [
        names.index(name)
        for name in (*milestones, "engine/quadrature", "engine/truncation")
    ]
    assert places == sorted(places)
    assert "laplace/delta" not in names
    assert not [name for name in names if name.endswith("lattice-decay")]
    assert (
        data["epsilon"] == run(capsys, "epsilon", plan, "--delta", "1e-6")[1]["epsilon"]
    )
    code, data = run(
        capsys, "explain", "30*RandomizedResponse(epsilon=1)", "--delta", "1e-6"
    )
    assert data["steps"][-1]["theorem"] == "engine/binomial"


def test_tour(capsys: pytest.CaptureFixture[str]) -> None:
    """The tour shows a certified epsilon, an audit that holds and one that fails with its
    witness.
    """
    assert main(["tour"]) == 0
    text = capsys.readouterr().out
    assert "epsilon <= 4.88656\n  certainly in [4.886554117" in text
    assert "\nholds:" in text
    assert "\nfails:" in text
    assert "witness: output" in text
    code, data = run(capsys, "tour")
    assert code == 0
    assert len(data["tour"]) >= 5


def test_help_is_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """--help prints and exits 0."""
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    assert "epsilon" in capsys.readouterr().out


def loaded_by(arguments: list[str]) -> set[str]:
    """The modules of the package that a command loads."""
    code = (
        "import sys\nfrom rdpacct.cli import main\ntry:"
        f" main({arguments!r})\nexcept SystemExit: pass\nprint(*sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(ran.stdout.splitlines()[-1].split())


def test_a_command_loads_no_other_command() -> None:
    """Only the parser of the command that is asked is built."""
    commands = "rdpacct.cli.commands."
    loaded = loaded_by(["mean", "Gaussian(sigma=1)"])
    assert {name for name in loaded if name.startswith(commands)} == {f"{commands}mean"}


def test_the_help_on_all_commands_loads_none() -> None:
    """It has the first sentence of each file, which is read and not run."""
    loaded = loaded_by(["--help"])
    assert not any(name.startswith("rdpacct.cli.commands.") for name in loaded)
    assert "rdpacct.mechanisms" not in loaded


def test_a_command_and_the_list_of_all_say_the_same_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The line in the list is the description in the help on the command."""
    main(["help"])
    listed = " ".join(capsys.readouterr().out.split())
    for name in command_names():
        with pytest.raises(SystemExit):
            main([name, "--help"])
        described = capsys.readouterr().out.split("\n\n")[1]
        assert f" {name} {' '.join(described.split())}" in listed


def test_the_installed_command_answers_quickly() -> None:
    """The command as a process gives the same answer, far within ten seconds of processor time."""
    command = shutil.which("rdpacct", path=str(Path(sys.executable).parent))
    arguments = [command] if command else [sys.executable, "-m", "rdpacct"]
    before = os.times()
    done = subprocess.run(
        [*arguments, "epsilon", "Gaussian(sigma=1)", "--delta", "1e-6", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    after = os.times()
    assert (
        after.children_user
        + after.children_system
        - before.children_user
        - before.children_system
        < 10
    )
    low, high = ends(json.loads(done.stdout)["epsilon"])
    assert low <= TRUTH <= high


def test_a_release_without_noise_is_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It has no sensitivity, so that nothing is assumed about one."""
    assert main(["explain", "NonPrivate()", "--delta", "0.1"]) == 0
    assert "epsilon = inf" in capsys.readouterr().out
