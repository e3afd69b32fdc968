"""A part of the data in a budget: releases on it cost the records of that part only."""

from typing import TYPE_CHECKING

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number, shorten
from rdpacct.filters.amounts import Amounts, written
from rdpacct.filters.priced import PricedRelease
from rdpacct.mechanisms.parallel import check_one_part_changes
from rdpacct.provenance import attempt

if TYPE_CHECKING:
    from rdpacct.filters.filter import Decision, Filter

LONGEST = 100
"""The most characters of the name of a part."""


class PartOfData:
    """The records of one of several disjoint parts, by its name.

    Which part a record is in depends on the record alone, and a release that is spent here reads
    the records of this part only (adaptive/parts). Releases on different parts may be chosen in any
    order, after all outputs so far.
    """

    def __init__(self, of: "Filter", name: str) -> None:
        check_one_part_changes(of.relation)
        if not isinstance(name, str) or not 1 <= len(name) <= LONGEST:
            raise InputError(
                f"the name of a part is {shorten(repr(name))}; give a text of 1 to"
                f" {LONGEST} characters."
            )
        self.of = of
        self.name = name

    def spend(
        self, release: PricedRelease, delta: Number | Expr | None = None
    ) -> "Decision":
        """Whether a release on this part may be made: if so its price is spent."""
        return self.of.take_on(self.name, self.of.asked(release, delta))

    def fits(self, release: PricedRelease, delta: Number | Expr | None = None) -> bool:
        """Whether a release on this part could be made now; nothing is spent."""
        price = self.of.asked(release, delta)
        return self.of.fits_on(self.name, price.amounts) is not None

    @property
    def spent(self) -> Amounts:
        """What was spent for the records of this part, on it and on all of the data."""
        return self.of.spent_on(self.name)

    @property
    def remaining(self) -> Amounts:
        """What is left for this part."""
        return self.of.left(self.spent)

    @property
    def rests_on(self) -> frozenset[str]:
        """The theorems behind what is promised of the whole, and behind what is spent here."""
        with attempt() as used:
            _ = self.spent
        return self.of.guarantee().rests_on | used

    def __str__(self) -> str:
        return (
            f"part {self.name!r}: spent {written(self.of.names, self.spent)};"
            f" remaining {written(self.of.names, self.remaining, down=True)}"
        )

    def __repr__(self) -> str:
        return str(self)
