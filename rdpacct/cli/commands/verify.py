"""The theorems that the rules of this package rest on."""

import json
import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from rdpacct.book.entry import Checked
from rdpacct.book.index import rows
from rdpacct.book.rules import Rule
from rdpacct.book.verify import owed, run_entries
from rdpacct.cli.answer import (
    DONE,
    FAILS,
    JSON,
    UNDECIDED,
    Answer,
)
from rdpacct.cli.numeric import numeric_answer
from rdpacct.cli.progress import bar
from rdpacct.errors import InputError
from rdpacct.proof.axioms import Axiom
from rdpacct.proof.entries import ids, theorem, unknown

VERDICTS = (
    *("proved", "sharpened", "corrected", "refuted", "partly"),
    *("assumed", "open", "not run", "failed"),
)
"""What an entry can be counted as; each is counted once."""

EXAMPLES = (
    "rdpacct verify group/pure",
    "rdpacct verify --list",
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """The names of entries, what is to be listed, and a folder for certificates."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these theorems")
    parser.add_argument(
        "--axioms",
        action="store_true",
        help="list what is believed without proof, and by whom",
    )
    parser.add_argument(
        "--owed", action="store_true", help="list the rules whose theorem has no proof"
    )
    parser.add_argument(
        "--list", action="store_true", help="print the index of all theorems"
    )
    parser.add_argument(
        "--search",
        action="store_true",
        help="run the proofs and search for each certificate anew, which takes minutes",
    )
    parser.add_argument(
        "--attack",
        action="store_true",
        help="also try the statements on random instances",
    )
    parser.add_argument(
        "--numeric",
        action="store_true",
        help="evaluate the statements by mpmath at 50 digits, and print the least"
        " margins",
    )
    parser.add_argument(
        "--certificate",
        metavar="DIR",
        help="write the certificates of all real claims, for check",
    )


def run(options: Namespace) -> Answer:
    """The verdict of each entry after running it, or what the book rests on, or what is owed."""
    names = _known(options.ids)
    if options.list:
        return _index(names)
    if options.numeric:
        return numeric_answer(names, show_progress=not options.json)
    debts = owed(options.ids)
    if options.owed:
        return _owed_answer(debts)
    checked = _checked(names, options)
    if options.certificate is not None:
        _write(Path(options.certificate), checked)
    data = {
        "theorems": [_data(entry) for entry in checked],
        "axioms": _axioms(checked),
        "owed": _owed_data(debts),
    }
    lines = _axiom_lines(checked) if options.axioms else _lines(checked, len(debts))
    return Answer(_code(checked, debts), data, "\n".join(lines))


def _index(names: list[str]) -> Answer:
    """The index of these entries; nothing is read or run."""
    asked = [row for row in rows() if row.name in names]
    data = {"theorems": [row._asdict() for row in asked]}
    lines = [
        f"{row.name:38} {row.verdict:10} words {row.words}  axioms {len(row.axioms)} "
        f" {row.title} ({row.source})"
        for row in asked
    ]
    return Answer(DONE, data, "\n".join(lines))


def _known(names: list[str]) -> list[str]:
    """The entries that are asked for, or all; an unknown name is refused."""
    known = ids()
    for name in names:
        if name not in known:
            raise unknown(name)
    return list(dict.fromkeys(names)) or known


def _checked(names: list[str], options: Namespace) -> list[Checked]:
    """The entries after running them, in the order of their names."""
    several = not options.json and len(names) > 1
    with bar(len(names), several) as tell:
        checked = run_entries(
            names, options.search, options.attack, lambda done: tell(done, "")
        )
        return sorted(checked, key=lambda entry: entry.name)


def _code(checked: list[Checked], debts: Sequence[Rule]) -> int:
    """Failed entries come first; what was not run, or is open or owed, is undecided.

    Of an entry that is ``partly`` settled the parts that it states are proved, so that it passes.
    """
    verdicts = {entry.verdict for entry in checked}
    if "failed" in verdicts:
        return FAILS
    if verdicts & {"not run", "open"} or debts:
        return UNDECIDED
    return DONE


def _owed_answer(debts: Sequence[Rule]) -> Answer:
    listed = _owed_data(debts)
    lines = [f"{rule['id']:38} {rule['rule']}: {rule['says']}" for rule in listed]
    lines = [f"rules that are owed a proof: {len(listed)}", *lines]
    return Answer(DONE, {"owed": listed}, "\n".join(lines))


def _owed_data(debts: Sequence[Rule]) -> list[JSON]:
    return [
        {"id": rule.theorem, "rule": f"{rule.module}.{rule.name}", "says": rule.says}
        for rule in debts
    ]


def _data(entry: Checked) -> JSON:
    return {
        "id": entry.name,
        "verdict": entry.verdict,
        "claimed": entry.claimed,
        "verified": not entry.problem and not entry.needs,
        "needs": entry.needs,
        "problem": entry.problem,
        "axioms": entry.axioms,
        "in_words": entry.in_words,
        "facts": entry.facts,
        "refuted": [{"says": says, "by": by} for says, by in entry.refuted],
        "instances_tried": entry.tried,
        "certificates": len(entry.certificates),
    }


def _axioms(checked: list[Checked]) -> dict[str, JSON]:
    """What is believed without proof, in full, with the entries that use it."""
    by_axiom: dict[str, JSON] = {}
    for entry in checked:
        if not entry.claimed:
            continue  # its statements cannot be made
        believed = theorem(entry.name)
        for axiom in believed.axioms:
            row = by_axiom.setdefault(str(axiom), _axiom(axiom))
            in_words = axiom in believed.axioms_in_words
            row["in_words_of" if in_words else "used_by"].append(entry.name)
    return by_axiom


def _axiom(axiom: Axiom) -> JSON:
    forms = [
        {"statement": str(believed), "if": list(map(str, believed.hypotheses))}
        for form in axiom.forms
        for believed in form.axioms
    ]
    return {"says": axiom.says, "forms": forms, "used_by": [], "in_words_of": []}


def _axiom_lines(checked: list[Checked]) -> list[str]:
    axioms = _axioms(checked)
    lines = [f"axioms: {len(axioms)}"]
    for axiom, row in sorted(axioms.items()):
        lines += [axiom, *_wrapped(row["says"])]
        for form in row["forms"]:
            lines += _wrapped(f"formally: {form['statement']}")
            lines += [
                line
                for condition in form["if"]
                for line in _wrapped(f"  if {condition}")
            ]
        for key, label in (("used_by", "used by"), ("in_words_of", "in words of")):
            if row[key]:
                lines += _wrapped(f"{label} {', '.join(row[key])}")
    words = [f"{entry.name}: {step}" for entry in checked for step in entry.in_words]
    return [*lines, f"steps in words: {len(words)}", *words]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="  ", subsequent_indent="    ")


def _lines(checked: list[Checked], debts: int) -> list[str]:
    lines = []
    for entry in checked:
        rests = f"  rests on {'; '.join(entry.axioms)}" if entry.axioms else ""
        lines.append(f"{entry.name:38} {entry.verdict:10} {entry.facts:4}{rests}")
        if entry.problem:
            lines.append(f"  FAILED: {entry.problem}")
        elif entry.needs:
            lines.append(f"  not run: needs {entry.needs}")
    summary = f"theorems: {len(checked)}, of which {_counted(checked)}"
    axioms = len(_axioms(checked))
    return [*lines, f"{summary}; axioms: {axioms}; rules owed a proof: {debts}"]


def _counted(checked: list[Checked]) -> str:
    """How many entries have each verdict; the failed ones are counted even if there are none."""
    counts = []
    for verdict in VERDICTS:
        count = sum(entry.verdict == verdict for entry in checked)
        if count or verdict == "failed":
            counts.append(f"{count} {verdict}")
    return ", ".join(counts)


def _write(folder: Path, checked: list[Checked]) -> None:
    """One file for each certificate, in a folder for each entry."""
    try:
        for entry in checked:
            place = folder / entry.name
            place.mkdir(parents=True, exist_ok=True)
            for number, certificate in enumerate(entry.certificates, 1):
                (place / f"{number:03}.json").write_text(
                    json.dumps(certificate), encoding="utf-8"
                )
    except OSError as error:
        raise InputError(
            f"the certificates cannot be written to {folder} ({error.strerror}); give a"
            " folder that can be."
        ) from None
