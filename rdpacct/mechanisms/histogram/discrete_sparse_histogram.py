"""The sparse histogram over the integers: exact discrete Laplace noise on the counts of cells that
have records.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from rdpacct.arrays import generator
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import Number
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.array_sampling import discrete_laplaces
from rdpacct.mechanisms.histogram.sparse_histogram import (
    HistogramRelease,
    SparseHistogram,
    nearest_histogram,
)
from rdpacct.mechanisms.source import Source
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.provenance import by


@dataclass(frozen=True)
class DiscreteSparseHistogram(SparseHistogram):
    """The counts of k categories among n records, plus integers of scale 2/alpha where they are not
    0.

    The noise x has probability proportional to exp(-|x| alpha/2). A cell with records can be
    released as 0 as well, so that zeros do not tell which cells are empty. All else is as in
    SparseHistogram.
    """

    continuous: ClassVar[bool] = False
    alpha: Parameter = Parameter(above_least=True)

    @property
    def shown_as_zero(self) -> Expr:
        return minus_one(self.alpha)

    def same_zeros(self) -> PrivacyLoss:
        return two_counts(self.alpha)

    def release(self, data: Any, rng: Source = None) -> HistogramRelease:
        """The noisy counts of data given as category numbers 0 to k - 1, exactly distributed."""
        scale = rational_of(2 / self.alpha, "2/alpha")
        source = generator(rng)
        values = self._counts(data)
        noisy = values > 0 if self.keeps_zeros else slice(None)
        values[noisy] += discrete_laplaces(scale, values[noisy].size, source)
        return self._released(values, nearest_histogram(values))

    def mean_error(self, occupied: int) -> Expr:
        return super().mean_error(occupied) + self._more(occupied)

    def error_bound(self, occupied: int, beta: Number) -> Expr:
        return super().error_bound(occupied, beta) + self._more(occupied)

    def error_quantile(self, occupied: int, beta: Number) -> Bound:
        continuous = super().error_quantile(occupied, beta)
        more = self._more(occupied).bound()
        how = f"{continuous.how}, and 1 for each cell (histogram/discrete)"
        return Bound(continuous.lower + more.lower, continuous.upper + more.upper, how)

    def _more(self, occupied: int) -> Expr:
        return more_for_integers(self.n, self._noisy(occupied))

    @classmethod
    def examples(cls) -> Iterable["DiscreteSparseHistogram"]:
        return cls(100, 10, 1), cls(20, 3, "1/2"), cls(20, 3, 2, "0.01")


@by("histogram/discrete")
def two_counts(alpha: Expr) -> PrivacyLoss:
    """The loss of a record that moves from one cell with integer noise to another: that of two
    randomized responses.
    """
    q = exp(-alpha / 2)
    up, none, down = (weight / (1 + q) ** 2 for weight in (formula(1), 2 * q, q**2))
    return PrivacyLoss(
        (Atom(up, down, alpha), Atom(none, none, ZERO), Atom(down, up, -alpha)),
        symmetric=True,
    )


@by("histogram/discrete")
def minus_one(alpha: Real) -> Expr:
    """The probability that the noise is -1, so that a cell with one record is released as 0."""
    q = exp(-formula(alpha) / 2)
    return q * (1 - q) / (1 + q)


@by("histogram/discrete")
def more_for_integers(n: Real, cells: Real) -> Expr:
    """How much larger the error bounds are for integer noise: in each cell its size is below that
    of Laplace + 1.
    """
    return 2 * formula(cells) / n
