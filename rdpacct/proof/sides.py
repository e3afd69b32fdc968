"""Where certificates of side conditions come from: those that ship with the book, or a search.

Nothing here is trusted: the kernel checks each certificate, and that it is about its side
condition.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rdpacct.proof import proof_files
from rdpacct.proof.certificates import Key
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.side import Certificate

_anew = [False]
_alone: ContextVar[str] = ContextVar("the only entry whose file is used", default="")
_loaded = dict[str, None]()
"""The entries that were loaded so far, whose files are used where no entry is alone."""


@contextmanager
def searching_anew() -> Iterator[None]:
    """Without the certificates that ship with the book: each is searched for."""
    _anew.append(True)
    try:
        yield
    finally:
        _anew.pop()


def anew() -> bool:
    """Whether all is searched for, and nothing that ships is looked at."""
    return _anew[-1]


@contextmanager
def alone(name: str) -> Iterator[None]:
    """With the certificates of the proof file of this entry, and no others."""
    token = _alone.set(name)
    try:
        yield
    finally:
        _alone.reset(token)


def loaded(name: str) -> None:
    """Use the certificates of an entry from now on, since its proofs may be run."""
    _loaded[name] = None


def certificate(
    claim: Comparison, known: list[Comparison], seconds: float
) -> Certificate | None:
    """A certificate for a shape of the claim: one that ships, or one that this many seconds of work
    find.
    """
    if not anew():
        shipped = _shipped((str(claim), tuple(map(str, known))))
        if shipped is not None:
            return shipped
    if seconds > 0:
        from rdpacct.proof.search.sides import search_certificate

        return search_certificate(claim, known, seconds)
    return None


def _shipped(key: Key) -> Certificate | None:
    only = _alone.get()
    for name in [only] if only else [*_loaded]:
        file = proof_files.shipped(name)
        if file is not None and key in file.certificates:
            return file.certificates[key]
    return None
