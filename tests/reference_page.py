"""What ``docs/reference.md`` says: every public name with its docstring, and every example page."""

import inspect
from pathlib import Path

import rdpacct
from tests.public_names import homes

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference.md"
EXAMPLES_PAGE = ROOT / "docs" / "examples.md"
INTRODUCTION = """# The public names

All that is public, from the docstrings. `from rdpacct import NAME` has each of them; the last
section lists modules with names of their own. This page is made by `make docs`.
"""


def reference_page() -> str:
    """The page of all public names."""
    values = {name: getattr(rdpacct, name) for name in homes()}
    classes = [name for name in sorted(values) if inspect.isclass(values[name])]
    functions = [name for name in sorted(values) if name not in classes]
    lines = [INTRODUCTION, "## Functions", "", "```{eval-rst}"]
    for name in functions:
        lines += [f".. autofunction:: rdpacct.{name}", ""]
    lines += ["```", "", "## Classes", "", "```{eval-rst}"]
    for name in classes:
        lines += [f".. autoclass:: rdpacct.{name}", "   :members:", ""]
    lines += ["```", "", "## Modules", "", "```{eval-rst}"]
    for module in rdpacct.MODULES:
        lines += [f".. automodule:: rdpacct.{module}", ""]
    return "\n".join([*lines, "```", ""])


def examples_page() -> str:
    """The page of all examples, with what each says of itself and its code."""
    lines = [
        "# Examples",
        "",
        "Scripts that the tests run. This page is made by `make docs`.",
        "",
    ]
    for path in sorted((ROOT / "examples").glob("*.py")):
        lines += [
            f"({path.stem})=",
            f"## {path.stem}",
            "",
            f"```{{literalinclude}} ../examples/{path.name}",
            ":language: python",
            "```",
            "",
        ]
    return "\n".join(lines)
