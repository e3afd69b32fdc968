"""Closer ends for what the methods of a sum of losses answer, as a table: from which width on each
row is asked, when it applies, what part of the work it may take, its delta, and its epsilon.

The rows are walked in their order, each with the answer of those before it. Every end is certified.
"""

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rdpacct.composition.answers import HOW_MOMENTS, Found
from rdpacct.composition.draws import grids_only, has_families
from rdpacct.composition.ends.blocks import blocks_of
from rdpacct.composition.ends.known_ends import (
    NARROW,
    delta_within_known,
    epsilon_within_divergences,
    epsilon_within_known,
)
from rdpacct.composition.ends.moments import (
    largest_by_moments,
    least_delta,
    least_epsilon,
)
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound, greatest
from rdpacct.provenance import attempt
from rdpacct.work import Exhausted, in_turn, share, used_up

if TYPE_CHECKING:
    from rdpacct.composition.choices.choices import Composed
    from rdpacct.composition.composed_loss import ComposedLoss

WIDE, ANY_WIDTH = 1e-3, -1.0
"""Where an answer is so wide, relatively, others may narrow it; and what every answer is wider
than.
"""
CHOICES = 0.8
"""The part of the work that is left for releases with choices, beside the sum that is above
them.
"""
MOMENTS, INSTEAD, BESIDE_RAMP, POINTS = 0.1, 0.5, 0.5, 0.5
"""The same for lower ends by moments, for another sum that is above, for one beside a ramp, and for
deltas at points.
"""
NEAR_THE_TOP, MOST_POINTS = Fraction(1, 64), 12
"""How far below the upper end the first points lie, as a part of the width, and how many there
are.
"""
FURTHEST_POINT = 10_000
"""Deltas are not asked for at larger epsilons."""
HOW_POINTS = "deltas at points"


class AskedSum(NamedTuple):
    """A sum of losses, and the question that it is asked."""

    loss: "ComposedLoss"
    at: Fraction
    """The epsilon whose delta is asked for, or the delta whose epsilon is."""
    ask: "Callable[[Composed], Bound]"
    """The same question, for another sum."""
    chosen: Found | None
    """What releases with choices answered, if that is wide; None if there are none."""


Closer: TypeAlias = Callable[[AskedSum, Found], Found]
"""From an answer one whose ends are at least as close."""


@dataclass(frozen=True, slots=True)
class CloserEnds:
    """A row: what is asked where an answer is wider than ``wider_than``, relatively, if it
    applies.
    """

    name: str
    wider_than: float
    applies: Callable[[AskedSum], bool]
    part: float | None
    """The part of the work that is left that it may take; None for all of it."""
    delta: Closer | None
    epsilon: Closer | None


def always(_: AskedSum) -> bool:
    """A row that always applies."""
    return True


def has_below(asked: AskedSum) -> bool:
    """Whether the sum may be above what the releases do."""
    return bool(asked.loss.below)


def has_instead(asked: AskedSum) -> bool:
    """Whether another sum is above the releases, and there is work left for it."""
    return asked.loss.instead is not None and not used_up()


def has_ramp(asked: AskedSum) -> bool:
    """Whether a smaller sum is above the releases beside a ramp."""
    return asked.loss.beside_ramp is not None


def is_affordable(_: AskedSum) -> bool:
    """Whether there is work left."""
    return not used_up()


def is_plain(asked: AskedSum) -> bool:
    """Whether the sum is what the releases do, and there is work left."""
    return asked.loss.is_plain and not used_up()


def was_chosen(asked: AskedSum) -> bool:
    """Whether releases with choices have an answer of their own."""
    return asked.chosen is not None


def has_pairs(asked: AskedSum) -> bool:
    """Whether the pairs of a release with choices are known, so that each order has its worst."""
    return has_families(asked.loss.draws)


def delta_by_moments(asked: AskedSum, found: Found) -> Found:
    """Both ends of delta by moments alone."""
    loss = asked.loss
    bits = loss.answers.bits
    ends, attained, below, above = found
    how = ends.how
    upper = ends.upper
    with attempt() as used, precision(bits):
        infinite = 1 - loss.finite_mass()
        most = Ball(loss.answers.most(asked.at) + infinite, bits).upper()
    if most < upper:
        upper = max(Fraction(most), ends.lower)
        how = HOW_MOMENTS
        attained = False
        above = frozenset(used)
    with attempt() as used, share(MOMENTS):
        least = least_delta_by_moments(loss, asked.at)
    if least > ends.lower:
        below = frozenset(used)
    bound = Bound(min(max(ends.lower, least), upper), upper, how)
    return Found(bound, attained, below, above)


