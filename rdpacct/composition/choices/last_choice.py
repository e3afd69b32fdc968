"""A release with choices that runs last: one law stands for all of its pairs."""

from collections.abc import Sequence
from dataclasses import replace

from rdpacct.composition.draws import Draw, answered_by
from rdpacct.provenance import by

MOST_CHOSEN = 8
"""With more releases that have a choice, letting one of them run last adds little to a lower end.
"""


def attained_alone(draws: list[Draw]) -> list[Draw]:
    """The draws; if just one release has choices, its least dominating law is what it does, when it
    is run last.
    """
    if sum(count for direction, _, count in draws if direction.family is not None) != 1:
        return draws
    return [
        (
            (
                replace(direction, below=())
                if direction.family is not None and direction.family.least_law
                else direction
            ),
            answers,
            count,
        )
        for direction, answers, count in draws
    ]


@by("composition/adaptive-choice")
def run_last(draws: Sequence[Draw]) -> list[Draw]:
    """The draws with the least law of all pairs for one release, which runs last, if there is one
    whose pair is chosen. Each of the others has one of its pairs.
    """
    place = next((k for k, (pair, _, _) in enumerate(draws) if pair.last), None)
    if place is None:
        return []
    chosen = sum(count for pair, _, count in draws if pair.last or pair.family)
    if chosen > MOST_CHOSEN:
        return []
    law = draws[place][0].last
    if chosen > 1 and law and law.transform and not law.transform.has_nodes:
        return []  # a lower end that is little better, for much work
    direction, answers, count = draws[place]
    others = [
        (replace(pair, family=None, last=None), known, number)
        for pair, known, number in draws
    ]
    others.pop(place)
    if count > 1:
        one_pair = replace(direction, family=None, last=None)
        others.append((one_pair, answers, count - 1))
    last = direction.last
    if last is None:
        raise AssertionError("a release that runs last has a law of its own")
    known = answers if last.loss is None else answered_by(last.loss)
    return [*others, (last, known, 1)]
