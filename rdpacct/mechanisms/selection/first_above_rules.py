"""What answers about a threshold with Gaussian noise cost: the rules.

Where the noisy threshold of a neighbor is higher by the sensitivity, each of its answers below is
no less likely, and an answer above is one event of a Gaussian release.
"""

from math import comb
from typing import TypeVar

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.formula import Expr, Real, Scalar, formula
from rdpacct.exact.functions import exp, log, minimum
from rdpacct.provenance import by

Chance = TypeVar("Chance", float, RealBall, ComplexBall, Expr)


@by("selection/gaussian-sparse-vector")
def level_after(epsilon: Scalar, log_safe: Scalar) -> Scalar:
    """The epsilon at which one more query is a Gaussian release, where the share of what is safe
    has this logarithm.
    """
    return epsilon - log_safe


@by("selection/gaussian-sparse-vector")
def log_safe_after(log_safe: Scalar, log_kept: Scalar, queries: Scalar) -> Scalar:
    """The logarithm of the safe share after more queries, each of which keeps at least this
    share.
    """
    return log_safe + queries * log_kept


@by("selection/gaussian-sparse-vector")
def first_above_log_moment(log_moment: Real, queries: Real) -> Expr:
    """log E exp(s L) of the first answer above, at most, from that of a Gaussian release."""
    return log(1 + formula(queries) * exp(formula(log_moment)))


@by("selection/gaussian-sparse-vector")
def all_queries_square(queries: Real, ratio: Expr, monotone: bool) -> Expr:
    """The square of how far all noisy comparisons move together, in moves of one query, at most.

    ``ratio`` is that of the variances of the threshold and of a query.
    """
    shared = shared_part(queries, ratio)
    if queries == 1:
        return 1 - shared
    if monotone:
        return minimum(queries, 1 / (4 * shared))
    return formula(queries)


def shared_part(queries: Real, ratio: Real) -> Expr:
    """How much of the square of the sum of all moves is hidden by the noise of the threshold."""
    return formula(ratio) / (1 + formula(queries) * formula(ratio))


@by("selection/sparse-vector")
def run_chance(
    near: Chance, far: Chance, first: int, others: int, least: int
) -> Chance:
    """The chance, given the noisy threshold, that the first queries are all below it and at least a
    number of the others are not; one query is below with the chance ``near`` or ``far``.
    """
    fewer = sum(
        comb(others, above) * (1 - far) ** above * far ** (others - above)
        for above in range(least)
    )
    return near**first * (1 - fewer)
