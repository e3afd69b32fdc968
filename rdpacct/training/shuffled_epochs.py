"""Epochs of shuffled batches from below: a test of the largest noisy sum of each epoch.

All other examples have the gradient -1, so that the sum of a batch is known but for the one with
the example: it is larger by two norms with its gradient 1, by one without it, and by none with
another gradient -1. Which batch that is, is not known; that some sum reaches a level is seen.
"""

import math
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import normal_cdf
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt, by
from rdpacct.questions import Questions
from rdpacct.training.statement import TrainingRun

FINE = 2**80
"""Probabilities of tests are rounded to multiples of one over this."""
LEVELS = 32
PLANNED = 500
"""The most epochs that are looked at where a level is chosen."""


def needed(run: TrainingRun, left: int, relation: Relation) -> Bound:
    """At least the epsilon of all full epochs: an example adds two norms to the sum of its batch,
    and a neighbor ``left`` norms.
    """
    batches = -(-run.examples // run.batch)
    epochs = run.steps // batches
    if not epochs:
        return Bound.exactly(Fraction(0), "no full epoch")
    level = _level(run, left, batches, epochs)
    with attempt() as used:
        first = _reached(run, level, 2, batches).lower
        second = _reached(run, level, left, batches).upper
    test = told(Fraction(first), Fraction(second), relation)
    if test is None:
        return Bound.exactly(Fraction(0), "no test tells the examples apart")
    epsilon = Questions(Plan.of(test) * epochs).epsilon(run.delta)
    return epsilon.resting_on(epsilon.rests_on | used)


def _reached(run: TrainingRun, level: Fraction, moved: int, batches: int) -> Bound:
    """The probability that some noisy sum of an epoch reaches a level, if one of them is moved."""
    sigma = formula(run.noise_multiplier)
    other = normal_cdf(level / sigma)
    return raised(normal_cdf((level - moved) / sigma), other, batches).bound()


@by("shuffling/batches")
def raised(moved: Real, other: Real, batches: Real) -> Expr:
    """The probability that one of several sums reaches a level, from those that the one that is
    moved stays below it, and each other one.
    """
    return 1 - formula(moved) * formula(other) ** (formula(batches) - 1)


def told(
    first: Fraction, second: Fraction, relation: Relation
) -> FiniteMechanism | None:
    """A test that is not better than one with these probabilities; None if it tells nothing."""
    p = Fraction(math.floor(first * FINE), FINE)
    q = Fraction(math.ceil(second * FINE), FINE)
    if not 0 < q < p < 1:
        return None
    rows = [[p, 1 - p], [q, 1 - q]]
    return FiniteMechanism(rows, same_inputs=True, relation=relation)


def _level(run: TrainingRun, left: int, batches: int, epochs: int) -> Fraction:
    """About the level with the largest epsilon, in doubles; any level gives a lower end."""
    sigma = float(run.noise_multiplier)

    def chance(level: float, moved: int) -> float:
        below = math.log1p(-_above((level - moved) / sigma))
        return -math.expm1(below + (batches - 1) * math.log1p(-_above(level / sigma)))

    def planned(level: float) -> float:
        pair = (chance(level, 2), chance(level, left))
        return _about(*pair, min(epochs, PLANNED), float(run.delta))

    return Fraction(max(_candidates(sigma), key=planned)).limit_denominator(1000)


def _candidates(sigma: float) -> Iterator[float]:
    for k in range(LEVELS):
        yield (2 + 8 * sigma) * (k + 1) / LEVELS


def _above(level: float) -> float:
    """A normal tail, less than one."""
    return min(math.erfc(level / math.sqrt(2)) / 2, 1 - 1e-15)


def _about(p: float, q: float, epochs: int, delta: float) -> float:
    """About the epsilon of a number of tests."""
    if not 1e-12 < q < p < 1 - 1e-12:
        return 0.0
    hit = math.log(p / q)
    miss = math.log((1 - p) / (1 - q))
    rows = [
        (
            math.comb(epochs, k) * p**k * (1 - p) ** (epochs - k),
            k * hit + (epochs - k) * miss,
        )
        for k in range(epochs + 1)
    ]
    low, high = 0.0, max(epochs * hit, 1e-9)
    for _ in range(30):
        middle = (low + high) / 2
        excess = sum(m * -math.expm1(middle - x) for m, x in rows if x > middle)
        low, high = (middle, high) if excess > delta else (low, middle)
    return low
