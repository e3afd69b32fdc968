"""Every answer says what the mechanisms of its plan take for granted beyond their parameters."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rdpacct.assumptions import assumptions_of
from rdpacct.cli import main
from rdpacct.cli.parser import command_names
from rdpacct.cli.rendering import hypothesis_lines
from rdpacct.errors import InputError
from rdpacct.mechanisms import Mechanism, Plan, known_mechanisms
from rdpacct.privacy.relation import Relation

PLAN = "PureDP(epsilon=1)"
SENTENCE = "the release keeps this promise, whatever came before."
ABOUT_A_PLAN = {
    "audit": ["--claim", "PureDP(epsilon=2)"],
    "calibrate": ["--epsilon", "2", "--delta", "1e-6"],
    "curve": ["--points", "3"],
    "delta": ["--epsilon", "0.5"],
    "epsilon": ["--delta", "1e-6"],
    "explain": ["--delta", "1e-6"],
    "gaussian-dp": [],
    "mean": [],
    "renyi": ["--order", "2"],
    "report": ["-o", "page.html", "--delta", "1e-6"],
    "spend": ["--budget", "PureDP(epsilon=2)"],
    "tail": ["--threshold", "0.5"],
    "tradeoff": ["--false-positives", "0.1"],
    "zcdp": ["--xi", "0"],
}
"""The commands that answer about a plan, with what else they are given."""
NOT_ABOUT_ONE = {
    *("audit-code", "audit-run", "book", "check", "completion", "doctor", "dpsgd"),
    *("help", "list", "prove", "schema", "show", "tour", "verify"),
}
"""The others; the two audits test code against a claim, and use no mechanism."""


def stated() -> Iterator[Mechanism]:
    """The examples of every mechanism, for every relation for which it can be stated."""
    for _, cls in sorted(known_mechanisms().items()):
        for example in cls.examples():
            for relation in Relation:
                with contextlib.suppress(InputError):
                    yield example.stated_for(relation)


def words_of(command: str, plan: str) -> list[str]:
    """A command line about a plan."""
    more = ABOUT_A_PLAN[command]
    if command == "calibrate":
        plan = f"{plan} + Laplace(scale=?)"
    if command == "spend":
        return [command, "ledger.json", plan, *more]
    return [command, plan, *more]


def test_every_command_is_looked_at() -> None:
    assert set(ABOUT_A_PLAN) | NOT_ABOUT_ONE == set(command_names())


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name == "report" else [])
        for name in sorted(ABOUT_A_PLAN)
    ],
)
def test_an_answer_says_what_is_taken_for_granted(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    words = words_of(command, PLAN)
    assert main(words) == 0
    said = capsys.readouterr().out
    if command == "report":
        said = Path("page.html").read_text()
    assert said.count(SENTENCE) == 1
    if command != "report":
        Path("ledger.json").unlink(missing_ok=True)
        assert main([*words, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert f"{PLAN}: {SENTENCE}" in data["assumptions"]


@pytest.mark.parametrize("command", sorted(set(ABOUT_A_PLAN) - {"report", "explain"}))
def test_nothing_is_said_where_nothing_is_taken_for_granted(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    words = words_of(command, "RandomizedResponse(epsilon=1)")
    assert main(words) == 0
    assert "assumes" not in capsys.readouterr().out
    Path("ledger.json").unlink(missing_ok=True)
    assert main([*words, "--json"]) == 0
    assert "assumptions" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("relation", ["add_or_remove_one", "replace_one"])
def test_bands_say_which_group_a_replaced_record_is_in(
    relation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = "SampledBands(sigma=2, steps=2, coefficients=[1, 1/2], rate=0.25)"
    words = ["epsilon", plan, "--delta", "1e-3", "--relation", relation]
    assert main(words) == 0
    same = "the record that replaces it is in the same one"
    assert (same in capsys.readouterr().out) == (relation == "replace_one")


def test_explanations_say_it_too() -> None:
    """Also for each relation; most mechanisms take something for granted."""
    taking = set()
    for mechanism in stated():
        plan = Plan.of(mechanism)
        own = mechanism.hypotheses()
        assert set(own) <= set(mechanism.assumes()) <= set(assumptions_of(plan))
        for sentence, line in zip(own, hypothesis_lines(plan), strict=True):
            assert sentence.endswith(line.removeprefix("  assumes: "))
            taking.add(type(mechanism))
    assert len(taking) > 20


def test_a_certificate_that_is_checked_says_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "certificate.json")
    plan = "3*PoissonSampled(DiscreteLaplace(scale=2), rate=0.2) + PureDP(epsilon=0.5)"
    words = ["explain", plan, "--delta", "1e-3", "--certificate", file, "--json"]
    assert main(words) == 0
    explained = json.loads(capsys.readouterr().out)["assumptions"]
    assert main(["check", file, "--json"]) == 0
    sampled, promised = json.loads(capsys.readouterr().out)["assumptions"]
    assert promised.endswith(SENTENCE)
    secret = "nothing but the release tells which were drawn"
    samples = "between samples of which one has a record more"
    for said in (secret, samples):
        assert said in sampled
        assert any(said in sentence for sentence in explained)
    assert main(["check", file]) == 0
    assert f"  assumes: {sampled}\n" in capsys.readouterr().out


@pytest.mark.slow
def test_one_sampled_release_has_a_certificate_or_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Adding a record has no loss as large as the epsilon of removing one."""
    file = str(tmp_path / "certificate.json")
    plan = "PoissonSampled(Gaussian(sigma=4), rate=0.1)"
    assert main(["explain", plan, "--delta", "1e-5", "--certificate", file]) in (0, 2)
    assert "Error" not in capsys.readouterr().err
