"""The command verify: every entry run anew, and the rules of the package that rest on what is not
settled.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from rdpacct.book.entry import SETTLED, Checked, check, searched
from rdpacct.book.rules import Rule, all_rules, rules_by
from rdpacct.command import DONE, FAILS, UNDECIDED, Answer
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.proof.entries import ids, theorem


def owed(names: Sequence[str] = ()) -> tuple[Rule, ...]:
    """The rules whose theorem is missing, open, assumed or refuted, or does not name the rule as
    its own.

    Of all theorems, or of these.
    """
    known = set(ids())
    found = (
        [rule for name in names for rule in rules_by(name)] if names else all_rules()
    )
    return tuple(
        rule for rule in found if rule.theorem not in known or not _covers(rule)
    )


def _covers(rule: Rule) -> bool:
    entry = theorem(rule.theorem)
    named = {(one.__module__, one.__qualname__) for one in entry.rules}
    return entry.verdict in SETTLED and (rule.module, rule.name) in named


def run(names: list[str], quiet: bool, search: bool) -> Iterator[Checked]:
    """The entries checked, side by side where there are several, in the order in which they end."""
    run_one = searched if search else check
    if len(names) < 3:
        yield from map(run_one, names)
        return
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(run_one, name) for name in names]
        for done, future in enumerate(as_completed(running), 1):
            if not quiet and sys.stderr.isatty():
                width = 30 * done // len(names)
                bar = "#" * width + "." * (30 - width)
                print(
                    f"\r[{bar}] {done} of {len(names)}\033[K",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
            yield future.result()
    if not quiet and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def verify_answer(
    names: list[str],
    axioms: bool,
    only_owed: bool,
    folder: str | None,
    quiet: bool,
    search: bool = False,
) -> Answer:
    """The verdict of each entry after running it, or what the book rests on, or what is owed."""
    known = ids()
    for name in names:
        if name not in known:
            raise InputError(
                f"the theorem {shorten(name)!r} is not known; `rdpacct verify` lists"
                " those that are."
            )
    debts = owed(names)
    listed = [
        {"id": rule.theorem, "rule": f"{rule.module}.{rule.name}", "says": rule.says}
        for rule in debts
    ]
    if only_owed:
        lines = [f"{one['id']:38} {one['rule']}: {one['says']}" for one in listed]
        return Answer(
            DONE,
            {"owed": listed},
            "\n".join([f"rules that are owed a proof: {len(listed)}", *lines]),
        )
    checked = sorted(
        run(list(dict.fromkeys(names)) or known, quiet, search),
        key=lambda one: one.name,
    )
    if folder is not None:
        _write(Path(folder), checked)
    data = {
        "theorems": [_data(one) for one in checked],
        "axioms": _axioms(checked),
        "owed": listed,
    }
    return Answer(
        _code(checked, debts),
        data,
        _axioms_text(checked) if axioms else _text(checked, len(debts)),
    )


def _code(checked: list[Checked], debts: Sequence[Rule]) -> int:
    """Failed entries come first; what was not run, or is open or owed, is undecided."""
    verdicts = {one.verdict for one in checked}
    if "failed" in verdicts:
        return FAILS
    if verdicts & {"not run", "open"} or debts:
        return UNDECIDED
    return DONE


def _data(one: Checked) -> dict[str, object]:
    return {
        "id": one.name,
        "verdict": one.verdict,
        "claimed": one.claimed,
        "verified": not one.problem and not one.needs,
        "needs": one.needs,
        "problem": one.problem,
        "axioms": one.axioms,
        "in_words": one.in_words,
        "seconds": round(one.seconds, 3),
        "facts": one.facts,
        "refuted": [{"says": says, "by": by} for says, by in one.refuted],
        "instances_tried": one.tried,
        "certificates": len(one.certificates),
    }


def _axioms(checked: list[Checked]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in checked:
        for axiom in one.axioms:
            found.setdefault(axiom, []).append(one.name)
    return found


def _axioms_text(checked: list[Checked]) -> str:
    found = _axioms(checked)
    lines = [
        f"{axiom}\n  used by {', '.join(users)}"
        for axiom, users in sorted(found.items())
    ]
    words = [f"{one.name}: {step}" for one in checked for step in one.in_words]
    return "\n".join(
        [f"axioms: {len(found)}", *lines, f"steps in words: {len(words)}", *words]
    )


def _text(checked: list[Checked], debts: int) -> str:
    lines = []
    for one in checked:
        rests = f"  rests on {'; '.join(one.axioms)}" if one.axioms else ""
        lines.append(f"{one.name:38} {one.verdict:10} {one.seconds:6.2f} s{rests}")
        if one.problem:
            lines.append(f"  FAILED: {one.problem}")
        elif one.needs:
            lines.append(f"  not run: needs {one.needs}")
    counts = {
        verdict: sum(one.verdict == verdict for one in checked) for verdict in _ORDER
    }
    counted = ", ".join(
        f"{count} {verdict}"
        for verdict, count in counts.items()
        if count or verdict == "failed"
    )
    summary = f"theorems: {len(checked)}, of which {counted}"
    return "\n".join(
        [
            *lines,
            f"{summary}; axioms: {len(_axioms(checked))}; rules owed a proof: {debts}",
        ]
    )


_ORDER = (
    "proved",
    "sharpened",
    "corrected",
    "refuted",
    "assumed",
    "open",
    "not run",
    "failed",
)
"""What an entry can be counted as; each is counted once."""


def _write(folder: Path, checked: list[Checked]) -> None:
    """One file for each certificate, in a folder for each entry."""
    try:
        for one in checked:
            place = folder / one.name
            place.mkdir(parents=True, exist_ok=True)
            for number, certificate in enumerate(one.certificates, 1):
                (place / f"{number:03}.json").write_text(
                    json.dumps(certificate), encoding="utf-8"
                )
    except OSError as error:
        raise InputError(
            f"the certificates cannot be written to {folder} ({error.strerror}); give a"
            " folder that can be."
        ) from None
