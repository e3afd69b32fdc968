"""The blocks of a sum of losses, whose own answers bound those of the sum."""

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from rdpacct.composition.draws import Draw
from rdpacct.composition.ends.known_ends import Block, Blocks
from rdpacct.composition.exact_sums.one_draw import one_draw
from rdpacct.composition.terms import Terms
from rdpacct.errors import UndecidedError
from rdpacct.privacy.any_loss import Loss

SumOf: TypeAlias = Callable[[Sequence[Draw]], Loss]
"""Makes the loss of a sum."""


def blocks_of(draws: Sequence[Draw], sum_of: SumOf) -> Blocks:
    """The releases of each mechanism, or each release if there is one mechanism; none if that says
    nothing new.
    """
    if len(draws) != 1:
        return [(_block(draw, sum_of), 1) for draw in draws]
    [(direction, answers, count)] = draws
    if direction.below:
        block = answers() if count > 1 else None
        return [] if block is None or _bounded(block) else [(block, count)]
    closed = _has_closed_form(draws[0])
    if count > 1:
        block = sum_of([(direction, answers, 1)]) if closed else answers()
        return [(block, count)]
    return [(answers(), 1)] if closed else []


def _block(draw: Draw, sum_of: SumOf) -> Block:
    direction, answers, count = draw
    if count > 1 or direction.below:
        return sum_of([draw])
    return answers()


def _bounded(block: Block) -> bool:
    """Whether losses are bounded, so that basic composition is about as good as their sum."""
    try:
        return math.isfinite(block.max_divergence().upper)
    except UndecidedError:
        return True


def _has_closed_form(draw: Draw) -> bool:
    """Whether one release has a profile in closed form, which takes less work than its parts."""
    transform = draw[0].transform
    return transform is not None and one_draw(Terms.of([(transform, 1)])) is not None
