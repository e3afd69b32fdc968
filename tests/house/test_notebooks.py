"""The notebooks of the guides run, and print what the guides say.

Their code cells are run in order, in one namespace and in an empty folder, in this process: a
kernel for each would take longer than all of their answers. One slow test runs a notebook in a
kernel.
"""

import ast
import contextlib
import io
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

from tests.house.test_docs import LINK, blocks
from tests.house.test_public_face import private_imports
from tests.notebooks_made import (
    DOCS,
    GUIDES,
    NOTEBOOKS,
    Cell,
    cells,
    notebook_text,
    notebooks,
)

LONG = ("dp-sgd",)
"""Notebooks that take seconds. The default run has the examples of their guides, and sees that a
notebook is what is made from its guide.
"""
HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
PAGE = """# Files

Look [here](quickstart.md), or [there](https://example.org).

```toml title=plan.toml
version = 1
plan = \"\"\"Laplace(scale=1)\"\"\"  # a backslash: \\
```

```console
$ rdpacct epsilon plan.toml --delta 0
epsilon <= 1
$ rdpacct epsilon 'Laplace(scale="1)'
exit code 2
```

```python
print(1 + 1)
```

```text
2
```

```text
not printed
```
"""


def read(path: Path) -> Any:
    """The notebook of a file, valid by the schema."""
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    return notebook


def code_cells(notebook: Any) -> list[str]:
    """The sources of its code cells."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("name", GUIDES)
def test_a_notebook_imports_public_names_only(name: str) -> None:
    """Its helpers too."""
    sources = code_cells(read(NOTEBOOKS / f"{name}.ipynb"))
    assert [found for source in sources for found in private_imports(source)] == []


def outputs(sources: list[str]) -> list[str]:
    """What each cell writes, to either stream, if they are run in order in the current folder."""
    module = ModuleType("notebook")
    written = []
    sys.modules[module.__name__] = module
    try:
        for place, source in enumerate(sources, start=1):
            code = compile(source, f"code cell {place}", "exec", dont_inherit=True)
            with (
                contextlib.redirect_stdout(io.StringIO()) as output,
                contextlib.redirect_stderr(output),
            ):
                exec(code, vars(module))
            written.append(output.getvalue())
    finally:
        del sys.modules[module.__name__]
    return written


def expected(name: str) -> list[str | None]:
    """What the guide says that each code cell prints, and None where it says nothing."""
    made = cells(name, (DOCS / f"{name}.md").read_text())
    return [cell.printed for cell in made if cell.kind == "code"]


def compare(written: list[str], printed: list[str | None]) -> None:
    """Fail if a cell writes anything but what the guide says."""
    for place, (has, wants) in enumerate(zip(written, printed, strict=True), start=1):
        assert wants is None or has == wants, f"code cell {place}"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in LONG else ())
        for name in GUIDES
    ],
)
def test_a_notebook_prints_what_its_guide_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every code cell of the file."""
    sources = code_cells(read(NOTEBOOKS / f"{name}.ipynb"))
    monkeypatch.chdir(tmp_path)
    compare(outputs(sources), expected(name))


@pytest.mark.parametrize("name", GUIDES)
def test_a_notebook_has_all_of_its_guide(name: str) -> None:
    """Its headings in order, a code cell for each block that is run or written, and links that lead
    somewhere; and neither outputs nor counts of runs.
    """
    guide = (DOCS / f"{name}.md").read_text()
    notebook = read(NOTEBOOKS / f"{name}.ipynb")
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    run = [
        block
        for block in blocks(guide)
        if block.title or block.language in ("python", "console")
    ]
    outside = re.sub(r"^```.*?^```$", "", guide, flags=re.MULTILINE | re.DOTALL)
    assert HEADING.findall("\n".join(texts)) == HEADING.findall(outside)
    helpers = [
        cell for cell in code if re.search(r"^def (run|write)\(", cell.source, re.M)
    ]
    assert len(code) == len(run) + len(helpers)
    links = LINK.findall("\n".join(texts))
    assert links
    assert [link for link in links if not (NOTEBOOKS / link).exists()] == []
    assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []


