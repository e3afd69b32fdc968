"""The theorem book as pages in a folder."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from rdpacct.book.pages.site import write_site
from rdpacct.cli.answer import DONE, FAILS, JSON, Answer, write_progress
from rdpacct.proof.entries import theorem

EXAMPLES = ("rdpacct book cdp/kl-half -o pages",)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """The entries, or all of them, and the folder."""
    parser.add_argument(
        "ids", metavar="ID", nargs="*", help="entries, such as cdp/kl-half; all if none"
    )
    parser.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="the folder of the pages"
    )


def run(options: Namespace) -> Answer:
    """Write the pages, and say where to begin."""
    for name in options.ids:
        theorem(name)
    folder = Path(options.output)
    written = write_site(
        folder, options.ids, lambda name: write_progress(f"{name} ...")
    )
    write_progress("")
    lines = [f"{written.pages} pages; open {folder / 'index.html'}"]
    lines += [f"failed: {name}" for name in written.failed]
    lines += [f"not run: {name}" for name in written.not_run]
    data: JSON = {
        "pages": written.pages,
        "index": str(folder / "index.html"),
        "failed": list(written.failed),
        "not_run": list(written.not_run),
    }
    return Answer(FAILS if written.failed else DONE, data, "\n".join(lines))
