"""The errata of the sources, as a page made from the entries."""

from collections.abc import Iterator

from rdpacct.book.entry import text
from rdpacct.book.findings import MEANING, Grade, findings, worst_grade
from rdpacct.proof.entries import ids, theorem
from rdpacct.proof.theorem import Falsehood, Status

INTRODUCTION = """# Errata of the sources

This page is made from the entries of the theorem book by `make docs`. Each statement of the sources about which something was
found is listed under its gravest finding, with its repair. A finding is `false` (a counterexample is shown), a `gap` (a condition,
a range or a step is missing), a `misprint` or an `ambiguity`; one without a grade says what holds beyond the print.
`rdpacct show ID` prints the entry with its proof; `rdpacct verify ID` runs it.
"""

TITLES = {
    Grade.FALSE: "False",
    Grade.GAP: "With a gap",
    Grade.MISPRINT: "Misprinted",
    Grade.AMBIGUITY: "Ambiguous",
    Grade.NOTE: "Right, and sharpened",
}


def errata_page() -> str:
    """The whole page."""
    printed = [name for name in ids() if is_from_the_sources(name)]
    blocks = [INTRODUCTION, *_count(printed)]
    for grade, title in TITLES.items():
        listed = [name for name in printed if worst_grade(name) is grade]
        if listed:
            blocks += [f"## {title}\n\nThe worst finding: {MEANING[grade]}.\n"]
            blocks += map(_item, listed)
    return "\n".join(blocks)


def _count(printed: list[str]) -> Iterator[str]:
    """How many statements have each gravest finding, and which are not settled."""
    worst = [worst_grade(name) for name in printed]
    counts = [f"{worst.count(grade)} {title}" for grade, title in TITLES.items()]
    none = f"{worst.count(None)} without a finding"
    yield f"Of {len(printed)} statements: {', '.join([*counts, none]).lower()}.\n"
    unsettled = [
        f"{name} ({theorem(name).verdict.value})"
        for name in printed
        if theorem(name).verdict in (Status.PARTLY, Status.ASSUMED, Status.OPEN)
    ]
    if unsettled:
        yield f"Not settled as a whole: {', '.join(unsettled)}.\n"


def is_from_the_sources(name: str) -> bool:
    """The entry settles a printed statement, and is not a rule of the package alone."""
    return not text(name).get("Printed", "").lower().startswith("not in the sources")


def _item(name: str) -> str:
    sections = text(name)
    entry = theorem(name)
    lines = [
        f"### {name}",
        "",
        f"{sections['Title']} ({sections.get('Source', '')})"
        f" Verdict: {entry.verdict.value}.",
        "",
    ]
    lines += [f"- Printed: {sections.get('Printed', '')}"]
    lines += [f"- {finding}" for finding in findings(name)]
    lines += [f"- Proved: {sections['Proved']}"] if "Proved" in sections else []
    lines += [f"- Missing: {entry.missing}"] if entry.missing else []
    lines += [f"- In words only: {step}." for step in entry.in_words]
    lines += map(_falsehood, entry.falsehoods)
    return "\n".join([*lines, ""])


def _falsehood(falsehood: Falsehood) -> str:
    """A false statement near the theorem, and who decided that it is false."""
    by = "the checker, at a point that the entry's certificate names"
    if falsehood.refutation is not None:
        by = "a fact that contradicts it"
    elif falsehood.instance is not None:
        by = f"evaluation at {falsehood.instance}"
    return f"- Not so: {falsehood.says} (refuted by {by})."
