"""The errata of the sources, as a page made from the entries."""

from rdpacct.book.entry import text
from rdpacct.proof.entries import ids, theorem
from rdpacct.proof.theorem import Status

INTRODUCTION = """# Errata of the sources

This page is made from the entries of the theorem book by `make docs`. Each statement of the sources
that is false, ill-formed or has a gap is listed with a counterexample and its repair, and each that can be sharpened
with by how much. `rdpacct show ID` prints the entry with its proof; `rdpacct verify ID` runs it.
"""

CHAPTERS = {
    Status.CORRECTED: (
        "## Corrected\n\nFalse, ill-formed or with a gap as printed; what is proved"
        " instead.\n"
    ),
    Status.REFUTED: "## Refuted\n\nFalse as printed, without a repair.\n",
    Status.SHARPENED: (
        "## Sharpened\n\nTrue as printed; something strictly stronger is proved.\n"
    ),
    Status.OPEN: "## Open\n\nNeither proved nor refuted.\n",
}


def errata_page() -> str:
    """The whole page."""
    blocks = [INTRODUCTION]
    for verdict, heading in CHAPTERS.items():
        found = [
            name
            for name in ids()
            if theorem(name).verdict is verdict and is_from_the_sources(name)
        ]
        if found:
            blocks += [heading, *map(_item, found)]
    return "\n".join(blocks)


def is_from_the_sources(name: str) -> bool:
    """The entry settles a printed statement, and is not a rule of the package alone."""
    return not text(name).get("Printed", "").lower().startswith("not in the sources")


def _item(name: str) -> str:
    sections = text(name)
    entry = theorem(name)
    lines = [
        f"### {name}",
        "",
        f"{sections['Title']} ({sections.get('Source', '')})",
        "",
    ]
    lines += [f"- Printed: {sections.get('Printed', '')}"]
    lines += [f"- Finding: {sections['Finding']}"] if "Finding" in sections else []
    lines += [f"- Proved: {sections['Proved']}"] if "Proved" in sections else []
    lines += [f"- Missing: {entry.missing}"] if entry.missing else []
    lines += [f"- In words only: {one}." for one in entry.in_words]
    lines += [f"- Refuted by machine: {one.says}." for one in entry.falsehoods]
    return "\n".join([*lines, ""])
