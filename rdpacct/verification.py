"""Theorems of the book, run anew."""

from rdpacct.book.entry import Checked
from rdpacct.book.verify import run
from rdpacct.proof.entries import ids, module


def verify(*names: str, search: bool = False) -> tuple[Checked, ...]:
    """Run the proofs, the refutations and the attacks of these entries, or of all entries of the
    book.

    Each ``Checked`` has a ``verdict``, the axioms that the entry rests on, its certificates, and
    the ``problem`` that was met, if any. The verdict of an entry that does not run through is
    "failed". Side conditions have certificates that ship with the book, and are searched for
    anew only if that is asked for.
    """
    for name in names:
        module(name)
    wanted = list(dict.fromkeys(names)) or ids()
    checked = {each.name: each for each in run(wanted, quiet=True, search=search)}
    return tuple(checked[name] for name in wanted)
