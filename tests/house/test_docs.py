"""The documentation is true: every example in it is run, and prints what the page says it prints.

In README.md, CONTRIBUTING.md and docs/*.md,

- a ``python`` block is run; the blocks of a page share their names, in order. A ``text`` block
  directly below it is what it prints;
- a ``console`` block is a list of commands, each a line ``$ rdpacct ...`` or ``$ pytest ...`` with
  its output below it. If the last line of the output is ``exit code N``, that is the exit code;
  otherwise it is 0;
- a block with a name in braces, as in ``{toctree}``, is for the site;
- a block with a title, as in ``toml title=plan.toml``, is a file that the blocks below it can read.
"""

import contextlib
import importlib.util
import io
import re
import runpy
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rdpacct.mechanisms import Mechanism, known_mechanisms
from rdpacct.privacy import compose, convert, group, post_processing, random_dp
from rdpacct.privacy.guarantee import GUARANTEES
from rdpacct.testing import check_laws
from tests.console import said_by

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
WITHOUT_EXAMPLES = (
    *("changes.md", "contributing.md", "errata.md", "examples.md", "files.md"),
    *("index.md", "reference.md", "statements.md"),
)
"""Pages that are made from other files or include them."""
RULES = (compose, convert, group, post_processing, random_dp)
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

FENCE = re.compile(
    r"^```(?P<language>\w*|\{[\w-]+\}[^\n]*)(?: title=(?P<title>\S+))?\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
ROW = re.compile(r"^\| `(\w+)` .*\| `([\w/-]+)` \|$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, with the first line of its body and, for Python, what it prints."""

    language: str
    title: str | None
    body: str
    line: int
    printed: str | None


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    fences = list(FENCE.finditer(text))
    printed = {
        block.start(): below["body"]
        for block, below in pairwise(fences)
        if block["language"] == "python"
        and below["language"] == "text"
        and not text[block.end() : below.start()].strip()
    }
    return [
        Block(
            fence["language"],
            fence["title"],
            fence["body"],
            text.count("\n", 0, fence.start("body")) + 1,
            printed.get(fence.start()),
        )
        for fence in fences
    ]


def run_page(page: Path) -> int:
    """Run the examples of a page in the current folder, and say how many there were."""
    module = ModuleType(f"page_{page.stem}")
    count = 0
    sys.modules[module.__name__] = module
    try:
        for block in blocks(page.read_text()):
            if block.title:
                Path(block.title).write_text(block.body)
            elif block.language == "python":
                run_python(block, page, module)
            elif block.language == "console":
                run_console(block, page)
            count += block.language in ("python", "console")
    finally:
        del sys.modules[module.__name__]
    return count


def run_python(block: Block, page: Path, module: ModuleType) -> None:
    """Run a block in the module of its page and compare what it prints, if the page says what that
    is.
    """
    code = compile(
        "\n" * (block.line - 1) + block.body, str(page), "exec", dont_inherit=True
    )
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(code, vars(module))
    if block.printed is not None:
        assert output.getvalue() == block.printed, f"{page.name}, line {block.line}"


def run_console(block: Block, page: Path) -> None:
    """Run the commands of a block and compare their output and exit codes."""
    assert block.body.startswith("$ "), (
        f"{page.name}, line {block.line}: a console block begins with a command"
    )
    for command in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
        line, _, expected = command.partition("\n")
        assert said_by(line) == expected.rstrip("\n") + "\n", f"{page.name}: {line}"


@pytest.fixture(autouse=True)
def _forget_mechanisms_of_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mechanism that a page defines is known while its test runs, and not after."""
    known_mechanisms()
    monkeypatch.setattr(Mechanism, "registry", dict(Mechanism.registry))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_of_a_page_prints_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Python and console blocks of each page; only pages that are made from other files have
    none.
    """
    monkeypatch.chdir(tmp_path)
    assert run_page(page) > 0 or page.name in WITHOUT_EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_example_script_runs(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scripts of examples/."""
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out


def test_the_mechanism_of_the_contributing_page_obeys_the_laws(tmp_path: Path) -> None:
    """The block is a complete file: saved and imported as it stands, it passes."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    [body] = [block.body for block in blocks(page) if "(Mechanism):" in block.body]
    path = tmp_path / "contributed.py"
    path.write_text(body)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        [cls] = [
            cls for cls in known_mechanisms().values() if cls.__module__ == path.stem
        ]
        instances = list(cls.examples())
        assert instances
        for mechanism in instances:
            check_laws(mechanism)
    finally:
        del sys.modules[path.stem]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, cls in known_mechanisms().items()
        if cls.__module__.startswith("rdpacct.")
    ],
)
def test_every_mechanism_has_its_section(name: str) -> None:
    """docs/mechanisms.md has a section for each mechanism of the package."""
    assert f"\n## {name}\n" in (ROOT / "docs" / "mechanisms.md").read_text()


@pytest.mark.parametrize("name", [cls.__name__ for cls in GUARANTEES])
def test_every_guarantee_has_its_section(name: str) -> None:
    """docs/guarantees.md has a section for each guarantee."""
    assert f"\n### {name}\n" in (ROOT / "docs" / "guarantees.md").read_text()


FORMULAS: dict[str, Any] = {"group_approx": group.chained}
"""Rules that read a guarantee, with the tagged formula that each works out."""


def test_the_rules_of_the_guarantees_page_name_their_theorems() -> None:
    """Each row of its tables names a rule of the guarantees and the theorem that this rule is
    tagged with.
    """
    rows = ROW.findall((ROOT / "docs" / "guarantees.md").read_text())
    assert len(rows) > 10
    for function, theorem in rows:
        [rule] = {getattr(home, function) for home in RULES if hasattr(home, function)}
        tagged = FORMULAS.get(function, rule)
        assert (function, tagged.theorem) == (function, theorem)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """Every relative link is a file of the repository."""
    assert [
        link
        for link in LINK.findall(page.read_text())
        if not (page.parent / link).exists()
    ] == []


RIGHT = "```python\nx = 1\n```\n\n```python\nprint(x + 1)\n```\n\n```text\n2\n```\n"
CONSOLE = '```console\n$ rdpacct audit "Laplace(scale=1)"\nexit code 2\n```\n'


@pytest.mark.parametrize(
    "wrong",
    [
        RIGHT.replace("\n2\n", "\n3\n"),
        RIGHT.replace("x = 1", "y = 1"),
        CONSOLE,
        CONSOLE.replace('audit "Laplace(scale=1)"', "verify gaussian/zcdp").replace(
            "exit code 2", "exit code 0"
        ),
        CONSOLE.replace("rdpacct", "pip"),
    ],
    ids=["output", "name", "no message", "exit code", "program"],
)
def test_a_wrong_example_is_found(wrong: str, tmp_path: Path) -> None:
    """The runner itself can fail: on other output, an undefined name, a missing message, another
    exit code.
    """
    right = tmp_path / "right.md"
    page = tmp_path / "wrong.md"
    right.write_text(RIGHT)
    page.write_text(wrong)
    assert run_page(right) == 2
    with pytest.raises((AssertionError, NameError)):
        run_page(page)
