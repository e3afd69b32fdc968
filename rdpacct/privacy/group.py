"""Guarantees for groups: what neighbors that are several steps of the relation apart are
promised.
"""

from functools import singledispatch

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import whole
from rdpacct.privacy.guarantee import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP
from rdpacct.provenance import by


@singledispatch
def group(guarantee: Guarantee, size: int) -> Guarantee:  # noqa: ARG001
    """The guarantee for neighbors that differ by ``size`` single steps of the relation."""
    raise InputError(
        f"no theorem of this package gives {guarantee} for groups; give PureDP,"
        " ApproxDP, ZCDP or GaussianDP."
    )


@group.register
@by("group/pure")
def group_pure(guarantee: PureDP, size: int) -> PureDP:
    """epsilon is multiplied by the size."""
    return PureDP(_whole(size) * guarantee.epsilon)


@group.register
def group_approx(guarantee: ApproxDP, size: int) -> ApproxDP:
    """epsilon is multiplied by the size, delta by the sum of exp(i epsilon) for i below the
    size.
    """
    epsilon, delta = chained(guarantee.epsilon, guarantee.delta, _whole(size))
    return ApproxDP(epsilon, 1 if delta.bound().certainly_above(1) else delta)


@by("group/approx")
def chained(epsilon: Expr, delta: Expr, size: Real) -> tuple[Expr, Expr]:
    """epsilon and delta for both ends of a chain of neighbors with this many steps."""
    factor = size if epsilon == ZERO else (exp(size * epsilon) - 1) / (exp(epsilon) - 1)
    return size * epsilon, delta * factor


@group.register
@by("group/zcdp")
def group_zcdp(guarantee: ZCDP, size: int) -> ZCDP:
    """rho is multiplied by the square of the size, for xi = 0."""
    if guarantee.xi != ZERO:
        raise InputError(
            f"xi is {guarantee.xi}, but groups have a rule for xi = 0 only; convert it"
            " with .to(ApproxDP, ...) first."
        )
    return ZCDP(_whole(size) ** 2 * guarantee.rho)


@group.register
@by("group/gaussian")
def group_gaussian(guarantee: GaussianDP, size: int) -> GaussianDP:
    """mu is multiplied by the size."""
    return GaussianDP(_whole(size) * guarantee.mu)


@by("group/sensitivity")
def group_sensitivity(sensitivity: Real, size: Real) -> Expr:
    """How far a query moves between data sets that are this many neighbors apart."""
    return formula(size) * sensitivity


def _whole(size: int) -> int:
    return whole(size, "the group size", 1, 10**9)
