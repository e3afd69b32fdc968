"""Draws as the patterns of an exact sum: what a kind of loss brings to it.

The transform of a loss that has patterns is a sum of terms exp(offset s) weight (1 + w)**a (1 -
w)**b w**p, with s = z + 1/2 and w = 1/(2 s); those of a sum of losses are the products.
"""

from collections.abc import Callable
from typing import NamedTuple

from rdpacct.exact.ball import RealBall


class Row(NamedTuple):
    """One pattern: its offset, the same in doubles, its weight, and how many factors 1 - w it
    has.
    """

    offset: RealBall
    planned: float
    weight: RealBall
    lower: int


class Column(NamedTuple):
    """The patterns of a number of draws of one loss."""

    number: float
    """How many patterns there are; infinite if they are not to be listed."""
    series: int
    """How many factors 1 + w or 1 - w each of them has."""
    power: int
    """How many factors w each of them has."""
    rows: Callable[[], list[Row]]
