"""Writing the proof files that ship with the book.

An entry is run in a process of its own, and its file written. Side conditions that have a
certificate keep it, and witnesses that still are witnesses are kept; for others there is a search.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.context import BaseContext
from typing import TypeVar

from rdpacct.book.entry import check, completed, searched
from rdpacct.book.proofs import read_from, record_of
from rdpacct.book.verify import begin
from rdpacct.book.vocabulary import homes
from rdpacct.proof import proof_files
from rdpacct.proof.derivations import Writer
from rdpacct.proof.entries import theorem
from rdpacct.proof.kernel import Refused
from rdpacct.proof.kernel.side import settled

R = TypeVar("R")


@dataclass(frozen=True)
class CertifiedEntry:
    """What became of an entry that was run: what failed, or whether its file changed."""

    name: str
    problem: str
    changed: bool


def stale(names: Sequence[str]) -> list[str]:
    """The entries whose file is missing, or does not verify: they have changed, or what they state
    by calling the package has.
    """
    return [name for name, problem in _each(_problem, names) if problem]


def certified(names: Sequence[str], anew: bool) -> Iterator[CertifiedEntry]:
    """Run entries and write their files; that of an entry that fails is left as it is."""
    for name, (problem, data) in _each(partial(_proved, anew=anew), names):
        changed = not problem and proof_files.write(name, data)
        yield CertifiedEntry(name, problem, changed)


def _each(work: Callable[[str], R], names: Sequence[str]) -> Iterator[tuple[str, R]]:
    """The result for each entry, in a process of its own: what is settled in one must not depend on
    what was settled before it.
    """
    with ThreadPoolExecutor(os.cpu_count()) as side_by_side:
        results = side_by_side.map(partial(_in_a_process, work), names)
        yield from zip(names, results, strict=True)


def _in_a_process(work: Callable[[str], R], name: str) -> R:
    with ProcessPoolExecutor(1, _processes(), begin) as process:
        return process.submit(work, name).result()


@cache
def _processes() -> BaseContext:
    """Processes that begin with the words of the book loaded, where the system can do that, and
    with nothing settled.
    """
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    words = sorted({module for module, _ in homes().values()})
    context.set_forkserver_preload(["rdpacct.book.verify", *words])
    return context


def _problem(name: str) -> str:
    """What is wrong with the proof file of an entry, if anything."""
    return check(name, attack=False).problem


def _proved(name: str, anew: bool) -> tuple[str, bytes]:
    """What failed in an entry, and otherwise its proof file."""
    checked = (searched if anew else completed)(name, keep=True)
    if checked.kept is None:
        return checked.problem or f"it needs {checked.needs}.", b""
    if checked.problem:
        return checked.problem, b""
    writer = Writer()
    record = record_of(name, checked.kept, writer)
    written = proof_files.to_bytes(record, {}, writer.lines)
    try:
        # Reading may settle what the run did not have to.
        read_from(proof_files.from_bytes(written), theorem(name))
    except Refused as error:
        return f"what was written is not accepted: {error}", b""
    return "", proof_files.to_bytes(record, settled(), writer.lines)
