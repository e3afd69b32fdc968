"""What a finite pair of laws is to the rest of the package: a loss, and what composition needs of it."""

from fractions import Fraction

from rdpacct.exact.formula import formula
from rdpacct.exact.functions import log
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.roc import Merged
from rdpacct.privacy.transform import AtomsTransform, Direction


def table_direction(pair: Merged) -> Direction:
    """Atoms by their ratio p/q, the largest first."""
    infinite = formula(sum((p for p, q in pair if not q), start=Fraction(0)))
    seen = [(p, q) for p, q in pair if q]
    if not seen:
        return Direction(None, infinite)
    return Direction(AtomsTransform(tuple(formula(p) for p, _ in seen), tuple(log(p / q) for p, q in seen)), infinite)


def table_loss(pair: Merged) -> PrivacyLoss:
    """The loss of a finite pair."""
    return PrivacyLoss(
        tuple(Atom.of(p, q) for p, q in pair if q),
        at_infinity=formula(sum((p for p, q in pair if not q), start=Fraction(0))),
        unseen=formula(1 - sum((q for _, q in pair), start=Fraction(0))),
    )
