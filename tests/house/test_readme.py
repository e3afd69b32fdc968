"""The README and the index name what there is: mechanisms, guarantees, pages, helpers of tests."""

import re
from inspect import isabstract
from pathlib import Path

import pytest

import rdpacct
from rdpacct.privacy.guarantee import Guarantee

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
LINK = re.compile(r"\]\(docs/([\w-]+)\.md\)")


def named_in_table(page: str, heading: str) -> set[str]:
    """The names in the first column of the table below a heading."""
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    first_cells = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    return {name for cell in first_cells for name in re.findall(r"`(\w+)", cell)}


def public(base: type) -> set[str]:
    """The public classes that derive from one, without those that are bases themselves."""
    values = {name: getattr(rdpacct, name) for name in rdpacct.__all__}
    classes = {name: cls for name, cls in values.items() if isinstance(cls, type)}
    return {
        name
        for name, cls in classes.items()
        if issubclass(cls, base) and cls != base and not isabstract(cls)
    }


@pytest.mark.parametrize(
    ("heading", "base"),
    [("Mechanisms", rdpacct.Mechanism), ("Guarantees", Guarantee)],
)
def test_the_tables_of_the_readme_are_complete(heading: str, base: type) -> None:
    """Every public mechanism and every guarantee has its place, and nothing else has."""
    assert named_in_table(README, heading) == public(base)


def test_a_mechanism_without_a_row_is_noticed() -> None:
    """The check itself can fail."""
    row = re.compile(r"^\| `Laplace\(.*\n", re.MULTILINE)
    without = named_in_table(row.sub("", README), "Mechanisms")
    assert public(rdpacct.Mechanism) - without == {"Laplace"}


def test_every_page_is_in_the_index() -> None:
    """The site has each page once."""
    listed = re.findall(r"^[\w-]+$", (DOCS / "index.md").read_text(), re.MULTILINE)
    pages = {path.stem for path in DOCS.glob("*.md")}
    assert sorted(listed) == sorted(pages - {"index"})


def test_the_list_at_the_end_of_the_readme_has_every_page_once() -> None:
    """But for those that only the site has: they include files of the repository."""
    listed = LINK.findall(README.split("\n## More\n")[1])
    pages = {path.stem for path in DOCS.glob("*.md")}
    only_on_the_site = {"changes", "contributing", "examples", "index"}
    assert sorted(listed) == sorted(pages - only_on_the_site)


def test_the_page_of_the_tests_names_every_helper_and_every_layer() -> None:
    """Where a test goes is said for each part of the package, and no shared file is left out."""
    page = (ROOT / "tests" / "README.md").read_text()
    shared = {path.name for path in (ROOT / "tests").glob("*.py")} - {"__init__.py"}
    assert [name for name in sorted(shared) if f"`{name}`" not in page] == []
    rows = re.findall(r"^\| `(\w+)/` \| [^|]* \| ([^|]*) \|$", page, re.MULTILINE)
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    assert {folder for folder, _ in rows} == folders
    tested = [name for _, cell in rows for name in re.findall(r"`(\w+)`", cell)]
    parts = {
        path.stem
        for path in (ROOT / "rdpacct").glob("[!_]*")
        if path.suffix in ("", ".py")
    }
    assert sorted(tested) == sorted(parts)
