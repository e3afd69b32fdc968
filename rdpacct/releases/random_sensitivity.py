"""Noise on a quantile of how far pairs of records are apart: random differential privacy for estimators.

An estimator g moves by at most h(x, x')/n when the record x is replaced by x'. The scale is a quantile of h over pairs
of records, so that h of the replaced pair exceeds it with a small probability. It is raised to the largest of
exp(-beta j) times the value j steps further up, which never moves by more than a factor exp(beta); or it is the plain
quantile, whose move is bounded with a small probability of failure if the quantiles of h are declared to be steady.
"""

import math
import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol

from rdpacct.arrays import Array, load
from rdpacct.by import by
from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import minimum
from rdpacct.exact.number import Number, rational
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.mechanism import StudyOnlyWarning, randomness
from rdpacct.privacy.guarantee import RandomDP
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.releases.released import Released, exact
from rdpacct.sensitivity.smooth_laplace import exact_eta

MOST_ALL_PAIRS = 5_000
SLACK = Fraction(1, 2**40)
"""More than the rounding of the scale in doubles, in logarithm."""


class Pairs(Enum):
    """Which pairs of records the quantile is taken over."""

    DISJOINT = "disjoint"
    """Each record is in at most one pair: one replaced record moves one value."""
    ALL = "all"
    """Every pair of records: one replaced record moves n - 1 values."""


class Estimator(Protocol):
    """What is released, and how far one record moves it; see ``rdpacct.sensitivity.estimators``."""

    def data(self, data: Any) -> Array: ...

    def value(self, data: Array) -> float: ...

    def pair(self, one: Array, two: Array) -> Array: ...

    @property
    def most(self) -> float: ...

    @property
    def tolerance(self) -> float: ...


@dataclass(frozen=True)
class RandomSensitivityRelease:
    """g(X) with Laplace noise of scale s(X)/alpha; s(X) is the quantile by n, plus the tolerance of g.

    ``gamma`` is the wanted probability that h exceeds the quantile. With a ``slope``, declared to bound that of the log
    quantile function of h, a continuous law, the quantile is not raised, and a second gamma is paid for its moves.
    """

    estimator: Estimator
    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    gamma: Parameter = Parameter(most=1)
    slope: Number | None = None
    pairs: Pairs = Pairs.DISJOINT

    def __post_init__(self) -> None:
        if self.slope is not None and rational(self.slope, "slope") <= 0:
            raise InputError(f"slope is {self.slope}, but must be above 0; give a bound on the slope of log quantiles.")
        if self.slope is not None and self.pairs is Pairs.ALL:
            raise InputError("how far the quantile of all pairs moves is not bounded by a slope; leave out the slope.")

    def guarantee(self, records: int) -> RandomDP:
        """What holds for so many records, whatever law they are drawn from."""
        self._check(records)
        bad: Expr = formula(self._rule(records).bad)
        if self.slope is not None:
            bad = minimum(1, bad + moves(rational(self.slope, "slope"), self.beta, records))
        return random_sensitivity(self.alpha, self.beta + SLACK, bad)

    def scale(self, data: Any) -> Unpublishable[float]:
        """The scale s(X), from the pairs of the data."""
        return Unpublishable(self._scale(self.estimator.data(data)), "the scale of the noise")

    def release(self, data: Any, rng: random.Random | None = None) -> Released:
        """One run, in doubles."""
        records = self.estimator.data(data)
        self._check(len(records))
        source, scale = randomness(rng), self._scale(records)
        warnings.warn(
            "Laplace noise in doubles is for study only: which outputs are possible can reveal the data.",
            StudyOnlyWarning,
            stacklevel=2,
        )
        noise = source.expovariate(1.0) - source.expovariate(1.0)
        return Released(self.estimator.value(records) + noise * scale / float(exact(self.alpha, "alpha")))

    def _check(self, records: int) -> None:
        if records < 2:
            raise InputError(f"there is {records} record, but a pair needs two; give more data.")
        if self.pairs is Pairs.ALL and records > MOST_ALL_PAIRS:
            raise InputError(f"there are {records} records, too many for all pairs; use Pairs.DISJOINT.")

    def _rule(self, records: int) -> "Rule":
        wanted = exact(self.gamma, "gamma")
        return disjoint_rule(records, wanted) if self.pairs is Pairs.DISJOINT else all_pairs_rule(records, wanted)

    def _scale(self, records: Array) -> float:
        np, n = load(), len(records)
        self._check(n)
        if self.pairs is Pairs.DISJOINT:
            half = n // 2
            values = self.estimator.pair(records[:half], records[half : 2 * half])
        else:
            one, two = np.triu_indices(n, 1)
            values = self.estimator.pair(records[one], records[two])
        if not (values <= self.estimator.most).all():
            raise InputError("a pair of records is farther apart than declared; declare a larger range.")
        ordered, rule = np.append(np.sort(values), self.estimator.most), self._rule(n)
        if self.slope is None:
            found = raised(ordered, rule, float(exact(self.beta, "beta")))
        else:
            found = float(ordered[rule.rank - 1])
        return found / n + 2 * self.estimator.tolerance

    @classmethod
    def of(
        cls,
        g: Callable[[Array], float],
        h: Callable[[Array, Array], Array],
        most: float,
        **parameters: Any,
    ) -> "RandomSensitivityRelease":
        """The release of a function g of arrays for which n |g(X) - g(X')| <= h(x, x') <= most holds exactly."""
        return cls(_Given(g, h, most), **parameters)