def test_no_notebook_is_without_a_guide() -> None:
    """The folder has those of the guides alone."""
    assert set(NOTEBOOKS.iterdir()) == set(notebooks())


def test_every_kind_of_block_has_its_cell() -> None:
    """A file is written as it stands, commands are called, and what Python prints is left out."""
    [head, run, write, prose, file, commands, python, rest] = cells("files", PAGE)
    assert head.source.startswith("# Files\n\nThis notebook is made from [a guide](")
    assert run.source.endswith('print("exit code", ran.returncode)')
    assert write.source.endswith("Path(name).write_text(text)")
    assert prose.source == (
        "Look [here](../../docs/quickstart.md), or [there](https://example.org)."
    )
    call = ast.parse(file.source, mode="eval").body
    assert isinstance(call, ast.Call)
    title, body = map(ast.literal_eval, call.args)
    [plan, *_] = blocks(PAGE)
    assert (title, body) == ("plan.toml", plan.body)
    assert commands.source.splitlines() == [
        "run('rdpacct epsilon plan.toml --delta 0')",
        "run('rdpacct epsilon \\'Laplace(scale=\"1)\\'')",
    ]
    assert commands.printed == "epsilon <= 1\nexit code 2\n"
    assert python == Cell("code", "print(1 + 1)", "2\n")
    assert rest == Cell("markdown", "```text\nnot printed\n```")


@pytest.mark.parametrize(
    ("cell", "old", "new", "failure"),
    [
        ("sigma=4", "sigma=4", "sigma=5", AssertionError),
        ("group/pure", "group/pure", "group/purr", AssertionError),
        ("plan = 100", "bound = epsilon", "limit = epsilon", NameError),
        ("plan = 100", "verdict.require()", "verdict.require(", SyntaxError),
        ("group/pure", "def run(", "def walk(", NameError),
    ],
    ids=["another answer", "exit code", "a name", "syntax", "no helper"],
)
def test_a_broken_notebook_is_found(
    cell: str, old: str, new: str, failure: type[Exception]
) -> None:
    """The runner itself can fail; the cell passes, below the helper, until it is broken."""
    sources = code_cells(read(NOTEBOOKS / "quickstart.ipynb"))
    printed = expected("quickstart")
    [place] = [place for place, source in enumerate(sources) if cell in source]
    right = [sources[0], sources[place]]
    wanted = [printed[0], printed[place]]
    compare(outputs(right), wanted)
    wrong = [source.replace(old, new) for source in right]
    assert wrong != right
    with pytest.raises(failure):
        compare(outputs(wrong), wanted)


def test_a_malformed_notebook_is_found(tmp_path: Path) -> None:
    """One of its cells has no source, or has the id of another."""
    path = tmp_path / "broken.ipynb"
    text = notebook_text("audits")
    path.write_text(text)
    assert read(path).nbformat_minor == 5
    path.write_text(text.replace('"source"', '"sauce"', 1))
    with pytest.raises(nbformat.ValidationError):
        read(path)
    path.write_text(text.replace('"audits-2"', '"audits-1"'))
    with pytest.raises(nbformat.warnings.DuplicateCellId):
        read(path)


@pytest.mark.slow
def test_a_notebook_runs_in_a_kernel(tmp_path: Path) -> None:
    """In Jupyter it prints the same lines; in which order the two streams arrive is not fixed."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = read(NOTEBOOKS / "plan-files.ipynb")
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=600, resources=resources).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    written = [streamed(cell, "stdout") + streamed(cell, "stderr") for cell in code]
    printed = [text or "" for text in expected("plan-files")]
    assert [sorted(text.splitlines()) for text in written] == [
        sorted(text.splitlines()) for text in printed
    ]


def streamed(cell: Any, name: str) -> str:
    """What a cell that ran in a kernel wrote to a stream."""
    return "".join(output.text for output in cell.outputs if output.name == name)
