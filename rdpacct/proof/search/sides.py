"""The search for a certificate of a side condition: each of its shapes is tried."""

from fractions import Fraction

from rdpacct.proof.check.effort import Vacuous
from rdpacct.proof.claim import Claim, Comparison
from rdpacct.proof.kernel.shapes import Shape, identities, on_boxes
from rdpacct.proof.kernel.side import Certificate
from rdpacct.proof.refute import refute
from rdpacct.proof.search.claims import BROKEN, find_proof

FIRST = 0.06
"""The share of the work in which a claim is first tried in each of its shapes."""
LEAST = 0.3
"""What each attempt may take at least, in seconds of work."""
QUICK = 0.08
"""What an attempt to refute a shape of a claim takes, in seconds of work: most false ones fall at
once.
"""


def search_certificate(
    claim: Comparison, known: list[Comparison], seconds: float
) -> Certificate | None:
    """A certificate for a shape of the claim that this many seconds of work find."""
    for shape in identities(claim, known):
        if _may_hold(shape.claim):
            proved = _searched(shape, FIRST * seconds)
            if proved is not None:
                return proved
    shapes = list(on_boxes(claim, known))
    count = len(shapes)
    if count > 1:
        for shape in shapes:
            proved = _searched(shape, max(FIRST * seconds / count, LEAST))
            if proved is not None:
                return proved
        shapes = [shape for shape in shapes if not _refuted(shape)]
    for shape in shapes:
        proved = _searched(shape, max(seconds / count, LEAST))
        if proved is not None:
            return proved
    return None


def _refuted(shape: Shape) -> bool:
    """A counterexample is found at once, so that no proof is worth the search."""
    try:
        return refute(Claim(shape.given, shape.claim), QUICK) is not None
    except BROKEN:
        return False


def _searched(shape: Shape, seconds: float) -> Certificate | None:
    """A search of that many seconds of work; a claim that speaks of no point has no proof."""
    try:
        return find_proof(list(map(str, shape.given)), str(shape.claim), seconds)
    except Vacuous:
        return None


def _may_hold(identity: Comparison) -> bool:
    """An identity is not seen to fail at one point, so that a proof is worth the search."""
    point = {
        name: Fraction(i + 7, i + 5)
        for i, name in enumerate(sorted(identity.symbols()))
    }
    gap = (identity.left - identity.right).ball(64, **point)
    return not (gap.certainly_positive() or gap.certainly_negative())
