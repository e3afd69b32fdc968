"""Repeated draws of finitely many losses: every sum of a number of them, with its mass."""

import math
from typing import TypeAlias

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real

Atoms: TypeAlias = list[tuple[RealBall, RealBall]]
"""Losses, each with its mass."""


def drawn(atoms: Atoms, count: int) -> Atoms:
    """The sums of a number of draws of the same atoms."""
    if count <= len(atoms):
        return _draw_by_draw(atoms, count)
    (loss, mass), *others = atoms
    if not others:
        return [(loss * count, mass**count)]
    return [
        (loss * n + offset, mass**n * math.comb(count, n) * weight)
        for n in range(count + 1)
        for offset, weight in drawn(others, count - n)
    ]


def _draw_by_draw(atoms: Atoms, count: int) -> Atoms:
    """The same for few draws of many atoms: each draw is no earlier in the list than that before.

    One more of an atom that came ``run`` times before makes (n + 1)/(run + 1) times as many orders.
    """
    draws = [(real(0), real(1), 0, 0)]
    for n in range(count):
        longer = []
        for offset, weight, last, run in draws:
            for index in range(last, len(atoms)):
                loss, mass = atoms[index]
                repeats = run + 1 if index == last else 1
                orders = weight * mass * (n + 1) / repeats
                longer.append((offset + loss, orders, index, repeats))
        draws = longer
    return [(offset, weight) for offset, weight, _, _ in draws]
