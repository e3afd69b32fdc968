"""Derivations that ship with the book: read by the kernel alone, and refused where wrong."""

import json
import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import pytest

from rdpacct.book import proofs
from rdpacct.book.entry import check, completed
from rdpacct.book.proofs import digest, record_of
from rdpacct.proof import proof_files
from rdpacct.proof.derivations import Record, Writer
from rdpacct.proof.entries import ids, theorem
from rdpacct.proof.kernel import Fact, Refused
from rdpacct.proof.kernel.derivation import Derivation, references
from rdpacct.proof.kernel.rule import RULES
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.proof_files import ProofFile, from_bytes, to_bytes
from rdpacct.proof.theorem import Statement

SMALL = 110
"""The lines of a part that is tampered with, so that many can be tried."""


def _file(name: str) -> ProofFile:
    file = proof_files.shipped(name)
    assert file is not None
    return file


@dataclass(frozen=True)
class Part:
    """A part of the book, with the lines of the file of its entry, and which of them is its
    claim.
    """

    states: Statement
    lines: Sequence[Any]
    number: int

    @cached_property
    def cone(self) -> list[int]:
        """The lines that the claim is made of, and its own."""
        found = set[int]()
        waiting = [self.number]
        while waiting:
            last = waiting.pop()
            if last not in found:
                found.add(last)
                waiting += references(self.lines[last])
        return sorted(found)

    @cached_property
    def rules(self) -> set[str]:
        """The rules that its derivation applies."""
        return _rules(self.lines[one] for one in self.cone)

    def with_line(self, place: int, line: Any) -> Fact:
        """What is derived if one line is another."""
        copy = [*self.lines[:place], line, *self.lines[place + 1 : self.number + 1]]
        return Derivation(copy).fact(self.number)


@cache
def _parts() -> list[Part]:
    found = []
    for name in ids():
        file = _file(name)
        entry = theorem(name)
        for part in (*entry.parts, *entry.sharp):
            number = file.record.parts[part.name][-1][0]
            found.append(Part(part, file.derivation.lines, number))
    return found


def _rules(lines: Iterable[Any]) -> set[str]:
    return {line[1] for line in lines if line[0] == "fact"}


@cache
def _small() -> list[Part]:
    return [part for part in _parts() if len(part.cone) <= SMALL]


def test_all_rules_are_used_and_all_entries_have_derivations() -> None:
    used = set[str]()
    for name in ids():
        used |= _rules(_file(name).derivation.lines)
    assert used <= set(RULES)
    assert set(RULES) - used <= {"both"}


@pytest.mark.parametrize(
    "name", ["cdp/kl-half", "gaussian/delta", "smooth/median-local"]
)
def test_a_derivation_says_what_the_proof_says(name: str) -> None:
    """The same statement, domain, hypotheses and axioms, whether run or read."""
    file = _file(name)
    entry = theorem(name)
    with searching(0):
        for part in (*entry.parts, *entry.sharp):
            read = file.derivation.fact(file.record.parts[part.name][-1][0])
            ran = part.fact()
            assert _meaning(read) == _meaning(ran)


def _meaning(fact: Fact) -> Any:
    return fact.statement, set(fact.domain), set(fact.hypotheses), fact.axioms


