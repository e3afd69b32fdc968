"""Pairs of a noise and a copy of it that is shifted and broader, for all ratios of the two scales
up to a largest one, in either order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.formula import Expr
from rdpacct.privacy.loss import PrivacyLoss


@dataclass(frozen=True, eq=False)
class Ratios:
    """The pairs from which that of a release is chosen."""

    pair: Callable[[Expr, bool], PrivacyLoss]
    """The loss at the logarithm of a ratio above 0, the narrower law first or second."""
    equal: PrivacyLoss
    """The loss with equal scales."""
    most: Expr
    """The largest logarithm of a ratio."""
    bend: Expr
    """The second derivative of the broader density by the logarithm of its scale is at least minus
    this times that density.
    """

    def loss(self, share: Fraction, narrow_first: bool) -> PrivacyLoss:
        """The loss at this share of the largest logarithm."""
        if share == 0:
            return self.equal
        return self.pair(self.most * share, narrow_first)
