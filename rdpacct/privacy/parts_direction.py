"""From the parts of a loss to what is composed: a transform, that of a sum, or a grid."""

from collections.abc import Sequence

from rdpacct.exact.formula import Expr
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.grid_transform import grid_direction
from rdpacct.privacy.parts import Atom, Part
from rdpacct.privacy.sum_transform import SumTransform
from rdpacct.privacy.transform import Direction, Transform


def direction_of_parts(parts: Sequence[Part], at_infinity: Expr) -> Direction:
    """The direction of a loss of these parts: their transforms, or a grid if one has none."""
    atoms = [part for part in parts if isinstance(part, Atom)]
    others = [part.transform() for part in parts if not isinstance(part, Atom)]
    transforms = [transform for transform in others if transform is not None]
    if len(transforms) < len(others):
        return grid_direction(tuple(parts), at_infinity)
    if atoms:
        transforms.insert(0, _transform_of_atoms(atoms))
    if len(transforms) == 1:
        return Direction(transforms[0], at_infinity)
    return Direction(SumTransform(tuple(transforms)), at_infinity)


def _transform_of_atoms(atoms: Sequence[Atom]) -> Transform:
    masses = tuple(atom.p for atom in atoms)
    losses = tuple(atom.loss for atom in atoms)
    return AtomsTransform(masses, losses)
