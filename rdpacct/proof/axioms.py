"""Axioms: classical results that the book believes, each declared in full by the entries that use
it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.statements import Believed
from rdpacct.proof.kernel.terms import Refused


@dataclass(frozen=True)
class Axiom:
    """A classical result that is believed: what it says in the reference, with all its hypotheses,
    and the forms of it that proofs use.

    Each form is a fact of the rule ``axiom``, under this name. What an axiom says is written in one
    place, an entry that uses it; others take it from there, in its forms or in their own.
    """

    name: str
    reference: str
    says: str
    forms: tuple[Fact, ...] = ()

    def in_forms(self, *forms: Fact) -> "Axiom":
        """The same result in other forms, as another entry needs it."""
        return replace(self, forms=forms)

    @property
    def believed(self) -> frozenset[Believed]:
        """The forms, as facts keep them."""
        return frozenset[Believed]().union(*(form.axioms for form in self.forms))

    def __str__(self) -> str:
        return f"{self.name} ({self.reference})"


def are_declared(fact: Fact, axioms: Iterable[Axiom]) -> None:
    """Refuse a fact that rests on an axiom, or on a form of one, that is not among these."""
    known = frozenset[Believed]().union(*(axiom.believed for axiom in axioms))
    for believed in fact.axioms:
        if believed not in known:
            raise Refused(
                f"the proof rests on an axiom that is not declared: {believed.name!r},"
                f" {believed}."
            )
