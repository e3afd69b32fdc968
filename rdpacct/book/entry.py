"""An entry of the book: the sections of its docstring, and the result of running it."""

import ast
import hashlib
import inspect
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rdpacct.errors import InputError, NotInstalledError
from rdpacct.proof import derivations
from rdpacct.proof.entries import module, theorem
from rdpacct.proof.kernel import Refused
from rdpacct.proof.kernel.fact import Believed
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.sides import searching_anew
from rdpacct.proof.theorem import (
    Falsehood,
    Refutation,
    Statement,
    Status,
    Step,
    Theorem,
)

SECTIONS = ("Printed", "Proved", "Idea", "Source", "Finding")
GRADED = re.compile(r"Finding \(\w+\)")
"""A finding with its grade, which is a section of its own."""
SETTLED = (Status.PROVED, Status.SHARPENED, Status.CORRECTED)
"""The verdicts of statements that are settled as a whole: a rule of the package may rest on them."""


def text(name: str) -> dict[str, str]:
    """The title and the sections of the docstring of an entry, each as one paragraph."""
    title, _, rest = inspect.cleandoc(module(name).__doc__ or "").partition("\n\n")
    found = {"Title": " ".join(title.split())}
    section = ""
    for line in rest.split("\n"):
        start, colon, after = line.partition(":")
        if colon and (start in SECTIONS or GRADED.fullmatch(start)):
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


def check(name: str, seed: int = 0, keep: bool = False, attack: bool = True) -> Checked:
    """Check the derivations of an entry that ship with the book, and try to break its statements;
    keep the steps if they are to be shown.

    No proof is run, and nothing is searched for: the rules of the kernel read the derivations
    again, and an entry without one, or that has changed since, fails. The seconds are those of the
    processor.
    """
    with searching(0):
        return _checked(name, _read, seed, keep, attack)


def completed(name: str) -> Checked:
    """Run the proofs of an entry, with a search for those side conditions that have no certificate
    yet.
    """
    return _checked(name, _ran)


def searched(name: str) -> Checked:
    """Run the proofs of an entry, with a search for each side condition, in place of the
    certificates that ship.
    """
    with searching_anew():
        return _checked(name, _ran)


Proofs = tuple[dict[str, list[Step]], dict[str, Refutation]]
"""The steps of each part, and the refutation of each falsehood."""


def _checked(
    name: str,
    proofs: Callable[[str, Theorem], Proofs],
    seed: int = 0,
    keep: bool = False,
    attack: bool = True,
) -> Checked:
    start = time.process_time()
    entry = theorem(name)
    found = Checked(name, entry.verdict.value, in_words=list(entry.in_words))
    try:
        _is_complete(entry)
        believed = _fill(found, *proofs(name, entry), keep)
        found.axioms = _axioms(entry, believed)
        for one in entry.attacks if attack else ():
            found.tried += one.run(seed)
    except NotInstalledError as error:
        found.needs = error.needs
    except (Refused, InputError) as error:
        found.problem = str(error)
    found.seconds = time.process_time() - start
    return found


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
        raise Refused(f"the rules rest on {min(unknown)}, which is no part.")
    if entry.verdict not in (Status.OPEN, Status.ASSUMED) and not (
        entry.parts and entry.falsehoods
    ):
        raise Refused("a settled entry proves something and refutes something.")


def _fill(
    found: Checked,
    proofs: dict[str, list[Step]],
    refutations: dict[str, Refutation],
    keep: bool,
) -> set[Believed]:
    """Put together what the facts rest on; the forms of axioms are returned."""
    facts = [steps[-1][0] for steps in proofs.values()]
    found.facts = sum(map(len, proofs.values()))
    if keep:
        found.proofs = proofs
    for says, refutation in refutations.items():
        found.refuted.append((says, refutation.by))
        found.certificates += refutation.certificates
        facts += refutation.facts
    for fact in facts:
        found.certificates += fact.all_certificates()
    return {one for fact in facts for one in fact.axioms}


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


def _ran(name: str, entry: Theorem) -> Proofs:  # noqa: ARG001
    """The proofs and the refutations, run."""
    steps = {part.name: steps_of(part) for part in (*entry.parts, *entry.sharp)}
    return steps, {one.says: refute(one) for one in entry.falsehoods}


def _read(name: str, entry: Theorem) -> Proofs:
    """The proofs and the refutations as they ship, each read by the kernel and compared with the
    statements of the entry.
    """
    shipped = derivations.shipped()
    record = shipped.records.get(name)
    if record is None:
        raise Refused(f"no derivation ships for {name}; `make certificates` writes it.")
    if record.digest != digest(name):
        raise Refused(
            f"{name} has changed since its derivation was written; `make certificates`"
            " writes it anew."
        )
    proofs = dict[str, list[Step]]()
    for part in (*entry.parts, *entry.sharp):
        with _naming(part.name):
            lines = record.parts.get(part.name, ())
            if not lines:
                raise Refused("the proof has no steps.")
            steps = [(shipped.derivation.fact(line), why) for line, why in lines]
            part.accept(steps[-1][0])
        proofs[part.name] = steps
    refutations = dict[str, Refutation]()
    for falsehood in entry.falsehoods:
        with _naming(f"falsehood {falsehood.says!r}"):
            by, numbers, certificates = record.falsehoods.get(
                falsehood.says, ("", [], [])
            )
            facts = tuple(map(shipped.derivation.fact, numbers))
            refutation = Refutation(by, facts, tuple(certificates))
            falsehood.accept(refutation)
        refutations[falsehood.says] = refutation
    return proofs, refutations


def record_of(name: str, writer: derivations.Writer) -> derivations.Record:
    """Run the proofs and the refutations of an entry, and write their derivations."""
    entry = theorem(name)
    proofs, refutations = _ran(name, entry)
    parts = {
        part: [(writer.fact(fact), why) for fact, why in steps]
        for part, steps in proofs.items()
    }
    falsehoods = {
        says: (one.by, list(map(writer.fact, one.facts)), list(one.certificates))
        for says, one in refutations.items()
    }
    return derivations.Record(name, digest(name), parts, falsehoods)


def digest(name: str) -> str:
    """A digest of the text of an entry, but for its docstring."""
    source = inspect.getsource(module(name))
    first = ast.parse(source).body[0]
    rest = source.splitlines()[first.end_lineno or 0 :]
    return hashlib.sha256("\n".join(rest).encode()).hexdigest()[:16]


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """An error names what it is about."""
    try:
        yield
    except Refused as error:
        raise Refused(f"{name}: {error}") from None


def steps_of(part: Statement) -> list[Step]:
    """The steps of a part; an error names the part."""
    with _naming(part.name):
        return part.steps()


def refute(falsehood: Falsehood) -> Refutation:
    """The refutation of a falsehood; an error names the falsehood."""
    with _naming(f"falsehood {falsehood.says!r}"):
        return falsehood.refute()
