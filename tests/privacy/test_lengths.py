"""Lengths of moves in the three norms, exactly, and sensitivities that they exceed."""

import random
from fractions import Fraction

import pytest

from rdpacct import Norm, Sensitivity
from rdpacct.exact.functions import sqrt


def vectors() -> list[list[Fraction]]:
    """Vectors of thirds, doubles and zeros, and the empty one."""
    rng = random.Random(4)
    found = [list[Fraction](), [Fraction(0)] * 3]
    for size in range(1, 6):
        found.append(
            [Fraction(rng.randint(-9, 9), rng.randint(1, 7)) for _ in range(size)]
        )
        found.append([Fraction(rng.gauss(0, 1)) for _ in range(size)])
    return found


@pytest.mark.parametrize("vector", vectors())
def test_the_square_of_a_length_is_that_of_its_definition(
    vector: list[Fraction],
) -> None:
    """Added up in a common denominator, for speed, with the same result."""
    sizes = [abs(entry) for entry in vector]
    assert Norm.L1.square(vector) == sum(sizes, Fraction(0)) ** 2
    assert Norm.LINF.square(vector) == max(sizes, default=Fraction(0)) ** 2
    assert Norm.L2.square(vector) == sum((x**2 for x in sizes), Fraction(0))
    for norm in Norm:
        length = norm.length(vector).bound()
        lower, upper = Fraction(length.lower), Fraction(length.upper)
        assert lower**2 <= norm.square(vector) <= upper**2


@pytest.mark.parametrize(
    ("norm", "value", "move", "is_exceeded"),
    [
        (Norm.L2, 5, (3, 4), False),
        (Norm.L2, 5, (3, 4, "1/1000000000"), True),
        (Norm.L2, sqrt(2), (1, 1), False),
        (Norm.L2, sqrt(2), (1, "1.0000001"), True),
        (Norm.L1, 7, (3, -4), False),
        (Norm.L1, "6.9", (3, -4), True),
        (Norm.LINF, 4, (3, -4), False),
        (Norm.LINF, "3.9", (3, -4), True),
    ],
)
def test_a_sensitivity_is_exceeded_by_longer_moves_only(
    norm: Norm, value: object, move: tuple[object, ...], is_exceeded: bool
) -> None:
    """Equality is none, also of numbers that are no rationals."""
    declared = Sensitivity(value, norm=norm)  # type: ignore[arg-type]
    moves = [Fraction(entry) for entry in move]  # type: ignore[call-overload]
    assert declared.is_exceeded_by(moves) is is_exceeded
