"""The law that dominates mechanisms whose inputs have others on the way between them."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from rdpacct.exact.formula import Expr
from rdpacct.mechanisms.laplace.laplace import worst_pair
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.provenance import built_by, by


@by("selection/halfway")
def halfway_law(
    epsilon: Expr, event: Callable[[Fraction], str] | None = None
) -> PrivacyLoss:
    """The loss of Laplace noise whose center moves by epsilon scales.

    It dominates every pair of inputs of a mechanism that is (share epsilon)-differentially private
    between inputs a share of the way apart, where there are inputs at each share.
    """
    law = worst_pair(epsilon, event)
    return replace(law, rests_on=built_by())
