"""A query rounded to a grid moves by at most as many steps as the query, rounded up.

Printed: not in the sources.
Proved: Let a and b be values of the query in steps of the grid, m and n the nearest integers. Then
    m - n < (a - b) + 1. So the integer m - n is at most the ceiling of any bound on |a - b|: the
    local sensitivity within each distance, in steps and rounded up. It rises with the distance as
    that of the query does, and within k + 1 of a neighbor it is at least that within k of the data,
    so distances that are read from it move by at most 1.
Idea: Rounding moves each value by at most half a step, and one of them by less.
Source: the rounding of queries before discrete noise, as in Canonne, Kamath and Steinke, The
    discrete Gaussian for differential privacy.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.proof.kernel import Refused, Whole, assume, combine, given_by, relation
from rdpacct.proof.tactics.whole import below_one
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Statement,
    Status,
    Step,
    Theorem,
    by_prover,
)
from rdpacct.sensitivity.finite import FiniteQuery
from rdpacct.sensitivity.query import OnGrid


def rounded(part: Statement) -> Iterator[Step]:
    """m is the floor of a + 1/2, and n that of b + 1/2."""
    yield (
        combine(part.claim, part.assuming["below"], part.assuming["above"]),
        "half a step each",
    )


def ceiling(part: Statement) -> Iterator[Step]:
    """The whole number k is below 1."""
    names = ("below", "above", "bound", "rounded up", "not fewer")
    facts = [part.assuming[name] for name in names]
    excess = combine(relation("k < 1"), *facts[:4], (facts[4], -1))
    yield excess, "less than a step more"
    nothing = given_by(below_one("k"), excess)
    yield nothing, "which is a whole number"
    yield combine(part.claim, facts[4], nothing), "so they are no farther apart"


def rises(part: Statement) -> Iterator[Step]:
    """The same."""
    names = ("near", "larger", "rounded up", "not fewer")
    facts = [part.assuming[name] for name in names]
    excess = combine(relation("k < 1"), *facts[:3], (facts[3], -1))
    yield excess, "less than 1 more"
    nothing = given_by(below_one("k"), excess)
    yield nothing, "which is a whole number"
    yield combine(part.claim, facts[3], nothing), "so it is no larger"


def attack(seed: int) -> int:
    """Random rational queries on all small data sets: the local sensitivity on the grid, at each
    distance.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        values = range(rng.randint(2, 3))
        records = rng.randint(1, 3)
        near = FiniteQuery.of_multisets(len, values, records).steps
        table = {data: Fraction(rng.randint(0, 30), 7) for data in near}
        grid = OnGrid(
            FiniteQuery(table.__getitem__, near), Fraction(rng.randint(1, 9), 4)
        )
        exact = FiniteQuery(grid.value, near)
        for data in near:
            for distance in range(records + 1):
                if exact.local_within(data, distance) > grid.local_within(
                    data, distance
                ):
                    raise Refused(
                        f"{table} at {data} moves more on the grid, within {distance}."
                    )
                tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "rounded",
            "rounded values are less than a step farther apart",
            relation("m - n < a - b + 1"),
            rounded,
            assuming={
                "below": assume("m <= a + 1/2"),
                "above": assume("b + 1/2 < n + 1"),
            },
        ),
        Statement(
            "ceiling",
            "so they are at most as many steps apart as the ceiling C of a bound c:"
            " if not fewer, then C + k for a whole k, which is 0",
            relation("m - n <= C"),
            ceiling,
            (Whole("k", 0),),
            {
                "below": assume("m <= a + 1/2"),
                "above": assume("b + 1/2 < n + 1"),
                "bound": assume("a - b <= c"),
                "rounded up": assume("c <= C"),
                "not fewer": assume("m - n == C + k"),
            },
        ),
        Statement(
            "rises",
            "the ceiling B of a larger b is no smaller than C: if C is not below it,"
            " then B + k for a whole k",
            relation("C <= B"),
            rises,
            (Whole("k", 0),),
            {
                "near": assume("C < c + 1"),
                "larger": assume("c <= b"),
                "rounded up": assume("b <= B"),
                "not fewer": assume("C == B + k"),
            },
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "values 1/2 - c and 1/2 go to 0 and 1, however small c is",
            relation("(1/2 - c) + 1/2 < 1"),
            by_prover("so the floor of the left is below 1"),
            ("c > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the rounded values are no farther apart: a = 1/2, b = 1/2 - c, m = 1 and"
            " n = 0",
            relation("1 <= c"),
            ("0 < c < 1",),
        ),
    ),
    attacks=(Attack("random rational queries on a grid", attack),),
    rules=(OnGrid.local_within,),
)
