"""The repository in examples/minimal_repo, tested with the built wheel of this one."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.testing.sessions import RESULT
from tests.testing.wheels import ROOT, built_wheel, installed_alone

EXAMPLE = ROOT / "examples" / "minimal_repo"
TESTS = {
    "one_record_moves_the_total_by_at_most_a_day",
    "the_noisy_total_is_private",
    "the_hasty_total_is_not",
    "drawn_pairs_speak_for_it",
    "a_patient_with_three_visits_is_protected_three_times_less",
}
NAMED = "tests/test_noisy_totals.py::test_"
WHERE = "import pathlib, rdpacct\nprint(pathlib.Path(rdpacct.__file__).parent)"


def clean() -> dict[str, str]:
    """The environment of a user: nothing says where this checkout is."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST", "HYPOTHESIS"))
    }


def results(python: Path, repository: Path, *options: str) -> dict[str, str]:
    """The result of each test of a repository, with a Python of an environment."""
    ran = subprocess.run(
        [python, "-m", "pytest", "-rA", "-p", "no:cacheprovider", *options],
        cwd=repository,
        env=clean(),
        capture_output=True,
        text=True,
    )
    return {name: result for result, name in RESULT.findall(ran.stdout)}


def all_pass() -> dict[str, str]:
    """What a run of the example should give."""
    return {f"{NAMED}{name}": "PASSED" for name in TESTS}


def copied(folder: Path) -> Path:
    """The example in a folder of its own."""
    return Path(shutil.copytree(EXAMPLE, folder / "repository"))


@pytest.mark.slow
def test_the_example_passes_with_the_wheel_and_what_it_declares(
    tmp_path: Path,
) -> None:
    """The plugin is found by its entry point, and all it needs is in the wheel; without the book
    the test that names a theorem fails.
    """
    python = installed_alone(
        built_wheel(tmp_path / "dist"), tmp_path / "environment", "test"
    )
    repository = copied(tmp_path)
    where = subprocess.run(
        [python, "-c", WHERE],
        cwd=repository,
        env=clean(),
        capture_output=True,
        text=True,
    )
    package = Path(where.stdout.strip())
    assert package.is_relative_to(tmp_path)
    assert results(python, repository) == all_pass()
    assert results(python, repository, "--rdpacct-verify", "-k", "group/pure") == {
        "rdpacct::group/pure": "PASSED"
    }
    shutil.rmtree(package / "_theorems")
    needs_book = "a_patient_with_three_visits_is_protected_three_times_less"
    assert results(python, repository, "-k", needs_book) == {
        f"{NAMED}{needs_book}": "FAILED"
    }


@pytest.mark.slow
def test_the_example_passes_where_nothing_else_is_installed(tmp_path: Path) -> None:
    """A new environment, into which pip installs the wheel with its extra."""
    venv.create(tmp_path / "environment", with_pip=True)
    python = tmp_path / "environment" / "bin" / "python"
    wheel = built_wheel(tmp_path / "dist")
    installed = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", f"{wheel}[test]"],
        env=clean(),
        capture_output=True,
        text=True,
    )
    if installed.returncode:
        pytest.skip(f"pip installed nothing: {installed.stderr[-200:]}")
    assert results(python, copied(tmp_path)) == all_pass()
    assert Path(sys.prefix) != python.parents[1]
