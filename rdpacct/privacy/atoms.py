"""The atoms of a loss, where they are all that it has."""

from collections.abc import Iterable
from fractions import Fraction

from rdpacct.exact.formula import Expr, Rational
from rdpacct.privacy.parts import Atom, Part


def atoms_above(
    parts: Iterable[Part], level: Fraction
) -> list[tuple[Expr, Expr]] | None:
    """The masses of the atoms with a loss above the level, if there are only atoms and each is
    decided.
    """
    above = []
    for part in parts:
        if not isinstance(part, Atom):
            return None
        gap = (part.loss - level).bound()
        if gap.certainly_above(0):
            above.append((part.p, part.q))
        elif not gap.certainly_at_most(0):
            return None
    return above


def rational_atoms(parts: Iterable[Part]) -> list[tuple[Fraction, Fraction]] | None:
    """The probabilities of the outcomes with finite losses, if they are finitely many and
    rational.
    """
    atoms = []
    for part in parts:
        if not (
            isinstance(part, Atom)
            and isinstance(part.p, Rational)
            and isinstance(part.q, Rational)
        ):
            return None
        if part.p.value > 0:
            atoms.append((part.p.value, part.q.value))
    return atoms
