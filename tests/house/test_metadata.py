"""What says who made the package, which version it is and how to cite it agrees."""

import re
import tomllib
from pathlib import Path

import rdpacct

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = (ROOT / "CITATION.cff").read_text()


def cited(field: str) -> str:
    """The text of a field of the citation."""
    found = re.search(rf"^{field}: (.*)$", CITATION, re.MULTILINE)
    assert found is not None, field
    return found[1].strip('"')


def test_one_version() -> None:
    """The package, its metadata and its citation have the same."""
    assert PROJECT["version"] == rdpacct.__version__ == cited("version")


def test_the_citation_is_that_of_the_package() -> None:
    """Name, license and authors."""
    assert cited("cff-version") == "1.2.0"
    assert cited("title").startswith(f"{PROJECT['name']}: ")
    assert cited("license") == PROJECT["license"]
    for author in PROJECT["authors"]:
        assert f"- name: {author['name']}\n" in CITATION
    assert set(re.findall(r"^  - (?!name)(.*)$", CITATION, re.MULTILINE)) <= set(
        PROJECT["keywords"]
    )


def test_the_classifiers_name_all_versions_of_python() -> None:
    """From the least version that is admitted, as in the checks."""
    minors = {
        int(found[1])
        for line in PROJECT["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", line))
    }
    least = int(PROJECT["requires-python"].removeprefix(">=3."))
    assert minors == set(range(least, max(minors) + 1))


def test_the_extras_of_the_shell_are_declared() -> None:
    """The bars and the completion, which the tests need too."""
    extras = PROJECT["optional-dependencies"]
    names = [need.split(">")[0] for need in extras["shell"]]
    assert names == ["shtab", "tqdm"]
    assert set(extras["shell"]) <= set(extras["test"] + extras["dev"])
