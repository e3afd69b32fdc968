"""Finitely many pairs of finitely many atoms each, whose probabilities are formulas, as a family to
choose from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.constants import value
from rdpacct.privacy.family import Family, FamilyValue
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.work import spend

ATOM_WORK = 4
"""The work of one outcome of a pair, beside that of what follows it."""


class ListedPair(NamedTuple):
    """The masses of the outcomes under P, their ratios q/p, and the mass at infinity."""

    masses: list[RealBall]
    ratios: list[RealBall]
    infinite: RealBall


@dataclass(frozen=True)
class AtomPairs(Family):
    """The pairs with these losses, in the order in which they are given."""

    losses: tuple[PrivacyLoss, ...]
    both_ways: bool

    @property
    def exchangeable(self) -> bool:
        return self.both_ways

    @property
    def cost(self) -> float:  # type: ignore[override]
        """The number of outcomes of all pairs."""
        return float(sum(len(loss.parts) for loss in self.losses))

    @lazy_property
    def _pairs(self) -> list[ListedPair]:
        return [_pair(loss) for loss in self.losses]

    def reach(self) -> Fraction:
        sizes = [
            max(Fraction(bound.upper), -Fraction(bound.lower))
            for loss in self.losses
            for bound in (atom.loss.bound() for atom in _atoms(loss))
        ]
        return max(sizes, default=Fraction(0))

    def infinite(self) -> RealBall:
        return reduce(lambda x, y: x.max(y), (pair.infinite for pair in self._pairs))

    def first(self, g: RealBall) -> RealBall:
        return self.best(lambda at: (1 - at).max(real(0)), g, 0.0)

    def best(self, after: FamilyValue, g: RealBall, tolerance: float) -> RealBall:  # noqa: ARG002
        """The largest over the pairs of the mean under P."""
        spend(ATOM_WORK * self.cost)
        means = []
        for pair in self._pairs:
            follows = [after(g * ratio) for ratio in pair.ratios]
            means.append(pair.infinite + real_inner(pair.masses, follows))
        return reduce(lambda x, y: x.max(y), means)


def _pair(loss: PrivacyLoss) -> ListedPair:
    atoms = _atoms(loss)
    masses = [value(atom.p) for atom in atoms]
    ratios = [value(atom.q) / p for atom, p in zip(atoms, masses, strict=True)]
    return ListedPair(masses, ratios, value(loss.at_infinity))


def _atoms(loss: PrivacyLoss) -> list[Atom]:
    return [part for part in loss.parts if isinstance(part, Atom)]


def pairs_of_atoms(losses: Sequence[PrivacyLoss], both_ways: bool) -> AtomPairs | None:
    """The family of these losses, if each of them has finite losses and consists of atoms alone."""
    if any(len(_atoms(loss)) < len(loss.parts) or not loss.parts for loss in losses):
        return None
    return AtomPairs(tuple(losses), both_ways)
