"""A piece of a density."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rdpacct.exact.formula import Expr, Real, Symbol
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import terms


@dataclass(frozen=True)
class Stretch:
    """A density on an open interval; an end that is None is infinite."""

    lower: Expr | None
    upper: Expr | None
    density: Expr

    def where(self, name: str) -> tuple[Comparison, ...]:
        """The closed interval, as relations."""
        x = Symbol(name)
        above = (terms.at_most(self.lower, x),) if self.lower is not None else ()
        if self.upper is not None:
            return (*above, terms.at_most(x, self.upper))
        return above

    def at(self, values: Mapping[str, Real]) -> Stretch:
        """The piece with parameters replaced."""
        lower, upper = (
            end if end is None else end.at(**values) for end in (self.lower, self.upper)
        )
        return Stretch(lower, upper, self.density.at(**values))