def _changed(value: Any, rng: random.Random) -> Any:
    """A line with one thing in it that is another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + rng.choice([-3, -2, -1, 1, 2]))
    if isinstance(value, str):
        return _changed_text(value, rng)
    if isinstance(value, dict) and value:
        key = rng.choice(sorted(value))
        return {**value, key: _changed(value[key], rng)}
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        turn = rng.random()
        if turn < 0.1:
            return value[:place] + value[place + 1 :]
        if turn < 0.2:
            other = rng.randrange(len(value))
            swapped = list(value)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            return swapped
        return [*value[:place], _changed(value[place], rng), *value[place + 1 :]]
    return value


def _changed_text(text: str, rng: random.Random) -> str:
    if text in RULES:
        return rng.choice(sorted(RULES))
    if text in ("<", "<=", "=="):
        return rng.choice(["<", "<=", "=="])
    try:
        return str(int(text) + rng.choice([-1, 1]))
    except ValueError:
        pass
    swaps = [("<=", "<"), ("<", "<="), ("0", "1"), ("1", "2"), ("-", "+"), ("+", "-")]
    fitting = [(old, new) for old, new in swaps if old in text]
    if fitting:
        old, new = rng.choice(fitting)
        return text.replace(old, new, 1)
    return rng.choice(["x", "P", "t", text + "_", text[:-1]])


def _tampered(part: Part, rng: random.Random) -> str:
    """What becomes of a derivation of which one line is changed."""
    place = rng.choice(part.cone)
    changed = _changed(part.lines[place], rng)
    if changed == part.lines[place]:
        return "same"
    with searching(0):
        try:
            fact = part.with_line(place, changed)
            part.states.accept(fact)
        except Refused:
            return "refused"
    declared = (one.believed for one in part.states.axioms)
    assert fact.axioms <= frozenset().union(*declared)
    return "proved otherwise"


def _tamper(count: int, seed: int) -> dict[str, int]:
    """Each rule is in turn among those of the derivation that is tampered with."""
    rng = random.Random(seed)
    rules = sorted({rule for part in _small() for rule in part.rules})
    counts = dict[str, int]()
    for turn in range(count):
        rule = rules[turn % len(rules)]
        fitting = [part for part in _small() if rule in part.rules]
        found = _tampered(rng.choice(fitting), rng)
        counts[found] = counts.get(found, 0) + 1
    return counts


def test_a_tampered_derivation_proves_the_statement_or_nothing() -> None:
    counts = _tamper(100, 1)
    assert counts["refused"] > counts.get("proved otherwise", 0)


@pytest.mark.slow
def test_a_thousand_tampered_derivations_prove_the_statement_or_nothing() -> None:
    counts = _tamper(1500, 2)
    assert counts["refused"] + counts.get("proved otherwise", 0) >= 1000


def test_a_tampered_axiom_is_not_accepted() -> None:
    """A line that states an axiom, with its claim, a condition or its name changed."""
    rng = random.Random(3)
    tried = 0
    for part in _parts():
        cone = part.cone if part.states.axioms else []
        stated = [one for one in cone if part.lines[one][:2] == ["fact", "axiom"]]
        for place in stated if len(cone) < 500 else ():
            _, _, arguments, named = part.lines[place]
            changed = _changed(arguments, rng)
            if changed == arguments:
                continue
            line = ["fact", "axiom", changed, named]
            with searching(0), pytest.raises(Refused):
                part.states.accept(part.with_line(place, line))
            tried += 1
    assert tried >= 3


def test_another_claim_is_not_accepted() -> None:
    """The derivation of one part is not one of another."""
    with searching(0):
        for part, other in pairwise(_small()[:40]):
            if part.states.claim != other.states.claim:
                with pytest.raises(Refused):
                    part.states.accept(Derivation(other.lines).fact(other.number))


def _nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def _doubled(count: int) -> list[Any]:
    """Each formula is the sum of the one before and itself."""
    return [["name", "x"], *(["+", number, number] for number in range(count))]


@pytest.mark.parametrize(
    "lines",
    [
        [["fact", "make", ["1 <= 0"], {}]],
        [["fact", "real", ["1 <= 0"], {}]],
        [["fact", "combine", [0], {}]],
        [["name", "x"]],
        [["fact"]],
        [[]],
        [["fact", "real", [{"number": "1/0"}], {}]],
        [["fact", "__init__", [], {}]],
        [
            ["Table", "T", ["x"], [], []],
            ["fact", "cases", [0, "1 <= 0"], {}],
            ["fact", "expect", [1, 0], {}],
        ],
        [["of", "eval", 0]],
        ["fact"],
        [5],
        [None],
        [["fact", "real", ["0 <= 1"], {"given": "x"}]],
        [["number", "1e999999999"], ["<=", 0, 0], ["fact", "assume", [1], {}]],
        [["name", "x"], ["<=", 0.0, 0], ["fact", "assume", [1], {}]],
        [["name", "x"], ["<=", True, 0], ["fact", "assume", [1], {}]],
        [["<=", -1, -1], ["fact", "assume", [0], {}]],
        [["fact", "real", [10**5000], {}]],
        [["fact", "real", [_nested(100_000)], {}]],
        [*_doubled(60), ["<=", 0, 60], ["fact", "assume", [61], {}]],
    ],
    ids=range(21),
)
def test_lines_that_are_no_derivation_are_refused(lines: Any) -> None:
    with searching(0), pytest.raises(Refused):
        Derivation(lines).fact(len(lines) - 1)


def test_an_entry_that_has_changed_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "digest", lambda _: "another")
    assert "has changed since" in check("cdp/tail", attack=False).problem


def test_the_digest_is_of_the_code() -> None:
    assert all(_file(name).record.digest == digest(name) for name in ids())


WITHOUT = """
import sys
for name in ("search", "prove", "refute"):
    sys.modules["rdpacct.proof." + name] = None
