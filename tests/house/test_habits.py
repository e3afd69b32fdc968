"""The targets of the Makefile can be made, and the checks run on every supported Python."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
[TARGETS] = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("target", TARGETS.split())
def test_a_target_can_be_made(target: str) -> None:
    """Every file that it needs has a rule, and none has two."""
    ran = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_targets_are_described() -> None:
    """CONTRIBUTING or the README says what each is for."""
    pages = "".join(
        (ROOT / name).read_text() for name in ("CONTRIBUTING.md", "README.md")
    )
    unnamed = [target for target in TARGETS.split() if f"make {target}" not in pages]
    assert unnamed == ["clean"]


def test_git_runs_the_commands_of_make_fix() -> None:
    """The hooks before a commit are those commands, in their order."""
    [fixes] = re.findall(r"^fix: .*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    commands = fixes.replace("$(BIN)", ".venv/bin").split("\n\t")
    hooks = re.findall(
        r"^ +entry: (.*)$", (ROOT / ".pre-commit-config.yaml").read_text(), re.MULTILINE
    )
    assert hooks == [command.strip() for command in commands]


def collected_tests(hash_seed: str) -> list[str]:
    """The names of all tests, the slow ones too, as a process with this seed of hashes has them."""
    listing = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "--quiet",
            "--override-ini=addopts=--strict-markers",
            "-p",
            "no:cacheprovider",
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in listing.stdout.splitlines() if "::" in line]


def test_two_processes_collect_the_same_tests() -> None:
    """The workers of a run refuse to begin if a name has an address or the order of a set in it."""
    first = collected_tests("1")
    assert len(first) > 10_000
    assert first == collected_tests("2")


def quick_paths(makefile: str) -> list[str]:
    """What ``make test-quick`` runs."""
    [listed] = re.findall(r"^QUICK := ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    return [word for word in listed.split() if word != "\\"]


def test_the_quick_tests_are_there_and_of_every_folder() -> None:
    """A file that is gone would stop the run, a folder without a file would not be tested."""
    paths = quick_paths(MAKEFILE)
    assert [path for path in paths if not (ROOT / path).exists()] == []
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    assert {path.split("/")[1] for path in paths} == folders
    assert len(folders) >= 10


def test_the_checks_run_on_all_versions() -> None:
    """From the least version that the package admits to 3.14."""
    workflows = "".join(
        path.read_text() for path in (ROOT / ".github" / "workflows").iterdir()
    )
    least = re.search(
        r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text()
    )
    assert least is not None
    for minor in range(int(least[1]), 15):
        assert f'"3.{minor}"' in workflows
