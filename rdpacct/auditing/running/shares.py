"""How many confidence limits share the error of an audit, so that all of them hold at once."""

from fractions import Fraction
from typing import TypeVar

from rdpacct.exact.formula import Expr
from rdpacct.provenance import by

LIMITS_OF_AN_EVENT = 4
"""A lower and an upper limit, on each of the two inputs."""
Number = TypeVar("Number", Fraction, Expr)


@by("statistics/simultaneous-limits")
def equal_share(error: Number, limits: Number) -> Number:
    """The error of each limit, if this many share it."""
    return error / limits


@by("statistics/simultaneous-limits")
def share_at_look(error: Number, limits: Number, look: Number) -> Number:
    """The error of each limit, if this many share it, at one of any number of looks, counted from
    1.
    """
    return error / (limits * look * (look + 1))


@by("statistics/simultaneous-limits")
def contradicted(least: Number, most: Number, growth: Number, slack: Number) -> Number:
    """By how much a lower limit of P(S) exceeds what a claim allows at an upper limit of Q(S)."""
    return least - (growth * most + slack)
