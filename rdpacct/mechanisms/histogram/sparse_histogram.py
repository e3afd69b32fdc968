"""The sparse histogram: Laplace noise on the cells that have records, exact zeros in those that
have none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Self

from rdpacct.arrays import Array, categories, generator, load
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ZERO, Expr, Rational, Real, formula
from rdpacct.exact.functions import exp, log, maximum, sqrt
from rdpacct.exact.gamma import gamma_quantile
from rdpacct.exact.number import Number, rational, whole
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.histogram.lone_draws import (
    printed_gamma,
    sharper_gamma,
    worst_gamma,
    worst_mass,
)
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.source import Source
from rdpacct.mechanisms.study_only import study_only
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.guarantee import Guarantee, PureDP, RandomDP
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Atom, Piece
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import by, remembered, remembered_property

MOST_RECORDS = 10**15
DIGITS = 12
"""The digits of the promised gamma if none is given, rounded up."""


@dataclass(frozen=True, eq=False)
class HistogramRelease:
    """What a sparse histogram publishes."""

    values: Array
    """The released cells: noisy frequencies, or counts with integer noise; exact zeros where no
    noise was added.
    """
    histogram: Array
    """A histogram nearest to them in L1: no cell below 0, and the sum is 1."""
    zeros_kept: bool
    guarantee: Guarantee
    says: str
    """Which cells have noise, and why."""


@dataclass(frozen=True)
class SparseHistogram(Mechanism):
    """The frequencies of k categories among n records, plus standard Laplace noise times 2/(n
    alpha) if not 0.

    If a ``gamma`` is wanted and some population on the k cells makes data bad more often than that,
    then all cells get noise, which is alpha-DP. The relation is REPLACE_ONE; n and k are public and
    declared, not read off the data.
    """

    continuous: ClassVar[bool] = True
    n: int
    k: int
    alpha: Parameter = Parameter(above_least=True)
    gamma: Any = None

    @property
    def relation(self) -> Relation:
        """Replacing one record, whatever is asked for."""
        return Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole(self.n, "n", 1, MOST_RECORDS))
        object.__setattr__(self, "k", whole(self.k, "k", 2, MOST_RECORDS))
        if self.gamma is not None:
            object.__setattr__(self, "gamma", RandomDP(1, gamma=self.gamma).gamma)

    def hypotheses(self) -> tuple[str, ...]:
        return (f"{self}: n and k are public, and not read off the data.",)

    def stated_for(self, relation: Relation) -> Self:  # noqa: ARG002
        return self

    @remembered_property
    def keeps_zeros(self) -> bool:
        """Empty cells are released as exact zeros; it depends on n, k and gamma only."""
        return self.gamma is None or worst_gamma(self.n, self.k).certainly_at_most(
            self.gamma.bound()
        )

    @property
    def shown_as_zero(self) -> Expr:
        """The probability that a cell with one record is released as exactly 0."""
        return ZERO

    def guarantee(self) -> RandomDP | PureDP:
        """What the release promises: for drawn data if it keeps zeros, for all data if not."""
        return self._promise

    @remembered_property
    def _promise(self) -> RandomDP | PureDP:
        if not self.keeps_zeros:
            return PureDP(self.alpha)
        least = rational(decimal_up(worst_gamma(self.n, self.k).upper, DIGITS))
        return RandomDP(self.alpha, gamma=least if self.gamma is None else self.gamma)

    def random_guarantee(self) -> RandomDP | None:
        promise = self.guarantee()
        if isinstance(promise, RandomDP):
            return promise
        return None

    def loss(self) -> PrivacyLoss:
        if self.keeps_zeros:
            return lone_records(self.shown_as_zero)
        return self.same_zeros()

    def attained(self) -> tuple[Loss, ...]:
        """The pair of neighbors is one that can occur."""
        return self.profile().losses

    def same_zeros(self) -> PrivacyLoss:
        """The loss of neighbors that differ, but have the same empty cells."""
        return two_cells(self.alpha)

    def worst_gamma(self, claim: RandomDP) -> Bound:
        if not (self.keeps_zeros and _bad(self, False, claim)) and not _bad(
            self, True, claim
        ):
            return Bound.exactly(
                Fraction(0), "private for all data (random-dp/relaxation)"
            )
        if _bad(self, True, claim):
            return Bound.exactly(
                1 - Fraction(1, self.k),
                f"the loss reaches alpha = {self.alpha} for any two records that"
                f" differ, which is too much for {claim}; in the uniform population"
                " they differ with probability 1 - 1/k",
            )
        worst = worst_gamma(self.n, self.k)
        near = float(worst_mass(self.n, self.k))
        printed, sharper = (
            float(gamma_of(self.n, self.k).bound())
            for gamma_of in (printed_gamma, sharper_gamma)
        )
        return Bound(
            worst.lower,
            worst.upper,
            f"{worst.how}; worst is a population of {self.k - 1} cells of mass"
            f" {near:.6g} and one of the rest; 2k <= e gamma n needs {sharper:.6g}, and"
            f" 2k <= gamma n as printed needs {printed:.6g}",
        )

    def bad_pair(self, first: Any, second: Any, claim: RandomDP) -> bool:
        counts, other_counts = (self._counts(data) for data in (first, second))
        if (counts == other_counts).all():
            return False
        same = not self.keeps_zeros or ((counts == 0) == (other_counts == 0)).all()
        return _bad(self, bool(same), claim)

    def _counts(self, data: Any) -> Array:
        """The number of records in each cell, not to be published."""
        values = categories(data, self.k)
        if len(values) != self.n:
            raise InputError(
                f"the data have {len(values)} records, but n = {self.n} is declared;"
                " give the same n."
            )
        return load().bincount(values, minlength=self.k)

    def release(self, data: Any, rng: Source = None) -> HistogramRelease:
        """The noisy frequencies of data given as category numbers 0 to k - 1."""
        study_only(self)
        source = generator(rng)
        counts = self._counts(data)
        values = counts / self.n
        noisy = counts > 0 if self.keeps_zeros else slice(None)
        values[noisy] += source.laplace(scale=self._scale, size=values[noisy].size)
        return self._released(values, nearest_histogram(values))

    @cached_property
    def _scale(self) -> float:
        return float(noise_scale(self.n, self.alpha).ball(64))

    def _released(self, values: Array, histogram: Array) -> HistogramRelease:
        kept = self.keeps_zeros
        says = "noise on the cells with records, exact zeros elsewhere"
        if not kept:
            needed = worst_gamma(self.n, self.k)
            says = (
                f"noise on all cells: zeros would need gamma = {float(needed):.6g}, and"
                f" {self.gamma} is wanted"
            )
        return HistogramRelease(values, histogram, kept, self.guarantee(), says)

    def mean_error(self, occupied: int) -> Expr:
        """An upper bound on the mean L1 error of the histogram, for the number of cells that have
        records.
        """
        return 4 * self._noisy(occupied) / (self.alpha * self.n)

    def error_bound(self, occupied: int, beta: Number) -> Expr:
        """An L1 error that is exceeded with probability at most beta, by a closed form with
        explicit constants.
        """
        cells = self._noisy(occupied)
        return (
            4
            * tail_level(cells, sqrt(2 * log(1 / formula(_share(beta))) / cells))
            / (self.alpha * self.n)
        )

    def error_quantile(self, occupied: int, beta: Number) -> Bound:
        """An L1 error that is exceeded with probability at most beta, from the exact quantile of
        the noise: smaller than the closed form.
        """
        level = gamma_quantile(self._noisy(occupied), _share(beta))
        ends = (
            (4 * formula(Fraction(end)) / (self.alpha * self.n)).bound()
            for end in (level.lower, level.upper)
        )
        low, high = ends
        return Bound(low.lower, high.upper, f"{level.how} (histogram/accuracy)")

    def _noisy(self, occupied: int) -> int:
        cells = whole(
            occupied, "the number of cells with records", 1, min(self.k, self.n)
        )
        return cells if self.keeps_zeros else self.k

    @classmethod
    def examples(cls) -> Iterable["SparseHistogram"]:
        return cls(100, 10, 1), cls(20, 3, "1/2"), cls(20, 3, 2, "0.01")


@by("histogram/neighbours")
def noise_scale(n: Real, alpha: Real) -> Expr:
    """The scale of the noise on frequencies that makes neighbors with the same empty cells
    alpha-close.
    """
    return 2 / (formula(n) * alpha)


@by("histogram/two-cells")
def two_cells(alpha: Expr) -> PrivacyLoss:
    """The loss of a record that moves from one cell with noise to another."""
    gap = alpha - LOSS
    above = Fraction(1, 4) + gap / 16
    below = Fraction(1, 4) + (alpha + LOSS) / 16
    ends = formula(Fraction(1, 4)), exp(-alpha) / 4
    middle = exp(-alpha / 2) / 2
    return PrivacyLoss(
        (
            Atom(ends[0], ends[1], alpha),
            Piece(exp(-gap / 2) * above, ZERO, alpha),
            Atom(middle, middle, ZERO),
            Piece(exp(-gap / 2) * below, -alpha, ZERO),
            Atom(ends[1], ends[0], -alpha),
        ),
        symmetric=True,
        forms=Forms(delta=partial(two_cells_delta, alpha)),
    )


@by("histogram/two-cells")
def two_cells_delta(alpha: Real, epsilon: Real) -> Expr:
    """delta(epsilon) of a record that moves from one cell with noise to another, for epsilon >=
    0.
    """
    gap = formula(alpha) - epsilon
    gap = (
        formula(max(gap.value, Fraction(0)))
        if isinstance(gap, Rational)
        else maximum(0, gap)
    )
    return 1 - (1 + gap / 4) * exp(-gap / 2)


@by("histogram/discrete")
def lone_records(shown_as_zero: Expr) -> PrivacyLoss:
    """The loss where a record is alone in its cell, for neighbors that each have such a record."""
    other = 1 - shown_as_zero
    return PrivacyLoss(
        (Atom(shown_as_zero, shown_as_zero, ZERO),),
        other,
        other,
        symmetric=True,
        event=_event,
    )


def _event(_: Fraction) -> str:
    return (
        "the cell of a record that is alone in it on D, and is not there on D', is not"
        " released as exactly 0"
    )


@by("histogram/accuracy")
def nearest_histogram(values: Array) -> Array:
    """A histogram nearest in L1: the positive parts divided by their sum; zeros stay zeros."""
    np = load()
    positive = np.maximum(values, 0)
    total = positive.sum()
    if total > 0:
        return positive / total
    some = values != 0 if (values != 0).any() else np.ones(len(values), dtype=bool)
    return some / some.sum()


@by("histogram/accuracy")
def tail_level(cells: Real, y: Real) -> Expr:
    """A level that the sum of the absolute noises of scale 1 exceeds with probability at most
    exp(-cells y**2/2).
    """
    return formula(cells) * (1 + formula(y) + formula(y) ** 2 / 2)


@remembered(64)
def _bad(mechanism: SparseHistogram, same_zeros: bool, claim: RandomDP) -> bool:
    """Whether neighbors that differ, with or without the same empty cells, break what is claimed of
    good data.
    """
    if same_zeros and claim.alpha == mechanism.alpha:
        return False
    if same_zeros:
        delta = mechanism.same_zeros().delta(_exact(claim.alpha))
    else:
        delta = lone_records(mechanism.shown_as_zero).delta(0)
    eta = claim.eta.bound()
    if not delta.certainly_above(eta) and not delta.certainly_at_most(eta):
        raise UndecidedError(
            f"delta at alpha = {claim.alpha} is {delta}, too close to eta = {claim.eta}"
            " to compare."
        )
    return delta.certainly_above(eta)


def _share(beta: Number) -> Fraction:
    share = rational(beta, "beta")
    if not 0 < share < 1:
        raise InputError(
            f"beta is {beta}, but must be above 0 and below 1; give a probability such"
            " as 0.05."
        )
    return share


def _exact(value: Expr) -> Fraction:
    if not isinstance(value, Rational):
        raise InputError(
            f"alpha is {value}, but must be a rational number here; give a decimal or a"
            " ratio."
        )
    return value.value