def least_delta_by_moments(loss: "ComposedLoss", epsilon: Fraction) -> Fraction:
    """A lower bound on delta from moments alone, if the sum is attained."""
    if loss.below:
        return Fraction(0)
    return largest_by_moments(
        loss.log_moment, lambda log, share: least_delta(log, share, epsilon)
    )


def epsilon_by_moments(asked: AskedSum, found: Found) -> Found:
    """Both ends of epsilon by moments alone, where the finite losses have a part of delta."""
    loss = asked.loss
    bound = found.bound
    if loss.answers.terms is None:
        return found
    with attempt() as used_above, precision(loss.answers.bits):
        left = loss.finite_part(asked.at)
        if not left > 0:
            return found
        enough = loss.answers.enough(left)
    with attempt() as used_below, share(MOMENTS):
        needed = _needed(loss, asked.at)
    above = frozenset(used_above) if enough < bound.upper else found.above
    below = frozenset(used_below) if needed > bound.lower else found.below
    upper = min(bound.upper, enough)
    lower = min(max(bound.lower, needed), upper)
    if not math.isfinite(bound.upper):
        return Found(Bound(lower, upper, HOW_MOMENTS), False, below, above)
    return Found(Bound(lower, upper, bound.how), found.attained, below, above)


def _needed(loss: "ComposedLoss", delta: Fraction) -> Fraction:
    """A lower bound on epsilon from moments alone, if the sum is attained."""
    if loss.below:
        return Fraction(0)
    return largest_by_moments(
        loss.log_moment,
        lambda log, share: least_epsilon(log, share, Ball.of(1 - delta, log.bits)),
    )


def above_those_below(asked: AskedSum, found: Found) -> Found:
    """The lower end of the sums that are below, unless grids have one of their own."""
    above = found.bound
    loss = asked.loss
    if found.attained and grids_only(loss.draws):
        return found
    if used_up():
        bound = Bound(Fraction(0), above.upper, above.how)
        return Found(bound, below=frozenset(), above=found.above)
    with attempt():
        best = greatest(in_turn(asked.ask, loss.below))
    bound = Bound(min(best.lower, above.upper), above.upper, above.how)
    return Found(bound, below=best.rests_on, above=found.above)


def or_instead(asked: AskedSum, found: Found) -> Found:
    """The upper end of the other sum, if that is lower."""
    other = asked.loss.instead
    if other is None:
        return found
    bound = found.bound
    with attempt() as used:
        answer = asked.ask(other)
    if answer.upper >= bound.upper:
        return found
    closer = Bound(bound.lower, max(answer.upper, bound.lower), answer.how)
    return Found(closer, below=found.below, above=other.rests_on | used)


def delta_beside_ramp(asked: AskedSum, found: Found) -> Found:
    """The upper end of the sum beside a ramp, if that is lower."""
    ramp = asked.loss.beside_ramp
    if ramp is None:
        return found
    return _with_upper(
        found, lambda bound: ramp.delta(bound, asked.at, _infinite(asked.loss))
    )


def epsilon_beside_ramp(asked: AskedSum, found: Found) -> Found:
    """The same for epsilon."""
    ramp = asked.loss.beside_ramp
    if ramp is None:
        return found
    return _with_upper(
        found, lambda bound: ramp.epsilon(bound, asked.at, _infinite(asked.loss))
    )


def _infinite(loss: "ComposedLoss") -> RealBall:
    """The probability of an infinite loss."""
    with precision(loss.answers.bits):
        return 1 - loss.finite_mass()


def _with_upper(found: Found, narrowed: Callable[[Bound], Bound]) -> Found:
    """With the upper end that is known by what narrows it, if that is lower."""
    with attempt() as used:
        bound = narrowed(found.bound)
    above = frozenset(used) if bound.upper < found.bound.upper else found.above
    return Found(bound, below=found.below, above=above)


def delta_of_blocks(asked: AskedSum, found: Found) -> Found:
    """Both ends by what is known of parts of the releases."""
    blocks = blocks_of(asked.loss.draws, asked.loss.of)
    return delta_within_known(found, blocks, asked.at)


