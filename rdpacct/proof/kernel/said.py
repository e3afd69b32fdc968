"""Comparisons that are taken as said while an entry is loaded, and proved before it is believed.

Shipped code that is called with symbols asks for comparisons, and the formula that comes out is
that of one path. Loading proves nothing: the answer is taken as said, and the comparison that makes
it right is kept here, with what it is to be proved from. A statement or a falsehood keeps those of
the entry that it is made in, and none is accepted before each of them is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.logic import real
from rdpacct.proof.kernel.terms import Refused


@dataclass(frozen=True)
class SaidComparison:
    """A comparison, and what it is to be proved from."""

    claim: Comparison
    given: tuple[str, ...]

    def prove(self) -> None:
        """Refuse it if it is not proved."""
        try:
            real(self.claim, *self.given)
        except Refused as error:
            raise Refused(
                f"a formula was made as if {self.claim}, which is not proved: {error}"
            ) from None


@dataclass(eq=False)
class SaidComparisons:
    """What was taken as said while an entry was loaded, and while those were that it uses."""

    own: dict[SaidComparison, bool] = field(default_factory=dict)
    """Each comparison, and whether it is proved."""
    used: list[SaidComparisons] = field(default_factory=list)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Take comparisons as said, and keep them here."""
        with _within(self):
            yield

    def prove(self) -> None:
        """Refuse what was made of them unless each is proved."""
        with _within(None):
            for comparisons in self._all():
                for said, proved in [*comparisons.own.items()]:
                    if not proved:
                        said.prove()
                        comparisons.own[said] = True

    def all(self) -> list[SaidComparison]:
        """Those of this entry, and of those that it uses."""
        return [said for comparisons in self._all() for said in comparisons.own]

    def unproved(self) -> list[SaidComparison]:
        """Those of them that are not proved so far."""
        return [
            said
            for comparisons in self._all()
            for said, proved in comparisons.own.items()
            if not proved
        ]

    def _all(self) -> list[SaidComparisons]:
        found = [self]
        for comparisons in found:
            found += [other for other in comparisons.used if other not in found]
        return found


_now: ContextVar[SaidComparisons | None] = ContextVar(
    "where comparisons are kept that are taken as said", default=None
)


@contextmanager
def _within(kept: SaidComparisons | None) -> Iterator[None]:
    token = _now.set(kept)
    try:
        yield
    finally:
        _now.reset(token)


@contextmanager
def proving() -> Iterator[None]:
    """Take nothing as said."""
    with _within(None):
        yield


def being_made() -> SaidComparisons:
    """Where comparisons are kept now, for what is made; nowhere, if none is taken as said."""
    return _now.get() or SaidComparisons()


def is_taking() -> bool:
    """Whether comparisons are taken as said."""
    return _now.get() is not None


def take(claim: Comparison, given: tuple[str, ...]) -> None:
    """Take a comparison as said; refused where nothing would prove it later."""
    kept = _now.get()
    if kept is None:
        raise Refused(f"{claim} is not taken as said while nothing is loaded.")
    kept.own.setdefault(SaidComparison(claim, given), False)


def use(others: SaidComparisons) -> None:
    """What is made now uses what was made there, and rests on the same comparisons."""
    kept = _now.get()
    if kept is not None and kept is not others and others not in kept.used:
        kept.used.append(others)
