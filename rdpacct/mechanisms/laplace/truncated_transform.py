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
        return self.profile_of(value(self.most), value(self.share), epsilon)

    @staticmethod
    def profile_of(most: RealBall, share: RealBall, epsilon: RealBall) -> RealBall:
        """The profile of a share of the law on [-most, most]."""
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

    shares: tuple[AtomsTransform, StretchTransform]

    def profile(self, epsilon: RealBall) -> RealBall:
        return self._profiles([epsilon])[0]

    def profiles(self, levels: Sequence[RealBall]) -> list[RealBall | None]:
        return [*self._profiles(levels)]

    def _profiles(self, levels: Sequence[RealBall]) -> list[RealBall]:
        atoms, stretch = self.shares
        most = value(stretch.most)
        share = value(stretch.share)
        rows = [(mass, (-loss).exp()) for mass, loss in atoms.atoms()]
        nothing = real(0)
        deltas = []
        for level in levels:
            total = stretch.profile_of(most, share, level)
            growth = level.exp()
            for mass, shrink in rows:
                total = total + mass * (1 - growth * shrink).max(nothing)
            deltas.append(total)
        return deltas


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
