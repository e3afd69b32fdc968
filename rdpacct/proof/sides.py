"""Where certificates of side conditions come from: those that ship with the book, or a search.

Nothing here is trusted: the kernel checks each certificate, and that it is about its side
condition.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from rdpacct.proof import certificates
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.side import Certificate

_anew = [False]


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


def certificate(
    claim: Comparison, known: list[Comparison], seconds: float
) -> Certificate | None:
    """A certificate for a shape of the claim: one that ships, or one that so many seconds of work
    find.
    """
    if not anew():
        shipped = certificates.shipped().get((str(claim), tuple(map(str, known))))
        if shipped is not None:
            return shipped
    if seconds > 0:
        from rdpacct.proof.search.sides import search_certificate

        return search_certificate(claim, known, seconds)
    return None
