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
from rdpacct.proof.instance import read as read_instance
from rdpacct.proof.kernel import Refused
from rdpacct.proof.kernel.fact import Believed
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.sides import anew, searching_anew
from rdpacct.proof.theorem import (
    Falsehood,
    Refutation,
    Statement,
    Status,
    Step,
    Theorem,
)
from rdpacct.proof.witness import Witness, how_it_breaks

SECTIONS = ("Printed", "Proved", "Idea", "Source", "Finding")
GRADED = re.compile(r"Finding \(\w+\)")
"""A finding with its grade, which is a section of its own."""
SETTLED = (Status.PROVED, Status.SHARPENED, Status.CORRECTED)
"""The verdicts of statements that are settled as a whole: rules of the package may rest on them."""


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
    witnesses: dict[str, str] = field(default_factory=dict)
    """For each part, an instance in which all that it supposes holds."""

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


@dataclass
class Proofs:
    """The steps and the witness of each part, and the refutation of each falsehood."""

    steps: dict[str, list[Step]] = field(default_factory=dict)
    witnesses: dict[str, Witness] = field(default_factory=dict)
    refutations: dict[str, Refutation] = field(default_factory=dict)


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
        believed = _fill(found, entry, proofs(name, entry), keep)
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


def _fill(found: Checked, entry: Theorem, proofs: Proofs, keep: bool) -> set[Believed]:
    """Put together what the facts rest on; the forms of axioms are returned."""
    facts = [steps[-1][0] for steps in proofs.steps.values()]
    found.facts = sum(map(len, proofs.steps.values()))
    if keep:
        found.proofs = proofs.steps
    for part, witness in proofs.witnesses.items():
        found.witnesses[part] = str(witness.instance)
        facts += witness.facts
    for falsehood in entry.falsehoods:
        refutation = proofs.refutations[falsehood.says]
        found.refuted.append((falsehood.says, _outcome(falsehood, refutation)))
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


def _outcome(falsehood: Falsehood, refutation: Refutation) -> str:
    """The instance with both values, after the words of the author, if there are any."""
    if refutation.instance is None:
        return refutation.by
    shown = how_it_breaks(falsehood, refutation.instance)
    return f"{refutation.by} ({shown})" if refutation.by else shown


def _ran(name: str, entry: Theorem) -> Proofs:
    """The proofs and the refutations, run; witnesses that ship are kept where they still do."""
    found = Proofs()
    shipped = derivations.shipped()
    record = None if anew() else shipped.records.get(name)
    for part in (*entry.parts, *entry.sharp):
        found.steps[part.name] = steps_of(part)
        with _naming(part.name):
            data = record.witnesses.get(part.name) if record else None
            known = _known(shipped, *data) if data else None
            found.witnesses[part.name] = part.found_witness(part.fact(), known)
    for falsehood in entry.falsehoods:
        before = record.falsehoods.get(falsehood.says, ()) if record else ()
        known = _known(shipped, before[3], []) if len(before) > 3 else None
        found.refutations[falsehood.says] = refute(falsehood, known)
    return found


def _known(
    shipped: derivations.Shipped, data: Any, numbers: list[int]
) -> Witness | None:
    """The instance that ships, with its facts; none if there is none that can be read."""
    if data is None:
        return None
    try:
        facts = tuple(map(shipped.derivation.fact, numbers))
        return Witness(read_instance(data), facts)
    except Refused:
        return None


def _read(name: str, entry: Theorem) -> Proofs:
    """The proofs, the witnesses and the refutations as they ship, each read by the kernel and
    compared with the statements of the entry.
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
    found = Proofs()
    for part in (*entry.parts, *entry.sharp):
        with _naming(part.name):
            steps = _read_steps(shipped, record, part)
            witness = _read_witness(shipped, record, part)
            part.accept_witness(witness, steps[-1][0])
        found.steps[part.name] = steps
        found.witnesses[part.name] = witness
    for falsehood in entry.falsehoods:
        with _naming(f"falsehood {falsehood.says!r}"):
            refutation = _read_refutation(shipped, record, falsehood)
            falsehood.accept(refutation)
        found.refutations[falsehood.says] = refutation
    return found


def _read_steps(
    shipped: derivations.Shipped, record: derivations.Record, part: Statement
) -> list[Step]:
    lines = record.parts.get(part.name, ())
    if not lines:
        raise Refused("the proof has no steps.")
    steps = [(shipped.derivation.fact(line), why) for line, why in lines]
    part.accept(steps[-1][0])
    return steps


def _read_witness(
    shipped: derivations.Shipped, record: derivations.Record, part: Statement
) -> Witness:
    if part.name not in record.witnesses:
        raise Refused("no witness ships; `make certificates` searches for one.")
    data, numbers = record.witnesses[part.name]
    facts = tuple(map(shipped.derivation.fact, numbers))
    return Witness(read_instance(data), facts)


def _read_refutation(
    shipped: derivations.Shipped, record: derivations.Record, falsehood: Falsehood
) -> Refutation:
    by, numbers, certificates, data = record.falsehoods.get(
        falsehood.says, ("", [], [], None)
    )
    facts = tuple(map(shipped.derivation.fact, numbers))
    instance = None if data is None else read_instance(data)
    return Refutation(by, facts, tuple(certificates), instance)


def record_of(name: str, writer: derivations.Writer) -> derivations.Record:
    """Run the proofs and the refutations of an entry, and write their derivations."""
    ran = _ran(name, theorem(name))
    parts = {
        part: [(writer.fact(fact), why) for fact, why in steps]
        for part, steps in ran.steps.items()
    }
    falsehoods = {
        says: (
            one.by,
            list(map(writer.fact, one.facts)),
            list(one.certificates),
            None if one.instance is None else one.instance.data(),
        )
        for says, one in ran.refutations.items()
    }
    witnesses = {
        part: (one.instance.data(), list(map(writer.fact, one.facts)))
        for part, one in ran.witnesses.items()
    }
    return derivations.Record(name, digest(name), parts, falsehoods, witnesses)


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


def refute(falsehood: Falsehood, known: Witness | None = None) -> Refutation:
    """The refutation of a falsehood; an error names the falsehood."""
    with _naming(f"falsehood {falsehood.says!r}"):
        return falsehood.refute(known)