def epsilon_of_blocks(asked: AskedSum, found: Found) -> Found:
    """The same for epsilon."""
    blocks = blocks_of(asked.loss.draws, asked.loss.of)
    return epsilon_within_known(found, blocks, asked.at)


def with_choices(asked: AskedSum, found: Found) -> Found:
    """Both ends by the best choices, which were asked for before the sum."""
    chosen = asked.chosen
    if chosen is None:
        return found
    from rdpacct.composition.choices.choices import narrower

    by_sum = found.bound
    below = found.below if by_sum.lower > chosen.bound.lower else chosen.below
    above = found.above if by_sum.upper < chosen.bound.upper else chosen.above
    return Found(narrower(chosen.bound, by_sum), below=below, above=above)


def epsilon_by_divergences(asked: AskedSum, found: Found) -> Found:
    """The upper end of epsilon by Renyi divergences."""
    return _with_upper(
        found,
        lambda bound: epsilon_within_divergences(bound, asked.loss.renyi, asked.at),
    )


def epsilon_by_points(asked: AskedSum, found: Found) -> Found:
    """Both ends by deltas at single epsilons, near the upper end first: near the largest loss a
    profile is known at each point, though a search may not find where it passes a target.
    """
    low, high = found.bound.lower, found.bound.upper
    if isinstance(high, float) or high > FURTHEST_POINT:
        return found
    below, above, how = found.below, found.above, found.bound.how
    part = NEAR_THE_TOP
    for _ in range(MOST_POINTS):
        at = high - (high - Fraction(low)) * part
        try:
            with attempt() as used:
                delta = asked.loss.delta(at)
        except Exhausted:
            break
        if delta.lower > asked.at:
            low, below = at, frozenset(used)
        elif delta.upper <= asked.at:
            high, above, how = at, frozenset(used), HOW_POINTS
            part = Fraction(1, 2)
        else:
            break
        if Bound(low, high).relative_width <= NARROW:
            break
    return Found(Bound(low, high, how), below=below, above=above)


CLOSER_ENDS = (
    # name, wider than, applies, part of the work, delta, epsilon
    CloserEnds("moments", WIDE, always, None, delta_by_moments, epsilon_by_moments),
    CloserEnds(
        "sums below", ANY_WIDTH, has_below, None, above_those_below, above_those_below
    ),
    CloserEnds("another sum above", WIDE, has_instead, INSTEAD, or_instead, or_instead),
    CloserEnds(
        "a sum beside a ramp",
        WIDE,
        has_ramp,
        BESIDE_RAMP,
        delta_beside_ramp,
        epsilon_beside_ramp,
    ),
    CloserEnds(
        "blocks", NARROW, is_affordable, None, delta_of_blocks, epsilon_of_blocks
    ),
    CloserEnds("points", WIDE, is_plain, POINTS, None, epsilon_by_points),
    CloserEnds("best choices", ANY_WIDTH, was_chosen, None, with_choices, with_choices),
    CloserEnds(
        "Renyi divergences", WIDE, has_pairs, None, None, epsilon_by_divergences
    ),
)
"""The rows, in the order in which they are walked."""
Rows: TypeAlias = tuple[tuple[CloserEnds, Closer], ...]
"""The rows that answer one of the two questions, each with how it is asked."""
FOR_DELTA = tuple((row, row.delta) for row in CLOSER_ENDS if row.delta is not None)
FOR_EPSILON = tuple(
    (row, row.epsilon) for row in CLOSER_ENDS if row.epsilon is not None
)
"""The rows for each of them."""


def with_closer_ends(asked: AskedSum, found: Found, rows: Rows) -> Bound:
    """The answer of the methods, with the closer ends of the rows that apply; what its two ends
    rest on is recorded, and not what stood behind ends that closer ones replaced.
    """
    width = found.bound.relative_width
    for row, closer in rows:
        if width > row.wider_than and row.applies(asked):
            with nullcontext() if row.part is None else share(row.part):
                found = closer(asked, found)
            width = found.bound.relative_width
    return found.recorded()


def best_choices(
    choices: "Composed", ask: "Callable[[Composed], Bound]"
) -> Found | None:
    """What releases with choices answer; None if that takes too much work."""
    try:
        with share(CHOICES), attempt() as used:
            answer = ask(choices)
    except Exhausted:
        return None
    return Found(answer).resting_on(used)
