"""The files of the repository that are made from others: ``python -m tests.generated`` writes them.

- ``docs/errata.md`` and ``docs/statements.md``, from the entries of the theorem book;
- ``docs/files.md``, from the first sentences of the files of the package;
- the column of imports in the table of layers in ``docs/architecture.md``, from the sources;
- the column of lines in the table of what is trusted in ``docs/trust.md``, from the sources;
- ``rdpacct/__init__.pyi``, from the table of public names;
- ``docs/reference.md``, from the same table;
- ``docs/examples.md``, from the scripts in ``examples``;
- the schema of plan files in ``rdpacct/plan/``, from the fields of the format and the mechanisms;
- the notebooks in ``examples/notebooks``, from guides in ``docs``.

``make docs`` writes these and the proof files of the book, and runs the tests of the pages.
"""

from collections.abc import Callable
from pathlib import Path

from rdpacct.book.errata import errata_page
from rdpacct.book.index import index_page
from rdpacct.plan.schema import FILE as SCHEMA
from rdpacct.plan.schema import built_text
from tests.files_page import FILES, files_page
from tests.layers import PAGE, page_with_layers
from tests.notebooks_made import notebooks
from tests.public_names import STUB, stub
from tests.reference_page import (
    EXAMPLES_PAGE,
    REFERENCE,
    examples_page,
    reference_page,
)
from tests.trusted_lines import TRUST, page_with_line_counts

ROOT = Path(__file__).parents[1]
GENERATED: dict[Path, Callable[[], str]] = {
    ROOT / "docs" / "errata.md": errata_page,
    ROOT / "docs" / "statements.md": index_page,
    FILES: files_page,
    PAGE: page_with_layers,
    TRUST: page_with_line_counts,
    STUB: stub,
    REFERENCE: reference_page,
    EXAMPLES_PAGE: examples_page,
    ROOT / "rdpacct" / "plan" / SCHEMA: built_text,
    **notebooks(),
}
"""Each file with the function that gives its text."""


def main() -> None:
    """Write the files that are not current, and name them."""
    for path, text_of in GENERATED.items():
        text = text_of()
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
