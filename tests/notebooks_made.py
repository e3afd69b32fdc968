"""The notebooks in ``examples/notebooks``, each made from a guide in ``docs``.

- Prose becomes text cells, with links that lead from the notebook to the same files.
- A ``python`` block becomes a code cell. What the guide says that it prints is left out, since the
  reader sees it by running the cell.
- The commands of a ``console`` block become calls of ``run``, in one code cell.
- A block with a title becomes a code cell that writes this file, by ``write``.
- Other blocks stay in the text.

The cells have fixed ids and no outputs, so that a notebook changes only if its guide does.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.house.test_docs import FENCE, LINK, ROOT, Block, blocks

DOCS = ROOT / "docs"
NOTEBOOKS = ROOT / "examples" / "notebooks"
GUIDES = (
    *("quickstart", "dp-sgd", "plan-files"),
    *("audits", "sparse-histogram", "releases"),
)
NOTE = (
    "This notebook is made from [a guide](../../docs/{name}.md) by `make docs`."
    " Run its cells in order."
)
RUN = '''\
import shlex
import subprocess
import sys


def run(line):
    """Run a command line of rdpacct, and say its exit code unless it is 0."""
    words = [sys.executable, "-m", *shlex.split(line)]
    ran = subprocess.run(words, capture_output=True, text=True)
    print(ran.stdout + ran.stderr, end="")
    if ran.returncode:
        print("exit code", ran.returncode)'''
WRITE = '''\
from pathlib import Path


def write(name, text):
    """Write a file that cells below read."""
    Path(name).write_text(text)'''
HELPERS = {"run(": RUN, "write(": WRITE}
"""How code cells that need a helper begin, with the cell that defines it."""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook; ``printed`` is the output of its code, where the guide shows it."""

    kind: str
    source: str
    printed: str | None = None


def cells(name: str, text: str) -> list[Cell]:
    """The cells of the notebook of a guide, from its name and its text."""
    title, _, rest = text.partition("\n")
    parts = list(_parts(rest))
    head = Cell("markdown", f"{title}\n\n{NOTE.format(name=name)}")
    return [head, *_helpers(parts), *parts]


def _parts(text: str) -> Iterator[Cell]:
    """The cells between the title and the end, in order."""
    prose = ""
    end = 0
    above: Block | None = None
    for fence, block in zip(FENCE.finditer(text), blocks(text), strict=True):
        prose += text[end : fence.start()]
        end = fence.end()
        cell = _code(block)
        printed_above = above is not None and above.printed is not None
        if cell is not None:
            yield from _prose(prose)
            yield cell
            prose = ""
        elif not printed_above:
            prose += fence[0]
        above = block
    yield from _prose(prose + text[end:])


def _prose(text: str) -> Iterator[Cell]:
    """A text cell, unless there is nothing in it."""
    stripped = text.strip()
    if stripped:
        yield Cell("markdown", LINK.sub(_moved, stripped))


def _moved(link: re.Match[str]) -> str:
    """A link of a guide, as seen from the folder of the notebooks."""
    target = os.path.relpath(DOCS / link[1], NOTEBOOKS)
    return f"]({Path(target).as_posix()}"


def _code(block: Block) -> Cell | None:
    """The code cell of a block, if it has one."""
    if block.title:
        return Cell("code", f"write({block.title!r}, {_quoted(block.body)})", "")
    if block.language == "python":
        return Cell("code", block.body.rstrip("\n"), block.printed)
    if block.language == "console":
        lines = block.body.splitlines(keepends=True)
        commands = [line[2:].strip() for line in lines if line.startswith("$ ")]
        said = [line for line in lines if not line.startswith("$ ")]
        return Cell("code", "\n".join(f"run({c!r})" for c in commands), "".join(said))
    return None


def _quoted(body: str) -> str:
    """Lines as a string of Python that still looks like these lines."""
    escaped = body.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""\\\n{escaped}"""'


def _helpers(parts: list[Cell]) -> list[Cell]:
    """The cells that define ``run`` and ``write``, as far as other cells call these."""
    sources = [part.source for part in parts if part.kind == "code"]
    return [
        Cell("code", definition, "")
        for beginning, definition in HELPERS.items()
        if any(source.startswith(beginning) for source in sources)
    ]


def notebook_text(name: str) -> str:
    """The file of the notebook of a guide, in the layout of nbformat and valid by its schema."""
    # Imported here, so that what is made from other files can be read without it.
    import nbformat
    from nbformat import v4

    kinds = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell}
    made = cells(name, (DOCS / f"{name}.md").read_text())
    notebook = v4.new_notebook(
        nbformat_minor=5,
        metadata=METADATA,
        cells=[
            kinds[cell.kind](cell.source, id=f"{name}-{place}")
            for place, cell in enumerate(made, start=1)
        ],
    )
    nbformat.validate(notebook)
    return f"{nbformat.writes(notebook)}\n"


def notebooks() -> dict[Path, Callable[[], str]]:
    """The file of each notebook, with the function that gives its text."""
    return {
        NOTEBOOKS / f"{name}.ipynb": partial(notebook_text, name) for name in GUIDES
    }
