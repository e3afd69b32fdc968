"""The command show: one entry of the book as a page to read, with its proof run."""

import textwrap

from rdpacct.book.entry import check, text
from rdpacct.command import DONE, FAILS, UNDECIDED, Answer
from rdpacct.proof.entries import theorem
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.theorem import Part, Step, Verdict


def show_answer(name: str) -> Answer:
    """The entry with its statement, proof, falsehoods and axioms."""
    sections = text(name)
    entry = theorem(name)
    found = check(name, keep=True)
    lines = [f"{name}: {sections['Title']}", f"verdict: {found.verdict}", ""]
    lines += [f"Not run: needs {found.needs}", ""] if found.needs else []
    for section in ("Printed", "Proved", "Finding", "Idea", "Source"):
        if section in sections:
            lines += [
                *textwrap.wrap(
                    f"{section}: {sections[section]}", 100, subsequent_indent="  "
                ),
                "",
            ]
    if entry.missing:
        lines += [
            *textwrap.wrap(f"Missing: {entry.missing}", 100, subsequent_indent="  "),
            "",
        ]
    for title, parts in (("Proof", entry.parts), ("Sharp", entry.sharp)):
        for part in parts:
            lines += [*_part(title, part, found.proofs.get(part.name, [])), ""]
    refuted = dict(found.refuted)
    for falsehood in entry.falsehoods:
        outcome = (
            f"refuted by {refuted[falsehood.says]}"
            if falsehood.says in refuted
            else "not refuted"
        )
        lines += [f"False: {falsehood.says}: {falsehood.claim}", f"  {outcome}", ""]
    if found.problem:
        lines += [f"FAILED: {found.problem}", ""]
    lines += [
        line
        for one in entry.in_words
        for line in textwrap.wrap(f"In words: {one}", 100, subsequent_indent="  ")
    ]
    rules = [f"{rule.__module__}.{rule.__qualname__}" for rule in entry.rules]
    lines += [f"Stands behind: {', '.join(rules)}"] if rules else []
    lines.append(f"Axioms: {'; '.join(found.axioms) or 'none'}")
    unsettled = entry.verdict is Verdict.OPEN or found.needs
    code = FAILS if found.problem else UNDECIDED if unsettled else DONE
    data = {
        "id": name,
        "title": sections["Title"],
        "verdict": found.verdict,
        **{
            section.lower(): sections.get(section, "")
            for section in ("Printed", "Proved", "Finding", "Idea", "Source")
        },
        "refuted": [{"says": says, "by": by} for says, by in found.refuted],
        "axioms": found.axioms,
        "in_words": found.in_words,
        "rules": rules,
        "problem": found.problem,
    }
    return Answer(code, data, "\n".join(lines))


def _part(title: str, part: Part, steps: list[Step]) -> list[str]:
    lines = [f"{title}: {part.says}"]
    given = [str(one) for one in conditions_of(*part.given)]
    assumed = [f"{name}: {one.hypotheses[0]}" for name, one in part.assuming.items()]
    lines += [f"  given    {one}" for one in given]
    lines += [f"  assuming {one}" for one in assumed]
    lines.append(f"  claim    {part.claim}")
    for number, (fact, why) in enumerate(steps, 1):
        lines += [f"  {number}. {why} [{fact.rule}]", f"     {fact}"]
    return lines
