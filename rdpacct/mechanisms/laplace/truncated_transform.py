"""The transform of a loss with atoms at both ends of a stretch of density exp((L - most)/2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from rdpacct.exact.ball import RealBall
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.raw import real
from rdpacct.mechanisms.exponential.exponential_transform import ExponentialTransform
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.constants import value
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.share_transform import ShareTransform
from rdpacct.privacy.sum_transform import SumTransform
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by


@dataclass(frozen=True)
class StretchTransform(ShareTransform):
    """A share of the law on [-most, most] of density proportional to exp(L/2)."""

    most: Expr

    @classmethod
    def of(cls, most: Expr, share: Expr) -> Self:
        """The transform of this share."""
        return cls(ExponentialTransform(most), share, most)

    def profile(self, epsilon: RealBall) -> RealBall:
        most = value(self.most)
        share = value(self.share)
        if epsilon >= most:
            return real(0)
        if epsilon <= -most:
            return share * (1 - epsilon.exp())
        inside = share * stretch_excess(most, epsilon)
        if not epsilon < most:  # at the end, or too near to say on which side
            inside = inside.union(real(0))
        if not epsilon > -most:
            inside = inside.union(share * (1 - epsilon.exp()))
        return inside


@by("noise/truncated-laplace")
def stretch_excess(most: RealBall, epsilon: RealBall) -> RealBall:
    """delta(epsilon) of the law on [-most, most] of density proportional to exp(L/2), between these
    two.
    """
    root = 1 - ((epsilon - most) / 2).exp()
    return root * root / (1 - (-most).exp())


@dataclass(frozen=True)
class AtomsAndStretch(SumTransform):
    """Some atoms beside a stretch."""

    profile_work = 120

    shares: tuple[AtomsTransform, StretchTransform]

    def profile(self, epsilon: RealBall) -> RealBall:
        atoms, stretch = self.shares
        total = stretch.profile(epsilon)
        for mass, loss in atoms.atoms():
            total = total + mass * (1 - (epsilon - loss).exp()).max(real(0))
        return total


def atoms_and_stretch(atoms: Sequence[Atom], most: Expr, share: Expr) -> Transform:
    """The transform of some atoms beside a share of the law on [-most, most] of density
    proportional to exp(L/2).
    """
    stretch = StretchTransform.of(most, share)
    seen = [atom for atom in atoms if atom.p != ZERO]
    if not seen:
        return stretch
    masses = tuple(atom.p for atom in seen)
    losses = tuple(atom.loss for atom in seen)
    return AtomsAndStretch((AtomsTransform(masses, losses), stretch))
