"""Writes into the pages what their examples print now: ``python -m tests.rewrite_docs [PAGE ...]``.

Look at the difference before you keep it: the tests compare the pages with the program, and after
this they can no longer tell a change that was meant from one that was not.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from tests.console import said_by
from tests.house.test_docs import FENCE, PAGES, ROOT


def rewritten(page: Path) -> str:
    """The page with the output of each example as it is now; the examples run in the current
    folder.
    """
    module = ModuleType(f"page_{page.stem}")
    sys.modules[module.__name__] = module
    text = page.read_text()
    parts = list[str]()
    end = 0
    printed: str | None = None
    for fence in FENCE.finditer(text):
        between = text[end : fence.start("body")]
        body = fence["body"]
        if fence["title"]:
            Path(fence["title"]).write_text(body)
        elif fence["language"] == "console":
            body = _console(body)
        elif fence["language"] == "text" and printed is not None and _adjoins(between):
            body = printed
        printed = None
        if fence["language"] == "python" and not fence["title"]:
            line = "".join([*parts, between]).count("\n")
            printed = _python(fence["body"], module, page, line)
        parts += [between, body]
        end = fence.end("body")
    return "".join([*parts, text[end:]])


def _adjoins(between: str) -> bool:
    """Whether nothing but the two fences stands between two blocks."""
    return re.fullmatch(r"```\s*```text\n", between) is not None


def _console(body: str) -> str:
    said = []
    for command in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line = command.partition("\n")[0]
        said.append(f"$ {line}\n{said_by(line)}")
    return "".join(said)


def _python(body: str, module: ModuleType, page: Path, line: int) -> str:
    """What a block prints, run under the name of its page, with the lines of the page."""
    code = compile("\n" * line + body, str(page), "exec", dont_inherit=True)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(code, vars(module))
    return output.getvalue()


def main(names: list[str]) -> None:
    """Rewrite the named pages, or all of them."""
    chosen = [Path(name).resolve() for name in names] or PAGES
    for page in chosen:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            text = rewritten(page)
            os.chdir(ROOT)
        if text != page.read_text():
            page.write_text(text)
            print(f"rewritten: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
