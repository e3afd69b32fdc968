"""Write the proof files that ship with the book: `python -m rdpacct.book.certify`, or `make
    certificates`.

With ids, these entries are run, and their files written. Without, those are whose file does not
verify (the entry has changed, or what it states by calling the package has) or is missing, and the
files of entries that are gone are removed. Side conditions that have a certificate keep it, and
witnesses that still are witnesses are kept; for others there is a search.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.context import BaseContext
from typing import TypeVar

from rdpacct.book.entry import check, completed, searched
from rdpacct.book.proofs import read_from, record_of
from rdpacct.book.verify import begin
from rdpacct.book.vocabulary import homes
from rdpacct.errors import InputError
from rdpacct.proof import proof_files
from rdpacct.proof.derivations import Writer
from rdpacct.proof.entries import ids, theorem, unknown
from rdpacct.proof.kernel import Refused
from rdpacct.proof.kernel.side import settled

Result = TypeVar("Result")


def main(arguments: Sequence[str]) -> int:
    """Write what is asked for; the exit code says whether an entry failed, or is not known."""
    asked = _parser().parse_args(arguments)
    known = ids()
    try:
        for name in asked.ids:
            if name not in known:
                raise unknown(name)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    if not asked.ids:
        for place in proof_files.remove_all_but(known):
            print(f"removed: {place.name}, whose entry is gone")
    if asked.ids or asked.all or asked.search:
        wanted = list(dict.fromkeys(asked.ids)) or known
    else:
        wanted = [name for name, problem in _each(_problem, known) if problem]
    return _write(wanted, asked.search)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m rdpacct.book.certify", description="Write proof files of the book."
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="an entry; default: stale")
    parser.add_argument("--all", action="store_true", help="all entries")
    parser.add_argument(
        "--search",
        action="store_true",
        help="search anew for all certificates and witnesses, of all entries or of ID",
    )
    return parser


def _write(names: Sequence[str], anew: bool) -> int:
    """Run entries and write their files; that of an entry that fails is left as it is."""
    failed = 0
    changed = 0
    for name, (problem, data) in _each(partial(_proved, anew=anew), names):
        if problem:
            failed += 1
            print(f"{name}: {problem}", file=sys.stderr)
        elif proof_files.write(name, data):
            changed += 1
            print(f"written: {name}")
    print(f"entries run: {len(names)}, files changed: {changed}, failed: {failed}")
    return 1 if failed else 0


def _each(
    work: Callable[[str], Result], names: Sequence[str]
) -> Iterator[tuple[str, Result]]:
    """The result for each entry, in a process of its own: what is settled in one must not depend on
    what was settled before it.
    """
    with ThreadPoolExecutor(os.cpu_count()) as side_by_side:
        results = side_by_side.map(partial(_in_a_process, work), names)
        yield from zip(names, results, strict=True)


def _in_a_process(work: Callable[[str], Result], name: str) -> Result:
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
