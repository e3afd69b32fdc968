"""What the page of an entry shows: its statements with all that they assume, and their proofs."""

from dataclasses import dataclass
from typing import Any

from rdpacct.book.entry import ON_A_PAGE, Checked, check, text
from rdpacct.book.findings import findings
from rdpacct.book.pages.mathml import math
from rdpacct.book.pages.sharpness import sharpness_picture
from rdpacct.proof.claim import Comparison
from rdpacct.proof.described import laws_in
from rdpacct.proof.entries import theorem
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.theorem import Statement, Theorem


@dataclass(frozen=True)
class Shown:
    """A line of a page: a formula as MathML, or else a text, and words that go with it."""

    mathml: str = ""
    text: str = ""
    words: str = ""


@dataclass(frozen=True)
class StatementShown:
    """A statement with its hypotheses, its witness and the steps of its proof."""

    title: str
    says: str
    claim: Shown
    laws: tuple[str, ...]
    given: tuple[Shown, ...]
    assuming: tuple[Shown, ...]
    witness: str
    steps: tuple[Shown, ...]
    picture: str


@dataclass(frozen=True)
class EntryShown:
    """All that the page of an entry shows."""

    name: str
    title: str
    verdict: str
    problem: str
    needs: str
    sections: tuple[tuple[str, str], ...]
    findings: tuple[str, ...]
    missing: str
    statements: tuple[StatementShown, ...]
    falsehoods: tuple[Shown, ...]
    in_words: tuple[str, ...]
    rules: tuple[str, ...]
    axioms: tuple[str, ...]

    @property
    def file(self) -> str:
        """The name of its page."""
        return page_name(self.name)


def page_name(name: str) -> str:
    """The file of the page of an entry."""
    return f"{name.replace('/', '-')}.html"


def entry_shown(name: str) -> EntryShown:
    """The page of an entry, whose derivation is re-checked for it."""
    sections = text(name)
    entry = theorem(name)
    checked = check(name, keep=True)
    return EntryShown(
        name=name,
        title=sections["Title"],
        verdict=checked.verdict,
        problem=checked.problem,
        needs=checked.needs,
        sections=tuple((key, sections[key]) for key in ON_A_PAGE if key in sections),
        findings=tuple(map(str, findings(name))),
        missing=entry.missing,
        statements=tuple(_statements(entry, checked)),
        falsehoods=tuple(_falsehoods(entry, checked)),
        in_words=tuple(entry.in_words),
        rules=tuple(entry.rule_names()),
        axioms=tuple(checked.axioms),
    )


def _statements(entry: Theorem, checked: Checked) -> list[StatementShown]:
    parts = [("Statement", part) for part in entry.parts]
    parts += [("Sharp", part) for part in entry.sharp]
    return [_statement(title, part, checked) for title, part in parts]


def _statement(title: str, part: Statement, checked: Checked) -> StatementShown:
    assumed = [
        _line(hypothesis, name)
        for name, fact in part.assuming.items()
        for hypothesis in fact.hypotheses
    ]
    return StatementShown(
        title=title,
        says=part.says,
        claim=_line(part.claim),
        laws=tuple(laws_in(part)),
        given=tuple(_line(condition) for condition in conditions_of(*part.given)),
        assuming=tuple(assumed),
        witness=checked.witnesses.get(part.name, ""),
        steps=tuple(
            _step(fact, why) for fact, why in checked.proofs.get(part.name, [])
        ),
        picture=sharpness_picture(part, _identifier(part.name)),
    )


def _identifier(name: str) -> str:
    """A name as an id of the page."""
    return "sharpness-" + "".join(each if each.isalnum() else "-" for each in name)


def _step(fact: Fact, why: str) -> Shown:
    return _line(fact.statement, f"{why} [{fact.rule}]")


def _falsehoods(entry: Theorem, checked: Checked) -> list[Shown]:
    refuted = dict(checked.refuted)
    lines = []
    for falsehood in entry.falsehoods:
        by = refuted.get(falsehood.says)
        outcome = "not refuted" if by is None else f"refuted by {by}"
        lines.append(_line(falsehood.claim, f"{falsehood.says}: {outcome}"))
    return lines


def _line(content: Any, words: str = "") -> Shown:
    """A relation as MathML; what says more than a relation as text."""
    relation = getattr(content, "relation", content)
    if isinstance(relation, Comparison) and str(relation) == str(content):
        return Shown(mathml=math(relation), words=words)
    return Shown(text=str(content), words=words)
