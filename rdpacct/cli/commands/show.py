"""One theorem of the book, with its proof, as a page to read."""

import textwrap
from argparse import ArgumentParser, Namespace

from rdpacct.book.entry import ON_A_PAGE, Checked, check, text
from rdpacct.book.findings import findings
from rdpacct.cli.answer import DONE, FAILS, JSON, UNDECIDED, Answer
from rdpacct.proof.described import laws_in
from rdpacct.proof.entries import theorem
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.theorem import Statement, Status, Step, Theorem

EXAMPLES = ("rdpacct show group/pure",)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """The name of an entry."""
    parser.add_argument("id", metavar="ID", help="such as cdp/composition")


def run(options: Namespace) -> Answer:
    """The entry with its statement, proof, falsehoods and axioms."""
    sections = text(options.id)
    entry = theorem(options.id)
    checked = check(options.id, keep=True)
    return Answer(
        _code(entry, checked),
        _data(sections, entry, checked),
        "\n".join(_lines(sections, entry, checked)),
    )


def _code(entry: Theorem, checked: Checked) -> int:
    if checked.problem:
        return FAILS
    if entry.verdict is Status.OPEN or checked.needs:
        return UNDECIDED
    return DONE


def _data(sections: dict[str, str], entry: Theorem, checked: Checked) -> JSON:
    return {
        "id": checked.name,
        "title": sections["Title"],
        "verdict": checked.verdict,
        **{section.lower(): sections.get(section, "") for section in ON_A_PAGE},
        "findings": [
            {"grade": finding.grade.value, "says": finding.says}
            for finding in findings(checked.name)
        ],
        "missing": entry.missing,
        "statements": [
            _statement(part, checked) for part in (*entry.parts, *entry.sharp)
        ],
        "refuted": [{"says": says, "by": by} for says, by in checked.refuted],
        "axioms": checked.axioms,
        "in_words": checked.in_words,
        "rules": entry.rule_names(),
        "problem": checked.problem,
    }


def _statement(part: Statement, checked: Checked) -> JSON:
    """A statement with all that it assumes, and an instance in which all of that holds."""
    return {
        "name": part.name,
        "says": part.says,
        "laws": laws_in(part),
        "given": list(map(str, conditions_of(*part.given))),
        "assuming": {
            name: list(map(str, assumed.hypotheses))
            for name, assumed in part.assuming.items()
        },
        "claim": str(part.claim),
        "witness": checked.witnesses.get(part.name, ""),
    }


def _lines(sections: dict[str, str], entry: Theorem, checked: Checked) -> list[str]:
    """The page."""
    lines = [
        f"{checked.name}: {sections['Title']}",
        f"verdict: {checked.verdict}",
        "",
    ]
    if checked.needs:
        lines += [f"Not run: needs {checked.needs}", ""]
    for section in ON_A_PAGE:
        if section in sections:
            lines += [*_wrapped(f"{section}: {sections[section]}"), ""]
        if section == "Proved":
            for finding in findings(checked.name):
                lines += [*_wrapped(str(finding)), ""]
    if entry.missing:
        lines += [*_wrapped(f"Missing: {entry.missing}"), ""]
    for title, parts in (("Proof", entry.parts), ("Sharp", entry.sharp)):
        for part in parts:
            lines += [*_part(title, part, checked), ""]
    lines += _falsehoods(entry, checked)
    if checked.problem:
        lines += [f"FAILED: {checked.problem}", ""]
    for step in entry.in_words:
        lines += _wrapped(f"In words: {step}")
    if entry.rules:
        lines.append(f"Stands behind: {', '.join(entry.rule_names())}")
    lines.append(f"Axioms: {'; '.join(checked.axioms) or 'none'}")
    return lines


def _wrapped(paragraph: str) -> list[str]:
    return textwrap.wrap(paragraph, 100, subsequent_indent="  ")


def _part(title: str, part: Statement, checked: Checked) -> list[str]:
    """A statement with what it assumes, an instance of that, and the steps of its proof."""
    steps: list[Step] = checked.proofs.get(part.name, [])
    lines = [f"{title}: {part.says}"]
    for law in laws_in(part):
        lines += textwrap.wrap(f"  law      {law}", 100, subsequent_indent=" " * 11)
    lines += [f"  given    {condition}" for condition in conditions_of(*part.given)]
    for name, assumed in part.assuming.items():
        lines += [
            f"  assuming {name}: {hypothesis}" for hypothesis in assumed.hypotheses
        ]
    lines.append(f"  claim    {part.claim}")
    if part.name in checked.witnesses:
        shown = f"  witness  {checked.witnesses[part.name]}"
        lines += textwrap.wrap(shown, 100, subsequent_indent=" " * 11)
    for number, (fact, why) in enumerate(steps, 1):
        lines += [f"  {number}. {why} [{fact.rule}]", f"     {fact}"]
    return lines


def _falsehoods(entry: Theorem, checked: Checked) -> list[str]:
    """What the entry refutes, and how."""
    refuted = dict(checked.refuted)
    lines = []
    for falsehood in entry.falsehoods:
        outcome = "not refuted"
        if falsehood.says in refuted:
            outcome = f"refuted by {refuted[falsehood.says]}"
        lines += [f"False: {falsehood.says}: {falsehood.claim}", f"  {outcome}", ""]
    return lines
