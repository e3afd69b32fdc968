"""Folded pairs: the losses above zero of a sampled pair, and their mirror images.

If a replaced record is in the batch with some probability, then which of its two values the others
look like is not known. The worst pair is that of removing the record at levels above 1, and that of
adding it below: the folded pair has both.
"""

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.mechanisms.poisson.poisson_sampled import sampled
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Part, Piece
from rdpacct.provenance import by


def folded(loss: PrivacyLoss, rate: Expr) -> PrivacyLoss:
    """The loss of the folded pair, from that of a symmetric pair."""
    kept: list[Part] = []
    for part in above_zero(loss):
        [sampled_part] = sampled(PrivacyLoss((part,)), rate).parts
        kept += [sampled_part, sampled_part.reversed()]
    rest = mass_at_zero(distance(loss), level_mass(loss), rate)
    if rest != ZERO:
        kept.append(Atom(rest, rest, ZERO))
    infinite = rate * loss.at_infinity
    return PrivacyLoss(
        tuple(kept), at_infinity=infinite, unseen=infinite, symmetric=True
    )


@by("sampling/without-replacement")
def mass_at_zero(distance: Expr, level: Expr, rate: Expr) -> Expr:
    """The mass that a folded pair has at the loss 0: that of the pair itself there, and what is not
    sampled of its total variation.
    """
    return (1 - rate) * distance + level


def above_zero(loss: PrivacyLoss) -> list[Part]:
    """The parts with losses above 0; a stretch about 0 is cut there."""
    parts: list[Part] = []
    for part in loss.parts:
        if isinstance(part, Atom):
            if part.loss != ZERO and _above_zero(part.loss):
                parts.append(part)
            continue
        if not isinstance(part, Piece) or not isinstance(part.high, Expr):
            raise InputError(
                "a sampler of replaced records holds a mechanism whose losses are not known"
                " for them; give it a Gaussian, a Laplace or a discrete"
                " Laplace mechanism, or PureDP or ApproxDP."
            )
        if _above_zero(part.high):
            low = part.low
            if not isinstance(low, Expr) or not _above_zero(low):
                low = ZERO
            parts.append(part if low == part.low else part.from_loss(low))
    return parts


def distance(loss: PrivacyLoss) -> Expr:
    """The total variation of a pair, in closed form or from its atoms."""
    if loss.forms.delta is not None:
        return loss.forms.delta(0)
    total = loss.at_infinity
    for part in above_zero(loss):
        if not isinstance(part, Atom):
            raise InputError(
                "a sampler of replaced records holds a mechanism whose total variation has"
                " no closed form; give it one with atoms, or a Gaussian or Laplace one."
            )
        total = total + part.p - part.q
    return total


def level_mass(loss: PrivacyLoss) -> Expr:
    """The mass of the loss 0 itself."""
    total: Expr = ZERO
    for part in loss.parts:
        if isinstance(part, Atom) and part.loss == ZERO:
            total = total + part.p
    return total


def _above_zero(value: Expr) -> bool:
    return value != ZERO and value.bound().certainly_above(0)
