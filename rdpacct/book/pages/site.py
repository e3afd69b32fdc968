"""The folder of pages: an index by source, by chapter and with a search, the errata, each entry."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any

from rdpacct import __version__
from rdpacct.book.errata import is_from_the_sources
from rdpacct.book.findings import findings
from rdpacct.book.index import IndexRow, rows
from rdpacct.book.pages.entry import EntryShown, entry_shown, page_name
from rdpacct.errors import InputError
from rdpacct.report.extras import load

INDEX, ERRATA = "index.html", "errata.html"


@dataclass(frozen=True)
class Written:
    """What was written: how many pages, and the entries that failed or were not run."""

    pages: int
    failed: tuple[str, ...]
    not_run: tuple[str, ...]


def write_site(
    folder: Path,
    names: Iterable[str] = (),
    progress: Callable[[str], None] | None = None,
) -> Written:
    """Write the pages of these entries, or of all of them, into a folder."""
    templates = _templates()
    known = list(rows())
    wanted = list(names) or [row.name for row in known]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shown = []
        for name in wanted:
            if progress is not None:
                progress(name)
            entry = entry_shown(name)
            page = templates("entry.html.j2", entry=entry, title=entry.name)
            (folder / entry.file).write_text(page, encoding="utf-8")
            shown.append(entry)
        for file, page in _overviews(templates, known, shown):
            (folder / file).write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"the pages cannot be written to {folder} ({error.strerror}); give another"
            " folder."
        ) from None
    return Written(
        len(shown) + 2,
        tuple(entry.name for entry in shown if entry.problem),
        tuple(entry.name for entry in shown if entry.needs),
    )


def _overviews(
    templates: Callable[..., str], known: list[IndexRow], shown: list[EntryShown]
) -> list[tuple[str, str]]:
    """The index and the errata, with links to the pages that were written."""
    written = {entry.name for entry in shown}
    listed = [row for row in known if row.name in written]
    printed = [row for row in listed if is_from_the_sources(row.name)]
    chapters = [
        (chapter, list(group))
        for chapter, group in groupby(listed, key=lambda row: row.name.split("/")[0])
    ]
    errata = [(row, findings(row.name)) for row in printed if findings(row.name)]
    by_source = sorted(printed, key=lambda row: row.source)
    return [
        (
            INDEX,
            templates(
                "index.html.j2",
                title="The theorem book",
                printed=by_source,
                chapters=chapters,
            ),
        ),
        (
            ERRATA,
            templates("errata.html.j2", title="Errata of the sources", errata=errata),
        ),
    ]


def _templates() -> Callable[..., str]:
    """A function from the name of a template and its values to a page."""
    jinja = load("jinja2", "the pages of the book are built")
    folder = resources.files("rdpacct.book.pages")

    def source(name: str) -> str:
        return folder.joinpath(name).read_text("utf-8")

    environment = jinja.Environment(
        autoescape=True,
        undefined=jinja.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        loader=jinja.FunctionLoader(source),
    )
    environment.globals.update(
        version=__version__,
        page_name=page_name,
        math=jinja.utils.markupsafe.Markup,
        style=jinja.utils.markupsafe.Markup(source("style.css")),
    )

    def rendered(name: str, **values: Any) -> str:
        page: str = environment.get_template(name).render(values)
        return page

    return rendered