@dataclass(frozen=True)
class _Given:
    """An estimator from functions."""

    value: Callable[[Array], float]
    pair: Callable[[Array, Array], Array]
    most: float
    tolerance: float = 0.0

    def data(self, data: Any) -> Array:
        np = load()
        records = np.asarray(data, dtype=float)
        if records.ndim == 0 or not np.isfinite(records).all():
            raise InputError("the data are not an array of finite numbers; give one record for each row.")
        return records


@dataclass(frozen=True)
class Rule:
    """Which value of the sorted pairs is the quantile, and what one replaced record does to it."""

    rank: int
    """1 for the smallest value; one more than all values is the declared bound."""
    stride: int
    """By how many ranks one replaced record can move the values."""
    bad: Fraction
    """The probability that h of the replaced pair exceeds the quantile, at most."""


@by("sensitivity/quantile")
def disjoint_rule(records: int, wanted: Fraction) -> Rule:
    """m pairs, of which X and X' share m - 1 at least: rank k is exceeded with probability (m + 1 - k)/m at most."""
    m = records // 2
    beyond = math.floor(wanted * m)
    return Rule(m + 1 - beyond, 1, Fraction(beyond, m))


@by("sensitivity/u-statistic")
def all_pairs_rule(records: int, wanted: Fraction) -> Rule:
    """N pairs of n + 1 records: rank k of those of X is exceeded with probability (N - k)/N at most."""
    inside, together = records * (records - 1) // 2, records * (records + 1) // 2
    rank = max(together - math.floor(wanted * together), 1)
    if rank > inside:
        return Rule(inside + 1, records - 1, Fraction(0))
    return Rule(rank, records - 1, Fraction(together - rank, together))


@by("sensitivity/smooth-quantile")
def raised(ordered: Array, rule: Rule, beta: float) -> float:
    """The largest exp(-beta j) times the value of rank k + j stride; all beyond the last one, the bound, equal it."""
    np = load()
    ranks = np.minimum(np.arange(rule.rank, len(ordered) + rule.stride, rule.stride), len(ordered))
    return float((ordered[ranks - 1] * np.exp(-beta * np.arange(len(ranks)))).max()) * (1 + float(SLACK) / 4)


@by("sensitivity/ratio")
def moves(slope: Fraction, beta: Expr, records: int) -> Expr:
    """The probability that one record moves the quantile of disjoint pairs by more than a factor exp(beta), at most."""
    return slope / (formula(beta) * (records // 2))


@by("sensitivity/random")
def random_sensitivity(alpha: Expr, beta: Expr, bad: Expr) -> RandomDP:
    """Unless the scales or the values are too far apart, the pair is (2 alpha, eta)-DP."""
    return RandomDP(2 * formula(alpha), exact_eta(alpha, beta), gamma=bad)
