"""An entry of the book: the sections of its docstring, and the result of running it."""

import inspect
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rdpacct.book.proofs import Proofs, ran, read
from rdpacct.errors import InputError, NotInstalledError
from rdpacct.proof.entries import module, theorem
from rdpacct.proof.kernel import Refused
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.statements import Believed
from rdpacct.proof.sides import alone, searching_anew
from rdpacct.proof.theorem import Falsehood, Refutation, Status, Step, Theorem
from rdpacct.proof.witness import how_it_breaks

ON_A_PAGE = ("Printed", "Proved", "Idea", "Source")
"""The sections of an entry in the order of a page; the findings come after the second."""
SECTIONS = (*ON_A_PAGE, "Finding")
"""The sections that the docstring of an entry may have."""
GRADED = re.compile(r"Finding \(\w+\)")
"""A finding with its grade, which is a section of its own."""
SETTLED = (Status.PROVED, Status.SHARPENED, Status.CORRECTED)
"""The verdicts of statements that are settled as a whole: rules of the package may rest on them."""


def text(name: str) -> dict[str, str]:
    """The title and the sections of the docstring of an entry, each as one paragraph."""
    title, _, rest = inspect.cleandoc(module(name).__doc__ or "").partition("\n\n")
    sections = {"Title": " ".join(title.split())}
    section = ""
    for line in rest.split("\n"):
        start, colon, after = line.partition(":")
        if colon and (start in SECTIONS or GRADED.fullmatch(start)):
            section = start
            line = after
        if section:
            sections[section] = f"{sections.get(section, '')} {line.strip()}".strip()
    return sections


@dataclass
class Checked:
    """The result of running an entry; ``problem`` says what failed first, and is empty if nothing
    failed.

    ``needs`` names what would have to be installed to run all of it. Of an entry whose statements
    cannot be made ``claimed`` is empty.
    """

    name: str
    claimed: str
    needs: str = ""
    seconds: float = 0.0
    axioms: list[str] = field(default_factory=list)
    in_words: list[str] = field(default_factory=list)
    facts: int = 0
    refuted: list[tuple[str, str]] = field(default_factory=list)
    tried: int = 0
    problem: str = ""
    certificates: list[dict[str, Any]] = field(default_factory=list)
    kept: Proofs | None = field(default=None, repr=False)
    """The proofs, if they are to be shown or written."""
    witnesses: dict[str, str] = field(default_factory=dict)
    """For each part, an instance in which all that it supposes holds."""

    @property
    def proofs(self) -> dict[str, list[Step]]:
        """The steps of each part, if they were kept."""
        return {} if self.kept is None else self.kept.steps

    @property
    def verdict(self) -> str:
        """The verdict that the entry claims, if all of it ran and nothing failed."""
        if self.problem:
            return "failed"
        return "not run" if self.needs else self.claimed


def check(name: str, seed: int = 0, keep: bool = False, attack: bool = True) -> Checked:
    """Check the derivations of an entry that ship with the book, and try to break its statements;
    keep the steps if they are to be shown.

    No proof is run, and nothing is searched for: the rules of the kernel read the derivations
    again, with the certificates of its own proof file alone, and an entry without one, or that has
    changed since, fails. The seconds are those of the processor.
    """
    with searching(0), alone(name):
        return _checked(name, read, seed, keep, attack)


def completed(name: str, keep: bool = False) -> Checked:
    """Run the proofs of an entry, with a search for those side conditions that have no certificate
    yet.
    """
    return _checked(name, ran, keep=keep)


def searched(name: str, keep: bool = False) -> Checked:
    """Run the proofs of an entry, with a search for each side condition, in place of the
    certificates that ship.
    """
    with searching_anew():
        return _checked(name, ran, keep=keep)


def _checked(
    name: str,
    proofs: Callable[[str, Theorem], Proofs],
    seed: int = 0,
    keep: bool = False,
    attack: bool = True,
) -> Checked:
    start = time.process_time()
    try:
        entry = theorem(name)
    except Refused as error:
        return Checked(name, "", problem=f"its statements cannot be made: {error}")
    checked = Checked(name, entry.verdict.value, in_words=list(entry.in_words))
    try:
        _is_complete(entry)
        believed = _fill(checked, entry, proofs(name, entry), keep)
        checked.axioms = _axioms(entry, believed)
        for each_attack in entry.attacks if attack else ():
            checked.tried += each_attack.run(seed)
    except NotInstalledError as error:
        checked.needs = error.needs
    except (Refused, InputError) as error:
        checked.problem = str(error)
    checked.seconds = time.process_time() - start
    return checked


def _is_complete(entry: Theorem) -> None:
    if entry.verdict in (Status.OPEN, Status.PARTLY) and not entry.missing:
        raise Refused(f"an entry that is {entry.verdict.value} says what is missing.")
    if entry.missing and entry.verdict in SETTLED:
        raise Refused(
            f"what is missing is not settled, so the verdict is not"
            f" {entry.verdict.value}."
        )
    if entry.verdict is Status.PARTLY and entry.rules and not entry.rules_rest_on:
        raise Refused("the rules of an entry that is partly settled name their parts.")
    unknown = set(entry.rules_rest_on) - {part.name for part in entry.parts}
    if unknown:
        raise Refused(f"the rules rest on {min(unknown)}, which is not a part.")
    if entry.verdict not in (Status.OPEN, Status.ASSUMED) and not (
        entry.parts and entry.falsehoods
    ):
        raise Refused("a settled entry proves something and refutes something.")


def _fill(
    checked: Checked, entry: Theorem, proofs: Proofs, keep: bool
) -> set[Believed]:
    """Put together what the facts rest on; the forms of axioms are returned."""
    facts = [steps[-1][0] for steps in proofs.steps.values()]
    checked.facts = sum(map(len, proofs.steps.values()))
    if keep:
        checked.kept = proofs
    for part, witness in proofs.witnesses.items():
        checked.witnesses[part] = str(witness.instance)
        facts += witness.facts
    for falsehood in entry.falsehoods:
        refutation = proofs.refutations[falsehood.says]
        checked.refuted.append((falsehood.says, _outcome(falsehood, refutation)))
        checked.certificates += refutation.certificates
        facts += refutation.facts
    for fact in facts:
        checked.certificates += fact.all_certificates()
    return {form for fact in facts for form in fact.axioms}


def _axioms(entry: Theorem, believed: set[Believed]) -> list[str]:
    """The axioms that the entry rests on; each of those that it declares is used, by a fact or by a
    step in words that names it.
    """
    for axiom in entry.axioms:
        in_words = axiom in entry.axioms_in_words
        named = any(axiom.name in step for step in entry.in_words)
        if not (named if in_words else axiom.believed & believed):
            raise Refused(f"the axiom {axiom.name!r} is declared, but nothing uses it.")
    return sorted(map(str, entry.axioms))


def _outcome(falsehood: Falsehood, refutation: Refutation) -> str:
    """The instance with both values, after the words of the author, if there are any."""
    if refutation.instance is None:
        return refutation.by
    shown = how_it_breaks(falsehood, refutation.instance)
    return f"{refutation.by} ({shown})" if refutation.by else shown
