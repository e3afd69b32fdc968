"""The index of the theorem book: for each entry where its statement stands in the sources, its
verdict, and what it rests on; nothing is proved for it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rdpacct.book.entry import text
from rdpacct.book.errata import is_from_the_sources
from rdpacct.proof.entries import ids, theorem

INTRODUCTION = """# Index of the statements

This page is made from the entries of the theorem book by `make docs`. `rdpacct show ID` prints an
entry with its proof, and `rdpacct verify --list` prints this index. Words are steps that no machine
has checked; axioms are classical results that are believed.
"""
HEAD = """| Source | Entry | Verdict | Words | Axioms | What it says |
| --- | --- | --- | --- | --- | --- |
"""


class IndexRow(NamedTuple):
    """What the index says of an entry."""

    name: str
    source: str
    verdict: str
    words: int
    axioms: tuple[str, ...]
    title: str


def rows() -> Iterator[IndexRow]:
    """The index, in the order of the ids."""
    for name in ids():
        sections = text(name)
        entry = theorem(name)
        yield IndexRow(
            name,
            sections.get("Source", "").rstrip("."),
            entry.verdict.value,
            len(entry.in_words),
            tuple(sorted(map(str, entry.axioms))),
            sections["Title"].rstrip("."),
        )


def index_page() -> str:
    """The page docs/statements.md."""
    all_rows = list(rows())
    printed = [row for row in all_rows if is_from_the_sources(row.name)]
    others = [row for row in all_rows if not is_from_the_sources(row.name)]
    return (
        "\n".join(
            (
                INTRODUCTION,
                "## From the sources\n",
                HEAD + "".join(map(_line, sorted(printed, key=lambda row: row.source))),
                "## Other statements that the package rests on\n",
                HEAD + "".join(map(_line, others)),
            )
        ).rstrip()
        + "\n"
    )


def _line(row: IndexRow) -> str:
    cells = (
        row.source,
        f"`{row.name}`",
        row.verdict,
        str(row.words),
        str(len(row.axioms)),
        row.title,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"
