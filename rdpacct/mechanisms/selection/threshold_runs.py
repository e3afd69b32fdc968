"""Events of answers about a noisy threshold on concrete neighbors: their chances, enclosed."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, ComplexBall, integral, precision
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.raw import AnyBall, pi, real
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.selection.first_above_rules import run_chance
from rdpacct.mechanisms.selection.threshold_levels import (
    QueryLevels,
    planned_levels,
    planned_range,
)
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt, remembered
from rdpacct.work import Exhausted, share, spend

BITS = 64
PLAN_WORK = 200_000
"""The work of planning the levels of one mechanism."""
ONE_EVENT = 0.1
"""The part of the work that is left for the chances of one event."""


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
    ratio: Expr, shift: Expr, queries: int, most_above: int, monotone: bool
) -> tuple[PrivacyLoss, ...]:
    """Losses of events of runs on concrete neighbors, where the noise of the threshold is ``ratio``
    times that of a query; that of no event if there is not enough work.
    """
    found: list[PrivacyLoss] = []
    try:
        spend(PLAN_WORK)
        noise, move = about(ratio), about(shift)
        for levels in planned_levels(noise, move, queries, most_above, monotone):
            with share(ONE_EVENT):
                found += one_event(ratio, shift, levels)
    except Exhausted:
        pass
    return tuple(found) or (worst_pair(ZERO, ZERO),)


@remembered(256)
def one_event(ratio: Expr, shift: Expr, levels: QueryLevels) -> tuple[PrivacyLoss, ...]:
    """The loss of the event of a run, with probabilities rounded towards each other; none if that
    tells nothing.
    """
    with attempt() as used:
        likely = _chance(ratio, shift, levels, moved=False).lower()
        rare = _chance(ratio, shift, levels, moved=True).upper()
    if not 0 < rare < likely < 1:
        return ()
    p, q = Fraction(likely), Fraction(rare)
    atoms = Atom.of(p, q), Atom.of(1 - p, 1 - q)
    return (PrivacyLoss(atoms, rests_on=frozenset(used)),)


def _chance(ratio: Expr, shift: Expr, levels: QueryLevels, moved: bool) -> Ball:
    """The chance of the event, for the one neighbor or for the other."""
    counts = levels.first, levels.others, levels.least
    planned = levels.moved(about(shift)) if moved else levels
    ends = planned_range(planned, about(ratio))
    with precision(BITS):
        noise = value(ratio)
        near, far = real(levels.near), real(levels.far)
        if moved:
            near += -levels.rise * value(shift)
            far += levels.fall * value(shift)

        def at(point: ComplexBall, analytic: bool) -> ComplexBall:  # noqa: ARG001
            both = _below(noise * point + near), _below(noise * point + far)
            return _density(point) * run_chance(*both, *counts)

        low, high = (Ball.of(Fraction(end), BITS) for end in ends)
        body = integral(at, low, high, BITS)
        before = _below(low.raw) * _below(noise * low.raw + near) ** levels.first
        after = _below(-high.raw) * run_chance(
            real(1), _below(noise * high.raw + far), *counts
        )
        rest = Ball(before + after, BITS).upper()
        return body + Ball.hull(Fraction(0), Fraction(rest), BITS)


def _below(level: AnyBall) -> AnyBall:
    """The chance that standard normal noise is below a level."""
    return (-level / real(2).sqrt()).erfc() / 2


def _density(point: ComplexBall) -> ComplexBall:
    """That of standard normal noise."""
    return (-(point**2) / 2).exp() / (2 * pi()).sqrt()
