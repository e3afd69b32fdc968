"""For authors of the book, who write its proof files: `python -m rdpacct.cli.certify`, or `make
certificates`.

With ids, these entries are run, and their files written. Without, those are whose file does not
verify or is missing, and the files of entries that are gone are removed.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from rdpacct.book.certifying import certified, stale
from rdpacct.errors import InputError
from rdpacct.proof import proof_files
from rdpacct.proof.entries import ids, unknown


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
        wanted = stale(known)
    return _write(wanted, asked.search)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m rdpacct.cli.certify", description="Write proof files of the book."
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
    """Run entries, say what became of each, and count."""
    failed = 0
    changed = 0
    for entry in certified(names, anew):
        if entry.problem:
            failed += 1
            print(f"{entry.name}: {entry.problem}", file=sys.stderr)
        elif entry.changed:
            changed += 1
            print(f"written: {entry.name}")
    print(f"entries run: {len(names)}, files changed: {changed}, failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
