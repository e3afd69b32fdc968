"""What is known of a sum of losses without composing it: an answer is never wider than that.

A sum is made of blocks: the releases of each mechanism, or each release if there is one mechanism.
Dropping a block can only lower delta, which gives lower ends; basic composition of the blocks gives
upper ends.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar

from rdpacct.composition.answers import Found
from rdpacct.errors import UndecidedError
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.formula import Expr
from rdpacct.privacy.guarantee import RenyiDP
from rdpacct.provenance import attempt, by, record
from rdpacct.work import in_turn, share

NARROW = 1e-6
"""Answers wider than this, relatively, are compared with what is known."""
MOST_BLOCKS = 12
"""How many blocks are asked one by one."""
BELOW = 0.5
"""The part of the remaining work for the lower end."""
ORDERS = tuple(Fraction(order) for order in (1.25, 1.5, 2, 4, 8, 16, 32, 64))
"""The orders of the divergences that are converted."""
HOW_DIVERGENCES = "Renyi divergences (conversion/renyi-to-approx)"
HOW_BASIC = "basic composition (composition/basic)"


class Block(Protocol):
    """Some of the releases, together."""

    def delta(self, epsilon: Fraction) -> Bound:
        """The smallest delta at this epsilon."""

    def epsilon(self, delta: Fraction) -> Bound:
        """The smallest epsilon at this delta."""

    def max_divergence(self) -> Bound:
        """The largest loss."""


Blocks: TypeAlias = Sequence[tuple[Block, int]]
"""Blocks, with the number of times that each occurs."""


Level = TypeVar("Level", End, Expr)


@by("composition/basic")
def basic_composition(
    epsilons: Iterable[Level], deltas: Iterable[Level]
) -> tuple[Level | Fraction, Level | Fraction]:
    """The epsilon and the delta of independent releases together: the sums of theirs."""
    return sum(epsilons, start=Fraction(0)), sum(deltas, start=Fraction(0))


def epsilon_within_divergences(
    answer: Bound, renyi: Callable[[Fraction], Bound], delta: Fraction
) -> Bound:
    """An answer for epsilon, with an upper end that is at most what Renyi divergences give.

    Where pairs are chosen, those of the worst pair at each order may say more than one law above
    them all.
    """
    from rdpacct.privacy.convert import renyi_to_approx

    for order in ORDERS:
        with attempt() as used:
            try:
                most = renyi(order).upper
            except UndecidedError:
                continue
            if not isinstance(most, Fraction):
                continue
            enough = renyi_to_approx(RenyiDP(order, most), delta).epsilon.bound().upper
        if enough < answer.upper:
            record(used)
            upper = max(Fraction(enough), Fraction(answer.lower))
            answer = Bound(answer.lower, upper, HOW_DIVERGENCES)
    return answer


def epsilon_within_known(answer: Found, blocks: Blocks, delta: Fraction) -> Found:
    """An answer for epsilon at this delta, not wider than what its blocks tell."""
    if answer.bound.relative_width <= NARROW or not 1 <= len(blocks) <= MOST_BLOCKS:
        return answer
    with attempt() as used_below, share(BELOW):
        lower = worst_block(lambda block: block.epsilon(delta), blocks)
    above = _least(enough for enough, _ in _splits_of_delta(blocks, delta))
    return _narrowed(answer, (lower, used_below), above)


def delta_within_known(answer: Found, blocks: Blocks, epsilon: Fraction) -> Found:
    """An answer for delta at this epsilon, not wider than what its blocks tell."""
    if answer.bound.relative_width <= NARROW or not 1 <= len(blocks) <= MOST_BLOCKS:
        return answer
    with attempt() as used_below, share(BELOW):
        lower = worst_block(lambda block: block.delta(epsilon), blocks)
    splits = (enough for _, enough in _splits_of_epsilon(blocks, epsilon))
    return _narrowed(answer, (lower, used_below), _least(splits))


@by("post-processing/divergences")
def worst_block(question: Callable[[Block], Bound], blocks: Blocks) -> End:
    """The lower end of the worst block: whoever sees all releases can look at one block alone."""

    def lower(row: tuple[Block, int]) -> tuple[End, set[str]]:
        with attempt() as used:
            try:
                return question(row[0]).lower, used
            except UndecidedError:
                return Fraction(0), set()

    ends = in_turn(lower, blocks)
    end, used = max(ends, key=lambda known: known[0], default=(Fraction(0), set()))
    record(used)
    return end


def _least(ends: Iterable[End]) -> tuple[End, set[str]]:
    """The least of several upper ends, with what that one rests on; infinite if there is none."""
    least: End = math.inf
    rests_on = set[str]()
    waiting = iter(ends)
    while True:
        with attempt() as used:
            end = next(waiting, None)
        if end is None:
            return least, rests_on
        if end < least:
            least = end
            rests_on = used


def _splits_of_delta(blocks: Blocks, delta: Fraction) -> Iterable[tuple[End, End]]:
    """The delta shared equally, or given to one block while all others have bounded losses."""
    equal = delta / sum(times for _, times in blocks)
    yield basic_composition(
        in_turn(lambda row: row[1] * _upper(row[0].epsilon, equal), blocks),
        [times * equal for _, times in blocks],
    )
    for index, (block, _) in enumerate(blocks):
        rest = _largest_losses(blocks, index)
        if isinstance(rest, Fraction):
            yield basic_composition([rest, _upper(block.epsilon, delta)], [delta])


def _splits_of_epsilon(blocks: Blocks, epsilon: Fraction) -> Iterable[tuple[End, End]]:
    """The epsilon shared equally, or given to one block, less the largest losses of all others."""
    number = sum(times for _, times in blocks)
    if epsilon >= 0 and number > 1:
        deltas = in_turn(
            lambda row: row[1] * _upper(row[0].delta, epsilon / number), blocks
        )
        yield basic_composition([epsilon], deltas)
    for index, (block, _) in enumerate(blocks):
        rest = _largest_losses(blocks, index)
        if isinstance(rest, Fraction):
            left = epsilon - rest
            yield basic_composition([rest, left], [_upper(block.delta, left)])


def _largest_losses(blocks: Blocks, without: int) -> End:
    """The sum of the largest losses of all blocks but one occurrence of this one."""
    largest: End = Fraction(0)
    for index, (block, times) in enumerate(blocks):
        others = times - (index == without)
        if others:
            largest += others * block.max_divergence().upper
    return largest


def _upper(question: Callable[[Fraction], Bound], at: Fraction) -> End:
    try:
        return question(at).upper
    except UndecidedError:
        return math.inf


def _narrowed(
    answer: Found, below: tuple[End, set[str]], above: tuple[End, set[str]]
) -> Found:
    """The answer cut to the two ends that are known; an end that cuts nothing leaves no trace."""
    ends, _, lower_rests_on, upper_rests_on = answer
    how = ends.how
    lower = ends.lower
    upper = ends.upper
    if above[0] < upper:
        upper = above[0]
        how = HOW_BASIC
        upper_rests_on = frozenset(above[1])
    if below[0] > lower:
        lower = below[0]
        lower_rests_on = frozenset(below[1])
    bound = Bound(min(lower, upper), upper, how)
    return Found(bound, below=lower_rests_on, above=upper_rests_on)
