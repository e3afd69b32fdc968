"""Write the certificates and derivations that ship with the book: `python -m rdpacct.book.certify`,
or `make certificates`.

Every entry is run. Side conditions that have a certificate keep it; for the others one is searched
for. With ``--search`` all are searched for, which takes minutes.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor

from rdpacct.book.entry import completed, record_of, searched
from rdpacct.proof import certificates, derivations
from rdpacct.proof.entries import ids
from rdpacct.proof.kernel.side import searching, settled

Found = tuple[str, str, dict[certificates.Key, certificates.Certificate]]


def certificates_of(name: str, anew: bool) -> Found:
    """The name of an entry, what failed in it, and the certificates that it needs."""
    before = settled()
    problem = searched(name).problem if anew else completed(name).problem
    return (
        name,
        problem,
        {key: proof for key, proof in settled().items() if key not in before},
    )


def main(arguments: list[str]) -> int:
    """Collect the certificates of all entries; nothing is written if an entry fails."""
    anew = "--search" in arguments
    found: dict[certificates.Key, certificates.Certificate] = {}
    failed = 0
    names = ids()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, problem, new in pool.map(certificates_of, names, [anew] * len(names)):
            found.update(new)
            if problem:
                failed += 1
                print(f"{name}: {problem}", file=sys.stderr)
    if failed:
        print(
            f"{failed} entries failed; the certificates were left as they are.",
            file=sys.stderr,
        )
        return 1
    print(f"certificates: {certificates.write(found)}")
    writer = derivations.Writer()
    with searching(0):
        records = [record_of(name, writer) for name in names]
    derivations.write(records, writer.lines)
    print(f"derivations: {len(records)}, of {len(writer.lines)} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
