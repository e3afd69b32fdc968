"""The draws of a sum of losses: flattened, exchanged, those below them, and what they rest on."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TypeAlias

from rdpacct.errors import UndecidedError
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import built_by, by

Draw: TypeAlias = tuple[Direction, Callable[[], Loss | Profile], int]
"""What the engine needs of a loss, what answers the questions whose answers add up, and how often
it is drawn.
"""
MOST_CASES = 32
"""How many combinations of attained pairs bound a composition from below."""


def flat(draws: Iterable[Draw]) -> Iterator[Draw]:
    """The draws, with those of a sum in place of it."""
    for draw in draws:
        direction, _, count = draw
        if direction.draws:
            yield from (
                (inner, known, times * count)
                for inner, known, times in flat(direction.draws)
            )
        else:
            yield draw


def are_plain(draws: Iterable[Draw]) -> bool:
    """Whether each release has one pair and no other one that bounds it, as most do."""
    return all(
        not direction.below
        and direction.family is None
        and direction.last is None
        and direction.instead is None
        and direction.beside_ramp is None
        for direction, _, _ in draws
    )


def has_choices(draws: Iterable[Draw]) -> bool:
    """Whether a release lets an adversary choose among several pairs."""
    return any(
        direction.family is not None or direction.last is not None
        for direction, _, _ in draws
    )


def has_families(draws: Iterable[Draw]) -> bool:
    """Whether the pairs of such a release are known, so that each order has its worst one."""
    return any(direction.family is not None for direction, _, _ in draws)


def has_ramps(draws: Iterable[Draw]) -> bool:
    """Whether a smaller pair stands for a release beside a ramp."""
    return any(direction.beside_ramp is not None for direction, _, _ in draws)


def grids_only(draws: Iterable[Draw]) -> bool:
    """Whether a sum is above for the sake of its grids only, which an answer from two grids does
    without.
    """
    return all(_only_rounded(direction) for direction, _, _ in draws if direction.below)


def _only_rounded(direction: Direction) -> bool:
    """Whether a direction is above the one below it for the sake of its grid only."""
    law = direction.transform
    below = direction.below[0]
    if law is None or below.transform is None:
        return False
    same = direction.at_infinity == below.at_infinity
    return same and len(direction.below) == 1 and law.rounds_as(below.transform)


class OneWay:
    """What answers for a draw of a mechanism whose directions are told apart, and the draw of the
    other direction.
    """

    __slots__ = ("answering", "draw", "way")

    def __init__(
        self,
        way: int,
        answering: Callable[[int], Loss | Profile],
        draw: Callable[[int], Draw],
    ) -> None:
        self.way = way
        self.answering = answering
        self.draw = draw

    def __call__(self) -> Loss | Profile:
        return self.answering(self.way)

    def exchanged(self, direction: Direction, count: int) -> Draw:
        """The draw of the other direction, for one that stands for this direction."""
        own, _, _ = self.draw(self.way)
        if direction.transform is not own.transform:
            raise UndecidedError(
                "the other direction of a law that only bounds a release is not known;"
                " ask the plan itself, which has both directions."
            )
        other, answers, _ = self.draw(1 - self.way)
        return other, answers, count


def exchanged(draw: Draw) -> Draw:
    """The draw of the exchanged pair: itself, if the loss is symmetric or the pair may be turned
    round.
    """
    direction, answers, count = draw
    if isinstance(answers, OneWay):
        return answers.exchanged(direction, count)
    loss = answers()
    if isinstance(loss, Profile):
        return draw
    other = loss.reversed()
    if other is loss:
        return draw
    return (other.direction(), answered_by(other), count)


def answered_by(known: Loss | Profile) -> Callable[[], Loss | Profile]:
    """What answers for a draw, where it is there already."""
    return partial(_itself, known)


def _itself(known: Loss | Profile) -> Loss | Profile:
    return known


def draws_below(draws: Sequence[Draw]) -> list[list[Draw]]:
    """The draws with what is below in place of what is above: every combination of it, or of the
    first ones; none if nothing is above.
    """
    if not any(direction.below for direction, _, _ in draws):
        return []
    options = [direction.below or (direction,) for direction, _, _ in draws]
    while math.prod(map(len, options)) > MOST_CASES:
        most = max(map(len, options))
        options = [
            directions[: (most + 1) // 2] if len(directions) == most else directions
            for directions in options
        ]
    return [
        [
            (direction, _answering(direction, answers), count)
            for direction, (_, answers, count) in zip(chosen, draws, strict=True)
        ]
        for chosen in product(*options)
    ]


def draws_instead(draws: Sequence[Draw]) -> list[Draw]:
    """The draws with other pairs that dominate, where there are some; none if there are none."""
    if not any(direction.instead for direction, _, _ in draws):
        return []
    other_draws: list[Draw] = []
    for direction, answers, count in draws:
        other = direction.instead or replace(direction, below=())
        other_draws.append((other, _answering(other, answers), count))
    return other_draws


def _answering(
    direction: Direction, answers: Callable[[], Loss | Profile]
) -> Callable[[], Loss | Profile]:
    """The loss that answers for a direction: its own, if it has another one than the release."""
    if direction.loss is None:
        return answers
    return answered_by(direction.loss)


def grounds(draws: Sequence[Draw]) -> frozenset[str]:
    """The theorems that a sum of losses rests on: each stands for its release, and several for all
    of them together.
    """
    used = frozenset[str]().union(*(direction.rests_on for direction, _, _ in draws))
    several = sum(count for _, _, count in draws) > 1
    return used | dominating_sum() if several else used


@by("composition/dominating-pairs")
def dominating_sum() -> frozenset[str]:
    """The sum of independent losses, each of a pair that dominates its release, dominates all
    releases together.
    """
    return built_by()
