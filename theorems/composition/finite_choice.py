"""Several finite pairs to choose from: the least pair above them, and the value of several
releases.

Printed: not in the sources.
Proved: The profile of a finite pair at g is the largest P - g Q over the points (Q, P) of its test
    curve. (1) A point on or below the chord of two others has no larger P - g Q than the larger of
    theirs: so the largest of several profiles is that of the concave hull of all their points. (2)
    If the releases that follow have the profile of a pair W, then a pair of the next release has
    the profile of its product with W, and the best of them that of the hull of all products. So the
    value of several releases is the profile of a finite pair, found from the last release to the
    first.
Idea: A largest value of a linear function is taken at a corner of the hull.
Source: the test curves are those of Neyman and Pearson; the rest is not in the sources.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.composition.exact_tables import game_pair
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import maximum
from rdpacct.privacy.family import FinitePairs
from rdpacct.privacy.test_curve import Merged, concave_hull, merged
from rdpacct.proof.kernel import Refused, at_most, combine, real, specialize, under
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem
from rdpacct.testing.instances import any_pair

g, u, P, P1, P2, Q1, Q2 = (
    Symbol(name) for name in ("g", "u", "P", "P1", "P2", "Q1", "Q2")
)
FIRST = P1 - g * Q1
SECOND = P2 - g * Q2
BELOW = "P <= (1 - u)*P1 + u*P2"
TRIES = 25


def chord(part: Statement) -> Iterator[Step]:
    """A mean of two numbers is at most the larger."""
    below = under(real(BELOW, BELOW), BELOW, "0 <= u", "u <= 1")
    yield below, "the point is below the chord"
    sides = [
        specialize(real(text), x=FIRST, y=SECOND)
        for text in ("x <= max(x, y)", "y <= max(x, y)")
    ]
    yield combine(part.claim, (below, 1), (sides[0], 1 - u), (sides[1], u)), "weighted"


def value(tables: list[Merged], count: int, at: Fraction) -> Fraction:
    """The value of the game by its definition, in rationals."""
    if count == 0:
        return max(Fraction(0), 1 - at)
    return max(
        sum(
            (p * (value(tables, count - 1, at * q / p) if q else 1) for p, q in table),
            start=Fraction(0),
        )
        for table in tables
    )


def attack(seed: int) -> int:
    """Random tables, two and three releases, against the definition of the game."""
    rng = random.Random(seed)
    for _ in range(TRIES):
        drawn = [any_pair(rng, rng.randint(2, 3)) for _ in range(2)]
        tables = [merged(list(zip(one.p, one.q, strict=True))) for one in drawn]
        tables += [merged(list(zip(one.q, one.p, strict=True))) for one in drawn]
        count = rng.choice((2, 3))
        pair = game_pair(((FinitePairs(tuple(tables)), count),))
        at = Fraction(rng.randint(1, 30), 10)
        if pair is None or sum(
            (max(p - at * q, Fraction(0)) for p, q in pair), Fraction(0)
        ) != value(tables, count, at):
            raise Refused(f"{tables} have another value at {at}.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "the hull of the points of several curves is the curve of a pair, with an"
            " output for each of its edges"
        ),
        (
            "the mean of what follows, which has the profile of W, is the profile of"
            " the product of the pair with W (composition/adaptive-choice)"
        ),
    ),
    parts=(
        Statement(
            "chord",
            "a point below a chord is nowhere the only best one",
            at_most(P - g * ((1 - u) * Q1 + u * Q2), maximum(FIRST, SECOND)),
            chord,
            ("0 <= u", "u <= 1", BELOW),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the better of two pairs at one g is the better one at every g",
            at_most(
                FIRST.at(P1=1, Q1=1), SECOND.at(P2=Fraction(1, 2), Q2=Fraction(1, 4))
            ),
            ("g >= 0", "g <= 1"),
        ),
    ),
    attacks=(Attack("random tables against the definition of the game", attack),),
    rules=(concave_hull, game_pair),
)
