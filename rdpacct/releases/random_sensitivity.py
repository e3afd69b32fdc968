"""Noise on a quantile of the distances between records: random differential privacy for estimators.

An estimator g changes by at most h(x, x')/n when the record x is replaced by x'. The scale of the
noise is a quantile of h over pairs of records, which h of the replaced pair exceeds with a small
probability. There are two ways to keep the scale from changing much between neighbors. The quantile
is raised to the largest of exp(-beta j) times the value j steps further up, which changes by at
most a factor exp(beta). Or the quantiles of h are declared to be steady; then the quantile itself
is taken, and its change is bounded except with a small probability.
"""

import math
import warnings
from collections.abc import Callable
from dataclasses import astuple, dataclass
from fractions import Fraction
from typing import Any, Protocol

from rdpacct.arrays import Array, load
from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import minimum
from rdpacct.exact.number import rational
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.exact.root import bracket
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.privacy.guarantee import RandomDP
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.provenance import by
from rdpacct.releases.released import Released
from rdpacct.sensitivity.pair_quantile import (
    FLOOR,
    Pairs,
    QuantileRule,
    Steady,
    all_pairs_rule,
    disjoint_rule,
    moves,
    outside,
    raised,
)
from rdpacct.sensitivity.smooth_eta import exact_eta

MOST_ALL_PAIRS = 5_000
MOST_BETA = Fraction(1_000)
"""The largest beta with which quantiles are raised in doubles."""
SLACK = Fraction(1, 2**40)
"""An upper bound on the rounding of the scale in doubles, in logarithm."""


class Estimator(Protocol):
    """The estimator that is released, with a bound on its change when one record is replaced; see
    ``rdpacct.sensitivity.estimators``.
    """

    def data(self, data: Any) -> Array: ...

    def value(self, data: Array) -> float: ...

    def pair(self, one: Array, two: Array) -> Array: ...

    @property
    def most(self) -> float: ...

    @property
    def tolerance(self) -> float: ...


