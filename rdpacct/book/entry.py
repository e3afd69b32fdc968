"""An entry of the book: the sections of its docstring, and the result of running it."""

import inspect
import time
from dataclasses import dataclass, field
from typing import Any

from rdpacct.errors import InputError, NotInstalledError
from rdpacct.proof.entries import module, theorem
from rdpacct.proof.kernel import Refused
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.sides import searching_anew
from rdpacct.proof.theorem import Falsehood, Part, Step, Theorem, Verdict

SECTIONS = ("Printed", "Proved", "Idea", "Source", "Finding")
SETTLED = (Verdict.PROVED, Verdict.SHARPENED, Verdict.CORRECTED)
"""The verdicts on which a rule of the package may rest."""


def text(name: str) -> dict[str, str]:
    """The title and the sections of the docstring of an entry, each as one paragraph."""
    title, _, rest = inspect.cleandoc(module(name).__doc__ or "").partition("\n\n")
    found = {"Title": " ".join(title.split())}
    section = ""
    for line in rest.split("\n"):
        start, colon, after = line.partition(":")
        if colon and start in SECTIONS:
            section = start
            line = after
        if section:
            found[section] = f"{found.get(section, '')} {line.strip()}".strip()
    return found


@dataclass
class Checked:
    """The result of running an entry; ``problem`` says what failed first, and is empty if nothing
    failed.

    ``needs`` names what would have to be installed to run all of it.
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
    proofs: dict[str, list[Step]] = field(default_factory=dict, repr=False)
    """The steps of each part, if they are to be shown."""

    @property
    def verdict(self) -> str:
        """The verdict that the entry claims, if all of it ran and nothing failed."""
        if self.problem:
            return "failed"
        return "not run" if self.needs else self.claimed


def check(name: str, seed: int = 0, keep: bool = False) -> Checked:
    """Run the proofs, the refutations and the attacks of an entry, and keep the steps if they are
    to be shown.

    Side conditions have the certificates that ship with the book, or the entry fails. The seconds
    are those of the processor.
    """
    with searching(0):
        return _checked(name, seed, keep)


def _checked(name: str, seed: int = 0, keep: bool = False) -> Checked:
    start = time.process_time()
    entry = theorem(name)
    found = Checked(name, entry.verdict.value, in_words=list(entry.in_words))
    try:
        _run(entry, found, seed, keep)
    except NotInstalledError as error:
        found.needs = error.needs
    except (Refused, InputError) as error:
        found.problem = str(error)
    found.seconds = time.process_time() - start
    return found


def completed(name: str) -> Checked:
    """Run an entry with a search for the proofs of the side conditions that have no certificate
    yet.
    """
    return _checked(name)


def searched(name: str) -> Checked:
    """Run an entry with a search for each proof of a side condition, in place of the certificates
    that ship.
    """
    with searching_anew():
        return _checked(name)


def _run(entry: Theorem, found: Checked, seed: int, keep: bool) -> None:
    if entry.verdict is Verdict.OPEN and not entry.missing:
        raise Refused("an open entry says what is missing.")
    if entry.verdict not in (Verdict.OPEN, Verdict.ASSUMED) and not (
        entry.parts and entry.falsehoods
    ):
        raise Refused("a settled entry proves something and refutes something.")
    axioms = set[str]()
    for part in (*entry.parts, *entry.sharp):
        steps = steps_of(part)
        fact = steps[-1][0]
        if keep:
            found.proofs[part.name] = steps
        axioms |= fact.axioms
        found.facts += len(steps)
        found.certificates += fact.all_certificates()
    for falsehood in entry.falsehoods:
        refutation = refute(falsehood)
        axioms |= {axiom for fact in refutation.facts for axiom in fact.axioms}
        found.refuted.append((falsehood.says, refutation.by))
        found.certificates += [
            *refutation.certificates,
            *(c for f in refutation.facts for c in f.all_certificates()),
        ]
    found.axioms = sorted(axioms)
    for attack in entry.attacks:
        found.tried += attack.run(seed)


def steps_of(part: Part) -> list[Step]:
    """The steps of a part; an error names the part."""
    try:
        return part.steps()
    except Refused as error:
        raise Refused(f"{part.name}: {error}") from None


def refute(falsehood: Falsehood) -> Any:
    """The refutation of a falsehood; an error names the falsehood."""
    try:
        return falsehood.refute()
    except Refused as error:
        raise Refused(f"falsehood {falsehood.says!r}: {error}") from None
