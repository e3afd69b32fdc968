"""Events of answers about a noisy threshold on concrete neighbors: their chances, enclosed."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.exact.backend_integral import Integrand, integral
from rdpacct.exact.ball import Ball, ComplexBall, RealBall, precision
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.selection.first_above_rules import run_chance
from rdpacct.mechanisms.selection.threshold_levels import (
    AskedQueries,
    Comparisons,
    QueryLevels,
    planned_levels,
    planned_range,
)
from rdpacct.mechanisms.selection.threshold_noise import ThresholdNoise
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt, remembered
from rdpacct.work import spend

BITS = 64
PLAN_WORK = 200_000
"""The work of planning the levels of one mechanism."""
SIDE_OPERATIONS, COUNT_OPERATIONS = 32, 4
"""The operations of a value of the chance of an event, and those for each answer above."""
MOST_RATIO = 32.0
"""No event is worked out if the noise of the threshold is more than this many times that of a
query: it takes too many values.
"""
MOST_MOVE = 4
"""Queries that may move by more than twice this many scales are moved by this many."""


@dataclass(frozen=True)
class _ThresholdRun(Mechanism):
    """Whether a run on concrete neighbors has one event."""

    known: PrivacyLoss
    relation: Relation

    def loss(self) -> PrivacyLoss:
        return self.known

    def profile(self) -> Profile:
        return Profile((self.known,))

    def __str__(self) -> str:
        return "an event of the answers about a noisy threshold"


def runs_that_occur(
    noise: ThresholdNoise, ratio: Expr, shift: Expr, asked: AskedQueries
) -> tuple[PrivacyLoss, ...]:
    """Losses of events of runs on concrete neighbors, where the noise of the threshold is ``ratio``
    times that of a query; that of no event where none is worked out.
    """
    losses: list[PrivacyLoss] = []
    if about(ratio) <= MOST_RATIO:
        spend(PLAN_WORK)
        move = formula(MOST_MOVE) if about(shift) > 2 * MOST_MOVE else shift
        setting = Comparisons(noise, about(ratio), about(move))
        for levels in planned_levels(setting, asked):
            losses += one_event(noise, ratio, move, levels)
    return tuple(losses) or (worst_pair(ZERO, ZERO),)


@remembered(256)
def one_event(
    noise: ThresholdNoise, ratio: Expr, shift: Expr, levels: QueryLevels
) -> tuple[PrivacyLoss, ...]:
    """The loss of the event of a run, with probabilities rounded towards each other; none if that
    tells nothing.
    """
    setting = Comparisons(noise, about(ratio), about(shift))
    with attempt() as used, precision(BITS):
        move = value(shift)
        near, far = real(levels.near), real(levels.far)
        moved = near - levels.rise * move, far + levels.fall * move
        likely = _chance(setting, value(ratio), levels, (near, far))
        other = levels.moved(setting.shift)
        rare = _chance(setting, value(ratio), other, moved)
    p, q = likely.lower(), rare.upper()
    if not 0 < q < p < 1:
        return ()
    atoms = (
        Atom.of(Fraction(p), Fraction(q)),
        Atom.of(1 - Fraction(p), 1 - Fraction(q)),
    )
    return (PrivacyLoss(atoms, rests_on=frozenset(used)),)


def _chance(
    setting: Comparisons,
    ratio: RealBall,
    levels: QueryLevels,
    exactly: tuple[RealBall, RealBall],
) -> Ball:
    """The chance of the event of queries that are exactly on two levels, at the current
    precision.
    """
    noise = setting.noise
    counts = levels.first, levels.others, levels.least
    low, high = (real(end) for end in planned_range(levels, setting))
    ends = [low, *_kinks(noise, ratio, exactly, low, high), high]
    operations = SIDE_OPERATIONS + COUNT_OPERATIONS * levels.least
    body = Ball.of(0, BITS)
    for start, end in pairwise(ends):
        at = _integrand(noise, ratio, counts, exactly, (start + end) / 2)
        body += integral(at, Ball(start, BITS), Ball(end, BITS), BITS, operations)
    near, far = exactly
    first = _at(noise, ratio * low + near) ** levels.first
    others = run_chance(real(1), _at(noise, ratio * high + far), *counts)
    rest = _at(noise, low) * first + _at(noise, -high) * others
    most = Fraction(Ball(rest, BITS).upper())
    return body + Ball.hull(Fraction(0), most, BITS)


def _integrand(
    noise: ThresholdNoise,
    ratio: RealBall,
    counts: tuple[int, int, int],
    exactly: tuple[RealBall, RealBall],
    middle: RealBall,
) -> Integrand:
    """The chance of the event times the density, by the formulas of the sides on which the middle
    of a stretch lies.
    """
    side = bool(middle > 0)
    near, far = exactly
    sides = bool(ratio * middle + near > 0), bool(ratio * middle + far > 0)

    def at(point: ComplexBall, analytic: bool) -> ComplexBall:  # noqa: ARG001
        place = ratio * point
        both = noise.below(place + near, sides[0]), noise.below(place + far, sides[1])
        return noise.density(point, side) * run_chance(*both, *counts)

    return at


def _at(noise: ThresholdNoise, level: RealBall) -> RealBall:
    """The chance that the noise is below a level, by the formula of either side where both may
    apply.
    """
    if level > 0 or not noise.kinked:
        return noise.below(level, True)
    if level < 0:
        return noise.below(level, False)
    return noise.below(level, True).union(noise.below(level, False))


def _kinks(
    noise: ThresholdNoise,
    ratio: RealBall,
    exactly: tuple[RealBall, RealBall],
    low: RealBall,
    high: RealBall,
) -> list[RealBall]:
    """Where a formula changes between two ends, in order."""
    if not noise.kinked:
        return []
    kinks = [real(0), *(-level / ratio for level in exactly)]
    inside = [kink for kink in kinks if kink > low and kink < high]
    return sorted(inside, key=float)