@dataclass(frozen=True)
class RandomSensitivityRelease:
    """g(X) with Laplace noise of scale s(X)/alpha; s(X) is the quantile divided by n, plus twice
    the tolerance of g.

    ``gamma`` is the wanted probability that h exceeds the quantile. If it is smaller than any
    quantile of the data allows, the scale is that of the declared bound. With ``steady``, a
    declared property of the law of h, the quantile is not raised, and the probability that it
    changes too much is added to gamma.
    """

    estimator: Estimator
    alpha: Parameter = Parameter(above_least=True)
    beta: Parameter = Parameter(above_least=True)
    gamma: Parameter = Parameter(most=1)
    steady: Steady | None = None
    pairs: Pairs = Pairs.DISJOINT

    def __post_init__(self) -> None:
        most = self.estimator.most
        tolerance = self.estimator.tolerance
        if not (
            math.isfinite(most)
            and most > 0
            and math.isfinite(tolerance)
            and tolerance >= 0
        ):
            raise InputError(
                f"the bound on h is {most}, but must be above 0 and finite; give such a"
                " bound."
            )
        if self.steady is not None and self.pairs is Pairs.ALL:
            raise InputError(
                "how far the quantile of all pairs moves is not bounded by a slope;"
                " leave out `steady`."
            )

    @classmethod
    def of(
        cls,
        g: Callable[[Array], float],
        h: Callable[[Array, Array], Array],
        most: float,
        tolerance: float = 0.0,
        **parameters: Any,
    ) -> "RandomSensitivityRelease":
        """The release of a function g of arrays for which n |g(X) - g(X')| <= h(x, x') <= most.

        g is computed with an error of ``tolerance`` at most; h takes two arrays of records and
        gives one number a pair.
        """
        return cls(_Given(g, h, most, tolerance), **parameters)

    @classmethod
    def calibrated(
        cls, estimator: Estimator, target: RandomDP, pairs: Pairs = Pairs.DISJOINT
    ) -> "RandomSensitivityRelease":
        """The release with a target: alpha is half of its alpha, and beta the largest, to four
        digits, for its eta.
        """
        alpha = target.alpha / 2
        eta = target.eta
        if not (eta.bound().certainly_above(0) and eta.bound().certainly_below(1)):
            raise InputError(
                f"eta is {eta}, but a scale from the data needs one between 0 and 1;"
                " give such a value."
            )

        def gap(beta: Fraction, bits: int) -> Ball:
            return (eta - exact_eta(alpha, beta + SLACK)).ball(bits)

        high = Fraction(1)
        while not gap(high, 128).certainly_negative():
            high *= 2
        low = bracket(gap, Fraction(0), high, 24)[0]
        return cls(
            estimator,
            alpha,
            Fraction(f"{float(low) * (1 - 1e-4):.4g}"),
            target.gamma,
            pairs=pairs,
        )

    def guarantee(self, records: int) -> RandomDP:
        """The guarantee for this number of records, whatever law they are drawn from; with
        ``steady``, for laws that are as declared.
        """
        self._check(records)
        rule = self._rule(records)
        if rule.constant:
            return global_sensitivity(self.alpha)
        bad = rule.bad
        if self.steady is not None:
            slope, *levels = (rational(each, "steady") for each in astuple(self.steady))
            bad = (
                bad
                + moves(formula(slope), self.beta, formula(rule.values))
                + outside(levels[0], levels[1], rule)
            )
        return random_sensitivity(self.alpha, self.beta + SLACK, minimum(1, bad))

    def scale(self, data: Any) -> Unpublishable[float]:
        """The scale s(X), from the pairs of the data."""
        return Unpublishable(
            self._scale(self.estimator.data(data)), "the scale of the noise"
        )

    def release(self, data: Any, rng: Source = None) -> Released:
        """One run, in doubles."""
        records = self.estimator.data(data)
        alpha = rational_of(self.alpha, "alpha")
        if not 2.0**-500 <= alpha <= 2.0**500:
            raise InputError(
                "alpha is too small or too large for noise in doubles; give one of a"
                " usual size."
            )
        source = randomness(rng)
        scale = self._scale(records)
        warnings.warn(
            "Laplace noise in doubles is for study only: which outputs are possible can"
            " reveal the data.",
            StudyOnlyWarning,
            stacklevel=2,
        )
        noise = source.expovariate(1.0) - source.expovariate(1.0)
        return Released(
            float(self.estimator.value(records)) + noise * scale / float(alpha)
        )

    def _check(self, records: int) -> None:
        if records < 2:
            raise InputError(
                f"the number of records is {records}, but a pair needs two; give more"
                " data."
            )
        if self.pairs is Pairs.ALL and records > MOST_ALL_PAIRS:
            raise InputError(
                f"there are {records} records, too many for all pairs; use"
                " Pairs.DISJOINT."
            )

    def _rule(self, records: int) -> QuantileRule:
        wanted = rational_of(self.gamma, "gamma")
        if self.pairs is Pairs.DISJOINT:
            return disjoint_rule(records, wanted)
        return all_pairs_rule(records, wanted)

    def _scale(self, records: Array) -> float:
        """Rounded up: the noise must reach as far as two values in doubles can be apart."""
        n = len(records)
        self._check(n)
        rule = self._rule(n)
        values = load().append(self._values(records), self.estimator.most)
        if self.steady is None:
            quantile = raised(
                values, rule, float(min(rational_of(self.beta, "beta"), MOST_BETA))
            )
        else:
            quantile = max(float(values[rule.rank - 1]), self.estimator.most * FLOOR)
        return (quantile / n + 2 * self.estimator.tolerance) * (1 + float(SLACK) / 4)

    def _values(self, records: Array) -> Array:
        """How far the pairs are apart, sorted."""
        np = load()
        n = len(records)
        if self.pairs is Pairs.DISJOINT:
            half = n // 2
            values = self._apart(records[:half], records[half : 2 * half])
        else:
            rest = (records[i:] for i in range(1, n))
            values = np.concatenate(
                [
                    self._apart(np.broadcast_to(records[-1 - len(r)], r.shape), r)
                    for r in rest
                ]
            )
        if not ((values >= 0) & (values <= self.estimator.most)).all():
            raise InputError(
                "h of a pair of records is not between 0 and its bound; declare a"
                " larger bound."
            )
        return np.sort(values)

    def _apart(self, first: Array, second: Array) -> Array:
        values = load().asarray(self.estimator.pair(first, second), dtype=float)
        if values.shape != (len(first),):
            raise InputError(
                f"h gives {values.size} numbers for {len(first)} pairs; give one number"
                " for each pair."
            )
        return values


@dataclass(frozen=True)
class _Given:
    """An estimator from functions."""

    value: Callable[[Array], float]
    distance: Callable[[Array, Array], Array]
    most: float
    tolerance: float

    def data(self, data: Any) -> Array:
        """Records of any shape."""
        np = load()
        try:
            records = np.asarray(data, dtype=float)
        except (TypeError, ValueError):
            raise InputError(
                "the data are not numbers; give an array with one record for each row."
            ) from None
        if records.ndim == 0 or not np.isfinite(records).all():
            raise InputError(
                "the data are not an array of finite numbers; give one record for each"
                " row."
            )
        return records

    def pair(self, one: Array, two: Array) -> Array:
        """The same for both orders of a pair."""
        return load().maximum(self.distance(one, two), self.distance(two, one))


@by("sensitivity/random")
def random_sensitivity(alpha: Expr, beta: Expr, bad: Expr) -> RandomDP:
    """(2 alpha, eta)-DP for the pair, unless the scales or the values are too far apart, which has
    probability ``bad``.
    """
    return RandomDP(2 * formula(alpha), exact_eta(alpha, beta), gamma=bad)


@by("sensitivity/laplace-global")
def global_sensitivity(alpha: Expr) -> RandomDP:
    """The scale is the same for all data: alpha-DP for all pairs of neighbors."""
    return RandomDP(alpha, 0, gamma=0)
