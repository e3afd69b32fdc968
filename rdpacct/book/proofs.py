"""The proofs of an entry: run, written into its proof file, and read from there by the kernel."""

import ast
import hashlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rdpacct.proof import proof_files
from rdpacct.proof.derivations import Record, Writer
from rdpacct.proof.entries import module
from rdpacct.proof.instance import read as read_instance
from rdpacct.proof.kernel import Refused
from rdpacct.proof.proof_files import ProofFile
from rdpacct.proof.sides import anew
from rdpacct.proof.theorem import Falsehood, Refutation, Statement, Step, Theorem
from rdpacct.proof.witness import Witness


@dataclass
class Proofs:
    """The steps and the witness of each part, and the refutation of each falsehood."""

    steps: dict[str, list[Step]] = field(default_factory=dict)
    witnesses: dict[str, Witness] = field(default_factory=dict)
    refutations: dict[str, Refutation] = field(default_factory=dict)


def ran(name: str, entry: Theorem) -> Proofs:
    """The proofs and the refutations, run; witnesses that ship are kept where they still do."""
    # Imported here: whoever verifies an entry loads nothing that searches.
    from rdpacct.proof.evidence import refutation_of, witness_of

    proofs = Proofs()
    file = None if anew() else proof_files.shipped(name)
    for part in (*entry.parts, *entry.sharp):
        with _naming(part.name):
            proofs.steps[part.name] = part.steps()
            known = None if file is None else _known_witness(file, part)
            proofs.witnesses[part.name] = witness_of(part, part.fact(), known)
    for falsehood in entry.falsehoods:
        with _naming(f"falsehood {falsehood.says!r}"):
            known = None if file is None else _known_instance(file, falsehood)
            proofs.refutations[falsehood.says] = refutation_of(falsehood, known)
    return proofs


def _known_witness(file: ProofFile, part: Statement) -> Witness | None:
    """The witness that ships, with its facts; none if there is none that can be read."""
    try:
        return _read_witness(file, part)
    except Refused:
        return None


def _known_instance(file: ProofFile, falsehood: Falsehood) -> Witness | None:
    """The instance that ships with a refutation; none if there is none that can be read."""
    *_, data = file.record.falsehoods.get(falsehood.says, (None,))
    try:
        return None if data is None else Witness(read_instance(data), ())
    except Refused:
        return None


def read(name: str, entry: Theorem) -> Proofs:
    """The proofs, the witnesses and the refutations as they ship."""
    file = proof_files.shipped(name)
    if file is None:
        raise Refused(f"no derivation ships for {name}; `make certificates` writes it.")
    if file.record.name != name:
        raise Refused(
            f"the derivation that ships for {name} is one of {file.record.name};"
            " `make certificates` writes it anew."
        )
    if file.record.digest != digest(name):
        raise Refused(
            f"{name} has changed since its derivation was written; `make certificates`"
            " writes it anew."
        )
    return read_from(file, entry)


def read_from(file: ProofFile, entry: Theorem) -> Proofs:
    """The proofs of a file, each read by the kernel and compared with the statements of the
    entry.
    """
    proofs = Proofs()
    for part in (*entry.parts, *entry.sharp):
        with _naming(part.name):
            steps = _read_steps(file, part)
            witness = _read_witness(file, part)
            part.accept_witness(witness, steps[-1][0])
        proofs.steps[part.name] = steps
        proofs.witnesses[part.name] = witness
    for falsehood in entry.falsehoods:
        with _naming(f"falsehood {falsehood.says!r}"):
            refutation = _read_refutation(file, falsehood)
            falsehood.accept(refutation)
        proofs.refutations[falsehood.says] = refutation
    return proofs


def _read_steps(file: ProofFile, part: Statement) -> list[Step]:
    lines = file.record.parts.get(part.name, ())
    if not lines:
        raise Refused("the proof has no steps.")
    steps = [(file.derivation.fact(line), why) for line, why in lines]
    part.accept(steps[-1][0])
    return steps


def _read_witness(file: ProofFile, part: Statement) -> Witness:
    if part.name not in file.record.witnesses:
        raise Refused("no witness ships; `make certificates` searches for one.")
    data, numbers = file.record.witnesses[part.name]
    facts = tuple(map(file.derivation.fact, numbers))
    return Witness(read_instance(data), facts)


def _read_refutation(file: ProofFile, falsehood: Falsehood) -> Refutation:
    nothing: tuple[str, list[int], list[dict[str, Any]], Any] = ("", [], [], None)
    written = file.record.falsehoods.get(falsehood.says, nothing)
    by, numbers, certificates, data = written
    facts = tuple(map(file.derivation.fact, numbers))
    instance = None if data is None else read_instance(data)
    return Refutation(by, facts, tuple(certificates), instance)


def record_of(name: str, proofs: Proofs, writer: Writer) -> Record:
    """What is kept of the proofs of an entry, with their facts written into lines."""
    parts = {
        part: [(writer.fact(fact), why) for fact, why in steps]
        for part, steps in proofs.steps.items()
    }
    falsehoods = {
        says: (
            refutation.by,
            list(map(writer.fact, refutation.facts)),
            list(refutation.certificates),
            None if refutation.instance is None else refutation.instance.data(),
        )
        for says, refutation in proofs.refutations.items()
    }
    witnesses = {
        part: (witness.instance.data(), list(map(writer.fact, witness.facts)))
        for part, witness in proofs.witnesses.items()
    }
    return Record(name, digest(name), parts, falsehoods, witnesses)


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
