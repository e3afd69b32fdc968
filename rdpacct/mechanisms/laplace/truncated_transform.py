"""The transform of a loss with atoms at both ends of a stretch of density exp((L - most)/2)."""

from collections.abc import Sequence

from rdpacct.exact.formula import ZERO, Expr
from rdpacct.mechanisms.exponential.exponential_transform import ExponentialTransform
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.share_transform import ShareTransform
from rdpacct.privacy.sum_transform import SumTransform
from rdpacct.privacy.transform import Transform


def atoms_and_stretch(atoms: Sequence[Atom], most: Expr, share: Expr) -> Transform:
    """The transform of some atoms beside a share of the law on [-most, most] of density
    proportional to exp(L/2).
    """
    stretch = ShareTransform(ExponentialTransform(most), share)
    seen = [atom for atom in atoms if atom.p != ZERO]
    if not seen:
        return stretch
    masses = tuple(atom.p for atom in seen)
    losses = tuple(atom.loss for atom in seen)
    return SumTransform((AtomsTransform(masses, losses), stretch))