from rdpacct.cli import main
sys.exit(main(["verify", "cdp/kl-half", "random-dp/relaxation", "smooth/efficient", "--json"]))
"""


def test_verify_works_without_the_search_and_says_the_same_twice() -> None:
    """The prover cannot even be imported; what is printed has no time in it."""
    said = [
        subprocess.run(
            [sys.executable, "-c", WITHOUT], capture_output=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert said[0] == said[1]
    assert {one["verdict"] for one in json.loads(said[0])["theorems"]} <= {
        *("proved", "sharpened", "corrected")
    }


WITNESSED = ("cdp/kl-half", "sensitivity/quantile", "smooth/optimal", "cdp/tail")


@cache
def _written(name: str) -> ProofFile:
    """The proof file of an entry that is run, as it is written and read again."""
    kept = completed(name, keep=True).kept
    assert kept is not None
    writer = Writer()
    record = record_of(name, kept, writer)
    certificates = _file(name).certificates
    return from_bytes(to_bytes(record, certificates, writer.lines))


def _problem(
    monkeypatch: pytest.MonkeyPatch, name: str, record: Record | None = None
) -> str:
    file = _written(name)
    if record is not None:
        file = replace(file, record=record)
    monkeypatch.setattr(proof_files, "shipped", {name: file}.get)
    return check(name, attack=False).problem


@pytest.mark.parametrize("name", WITNESSED)
def test_a_written_entry_is_read_with_its_witnesses(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert _problem(monkeypatch, name) == ""


@pytest.mark.parametrize("name", WITNESSED)
def test_an_entry_without_a_witness_fails(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    record = _written(name).record
    for part in record.witnesses:
        kept = {key: one for key, one in record.witnesses.items() if key != part}
        fewer = replace(record, witnesses=kept)
        assert f"{part}: no witness" in _problem(monkeypatch, name, fewer)


def test_another_witness_is_one_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is changed in a witness either satisfies all that the part supposes, as an evaluation at
    the changed values says, or the entry fails.
    """
    rng = random.Random(3)
    counts = {"refused": 0, "another": 0}
    for _ in range(80):
        name = rng.choice(("cdp/kl-half", "cdp/tail"))
        record = _written(name).record
        part = rng.choice(sorted(record.witnesses))
        data, facts = record.witnesses[part]
        changed = _changed(data, rng)
        if changed == data:
            continue
        tampered = {**record.witnesses, part: (changed, facts)}
        problem = _problem(monkeypatch, name, replace(record, witnesses=tampered))
        counts["refused" if problem else "another"] += 1
    assert counts["refused"] > 10, counts


WRONG = [
    ("eps", "0"),
    ("eps", "-1"),
    ("eps", "x"),
    ("eps", "1 <= 2"),
    ("eps", "log(0)"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    record = _written("cdp/kl-half").record
    data, facts = record.witnesses["tanh"]
    changed = {**data, "values": {**data["values"], name: value}}
    tampered = {**record.witnesses, "tanh": (changed, facts)}
    assert _problem(monkeypatch, "cdp/kl-half", replace(record, witnesses=tampered))


@pytest.mark.parametrize("rows", [[], [[["1"], "1"]], [[["0"], "1/2"]], [[["9"], "1"]]])
def test_a_wrong_law_is_refused(
    monkeypatch: pytest.MonkeyPatch, rows: list[Any]
) -> None:
    """No mass, a loss without E exp(-L) = 1, half a law, a loss outside of the support."""
    record = _written("cdp/kl-half").record
    data, facts = record.witnesses["tanh"]
    tampered = {**record.witnesses, "tanh": ({**data, "laws": {"P": rows}}, facts)}
    assert _problem(monkeypatch, "cdp/kl-half", replace(record, witnesses=tampered))


def test_an_instance_that_breaks_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = _written("cdp/kl-half").record
    says = "a bound on the loss from above is enough"
    by, facts, certificates, data = record.falsehoods[says]
    for rows in ([[["0"], "1"]], [[["log(2)"], "1"]], []):
        wrong = (by, facts, certificates, {**data, "laws": {"P": rows}})
        tampered = {**record.falsehoods, says: wrong}
        changed = replace(record, falsehoods=tampered)
        assert "falsehood" in _problem(monkeypatch, "cdp/kl-half", changed)
    none = {**record.falsehoods, says: (by, facts, certificates, None)}
    changed = replace(record, falsehoods=none)
    assert "has no instance" in _problem(monkeypatch, "cdp/kl-half", changed)
